import Foundation
import RealmSwift
import Testing

private class Crate: Object {
  @Persisted var numbers: List<Int>
  @Persisted var distinct: MutableSet<Int>
  @Persisted var named: Map<String, Int>
}

/// Its collections are there before any is read.
private class Declared: Object, Codable {
  @Persisted var numbers = List<Int>()
  @Persisted var distinct = MutableSet<Int>()
  @Persisted var named = Map<String, Int>()
}

/// A property copies what it is assigned: no two properties, and no property and variable, have one collection.
@Suite struct AssignedCollectionTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Crate.self, Declared.self]))
  }

  private func check(_ crate: Crate, _ numbers: [Int], _ what: Comment) {
    #expect(crate.numbers == numbers, what)
    #expect(crate.distinct == numbers, what)
    #expect(crate.named == Dictionary(uniqueKeysWithValues: numbers.map { ("\($0)", $0) }), what)
  }

  @Test func aCollectionThatNewObjectsAreGivenStaysThatOfItsVariable() {
    let (numbers, distinct, named) = (List([1]), MutableSet([1]), Map<String, Int>())
    named["1"] = 1
    let crates = [Crate(), Crate(), Crate(value: ["numbers": numbers, "distinct": distinct, "named": named])]
    for crate in crates[..<2] { (crate.numbers, crate.distinct, crate.named) = (numbers, distinct, named) }
    numbers.append(2)
    distinct.insert(2)
    named["2"] = 2
    for crate in crates { check(crate, [1], "before") }
    crates[0].numbers.append(3)
    crates[0].distinct.insert(3)
    crates[0].named["3"] = 3
    check(crates[0], [1, 3], "changed")
    #expect(numbers == [1, 2] && distinct == [1, 2] && named == ["1": 1, "2": 2])
  }

  @Test func theCollectionOfAnotherObjectStaysThatOfTheOther() throws {
    let realm = try realm()
    let json = Data(#"{"numbers": [1], "distinct": [1], "named": {"1": 1}}"#.utf8)
    let declared = Declared(value: ["numbers": [1], "distinct": [1], "named": ["1": 1]])
    for other in [declared, try JSONDecoder().decode(Declared.self, from: json)] {
      let crate = Crate()
      (crate.numbers, crate.distinct, crate.named) = (other.numbers, other.distinct, other.named)
      try realm.write { realm.add(other) }
      #expect(crate.numbers.realm == nil && crate.distinct.realm == nil && crate.named.realm == nil)
      try realm.write {
        realm.add(crate)
        other.numbers.append(2)
        other.distinct.insert(2)
        other.named["2"] = 2
      }
      check(crate, [1], "added")
      #expect(other.numbers == [1, 2] && other.distinct == [1, 2] && other.named == ["1": 1, "2": 2])
    }
  }
}
