// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation
public import RealmSwift
import Testing

// Declarations of a library on top of the store: public functions with default arguments, public extensions, and bodies
// that its own clients compile. All of it has to compile with one import.

public final class Entry: Object {
  @Persisted(primaryKey: true) public var id: ObjectId
  @Persisted public var title = ""
  @Persisted public var price: Decimal128 = 0
  @Persisted public var data: AnyRealmValue
  @Persisted public var parts: List<Entry>
  @Persisted public var marks: Map<String, Int>
}

public func openEntries(
  durability: Durability = .full, lifetime: Realm.Configuration.InMemoryLifetime = .process,
  id: ObjectId = ObjectId("000000000000000000000001"), price: Decimal128 = 1.5, least: Decimal128 = .min,
  data: AnyRealmValue = .none, number: AnyRealmValue = .decimal128(2), policy: Realm.UpdatePolicy = .modified,
  level: LogLevel = .debug, options: StringOptions = [.caseInsensitive], keys: Realm.CopyKeys = .keep,
  order: [RealmSwift.SortDescriptor] = [.init(keyPath: "title")], type: PropertyType = .string,
  code: Realm.Error.Code = .fail, date: Date = Date(timeIntervalSince1970: 0), url: URL? = nil
) throws -> Realm {
  var configuration = Realm.Configuration(inMemoryIdentifier: "\(UUID())", objectTypes: [Entry.self])
  configuration.durability = durability
  configuration.inMemoryLifetime = lifetime
  let realm = try Realm(configuration: configuration)
  try realm.write { _ = realm.create(Entry.self, value: ["id": id, "price": price, "data": data], update: policy) }
  return realm
}

extension Durability {
  public static var standard: Durability { .relaxed }
  @inlinable public var isFull: Bool { self == .full }
}

extension Realm.Configuration {
  @inlinable
  public func relaxed(_ durability: Durability = .relaxed) -> Realm.Configuration {
    var copy = self
    copy.durability = durability
    return copy
  }
}

extension StoreReport {
  @inlinable public var rows: Int { info?.tables.reduce(0) { $0 + $1.rows } ?? 0 }
  @inlinable public var wasClosed: Bool { info?.state == .closed && info?.cutOff == nil && isSound }
}

extension RecoveryReport {
  @inlinable public var summary: String { isComplete ? "\(tables.map(\.name))" : losses.joined() }
}

extension Results where Element == Entry {
  @inlinable public var dearest: Decimal128? { max(of: \.price) }
  @inlinable public func costing(atLeast price: Decimal128 = 1) -> Results<Entry> { self.where { $0.price >= price } }
}

@inlinable
public func titles(_ entries: List<Entry>, _ options: StringOptions = .caseInsensitive) -> [String] {
  entries.where { $0.title.contains("a", options: options) }.sorted(byKeyPath: "title").map { $0.title }
}

@inlinable
public func words(_ value: AnyRealmValue = .string("a")) -> String {
  switch value {
  case .objectId(let id): id.stringValue
  case .decimal128(let number): number.isNaN ? "?" : "\(number)"
  case .string(let text): text
  default: ""
  }
}

@Suite struct PublicClientTests {
  @Test func aPublicInterfaceOnTopOfTheStoreNeedsOneImport() throws {
    let realm = try openEntries(data: .string("x"))
    let entry = try #require(realm.objects(Entry.self).costing().first)
    #expect(words(entry.data) == "x" && words(.decimal128(2)) == "2")
    #expect(realm.objects(Entry.self).dearest == 1.5)
    try realm.write { entry.parts.append(Entry(value: ["title": "A"])) }
    #expect(titles(entry.parts) == ["A"])
    #expect(Durability.full.isFull && !Durability.standard.isFull)
    #expect(Realm.Configuration().relaxed().durability == .relaxed)
  }

  @Test func whatTheChecksOfFilesReportIsSpelledWithOneImport() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("a.realm")
    func fill() throws {
      let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [Entry.self]))
      try realm.write { _ = realm.create(Entry.self) }
    }
    try fill()
    let report = try Realm.verify(fileURL: url)
    #expect(report.wasClosed && report.rows == 1)
    let saved = try Realm.recover(from: url, to: folder.appendingPathComponent("b.realm"))
    #expect(saved.summary == #"["Entry"]"#)
  }
}
