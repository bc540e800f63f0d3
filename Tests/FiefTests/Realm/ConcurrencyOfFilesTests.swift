import FiefTestSupport
import Foundation
import RealmSwift
import Synchronization
import Testing

private class Account: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var balance = 0
}

private class Total: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var writes = 0
}

/// One file is read, written, compacted, copied and checked by 64 threads, each of which opens it again and again; now
/// and then it is closed by the last that has it. Under the thread sanitizer this looks for races; without it, for
/// sums that do not add up.
@Suite struct ConcurrencyOfFilesTests {
  private static let accounts = 20
  private static let money = 100 * accounts

  private static func configuration(_ folder: URL) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: folder.appendingPathComponent("bank.realm"), objectTypes: [Account.self, Total.self])
  }

  /// Records failures on threads. `lock` guards it.
  private final class Faults: @unchecked Sendable {
    private let lock = NSLock()
    private var found: [String] = []
    var all: [String] { lock.withLock { found } }
    func add(_ fault: String) { lock.withLock { found.append(fault) } }
  }

  @Test func sixtyFourThreadsReadWriteCompactAndCloseOneFile() throws {
    let rounds = Effort.of(debug: 6, release: 40)
    try TemporaryFolder.with { folder in
      let configuration = Self.configuration(folder)
      try Self.begin(configuration)
      let faults = Faults()
      let writes = Atomic<Int>(0)
      let group = DispatchGroup()
      for number in 0..<64 {
        group.enter()
        Thread.detachNewThread {
          var random = SeededRandom(seed: UInt64(number))
          for round in 0..<rounds {
            do {
              switch number % 16 {
              case 0..<9: try Self.read(configuration, &random)
              case 9..<14:
                try Self.write(configuration, &random)
                writes.add(1, ordering: .relaxed)
              case 14: try Realm(configuration: configuration).compact()
              default:
                let copy = folder.appendingPathComponent("copy\(number)-\(round).realm")
                try Realm(configuration: configuration).writeCopy(toFile: copy)
                try Self.check(
                  Realm(
                    configuration: Realm.Configuration(
                      fileURL: copy, readOnly: true, objectTypes: [Account.self, Total.self])))
              }
            } catch {
              faults.add("\(error)")
            }
            // Now the realm may be closed for a moment.
            if round % 3 == 2 { usleep(UInt32(random.below(20_000))) }
          }
          group.leave()
        }
      }
      group.wait()
      #expect(faults.all == [])
      let realm = try Realm(configuration: configuration)
      try Self.check(realm)
      #expect(realm.object(ofType: Total.self, forPrimaryKey: 0)?.writes == writes.load(ordering: .relaxed))
      #expect(try Realm.verify(fileURL: configuration.fileURL!).problems == [])
    }
  }

  private static func begin(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<accounts { realm.create(Account.self, value: ["id": id, "balance": 100]) }
      realm.create(Total.self, value: ["id": 0])
    }
  }

  private struct Wrong: Error { let sum: Int }

  private static func check(_ realm: Realm) throws {
    let sum = realm.objects(Account.self).reduce(0) { $0 + $1.balance }
    if sum != money { throw Wrong(sum: sum) }
  }

  private static func read(_ configuration: Realm.Configuration, _ random: inout SeededRandom) throws {
    let realm = try Realm(configuration: configuration)
    for _ in 0..<3 {
      try check(realm)
      try check(realm.freeze())
      if random.bool() { realm.refresh() }
    }
  }

  private static func write(_ configuration: Realm.Configuration, _ random: inout SeededRandom) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let amount = random.below(50)
      realm.object(ofType: Account.self, forPrimaryKey: random.below(accounts))?.balance -= amount
      realm.object(ofType: Account.self, forPrimaryKey: random.below(accounts))?.balance += amount
      realm.object(ofType: Total.self, forPrimaryKey: 0)?.writes += 1
    }
  }
}
