import FiefTestSupport
import RealmSwift
import Testing

private class Animal: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var friend: Animal?
}

private class Bird: Animal {
  @Persisted var canFly = true
}

private class Penguin: Bird {
  @Persisted var fish = 0
}

private class Cat: Animal {
  @Persisted var lives = 9
}

private class Stone: Object {
  @Persisted var name = ""
}

private func store() throws -> Realm {
  try Realm(configuration: .inMemory(objectTypes: [Animal.self, Bird.self, Penguin.self, Cat.self, Stone.self]))
}

/// A class together with its subclasses.
@Suite struct SubclassQueryTests {
  private let types: [Animal.Type] = [Animal.self, Bird.self, Penguin.self, Cat.self]

  private func fill(_ realm: Realm, _ count: Int, _ random: inout SeededRandom) throws {
    try realm.write {
      for number in 0..<count {
        let animal = types[random.below(4)].init()
        animal.name = "n\(number)"
        animal.age = random.below(10)
        realm.add(animal)
      }
      realm.add(Stone())
    }
  }

  @Test func theyAreGroupedTogether() throws {
    try Seeds.run(count: 10) { _, random throws in
      let realm = try store()
      try fill(realm, 60, &random)
      let all = realm.objects(Animal.self, includingSubclasses: true)
      for asked in [all, all.where { $0.age > 3 }, all.sorted(by: \.name, ascending: false), all.limit(20)] {
        let groups = asked.grouped(by: \.age)
        let expected = Dictionary(grouping: asked) { $0.age }
        #expect(groups.map(\.key) == expected.keys.sorted())
        for group in groups {
          let members = expected[group.key] ?? []
          #expect(group.count == members.count)
          #expect(group.elements.map(\.name) == members.map(\.name))
          #expect(group.elements.map { "\(type(of: $0))" } == members.map { "\(type(of: $0))" })
        }
      }
      // The elements are live.
      let groups = all.grouped(by: \.friend?.age)
      #expect(groups.map(\.key) == [nil])
      let alone = groups[0].elements
      try realm.write { all[0].friend = realm.objects(Animal.self).first ?? realm.create(Animal.self) }
      #expect(alone.count == all.count - 1)
    }
  }

  @Test func theyAreFoundTogetherEachOfItsOwnClass() throws {
    let realm = try store()
    try realm.write {
      realm.create(Cat.self, value: ["name": "Tom"])
      realm.create(Animal.self, value: ["name": "Amoeba"])
      realm.create(Penguin.self, value: ["name": "Pingu", "fish": 3])
      realm.create(Bird.self, value: ["name": "Tweety"])
      realm.create(Stone.self, value: ["name": "Rock"])
    }
    let all = realm.objects(Animal.self, includingSubclasses: true)
    #expect(Set(all.map(\.name)) == ["Tom", "Amoeba", "Pingu", "Tweety"])
    #expect(all.count == 4)
    #expect(all.compactMap { $0 as? Penguin }.map(\.fish) == [3])
    #expect(all.first { $0.name == "Tom" } is Cat)
    #expect(realm.objects(Bird.self, includingSubclasses: true).sorted(by: \.name).map(\.name) == ["Pingu", "Tweety"])
    #expect(realm.objects(Bird.self, includingSubclasses: false).map(\.name) == ["Tweety"])
    #expect(realm.objects(Bird.self).map(\.name) == ["Tweety"])
    #expect(realm.objects(Cat.self, includingSubclasses: true).map(\.name) == ["Tom"])
    #expect(realm.objects(Object.self, includingSubclasses: true).filter("name == 'Rock'").count == 1)
    let type: Object.Type = Bird.self
    #expect(realm.objects(type, includingSubclasses: true).count == 2)
  }

