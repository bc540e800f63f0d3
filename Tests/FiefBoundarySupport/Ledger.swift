public import Fief
import Foundation

/// One line of a ledger.
public class Entry: Object {
  /// The key.
  @Persisted(primaryKey: true) public var id = 0
  /// The contents of the line.
  @Persisted(indexed: true) public var text = ""
  /// Numbers that were added one by one.
  @Persisted public var numbers: List<Int>
  /// Another line.
  @Persisted public var next: Entry?
}

/// The number of writes to a ledger.
public class WriteCount: Object {
  /// Always 0: there is one count.
  @Persisted(primaryKey: true) public var id = 0
  /// The count.
  @Persisted public var number = 0
}

/// The realm of these tests: entries that random writes change, and the number of the last write.
///
/// The number and the digest together identify the state of a realm, so one process can check the files of another one.
public struct Ledger {
  /// The realm with the entries.
  public let realm: Realm

  /// A configuration for a ledger's file.
  public static func configuration(
    _ path: String, isRelaxed: Bool = false, isReadOnly: Bool = false, seed: String? = nil
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path))
    configuration.objectTypes = [Entry.self, WriteCount.self]
    // A ledger belongs to one process that writes. Processes share a `SharedBank`.
    configuration.isExclusive = true
    configuration.durability = isRelaxed ? .relaxed : .full
    configuration.readOnly = isReadOnly
    configuration.seedFilePath = seed.map { URL(fileURLWithPath: $0) }
    return configuration
  }

  /// Opens the ledger of a file.
  public init(_ path: String, isRelaxed: Bool = false, isReadOnly: Bool = false, seed: String? = nil) throws {
    realm = try Realm(
      configuration: Self.configuration(path, isRelaxed: isRelaxed, isReadOnly: isReadOnly, seed: seed))
  }

  /// The number of the last write; 0 before the first.
  public var number: Int { realm.object(ofType: WriteCount.self, forPrimaryKey: 0)?.number ?? 0 }

  /// Counts a write. Call it inside the write.
  ///
  /// - Returns: the number of that write.
  public func countWrite() -> Int {
    let next = number + 1
    realm.create(WriteCount.self, value: ["id": 0, "number": next], update: .modified)
    return next
  }

  /// The ledger in a realm that is open.
  init(_ realm: Realm) { self.realm = realm }

  /// A hash of all entries in the realm, as a short string.
  public var digest: String { hash.text }

  /// A hash of all entries in the realm, to which more can be added.
  var hash: TextHash {
    var hash = TextHash()
    for entry in realm.objects(Entry.self).sorted(byKeyPath: "id") {
      hash.add("\(entry.id):\(entry.text):\(Array(entry.numbers)):\(entry.next?.id ?? -1);")
    }
    return hash
  }

  /// The digest of a ledger without entries.
  public static let emptyDigest = "cbf29ce484222325"
}
