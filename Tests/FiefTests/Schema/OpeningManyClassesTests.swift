import FiefTestSupport
import Foundation
import RealmSwift
import Testing

/// A class of ten integers for each pair of types.
private final class Wide<First, Second>: Object {
  @Persisted var a: Int
  @Persisted var b: Int
  @Persisted var c: Int
  @Persisted var d: Int
  @Persisted var e: Int
  @Persisted var f: Int
  @Persisted var g: Int
  @Persisted var h: Int
  @Persisted var i: Int
  @Persisted var j: Int
  override class func _realmObjectName() -> String? { "Wide_\(First.self)_\(Second.self)" }
}

/// The first of the 225 classes of `Wide`.
private func wideClasses(_ count: Int) -> [ObjectBase.Type] {
  let parts: [Any.Type] = [
    Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
    UInt64.self, Float.self, Double.self, Bool.self, String.self, Character.self,
  ]
  var types: [ObjectBase.Type] = []
  for first in parts {
    for second in parts where types.count < count {
      func pair<First>(_: First.Type) -> ObjectBase.Type {
        func with<Second>(_: Second.Type) -> ObjectBase.Type { Wide<First, Second>.self }
        return _openExistential(second, do: with)
      }
      types.append(_openExistential(first, do: pair))
    }
  }
  return types
}

@Suite struct OpeningManyClassesTests {
  private func open(_ types: [ObjectBase.Type]) throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: types))
    #expect(realm.schema.objectSchema.count == types.count)
  }

  @Test func storesOfClassesThatWereOpenedBeforeOpenInNoTime() throws {
    let types = wideClasses(200)
    try open(types)
    let again = try (0..<10).map { _ in try threadTime { try open(types.reversed()) } }.min()
    #expect(try #require(again) < .milliseconds(20))
  }

  @Test func openingOtherClassesTakesTimeInProportionToThem() throws {
    let types = wideClasses(200)
    try open(types)
    // Each set is new, and each class is known.
    let few = try (1...5).map { first in try threadTime { try open(Array(types[first..<first + 50])) } }.min()
    let many = try (1...5).map { first in try threadTime { try open(Array(types[first...])) } }.min()
    #expect(try #require(many) < #require(few) * 12)
  }

  @Test func aFileOfManyClassesIsOpenedAgainWithItsData() throws {
    let folder = try TemporaryFolder()
    let types = wideClasses(200)
    let configuration = Realm.Configuration(
      fileURL: folder.url.appendingPathComponent("wide.realm"), objectTypes: types, durability: .relaxed)
    for round in 0..<2 {
      let realm = try Realm(configuration: configuration)
      #expect(realm.schema.objectSchema.count == 200 && realm.isEmpty == (round == 0))
      try realm.write { realm.create(Wide<Int, Int8>.self, value: ["j": 5]) }
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Wide<Int, Int8>.self).map(\.j) == [5, 5])
  }

  @Test func storesOfOneSetOfClassesShareNoData() throws {
    let types = wideClasses(25)
    let realms = try (0..<3).map { _ in try Realm(configuration: .inMemory(objectTypes: types)) }
    for (number, realm) in realms.enumerated() {
      try realm.write { for _ in 0..<number { realm.create(Wide<Int, Int>.self, value: ["a": number]) } }
    }
    for (number, realm) in realms.enumerated() {
      #expect(realm.objects(Wide<Int, Int>.self).map(\.a) == Array(repeating: number, count: number))
      #expect(realm.objects(Wide<Int, Int8>.self).isEmpty)
    }
  }
}
