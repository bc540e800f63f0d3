import Foundation
import RealmSwift

/// Counts the calls of application code below: initialisers, conversions and raw values.
final class CallCount: @unchecked Sendable {
  @TaskLocal static var current: CallCount?
  /// Used by one thread.
  var calls = 0

  static func note() { current?.calls += 1 }
}

enum KeeperGrade: Int, PersistableEnum {
  case low = 1
  case high = 10
}

struct Mass: CustomPersistable, Equatable {
  var grams: Int

  init(persistedValue: Int) {
    grams = persistedValue
    CallCount.note()
  }

  var persistableValue: Int {
    CallCount.note()
    return grams
  }
}

class Plot: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var number = 1
}

/// Scalars alone, without a key.
class Token: Object {
  @Persisted var n = 1
  @Persisted(indexed: true) var text = "token"
  @Persisted var flag = true
  @Persisted var small: Int16 = 4
  @Persisted var größe: Int?
  @Persisted var aNameOfManyMoreLetters = 2.5
  @Persisted var data: Data?
  @Persisted var date = Date(timeIntervalSince1970: 1)
  @Persisted var uuid: UUID?
  @Persisted var decimal = Decimal128(3)
}

/// Another class over the table of `Token`.
class NarrowToken: Object {
  @Persisted var n: Int8 = 1
  @Persisted(indexed: true) var text = "narrow"

  override class func _realmObjectName() -> String? { "Token" }
}

/// A key, links, collections, parts and custom types.
class Keeper: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = "nobody"
  @Persisted var age: Int8
  @Persisted var score: Double?
  @Persisted(indexed: true) var city: String?
  @Persisted var grade: KeeperGrade = .low
  @Persisted var mass: Mass?
  @Persisted var home: Plot?
  @Persisted var work: Plot?
  @Persisted var next: Keeper?
  @Persisted var friends: List<Keeper>
  @Persisted var numbers: List<Int>
  @Persisted var any: AnyRealmValue
  @Persisted(originProperty: "next") var previous: LinkingObjects<Keeper>

  required init() {
    super.init()
    CallCount.note()
  }
}

class Ledger: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted(indexed: .unique) var email: String?
  @Persisted var mass = Mass(persistedValue: 3)
}
