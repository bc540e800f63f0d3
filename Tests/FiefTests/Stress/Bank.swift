import Dispatch
import FiefTestSupport
import Foundation
import RealmSwift
import Synchronization
import Testing

/// An account. The balances of all accounts have one sum in every version.
class StressAccount: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var balance = 0
  @Persisted var log: List<StressEntry>
}

/// A transfer that an account has taken part in.
class StressEntry: EmbeddedObject {
  @Persisted var amount = 0
}

/// The number of transfers, and what a version must agree with.
class StressLedger: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var transfers = 0
  @Persisted var accounts: List<StressAccount>
}

/// Accounts between which money is transferred, and the statements about every version of them.
struct Bank: Sendable {
  static let count = 12
  static let sum = count * 100

  let configuration: Realm.Configuration
  /// The transfers whose commits were reported as complete.
  let transfers = Tally()
  /// The reads that were checked.
  let reads = Tally()

  init(_ configuration: Realm.Configuration) throws {
    var configuration = configuration
    configuration.objectTypes = [StressAccount.self, StressEntry.self, StressLedger.self]
    self.configuration = configuration
    let realm = try open()
    try realm.write {
      let ledger = realm.create(StressLedger.self, value: ["id": 0])
      for id in 0..<Self.count {
        ledger.accounts.append(realm.create(StressAccount.self, value: ["id": id, "balance": 100]))
      }
    }
  }

  /// The realm of the running thread.
  func open() throws -> Realm { try Realm(configuration: configuration) }

  /// Transfers money inside a write.
  static func transfer(_ realm: Realm, _ random: inout SeededRandom) {
    guard let ledger = realm.object(ofType: StressLedger.self, forPrimaryKey: 0) else { return }
    let from = ledger.accounts[random.below(count)]
    let to = ledger.accounts[random.below(count)]
    let amount = 1 + random.below(50)
    from.balance -= amount
    to.balance += amount
    for account in [from, to] {
      account.log.append(StressEntry(value: ["amount": amount]))
      if account.log.count > 4 { account.log.remove(at: 0) }
    }
    ledger.transfers += 1
    if random.below(4) == 0 { ledger.accounts.move(from: random.below(count), to: random.below(count)) }
  }

  /// Checks the statements, and returns the number of transfers that the version has.
  @discardableResult
  func check(_ realm: Realm, _ who: String) -> Int {
    let accounts = realm.objects(StressAccount.self)
    guard let ledger = realm.object(ofType: StressLedger.self, forPrimaryKey: 0) else {
      Issue.record("\(who) finds no ledger")
      return 0
    }
    return check(Array(accounts), ledger, who)
  }

  func check(_ accounts: [StressAccount], _ ledger: StressLedger, _ who: String) -> Int {
    let before = ledger.transfers
    #expect(accounts.count == Self.count, "\(who)")
    #expect(accounts.reduce(0) { $0 + $1.balance } == Self.sum, "\(who) at \(before) transfers")
    #expect(Set(ledger.accounts.map { $0.id }) == Set(0..<Self.count), "\(who)")
    #expect(accounts.allSatisfy { $0.log.count <= 4 && $0.log.allSatisfy { $0.amount > 0 } }, "\(who)")
    #expect(ledger.transfers == before, "\(who) saw one version")
    reads.add()
    return before
  }
}

/// A number that all threads may raise.
final class Tally: Sendable {
  private let number = Atomic<Int>(0)

  var value: Int { number.load(ordering: .sequentiallyConsistent) }
  func add() { number.add(1, ordering: .sequentiallyConsistent) }
}
