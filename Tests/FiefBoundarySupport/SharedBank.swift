public import Fief
import Foundation

/// An account of a bank. No write changes the sum of all of them.
public class Account: Object {
  /// The key.
  @Persisted(primaryKey: true) public var id = 0
  /// The contents of the account.
  @Persisted public var balance = 0
}

/// The signature of one commit.
public class Deed: Object {
  /// The process that made the commit.
  @Persisted public var process = 0
  /// The number of the commit among those of the process, from 1 on.
  @Persisted public var counter = 0
  /// The number of the commit among those of all processes, from 1 on.
  @Persisted public var number = 0
  /// The process and the counter in one number.
  @Persisted public var mark = 0
}

/// The realm that processes share in these tests. Each commit counts and signs itself. So what a process sees shows
/// whether it is the result of the first commits, each in full, and nothing else.
public struct SharedBank {
  /// The realm.
  public let realm: Realm

  /// The view of a process at one moment.
  public struct State: Equatable, Sendable {
    /// The number of commits.
    public let number: Int
    /// The sum of their marks, which another set of commits does not have.
    public let marks: Int
    /// A hash of all accounts and entries.
    public let digest: String
    /// Why this cannot be the result of whole commits; nil if it can.
    public let problem: String?
  }

  private static let accounts = 8
  private static let balance = 1000
  /// Marks of processes differ by this.
  private static let range = 1_000_000

  /// A configuration for a bank's file.
  public static func configuration(
    _ path: String, isRelaxed: Bool = false, isReadOnly: Bool = false
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path))
    configuration.objectTypes = [Account.self, Deed.self, Entry.self, WriteCount.self]
    configuration.durability = isRelaxed ? .relaxed : .full
    configuration.readOnly = isReadOnly
    return configuration
  }

  /// The bank in a realm.
  public init(_ realm: Realm) { self.realm = realm }

  /// Opens the bank of a file.
  public init(_ path: String, isRelaxed: Bool = false, isReadOnly: Bool = false) throws {
    realm = try Realm(configuration: Self.configuration(path, isRelaxed: isRelaxed, isReadOnly: isReadOnly))
  }

  /// The number of commits.
  public var number: Int { realm.object(ofType: WriteCount.self, forPrimaryKey: 0)?.number ?? 0 }

  /// Counts and signs a commit, and makes the accounts in the first one. Call it inside the write.
  ///
  /// - Returns: the number of the commit.
  public func sign(process: Int, counter: Int) -> Int {
    let next = number + 1
    if next == 1 {
      for id in 0..<Self.accounts { realm.create(Account.self, value: ["id": id, "balance": Self.balance]) }
    }
    realm.create(WriteCount.self, value: ["id": 0, "number": next], update: .modified)
    realm.create(
      Deed.self,
      value: ["process": process, "counter": counter, "number": next, "mark": process * Self.range + counter])
    return next
  }

  /// Moves money between two accounts. Call it inside a write.
  public func transfer(_ random: inout SplitMix64) {
    let accounts = realm.objects(Account.self).sorted(byKeyPath: "id")
    guard accounts.count == Self.accounts else { return }
    let from = accounts[random.below(accounts.count)]
    let to = accounts[random.below(accounts.count)]
    let amount = random.below(100)
    from.balance -= amount
    to.balance += amount
  }

  /// The view of the realm.
  public var state: State {
    let deeds = realm.objects(Deed.self)
    let (number, count) = (number, deeds.count)
    let sum: Int = deeds.sum(of: \.number)
    let total: Int = realm.objects(Account.self).sum(of: \.balance)
    var problem: String?
    if count != number || sum != number * (number + 1) / 2 {
      problem = "\(count) signatures with the sum \(sum) in version \(number)"
    } else if total != (number == 0 ? 0 : Self.accounts * Self.balance) {
      problem = "the accounts have \(total) in version \(number)"
    }
    var hash = Ledger(realm).hash
    for account in realm.objects(Account.self).sorted(byKeyPath: "id") { hash.add("\(account.id):\(account.balance);") }
    return State(number: number, marks: deeds.sum(of: \.mark), digest: hash.text, problem: problem)
  }

  /// The mark of a signature.
  public static func mark(process: Int, counter: Int) -> Int { process * range + counter }
}
