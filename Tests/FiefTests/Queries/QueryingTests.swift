import FiefTestSupport
import RealmSwift
import Testing

private enum Grade: Int, PersistableEnum {
  case low = 1
  case high = 2
}

private class Dog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>

  convenience init(_ name: String, _ age: Int) {
    self.init()
    self.name = name
    self.age = age
  }
}

private class Person: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var nick: String?
  @Persisted var age = 0
  @Persisted var wage = 0.0
  @Persisted var isActive = false
  @Persisted var grade: Grade
  @Persisted var boss: Person?
  @Persisted var dogs: List<Dog>
  @Persisted var scores: List<Int>
  @Persisted var tags: MutableSet<String>
  @Persisted var hours: Map<String, Int>
  @Persisted var deputies: Map<String, Person?>
  @Persisted var thing: AnyRealmValue
}

/// Queries compared with plain loops over the same objects.
@Suite struct QueryingTests {
  private func people(_ count: Int, _ random: inout SeededRandom) throws -> (Realm, [Person]) {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Person.self]))
    let names = ["Kim", "Lee", "ann", "Bob", "Zoe", ""]
    var people: [Person] = []
    try realm.write {
      for id in 0..<count {
        let person = Person()
        person.id = id
        person.name = names[random.below(names.count)]
        person.nick = random.below(3) == 0 ? nil : names[random.below(names.count)]
        person.age = random.below(20)
        person.wage = Double(random.below(8)) / 2
        person.isActive = random.below(2) == 0
        person.grade = random.below(2) == 0 ? .low : .high
        person.boss = random.below(4) == 0 || people.isEmpty ? nil : people[random.below(people.count)]
        for _ in 0..<random.below(4) { person.dogs.append(Dog(names[random.below(names.count)], random.below(9))) }
        person.scores.append(objectsIn: (0..<random.below(4)).map { _ in random.below(6) })
        person.tags.insert(names[random.below(names.count)])
        if random.below(2) == 0 { person.hours["mon"] = random.below(9) }
        person.thing = random.below(2) == 0 ? .int(random.below(4)) : .string("x")
        people.append(person)
        realm.add(person)
      }
    }
    return (realm, people)
  }

  @Test(arguments: Seeds.all) func typedConditionsFindWhatAPlainReadingFinds(seed: Seed) throws {
    var random = seed.random
    let (realm, people) = try people(120, &random)
    let all = realm.objects(Person.self)
    let limit = random.below(20)
    let conditions: [((Query<Person>) -> Query<Bool>, (Person) -> Bool)] = [
      ({ $0.age > limit }, { $0.age > limit }),
      ({ $0.age <= limit && $0.isActive }, { $0.age <= limit && $0.isActive }),
      ({ !($0.name == "Kim" || $0.wage < 2) }, { !($0.name == "Kim" || $0.wage < 2) }),
      ({ $0.nick == nil }, { $0.nick == nil }),
      ({ $0.nick.notEquals($0.name) }, { $0.nick != $0.name }),
      ({ $0.name.in(["Lee", "Zoe"]) }, { ["Lee", "Zoe"].contains($0.name) }),
      ({ $0.age.contains(3..<9) }, { (3..<9).contains($0.age) }),
      ({ $0.age.contains(3...9) }, { (3...9).contains($0.age) }),
      ({ $0.name.starts(with: "k", options: .caseInsensitive) }, { $0.name.lowercased().hasPrefix("k") }),
      ({ $0.name.like("*o?") }, { $0.name.count >= 2 && $0.name.dropLast().last == "o" }),
      ({ $0.boss.age > limit }, { $0.boss.map { $0.age > limit } ?? false }),
      ({ $0.boss == nil }, { $0.boss == nil }),
      ({ $0.boss.boss.name == "Kim" }, { $0.boss?.boss?.name == "Kim" }),
      ({ $0.dogs.age > 6 }, { $0.dogs.contains { $0.age > 6 } }),
      (
        { ($0.dogs.age > 2 && $0.dogs.name == "Kim").count >= 1 },
        { $0.dogs.contains { $0.age > 2 && $0.name == "Kim" } }
      ),
      ({ $0.dogs.count == 2 }, { $0.dogs.count == 2 }),
      ({ $0.dogs.age.max >= 7 }, { ($0.dogs.map(\.age).max() ?? -1) >= 7 }),
      ({ $0.scores.contains(3) }, { $0.scores.contains(3) }),
      ({ $0.scores.sum > 6 }, { $0.scores.reduce(0, +) > 6 }),
      ({ $0.scores.contains(1..<4) }, { !$0.scores.isEmpty && $0.scores.allSatisfy { (1..<4).contains($0) } }),
      ({ $0.scores.containsAny(in: [0, 5]) }, { $0.scores.contains(0) || $0.scores.contains(5) }),
      ({ $0.tags.contains("Zoe") }, { $0.tags.contains("Zoe") }),
      ({ $0.hours["mon"] > 3 }, { ($0.hours["mon"] ?? 0) > 3 }),
      ({ $0.hours["mon"] == -1 }, { $0.hours["mon"] == -1 }),
      ({ $0.hours.keys == "mon" }, { $0.hours.keys.contains("mon") }),
      ({ $0.hours.values < 4 }, { $0.hours.values.contains { $0 < 4 } }),
      ({ $0.grade == .high }, { $0.grade == .high }),
      ({ $0.grade.rawValue < 2 }, { $0.grade.rawValue < 2 }),
      ({ $0.thing == .int(2) }, { $0.thing == .int(2) }),
      ({ $0.isActive }, { $0.isActive }),
      ({ !$0.isActive }, { !$0.isActive }),
    ]
    for (index, (condition, reading)) in conditions.enumerated() {
      let expected = people.filter(reading).map(\.id)
      #expect(all.where(condition).map(\.id) == expected, "condition \(index)")
      #expect(all.where(condition).count == expected.count, "condition \(index)")
      #expect(all.index(matching: condition) == people.firstIndex(where: reading), "condition \(index)")
      #expect(all.freeze().where(condition).map(\.id) == expected, "condition \(index)")
    }
  }

  @Test(arguments: Seeds.all) func formatsSortsAndDistinctsDoWhatArraysDo(seed: Seed) throws {
    var random = seed.random
    let (realm, people) = try people(120, &random)
    let all = realm.objects(Person.self)
    let limit = random.below(20)
    #expect(
      all.filter("age > %@ AND name != %@", limit, "Kim").map(\.id)
        == people.filter { $0.age > limit && $0.name != "Kim" }.map(\.id))
    #expect(all.filter("%K == %@", "nick", nil).count == people.filter { $0.nick == nil }.count)
    #expect(all.filter("ANY dogs.age > 6").count == people.filter { $0.dogs.contains { $0.age > 6 } }.count)
    #expect(
      all.filter("boss IN %@", Array(people.prefix(5))).count
        == people.filter { people.prefix(5).map { $0 as Person? }.contains($0.boss) }.count)
    let sorted = people.sorted { ($0.age, $0.id) < ($1.age, $1.id) }
    #expect(all.sorted(byKeyPath: "age").map(\.id) == sorted.map(\.id))
    #expect(all.sorted(by: \.age).filter("isActive == true").map(\.id) == sorted.filter(\.isActive).map(\.id))
    #expect(
      all.sorted(by: ["age", SortDescriptor(keyPath: "id", ascending: false)]).map(\.id)
        == people.sorted { ($0.age, -$0.id) < ($1.age, -$1.id) }.map(\.id))
    #expect(
      all.sorted(by: \.wage).sorted(by: \.age, ascending: false).map(\.id)
        == people.sorted { (-$0.age, $0.wage, $0.id) < (-$1.age, $1.wage, $1.id) }.map(\.id))
    var seen: Set<Int> = []
    #expect(all.distinct(by: [\Person.age]).map(\.id) == people.filter { seen.insert($0.age).inserted }.map(\.id))
    #expect(all.sorted(by: \.age).limit(7, offset: 3).map(\.id) == sorted.dropFirst(3).prefix(7).map(\.id))
    #expect(
      all.sorted(by: \.age).limit(20).filter("isActive == true").map(\.id)
        == sorted.prefix(20).filter(\.isActive).map(\.id))
    #expect(all.min(of: \.age) == people.map(\.age).min())
    #expect(all.max(ofProperty: "wage") == people.map(\.wage).max())
    #expect(all.sum(of: \.age) == people.map(\.age).reduce(0, +))
    #expect(all.filter("isActive == true").sum(of: \.wage) == people.filter(\.isActive).map(\.wage).reduce(0, +))
    let average: Double? = all.average(ofProperty: "wage")
    #expect(abs((average ?? 0) - people.map(\.wage).reduce(0, +) / 120) < 1e-9)
  }

  @Test func queriesAreLiveAndKeepUpWithinTheWrite() throws {
    var random = SeededRandom(seed: 1)
    let (realm, people) = try people(10, &random)
    let old = realm.objects(Person.self).where { $0.age >= 100 }.sorted(by: \.id)
    #expect(old.isEmpty)
    let frozen = old.freeze()
    realm.beginWrite()
    people[3].age = 100
    people[1].age = 200
    #expect(old.map(\.id) == [1, 3])
    realm.delete(people[1])
    #expect(old.map(\.id) == [3])
    for person in old { person.age = 0 }
    #expect(old.isEmpty)
    realm.cancelWrite()
    #expect(old.isEmpty)
    #expect(frozen.isEmpty)
  }

  @Test func queriesOfCollectionsKeepTheirOrderAndRepetitions() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Person.self]))
    let person = Person()
    let (a, b, c) = (Dog("a", 3), Dog("b", 1), Dog("c", 3))
    person.dogs.append(objectsIn: [c, a, b, c])
    person.scores.append(objectsIn: [3, 1, 2, 3])
    try realm.write { realm.add(person) }
    #expect(person.dogs.filter("age == 3").map(\.name) == ["c", "a", "c"])
    #expect(person.dogs.sorted(by: \.age).map(\.name) == ["b", "c", "a", "c"])
    #expect(person.dogs.distinct(by: ["age"]).map(\.name) == ["c", "b"])
    #expect(person.dogs.index(matching: "name == 'a'") == 1)
    #expect(person.dogs.sum(of: \.age) == 10)
    #expect(Array(person.scores.sorted()) == [1, 2, 3, 3])
    #expect(Array(person.scores.sorted(ascending: false).distinct()) == [3, 2, 1])
    #expect(Array(person.scores.filter("SELF > 1")) == [3, 2, 3])
    #expect(person.scores.max() == 3)
    #expect(person.scores.sum() == 9)
    #expect(person.scores.average() == 2.25)
    #expect(a.owners.count == 1)
    #expect(c.owners.map(\.id) == [0, 0])
    let view = person.dogs.filter("age == 3")
    try realm.write { realm.delete(person) }
    #expect(view.isEmpty)
    #expect(view.isInvalidated)
  }

  @Test func valuesOfMapsAreAskedLikeOtherElements() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Person.self]))
    let person = Person()
    for (index, name) in ["x", "y", "z"].enumerated() {
      let deputy = Person()
      deputy.id = index + 1
      deputy.age = 9 - index
      person.deputies[name] = deputy
      person.hours[name] = index * 2
    }
    try realm.write {
      realm.add(person)
      person.deputies["none"] = .some(nil)
    }
    #expect(person.deputies.where { $0.age > 7 }.compactMap { $0?.id } == [1, 2])
    #expect(person.deputies.sorted(byKeyPath: "age").compactMap { $0?.id } == [3, 2, 1])
    #expect(person.deputies.max(of: \.age) == 9)
    #expect(Array(person.hours.sorted(ascending: false)) == [4, 2, 0])
    #expect(person.hours.sum() == 6)
    #expect(person.hours.average() == 2.0)
  }

  @Test func unmanagedCollectionsAreAddedUpToo() {
    let person = Person()
    person.scores.append(objectsIn: [1, 2, 6])
    person.dogs.append(objectsIn: [Dog("a", 3), Dog("b", 4)])
    #expect(person.scores.sum() == 9)
    #expect(person.scores.min() == 1)
    #expect(person.dogs.max(of: \.age) == 4)
    #expect(person.dogs.average(of: \.age) == 3.5)
    #expect(List<Int>().max() == nil)
    #expect(List<Double>().sum() == 0)
  }

  @Test func badFormatsAreThrownByParsingAndNameTheirPosition() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Person.self]))
    let all = realm.objects(Person.self)
    for format in ["age >", "nothing == 1", "age == 'x'", "(age == 1", "age == %@"] {
      #expect(throws: Realm.Error.self) { try all.filter(parsing: format) }
    }
    #expect(try all.filter(parsing: "age == %@ SORT(name ASC)", 1).isEmpty)
    #expect(all.filter("id == 3").explain().contains("Person"))
  }

  /// Such a query tests the elements alone, however many other objects the class has.
  @Test func theExplanationOfAQueryOfACollectionTellsOfItsElements() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Person.self]))
    let person = Person()
    person.dogs.append(objectsIn: [Dog("Rex", 3), Dog("Kit", 4)])
    person.scores.append(objectsIn: [1, 5, 7])
    try realm.write {
      realm.add(person)
      for age in 0..<20 { realm.add(Dog("Bo", age)) }
    }
    let all = realm.objects(Dog.self)
    #expect(all.where { $0.age > 3 }.explain().contains("17 of 22 rows"))
    let explanation = person.dogs.where { $0.age > 3 }.explain()
    #expect(explanation.hasPrefix("2 elements of a collection") && explanation.contains("; 1 found.\nTest: age > 3"))
    #expect(person.scores.filter("SELF > 2").explain().contains("; 2 found.\nTest: SELF > 2"))
    #expect(all.limit(4).where { $0.age > 3 }.explain().hasPrefix("4 elements"))
  }

  @Test func mistakesInQueriesTrap() async {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Person.self]))
      _ = realm.objects(Person.self).filter("nothing == 1")
    }
    expectSentence("There is no property 'nothing' in 'Person'", of: unknown)
    let several = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Person.self]))
      _ = realm.objects(Person.self).sorted(byKeyPath: "dogs.age")
    }
    expectSentence("'dogs.age' leads to several values, by which nothing can be sorted", of: several)
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().filter("SELF == 1")
    }
    expectSentence("A query is only available for managed objects and collections", of: unmanaged)
  }
}
