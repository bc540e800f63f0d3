import FiefTestSupport
import RealmSwift
import Testing

private class Star: Object {
  @Persisted var number = 0
  @Persisted var companion: Star?

  convenience init(_ number: Int) {
    self.init()
    self.number = number
  }
}

private func openRealm(_ count: Int = 0) throws -> Realm {
  let realm = try Realm(configuration: .inMemory(objectTypes: [Star.self]))
  try realm.write { for number in 0..<count { realm.add(Star(number)) } }
  return realm
}

@Suite struct ResultsTests {
  @Test(arguments: Seeds.all) func allObjectsAreThoseThatWereAddedAndNotDeleted(seed: Seed) throws {
    var random = seed.random
    let realm = try openRealm()
    let stars = realm.objects(Star.self)
    var model: [Int] = []
    var next = 0
    realm.beginWrite()
    var saved = model
    for _ in 0..<80 {
      switch random.below(8) {
      case 0, 1, 2:
        for _ in 0..<(1 + random.below(120)) {
          realm.add(Star(next))
          model.append(next)
          next += 1
        }
      case 3, 4:
        for _ in 0..<random.below(30) where !model.isEmpty {
          let position = random.below(model.count)
          realm.delete(stars[position])
          model.remove(at: position)
        }
      case 5:
        for _ in 0..<3 where !model.isEmpty {
          let position = random.below(model.count)
          stars[position].number += 100_000
          model[position] += 100_000
        }
      case 6:
        if random.below(3) == 0 {
          realm.cancelWrite()
          model = saved
        } else {
          try realm.commitWrite()
          saved = model
        }
        expectEqual(stars, model, &random)
        realm.beginWrite()
      default: break
      }
      expectEqual(stars, model, &random)
    }
    realm.cancelWrite()
  }

  private func expectEqual(_ stars: Results<Star>, _ model: [Int], _ random: inout SeededRandom) {
    #expect(stars.count == model.count)
    #expect(stars.first?.number == model.first)
    #expect(stars.last?.number == model.last)
    if model.isEmpty { return }
    for _ in 0..<5 {
      let position = random.below(model.count)
      #expect(stars[position].number == model[position])
      #expect(stars.index(of: stars[position]) == position)
    }
    if random.below(6) == 0 { #expect(stars.map(\.number) == model) }
  }

  @Test func resultsShowAtOnceWhatTheWriteDoes() throws {
    let realm = try openRealm(3)
    let stars = realm.objects(Star.self)
    try realm.write {
      while let star = stars.first { realm.delete(star) }
      #expect(stars.isEmpty)
      realm.add(Star(9))
      #expect(stars[0].number == 9)
    }
    #expect(stars.map(\.number) == [9])
  }

  @Test func aFrozenResultStays() throws {
    let realm = try openRealm(300)
    let frozen = realm.objects(Star.self).freeze()
    try realm.write { realm.delete(realm.objects(Star.self)[5]) }
    #expect(frozen.count == 300)
    #expect(frozen[5].number == 5)
    #expect(frozen.thaw()?.count == 299)
    #expect(frozen.isFrozen)
    #expect(frozen.map(\.number) == Array(0..<300))
  }

  @Test func frozenResultsAreReadByManyThreadsAtOnce() throws {
    let realm = try openRealm(600)
    try realm.write { realm.delete(realm.objects(Star.self)[0]) }
    nonisolated(unsafe) let frozen = realm.objects(Star.self).freeze()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for index in 0..<frozen.count where index % 8 == thread { #expect(frozen[index].number == index + 1) }
      #expect(frozen.reduce(0) { $0 + $1.number } == 599 * 600 / 2)
    }
  }

  @Test func resultsOfAListShowItAndAreEmptyWithoutIt() throws {
    let realm = try openRealm(2)
    #expect(realm.objects(Star.self).realm == realm)
    #expect(!realm.objects(Star.self).isInvalidated)
    #expect(realm.objects(Star.self) != realm.objects(Star.self))
    let stars = realm.objects(Star.self)
    #expect(stars == stars)
    #expect(Array(stars.objects(at: IndexSet([0, 1]))).map(\.number) == [0, 1])
    #expect(stars.prefix(1).map(\.number) == [0])
    #expect(stars.index(of: Star(0)) == nil)
  }

  @Test func classesThatTheRealmDoesNotHaveTrap() async {
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      class Unknown: Object { @Persisted var a = 0 }
      _ = try openRealm().objects(Unknown.self)
    }
    expectSentence("is not managed by the Realm: it is not in the realm's schema", of: unknown)
    let root = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try openRealm().objects(Object.self)
    }
    expectSentence("was asked for 'Object', which is no model", of: root)
    let position = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try openRealm(2).objects(Star.self)[2]
    }
    expectSentence("Index 2 is out of bounds of a collection of 2 elements", of: position)
  }
}
