import FiefTestSupport
import RealmSwift
import Testing

private class Boat: Object {
  @Persisted var name = ""
  @Persisted var length = 0
  @Persisted var home: String?
}

private class Ferry: Boat {
  @Persisted var cars = 0
}

/// Reading only the first elements of results, before and after all of them are known.
@Suite struct FirstElementsTests {
  private func store(_ random: inout SeededRandom, _ count: Int) throws -> Realm {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Boat.self, Ferry.self]))
    try realm.write {
      for number in 0..<count {
        let boat = random.bool(0.7) ? Boat() : Ferry()
        boat.name = "b\(number)"
        boat.length = random.below(20)
        boat.home = random.bool(0.2) ? nil : random.element(of: ["Oslo", "Bergen", "a harbour of a long name"])
        realm.add(boat)
      }
    }
    return realm
  }

  /// Queries whose first elements are read twice: from a new view, and from an evaluated one.
  private static let questions: [@Sendable (Results<Boat>) -> Results<Boat>] = [
    { $0 }, { $0.where { $0.length == 3 } }, { $0.where { $0.length > 100 } }, { $0.sorted(by: \.length) },
    { $0.where { $0.length < 9 }.sorted(by: \.name, ascending: false) }, { $0.limit(3, offset: 2) },
    { $0.distinct(by: ["length"]) }, { $0.where { $0.length < 5 }.limit(2).where { $0.name != "b1" } },
    { $0.sorted(by: \.length).limit(4).sorted(by: \.name) },
    { $0.sorted(by: \.home) }, { $0.sorted(by: \.home, ascending: false) },
    { $0.sorted(by: [SortDescriptor(keyPath: "length", ascending: false), SortDescriptor(keyPath: "home")]) },
    { $0.sorted(by: [SortDescriptor(keyPath: "home", ascending: false), SortDescriptor(keyPath: "length")]) },
    { $0.where { $0.length == 3 }.sorted(by: \.length) }, { $0.where { $0.length > 100 }.sorted(by: \.name) },
    { $0.sorted(by: \.length).sorted(by: \.home) }, { $0.sorted(by: \.length).distinct(by: ["length"]) },
  ]

  @Test func thePrefixIsThatOfTheWhole() throws {
    try Seeds.run(count: 8) { _, random throws in
      let realm = try store(&random, random.below(700))
      for all in [realm.objects(Boat.self), realm.objects(Boat.self, includingSubclasses: true)] {
        for ask in Self.questions {
          let whole = Array(ask(all)).map(\.name)
          let fresh = ask(all)
          #expect(fresh.isEmpty == whole.isEmpty)
          #expect(fresh.first?.name == whole.first)
          #expect(fresh.prefix(1).map(\.name) == Array(whole.prefix(1)))
          let some = random.below(6)
          #expect(fresh.prefix(some).map(\.name) == Array(whole.prefix(some)))
          if whole.count > 2 { #expect(fresh[2].name == whole[2]) }
          #expect(fresh.prefix(5000).map(\.name) == whole)
          #expect(fresh.map(\.name) == whole)
          #expect(fresh.first?.name == whole.first && fresh.prefix(2).map(\.name) == Array(whole.prefix(2)))
          #expect(ask(all).prefix(0).isEmpty)
          let frozen = ask(all).freeze()
          #expect(frozen.first?.name == whole.first && frozen.prefix(2).count == min(2, whole.count))
        }
      }
    }
  }

  @Test func itIsThatOfThePresentMoment() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Boat.self, Ferry.self]))
    let long = realm.objects(Boat.self).where { $0.length > 5 }
    #expect(long.isEmpty && long.first == nil && long.prefix(3).isEmpty)
    try realm.write {
      realm.create(Boat.self, value: ["length": 9, "name": "a"])
      #expect(!long.isEmpty && long.first?.name == "a")
      let second = realm.create(Boat.self, value: ["length": 7, "name": "b"])
      #expect(long.prefix(5).map(\.name) == ["a", "b"])
      realm.delete(long[0])
      #expect(long.first?.name == "b")
      second.length = 1
      #expect(long.isEmpty && long.first == nil)
    }
    let shortest = realm.objects(Boat.self).sorted(by: \.length)
    #expect(!shortest.isEmpty && shortest.first?.name == "b" && shortest.count == 1)
    let prefix = shortest.prefix(2)
    try realm.write { realm.create(Boat.self, value: ["length": 0, "name": "c"]) }
    #expect(prefix.map(\.name) == ["c"])
    #expect(shortest.first?.name == "c" && shortest.map(\.name) == ["c", "b"])
  }

  @Test func aNegativeNumberOfElementsTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Boat.self, Ferry.self]))
      _ = realm.objects(Boat.self).prefix(-1)
    }
    expectSentence("A prefix of -1 elements makes no sense", of: result)
  }
}
