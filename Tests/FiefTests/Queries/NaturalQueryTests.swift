import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Dog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var city: String?
  @Persisted var age = 0
  @Persisted var limit: Int?
  @Persisted var weight = 0.0
  @Persisted var born: Date?
  @Persisted var tags: List<String>
  @Persisted var isOld = false
  @Persisted var pups: List<Dog>
}

/// Conditions, orders and sums in the words that a Swift programmer tries first.
@Suite struct NaturalQueryTests {
  private func realm() throws -> Realm {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
    try realm.write {
      for (id, name) in ["Rex", "Kit", "Bo", "Al", "Kit"].enumerated() {
        let dog = realm.create(Dog.self, value: ["id": id, "name": name, "age": id * 2])
        dog.city = id == 0 ? nil : id < 3 ? "Oslo" : "Rome"
        dog.limit = id == 1 ? nil : id
        dog.born = id == 2 ? nil : Date(timeIntervalSince1970: Double(id))
        dog.tags += Array(repeating: "t", count: id)
      }
    }
    return realm
  }

  private func ids(_ dogs: Results<Dog>) -> [Int] { dogs.map(\.id) }

  @Test func constantsMayStandBeforeTheProperty() throws {
    let dogs = try realm().objects(Dog.self)
    #expect(ids(dogs.where { ["Rex", "Bo"].contains($0.name) }) == [0, 2])
    #expect(ids(dogs.where { Set(["Oslo"]).contains($0.city) }) == [1, 2])
    #expect(ids(dogs.where { [2, 4].contains($0.age) && !["Kit"].contains($0.name) }) == [2])
    #expect(ids(dogs.where { (2...4).contains($0.age) }) == [1, 2])
    #expect(ids(dogs.where { (2..<4).contains($0.age) }) == [1])
    #expect(ids(dogs.where { (2...3).contains($0.limit) }) == [2, 3])
    #expect(ids(dogs.where { (0..<3).contains($0.limit) }) == [0, 2])
    let times = Date(timeIntervalSince1970: 1)...Date(timeIntervalSince1970: 3)
    #expect(ids(dogs.where { times.contains($0.born) }) == [1, 3])
    #expect(dogs.where { [String]().contains($0.name) }.isEmpty)
  }

  @Test func textsAndListsHaveCountsAndMayBeEmpty() throws {
    let realm = try realm()
    let dogs = realm.objects(Dog.self)
    #expect(ids(dogs.where { $0.tags.isEmpty }) == [0])
    #expect(ids(dogs.where { $0.tags.count > 3 }) == [4])
    #expect(ids(dogs.where { $0.name.count > 2 }) == [0, 1, 4])
    try realm.write { dogs[0].name = "" }
    #expect(ids(dogs.where { $0.name.isEmpty }) == [0])
  }

  @Test func theFirstElementOfACondition() throws {
    let dogs = try realm().objects(Dog.self)
    #expect(dogs.first(where: { $0.age > 3 })?.id == 2)
    #expect(dogs.first { $0.name == "Kit" && $0.age > 2 }?.id == 4)
    #expect(dogs.first(where: { $0.age > 30 }) == nil)
    // What a store cannot evaluate is tested one by one.
    #expect(dogs.first(where: { $0.name.hasPrefix("B") })?.id == 2)
    let loose: List<Dog> = [Dog(value: [1, "Bo"]), Dog(value: [2, "Kit"])]
    #expect(loose.first(where: { $0.name == "Kit" })?.id == 2)
    #expect(loose.first { $0.id > 2 } == nil)
  }

  /// Dog 2 is not among the first dogs of their cities. As with `filter`, a `where` finds it nevertheless.
  @Test func theFirstElementOfAConditionIsOneOfTheDistinctOnes() throws {
    let dogs = try realm().objects(Dog.self)
    let firsts = dogs.distinct(by: ["city"])
    #expect(ids(firsts) == [0, 1, 3])
    for firsts in [firsts, firsts.freeze()] {
      #expect(firsts.first(where: { (dog: Query<Dog>) in dog.age > 3 })?.id == 3)
      #expect(firsts.first(where: { (dog: Query<Dog>) in dog.age == 4 }) == nil)
      #expect(firsts.index(matching: { $0.age > 3 }) == 2 && firsts.index(matching: { $0.age == 4 }) == nil)
      #expect(firsts.index(matching: "age > 3") == 2)
      #expect(firsts.index(matching: NSPredicate(format: "age > 3")) == 2)
      #expect(firsts.index(matching: #Predicate<Dog> { $0.age > 3 }) == 2)
      #expect(ids(firsts.where { $0.age > 3 }) == [2, 3])
    }
    #expect(dogs.sorted(by: \.age, ascending: false).distinct(by: ["city"]).index(matching: { $0.age < 3 }) == 2)
  }

