import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Unlisted: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private enum Wide {
  class Counter: Unlisted {
    @Persisted var count: Int
    @Persisted var perhaps: Int?
    @Persisted var list: List<Int>
    @Persisted var set: MutableSet<Int>
    @Persisted var map: Map<String, Int?>
  }
}

private enum Narrow {
  class Counter: Unlisted {
    @Persisted var count: Int8
    @Persisted var perhaps: Int16?
    @Persisted var list: List<Int8>
    @Persisted var set: MutableSet<Int32>
    @Persisted var map: Map<String, Int8?>
  }

  /// The same table as the wide one.
  class Other: Unlisted {
    @Persisted var count: Int8
    override class func _realmObjectName() -> String? { "Counter" }
  }
}

@Suite struct IntegerWidthTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ types: [ObjectBase.Type], readOnly: Bool = false) throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        fileURL: folder.url.appendingPathComponent("counters.realm"), readOnly: readOnly, objectTypes: types))
  }

  private func make(_ values: [[String: Any]]) throws {
    let realm = try open([Wide.Counter.self])
    try realm.write { for value in values { realm.create(Wide.Counter.self, value: value) } }
  }

  @Test(arguments: [("count", 300), ("perhaps", 40_000), ("list", -129), ("set", 1 << 31), ("map", 128)])
  func aNumberThatDoesNotFitANarrowerDeclarationIsNamedAtOpening(property: String, number: Int) throws {
    let value: Any =
      property == "map" ? ["a": 1, "b": number] : ["list", "set"].contains(property) ? [1, number] : number
    // More objects than a cluster has, the last of them the bad one.
    try make((0..<300).map { ["count": $0 % 100] } + [[property: value]])
    for readOnly in [false, true] {
      let error = #expect(throws: Realm.Error.self) { _ = try open([Narrow.Counter.self], readOnly: readOnly) }
      #expect(error?.code == (readOnly ? .fail : .schemaMismatch))
      let text = error?.localizedDescription ?? ""
      #expect(text.contains("'Counter.\(property)' has been narrowed") && text.contains("object #300 holds \(number)"))
    }
    #expect(try open([Wide.Counter.self]).objects(Wide.Counter.self).count == 301)
  }

  @Test func numbersThatFitStayAndOnesThatDoNotAreRefusedFromThenOn() throws {
    try make([["count": 100, "perhaps": -32_768, "list": [127], "set": [1 << 30], "map": ["a": 5, "b": NSNull()]]])
    let realm = try open([Narrow.Counter.self])
    let counter = try #require(realm.objects(Narrow.Counter.self).first)
    #expect(counter.count == 100 && counter.perhaps == -32_768 && counter.list.first == 127)
    #expect(counter.set.first == 1 << 30 && counter.map["a"] == 5)
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { realm.create(Narrow.Counter.self, value: ["count": 300]) }
    }
    #expect(error?.code == .invalidValue && realm.objects(Narrow.Counter.self).count == 1)
  }

  @Test func aNumberThatWasLargeOnceHindersNothing() throws {
    try make([["count": 100_000], ["count": 5]])
    do {
      let realm = try open([Wide.Counter.self])
      try realm.write { realm.objects(Wide.Counter.self).first?.count = 7 }
    }
    #expect(try open([Narrow.Counter.self]).objects(Narrow.Counter.self).map(\.count) == [7, 5])
  }

  @Test func aWiderDeclarationTakesLargeNumbers() throws {
    do {
      let realm = try open([Narrow.Counter.self])
      try realm.write { realm.create(Narrow.Counter.self, value: ["count": 100, "list": [3]]) }
    }
    let realm = try open([Wide.Counter.self])
    let counter = try #require(realm.objects(Wide.Counter.self).first)
    try realm.write {
      counter.count = 100_000
      counter.list.append(1 << 40)
    }
    #expect(counter.count == 100_000 && counter.list.last == 1 << 40)
  }

  @Test func classesOverOneTableKeepToTheNarrowestOfThem() throws {
    for types: [ObjectBase.Type] in [
      [Wide.Counter.self, Narrow.Other.self], [Narrow.Other.self, Wide.Counter.self],
    ] {
      let realm = try Realm(configuration: .inMemory(objectTypes: types))
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { realm.create(Wide.Counter.self, value: ["count": 300]) }
      }
      #expect(error?.code == .invalidValue)
      try realm.write { realm.create(Wide.Counter.self, value: ["count": 100]) }
      #expect(realm.objects(Narrow.Other.self).first?.count == 100)
    }
  }
}
