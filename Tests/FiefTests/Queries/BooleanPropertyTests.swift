import RealmSwift
import Testing

private class Dog: Object {
  @Persisted var isGood = false
  @Persisted var isOld = false
}

private class Walker: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var dogs: List<Companion>
}

private class Companion: Object {
  @Persisted var age = 0
  @Persisted var best: Dog?
  @Persisted var others: List<Dog>
}

private class Person: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var isHere = false
  @Persisted var dog: Dog?
  @Persisted var dogs: List<Dog>
  @Persisted var marks: Map<String, Bool>
}

/// Properties of type Bool that are conditions themselves, and their negations.
@Suite struct BooleanPropertyTests {
  /// Person 0 has no dog, 1 a good one, 2 another. 3 has both kinds, and 1 and 2 have their dog also among several.
  /// 2 and 3 have a mark.
  private func persons() -> [Person] {
    let (good, other) = (Dog(value: ["isGood": true]), Dog())
    return [
      Person(value: ["id": 0]), Person(value: ["id": 1, "dog": good, "dogs": [good], "isHere": true] as [String: Any]),
      Person(value: ["id": 2, "dog": other, "dogs": [other], "marks": ["tall": true]] as [String: Any]),
      Person(value: ["id": 3, "dogs": [good, other], "marks": ["tall": false]] as [String: Any]),
    ]
  }

  /// The persons that satisfy a condition: stored ones, and ones outside a store, of which the answers are the same.
  private func ids(_ condition: (Query<Person>) -> Query<Bool>) throws -> [Int] {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Person.self, Dog.self]))
    try realm.write { realm.add(persons()) }
    let found = Array(realm.objects(Person.self).where(condition).map(\.id))
    let outside = persons().filter { person in
      let one = List<Person>()
      one.append(person)
      return one.index(matching: condition) == 0
    }
    #expect(outside.map(\.id) == found)
    return found
  }

  private func text(_ condition: (Query<Person>) -> Query<Bool>) -> String {
    condition(Query<Person>._constructForTesting())._constructPredicate().0
  }

  @Test func aNullLinkSatisfiesNeitherAPropertyNorItsNegation() throws {
    #expect(try ids { $0.dog.isGood } == [1])
    #expect(try ids { !$0.dog.isGood } == [2])
    #expect(try ids { !$0.dog.isGood && $0.id >= 0 } == [2])
    #expect(try ids { $0.id == 3 || !$0.dog.isGood } == [2, 3])
    #expect(try ids { !$0.dog.isGood && !$0.dog.isOld } == [2])
    #expect(try ids { !$0.isHere } == [0, 2, 3])
    #expect(text { !$0.dog.isGood } == text { $0.dog.isGood == false })
    #expect(text { !$0.isHere } == text { $0.isHere == false })
    #expect(text { !$0.isHere || !$0.dog.isGood } == text { $0.isHere == false || $0.dog.isGood == false })
  }

  @Test func aMissingKeySatisfiesNeitherAValueNorItsNegation() throws {
    #expect(try ids { $0.marks["tall"] } == [2])
    #expect(try ids { !$0.marks["tall"] } == [3])
  }

  @Test func theNegationOfAComparisonHoldsBehindANullLink() throws {
    #expect(try ids { !($0.dog.isGood == true) } == [0, 2, 3])
    #expect(try ids { !($0.dog.isGood == false) } == [0, 1, 3])
    #expect(try ids { !($0.dog.isGood && $0.id >= 0) } == [0, 2, 3])
  }

  @Test func aNegationOfANegationIsWhatWasNegated() throws {
    #expect(try ids { !(!$0.dog.isGood) } == [1])
    #expect(try ids { !(!(!$0.dog.isGood)) } == [2])
    #expect(try ids { (!$0.dog.isGood) == false } == [1])
    #expect(try ids { (!$0.dog.isGood) != false } == [2])
    #expect(try ids { !(!($0.dog.isGood == false)) } == [2])
    #expect(text { !(!$0.dog.isGood) } == text { $0.dog.isGood })
  }

  @Test func theNegationOverSeveralValuesMeansThatNoneIsTrue() throws {
    #expect(try ids { $0.dogs.isGood } == [1, 3])
    #expect(try ids { !$0.dogs.isGood } == [0, 2])
    #expect(try ids { ($0.dogs.isGood && $0.dogs.isOld == false).count > 0 } == [1, 3])
    #expect(try ids { (!$0.dogs.isGood && $0.dogs.isOld == false).count > 0 } == [2, 3])
  }

  /// In a subquery a path behind its collection has one value. Walker 0 has a dog without a best friend, 1 one with a
  /// good friend, 2 one with another.
  @Test func behindTheCollectionOfASubqueryANullLinkSatisfiesNeither() throws {
    func walkers() -> [Walker] {
      let (good, other) = (Dog(value: ["isGood": true]), Dog())
      let dogs: [[String: Any]] = [
        ["age": 3], ["age": 3, "best": good, "others": [good]], ["age": 3, "best": other, "others": [other]],
      ]
      return dogs.enumerated().map { id, dog in Walker(value: ["id": id, "dogs": [dog]] as [String: Any]) }
    }
    let realm = try Realm(configuration: .inMemory(objectTypes: [Walker.self, Companion.self, Dog.self]))
    try realm.write { realm.add(walkers()) }
    func ids(_ condition: (Query<Walker>) -> Query<Bool>) -> [Int] {
      let found = Array(realm.objects(Walker.self).where(condition).map(\.id))
      let outside = walkers().filter { walker in
        let one = List<Walker>()
        one.append(walker)
        return one.index(matching: condition) == 0
      }
      #expect(outside.map(\.id) == found)
      return found
    }
    #expect(ids { ($0.dogs.best.isGood && $0.dogs.age > 2).count > 0 } == [1])
    #expect(ids { (!$0.dogs.best.isGood && $0.dogs.age > 2).count > 0 } == [2])
    #expect(ids { ($0.dogs.age > 2 && !(!(!$0.dogs.best.isGood))).count > 0 } == [2])
    #expect(ids { (!$0.dogs.best.isGood).count > 0 } == [2])
    #expect(ids { (!($0.dogs.best.isGood == true) && $0.dogs.age > 2).count > 0 } == [0, 2])
    // Of a second collection behind it none is true.
    #expect(ids { (!$0.dogs.others.isGood && $0.dogs.age > 2).count > 0 } == [0, 2])
    // Outside of subqueries the path has several values.
    #expect(ids { !$0.dogs.best.isGood } == [0, 2])
  }
}