  @Test func averagesOfIntegersHaveFractions() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
    let dogs = realm.objects(Dog.self)
    #expect(dogs.average(of: \.age) == nil)
    try realm.write { for number in 0..<1000 { realm.create(Dog.self, value: ["id": number, "age": number]) } }
    #expect(dogs.average(of: \.age) == 499.5)
    #expect("\(dogs.average(of: \.age) ?? 0)" == "499.5")
    let whole: Int? = dogs.average(of: \.age)
    #expect(whole == 499)
    #expect(dogs.average(of: \.limit) == nil)
    try realm.write { (dogs[0].limit, dogs[1].limit) = (1, 2) }
    #expect(dogs.average(of: \.limit) == 1.5)
    #expect(dogs.average(of: \.weight) == 0)
  }

  @Test func aPropertyOfAllElementsIsSet() throws {
    let realm = try realm()
    let dogs = realm.objects(Dog.self)
    try realm.write {
      // Setting the property of the condition itself reaches all that satisfied it when the loop began.
      dogs.where { $0.age > 3 }.set(\.age, to: 1)
      dogs.set(\.city, to: nil)
      dogs[0].pups += dogs
      dogs[0].pups.set(\.isOld, to: true)
    }
    #expect(dogs.map(\.age) == [0, 2, 1, 1, 1])
    #expect(dogs.allSatisfy { $0.city == nil && $0.isOld })
  }

  @Test func aPropertyOfAllElementsIsSetInAWriteOnly() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Realm(configuration: .inMemory(objectTypes: [Dog.self])).objects(Dog.self).set(\.age, to: 1)
    }
    expectSentence("The elements of a collection were changed outside of a write transaction", of: result)
  }

  @Test func allObjectsOfAClassAreDeleted() throws {
    let realm = try realm()
    try realm.write { realm.deleteAll(Dog.self) }
    #expect(realm.isEmpty)
  }

  // MARK: Orders

  @Test func severalPropertiesOrder() throws {
    let dogs = try realm().objects(Dog.self)
    #expect(ids(dogs.sorted(by: [\.name, \.age])) == [3, 2, 1, 4, 0])
    #expect(ids(dogs.sorted(by: [\.city, \.name], ascending: false)) == [4, 3, 1, 2, 0])
    #expect(ids(dogs.sorted(by: [])) == [0, 1, 2, 3, 4])
  }

  @Test func comparatorsOfFoundationOrder() throws {
    let realm = try realm()
    let dogs = realm.objects(Dog.self)
    let byName: Results<Dog> = dogs.sorted(using: [
      KeyPathComparator(\.name), KeyPathComparator(\.age, order: .reverse),
    ])
    #expect(ids(byName) == [3, 2, 4, 1, 0])
    #expect(ids(dogs.sorted(using: KeyPathComparator(\.age, order: .reverse))) == [4, 3, 2, 1, 0])
    #expect(ids(dogs.sorted(using: KeyPathComparator(\.limit))) == [1, 0, 2, 3, 4])
    #expect(ids(dogs.sorted(using: KeyPathComparator(\.city, order: .reverse))) == [3, 4, 1, 2, 0])
    #expect(ids(dogs.sorted(using: Foundation.SortDescriptor(\.name))) == [3, 2, 1, 4, 0])
    #expect(
      ids(dogs.sorted(using: [Foundation.SortDescriptor(\.city), Foundation.SortDescriptor(\.id, order: .reverse)]))
        == [0, 2, 1, 4, 3])
    // The results are live.
    try realm.write { dogs[3].name = "Zoe" }
    #expect(ids(byName) == [2, 4, 1, 0, 3])
  }

  @Test func aComparatorOfOnesOwnTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Backwards: SortComparator {
        var order = SortOrder.forward
        func compare(_ a: Int, _ b: Int) -> ComparisonResult { a < b ? .orderedDescending : .orderedAscending }
      }
      let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
      print(realm.objects(Dog.self).sorted(using: KeyPathComparator(\.age, comparator: Backwards())).count)
    }
    expectSentence("Cannot sort by 'age' with a comparator of one's own", of: result)
  }
}