  @Test(arguments: Seeds.all) func theyAreFilteredSortedAndAddedUpTogether(seed: Seed) throws {
    var random = seed.random
    let realm = try store()
    try fill(realm, 120, &random)
    let all = realm.objects(Animal.self, includingSubclasses: true)
    let each = Array(all)
    let limit = random.below(10)
    #expect(all.where { $0.age > limit }.map(\.name) == each.filter { $0.age > limit }.map(\.name))
    #expect(all.filter("age > %@", limit).count == each.filter { $0.age > limit }.count)
    let sorted = each.enumerated().sorted { ($0.element.age, $0.offset) < ($1.element.age, $1.offset) }.map(
      \.element.name)
    #expect(all.sorted(by: \.age).map(\.name) == sorted)
    #expect(all.sorted(by: \.age).limit(7, offset: 3).map(\.name) == Array(sorted.dropFirst(3).prefix(7)))
    #expect(
      all.sorted(by: \.age).limit(30).where { $0.age > 1 }.sorted(by: \.name).map(\.name)
        == each.filter { sorted.prefix(30).contains($0.name) && $0.age > 1 }.map(\.name).sorted())
    var ages: Set<Int> = []
    #expect(all.distinct(by: ["age"]).map(\.name) == each.filter { ages.insert($0.age).inserted }.map(\.name))
    #expect(all.filter(#Predicate { $0.age % 3 == 0 }).map(\.name) == each.filter { $0.age % 3 == 0 }.map(\.name))
    #expect(all.sum(of: \.age) == each.map(\.age).reduce(0, +))
    #expect(all.where { $0.age > limit }.max(of: \.age) == each.map(\.age).filter { $0 > limit }.max())
    #expect(
      all.sectioned(by: \.age).map { $0.count }
        == Dictionary(grouping: each, by: \.age).sorted { $0.key < $1.key }.map(\.value.count))
    for (index, animal) in each.enumerated() {
      #expect(all.index(of: animal) == index)
      #expect(all[index].isSameObject(as: animal))
    }
    #expect(all.index(matching: { $0.age == limit }) == each.firstIndex { $0.age == limit })
    #expect(all.value(forKey: "age") as? [Int] == each.map(\.age))
    #expect(all.freeze().where { $0.age > limit }.count == each.filter { $0.age > limit }.count)
    try realm.write { realm.delete(all.where { $0.age <= limit }) }
    #expect(all.count == each.filter { !$0.isInvalidated }.count)
    #expect(realm.objects(Stone.self).count == 1)
  }

  @MainActor @Test func theyAreObservedTogether() throws {
    let realm = try store()
    let all = realm.objects(Animal.self, includingSubclasses: true).sorted(by: \.name)
    var received: [String] = []
    func hear(_ change: RealmCollectionChange<Results<Animal>>) {
      if case .update(_, let deletions, let insertions, let modifications) = change {
        received.append("-\(deletions) +\(insertions) ~\(modifications)")
      }
    }
    let token = all.observe(keyPaths: ["age"], hear)
    realm.refresh()
    try realm.write {
      realm.create(Cat.self, value: ["name": "b"])
      realm.create(Bird.self, value: ["name": "a"])
    }
    realm.refresh()
    try realm.write { all[1].age = 3 }
    realm.refresh()
    try realm.write { all.compactMap { $0 as? Bird }.first?.canFly = false }
    realm.refresh()
    try realm.write { realm.delete(all[0]) }
    realm.refresh()
    #expect(received == ["-[] +[0, 1] ~[]", "-[] +[] ~[1]", "-[0] +[] ~[]"])
    token.invalidate()
  }

  @Test func aNameThatNotAllHaveAndAClassThatIsNotThereTrap() async {
    let name = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try store().objects(Animal.self, includingSubclasses: true).filter("lives == 9")
    }
    expectSentence("There is no property 'lives' in", of: name)
    let missing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm(configuration: .inMemory(objectTypes: [Stone.self])).objects(Animal.self, includingSubclasses: true)
    }
    expectSentence("Neither class 'Animal' nor one that inherits from it is managed", of: missing)
  }
}
