import FiefTestSupport
import RealmSwift
import Testing

private enum Size: Int, PersistableEnum, Codable {
  case small, large
}

private class Toy: Object {
  @Persisted var name = ""
  @Persisted var price = 0
  @Persisted(originProperty: "toys") var owners: LinkingObjects<Cat>
}

private class Cat: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var nick: String?
  @Persisted var age = 0
  @Persisted var lives: Int?
  @Persisted var weight = 0.0
  @Persisted var length: Float = 0
  @Persisted var isTame = false
  @Persisted var size: Size
  @Persisted var born = Date(timeIntervalSince1970: 0)
  @Persisted var mother: Cat?
  @Persisted var toys: List<Toy>
  @Persisted var marks: MutableSet<String>
  @Persisted var naps: List<Int>
  @Persisted var score: AnyRealmValue
  @Persisted var rank: AnyRealmValue
  var initial: String { String(name.prefix(1)) }
  var isOld: Bool { age > 10 }
}

/// Predicates of Foundation in queries, compared with their evaluation for each object.
@Suite struct FoundationPredicateTests {
  private func cats(_ count: Int, _ random: inout SeededRandom) throws -> Results<Cat> {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Cat.self, Toy.self]))
    let names = ["Tom", "tim", "Kit", "Ash", "", "Mo"]
    try realm.write {
      let toys = (0..<8).map { _ in
        realm.create(Toy.self, value: ["name": names[random.below(6)], "price": random.below(5)])
      }
      for id in 0..<count {
        let cat = Cat()
        cat.id = id
        cat.name = names[random.below(6)]
        cat.nick = random.below(3) == 0 ? nil : names[random.below(6)]
        cat.age = random.below(15)
        cat.lives = random.below(3) == 0 ? nil : random.below(9)
        cat.weight = random.below(6) == 0 ? .nan : Double(random.below(8)) / 2
        cat.length = random.below(6) == 0 ? .infinity : Float(random.below(8))
        cat.isTame = random.below(2) == 0
        cat.size = random.below(2) == 0 ? .small : .large
        cat.born = Date(timeIntervalSince1970: Double(random.below(5)))
        (cat.score, cat.rank) = (id % 2 == 0 ? .int(1) : .double(1), .int(id % 3))
        for _ in 0..<random.below(4) { cat.toys.append(toys[random.below(8)]) }
        for _ in 0..<random.below(3) { cat.naps.append(random.below(5)) }
        for _ in 0..<random.below(3) { cat.marks.insert(names[random.below(6)]) }
        realm.add(cat)
        if id > 0 && random.below(4) > 0 {
          cat.mother = realm.object(ofType: Cat.self, forPrimaryKey: random.below(id))
        }
      }
    }
    return realm.objects(Cat.self)
  }

  @Test(arguments: Seeds.all) func translatedPredicatesFindWhatSwiftFinds(seed: Seed) throws {
    var random = seed.random
    let all = try cats(80, &random)
    let (limit, name, large) = (random.below(15), "Tom", Size.large)
    let high = limit + 3
    let moment = Date(timeIntervalSince1970: 2)
    let (some, none): ([Int], Int?) = ([1, 3, 5, 7], nil)
    let predicates: [Predicate<Cat>] = [
      #Predicate { $0.age > limit },
      #Predicate { limit <= $0.age },
      #Predicate { $0.age == 3 || $0.name != name },
      #Predicate { $0.isTame },
      #Predicate { !$0.isTame && $0.age < limit },
      #Predicate { $0.isTame == false },
      #Predicate { $0.isTame == ($0.age > limit) },
      #Predicate { $0.size == large },
      #Predicate { $0.size < large },
      #Predicate { $0.born >= moment },
      #Predicate { $0.nick == nil },
      #Predicate { $0.nick != nil && $0.nick != name },
      #Predicate { $0.nick == "tim" },
      #Predicate { ($0.nick ?? "Kit") == "Kit" },
      #Predicate { ($0.nick ?? "Kit") < "M" },
      #Predicate { $0.lives == none },
      #Predicate { ($0.lives ?? 4) > 3 },
      #Predicate { ($0.lives ?? 2) > 3 },
      #Predicate { ($0.lives ?? 2) != 3 },
      #Predicate { !(($0.lives ?? 2) != 3) },
      #Predicate { $0.weight < 2 },
      #Predicate { !($0.weight <= 2) },
      #Predicate { $0.weight > 2 || $0.length >= 5 },
      #Predicate { $0.weight != 1.5 },
      #Predicate { $0.name.contains("i") },
      #Predicate { $0.name.contains("") },
      #Predicate { $0.name.starts(with: "T") },
      #Predicate { $0.name.starts(with: "") },
      #Predicate { $0.name.isEmpty },
      #Predicate { $0.name < "M" },
      #Predicate { $0.nick?.contains("i") ?? false },
      #Predicate { $0.nick?.contains("i") ?? true },
      #Predicate { $0.nick?.contains("i") == true },
      #Predicate { $0.nick?.contains("i") != true },
      #Predicate { $0.nick?.starts(with: "T") == nil },
      #Predicate { $0.name == ($0.nick ?? "") },
      #Predicate { $0.mother?.name == name },
      #Predicate { $0.mother?.mother?.age == 3 },
      #Predicate { ($0.mother?.age ?? 0) > limit },
      #Predicate { $0.mother.flatMap { $0.isTame && $0.age > limit } ?? true },
      #Predicate { $0.mother?.nick == nil },
      #Predicate { if let mother = $0.mother { mother.age > limit } else { $0.isTame } },
      #Predicate { $0.age > limit ? $0.isTame : !$0.isTame },
      #Predicate { some.contains($0.age) },
      #Predicate { (3..<high).contains($0.age) },
      #Predicate { (3...7).contains($0.age) },
      #Predicate { (0.5...1.5).contains($0.weight) },
      #Predicate { $0.toys.contains { $0.name == name } },
      #Predicate { $0.toys.contains { $0.price > 2 && $0.name != name } },
      #Predicate { cat in cat.toys.contains { $0.price == cat.age } },
      #Predicate { $0.toys.allSatisfy { $0.price > 1 } },
      #Predicate { $0.toys.filter { $0.price > 1 }.count >= 2 },
      #Predicate { $0.toys.count == 2 },
      #Predicate { $0.toys.isEmpty },
      #Predicate { $0.toys.contains { $0.owners.contains { $0.age > limit } } },
      #Predicate { $0.naps.contains(2) },
      #Predicate { $0.naps.contains { $0 > 3 } },
      #Predicate { $0.naps.allSatisfy { $0 > 1 } },
      #Predicate { $0.marks.contains("Mo") },
      #Predicate { $0.marks.count > 1 },
      #Predicate { _ in true },
      #Predicate { _ in false },
    ]
    for (index, predicate) in predicates.enumerated() {
      let expected = try all.map { $0 }.filter { try predicate.evaluate($0) }.map(\.id)
      let found = all.filter(predicate)
      #expect(found.map(\.id) == expected, "predicate \(index)")
      #expect(!found.explain().contains("one by one"), "predicate \(index) was not translated")
      #expect(all.freeze().filter(predicate).map(\.id) == expected, "predicate \(index)")
      #expect(all.index(matching: predicate) == all.map(\.id).firstIndex { $0 == expected.first }, "predicate \(index)")
    }
  }

  @Test(arguments: Seeds.all) func untranslatedPredicatesAreEvaluated(seed: Seed) throws {
    var random = seed.random
    let all = try cats(80, &random)
    let noNumber = Double.nan
    let predicates: [Predicate<Cat>] = [
      #Predicate { $0.initial == "T" },
      #Predicate { $0.isOld },
      #Predicate { $0.age + 1 > 7 },
      #Predicate { $0.age % 2 == 0 && $0.isTame },
      #Predicate { $0.naps.contains { $0 > 1 && $0 < 4 } },
      #Predicate { $0.weight == noNumber },
      #Predicate { $0.name.count == 3 },
      #Predicate { ($0.naps.max() ?? 0) > 2 },
      // Without a mother there is no count: in a query it would be 0.
      #Predicate { $0.mother?.toys.count == 0 },
      #Predicate { $0.mother?.toys.count != 0 },
      #Predicate { $0.mother?.mother?.marks.count == 0 },
      #Predicate { ($0.mother?.toys.count ?? 3) > 2 },
      // No number is less than NaN, or greater.
      #Predicate { ($0.mother?.weight ?? noNumber) < 2 },
      #Predicate { ($0.mother?.weight ?? noNumber) != 2 },
      #Predicate { $0.score == $0.rank },
    ]
    for (index, predicate) in predicates.enumerated() {
      let expected = try all.map { $0 }.filter { try predicate.evaluate($0) }.map(\.id)
      let found = all.filter(predicate)
      #expect(found.map(\.id) == expected, "predicate \(index)")
      #expect(found.explain().contains("one by one"), "predicate \(index)")
      // The result supports all operations of collections.
      #expect(found.sorted(by: \.id, ascending: false).map(\.id) == expected.reversed(), "predicate \(index)")
      #expect(
        found.where { $0.age > 7 }.limit(3).map(\.id)
          == Array(all.filter { expected.contains($0.id) && $0.age > 7 }.map(\.id).prefix(3)), "predicate \(index)")
      #expect(found.sum(of: \.age) == all.filter { expected.contains($0.id) }.map(\.age).reduce(0, +))
      #expect(found.freeze().map(\.id) == expected)
    }
  }

  @MainActor @Test func evaluatedResultsAreLiveAndObserved() throws {
    var random = SeededRandom(seed: 3)
    let all = try cats(10, &random)
    let realm = try #require(all.realm)
    let found = all.filter(#Predicate { $0.id % 2 == 0 && $0.isOld })
    try realm.write { for cat in all { cat.age = 0 } }
    #expect(found.isEmpty)
    var received: [[Int]] = []
    let token = found.observe { change in
      if case .update(_, let deletions, let insertions, _) = change { received.append(deletions + insertions) }
    }
    realm.refresh()
    try realm.write { for cat in all { cat.age = 11 } }
    realm.refresh()
    #expect(found.map(\.id) == [0, 2, 4, 6, 8])
    try realm.write { all[4].age = 3 }
    realm.refresh()
    #expect(received == [[0, 1, 2, 3, 4], [2]])
    token.invalidate()
  }

  @Test func anElementForWhichAPredicateThrowsIsNotFound() throws {
    var random = SeededRandom(seed: 4)
    let all = try cats(40, &random)
    let found = all.filter(#Predicate { $0.mother!.age >= 0 })
    #expect(found.map(\.id) == all.filter { $0.mother != nil }.map(\.id))
  }

  @Test func predicatesOfBlocksAndConstantsAreEvaluated() throws {
    var random = SeededRandom(seed: 5)
    let all = try cats(40, &random)
    let block = NSPredicate { object, _ in (object as? Cat)?.age ?? 0 > 7 }
    #expect(all.filter(block).map(\.id) == all.filter { $0.age > 7 }.map(\.id))
    #expect(all.index(matching: block) == all.map(\.age).firstIndex { $0 > 7 })
    #expect(all.filter(NSPredicate(value: true)).count == 40)
    #expect(all.filter(NSPredicate(value: false)).isEmpty)
    #expect(all.where { $0.age > 3 }.filter(block).sorted(by: \.id, ascending: false).first?.age ?? 0 > 7)
    let naps = try #require(all.first { $0.naps.count > 0 }).naps
    #expect(
      Array(naps.filter(NSPredicate { value, _ in (value as? Int) ?? 0 > 1 })) == naps.filter { $0 > 1 }.map { $0 })
  }

  @Test func listsKeepTheirOrderAndRepetitions() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Cat.self, Toy.self]))
    let cat = Cat()
    cat.naps.append(objectsIn: [3, 1, 4, 1, 5, 9, 2, 6])
    let toy = Toy()
    toy.price = 2
    cat.toys.append(objectsIn: [toy, Toy(), toy])
    try realm.write { realm.add(cat) }
    #expect(cat.toys.filter(#Predicate { $0.price * 2 == 4 }).count == 2)
    #expect(cat.toys.filter(#Predicate { $0.price == 2 }).count == 2)
    #expect(Array(cat.naps.filter(#Predicate<Int> { $0 > 2 })) == [3, 4, 5, 9, 6])
    #expect(Array(cat.naps.filter(#Predicate<Int> { $0 % 2 == 1 })) == [3, 1, 1, 5, 9])
    #expect(Array(cat.naps.filter(#Predicate<Int> { $0 % 2 == 1 }).sorted().distinct()) == [1, 3, 5, 9])
    // The elements that a limit left are the base of later operations.
    #expect(Array(cat.naps.sorted().limit(5).filter("SELF > 1")) == [2, 3, 4])
    #expect(Array(cat.naps.sorted().limit(5, offset: 1).sorted(ascending: false).limit(2)) == [5, 4])
  }
}
