#if DEBUG
  import Dispatch
  import FiefGraph
  import FiefRuntime
  import RealmSwift
  import Testing

  @testable import FiefResults

  private class Kite: Object {
    @Persisted var name = ""
    @Persisted(indexed: true) var height = 0
  }

  /// What views know after each operation.
  @Suite(.enabled(if: [ShortCut.lookUps, .wholeTables].allSatisfy(\.isOn))) struct ResultsStorageTests {
    private func realm(of count: Int = 9) throws -> Realm {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Kite.self]))
      try realm.write {
        for number in 0..<count {
          let kite = Kite()
          kite.name = "k\(number)"
          kite.height = number % 3
          realm.add(kite)
        }
      }
      return realm
    }

    private func state(_ results: Results<Kite>) -> String {
      switch results.core.cache {
      case .nothing: "nothing"
      case .count: "count"
      case .prefix(_, nil, _): "prefix"
      case .prefix: "prefix, count"
      case .all: "all"
      case .shared: "shared"
      }
    }

    @Test func aWholeTableAnswersWithoutEvaluation() throws {
      let all = try realm().objects(Kite.self)
      #expect(all.count == 9 && all.first != nil && all.last != nil && !all.isEmpty)
      #expect(state(all) == "nothing")
    }

    @Test func aLookupIsCountedWithoutAQuery() throws {
      let found = try realm().objects(Kite.self).where { $0.height == 1 }
      #expect(state(found) == "nothing")
      #expect(found.count == 3)
      #expect(state(found) == "count")
      #expect(found.first?.name == "k1")
      #expect(state(found) == "prefix, count")
      #expect(found.map(\.name) == ["k1", "k4", "k7"])
      #expect(state(found) == "all")
    }

    @Test func theElementsOfAGroupAreOneView() throws {
      let groups = try realm().objects(Kite.self).grouped(by: \.height)
      let copy = groups[1]
      #expect(groups[1].elements.core === copy.elements.core)
      #expect(state(copy.elements) == "all")
      #expect(copy.elements.map(\.name) == ["k1", "k4", "k7"])
    }

    @Test func theElementsOfAFrozenGroupAreReadByManyThreadsAtOnce() throws {
      nonisolated(unsafe) let groups = try realm(of: 300).objects(Kite.self).freeze().grouped(by: \.height)
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        #expect(groups[thread % 3].elements.reduce(0) { $0 + $1.height } == thread % 3 * 100)
      }
    }

    @Test func aViewIsEvaluatedOnceForTheRestOfAMoment() throws {
      let realm = try realm()
      let found = realm.objects(Kite.self).where { $0.name != "k0" }
      #expect(found.first?.name == "k1")
      #expect(state(found) == "prefix")
      #expect(found.last?.name == "k8")
      #expect(state(found) == "all")
      #expect(found.count == 8 && found.first?.name == "k1")
      #expect(state(found) == "all")
      try realm.write { realm.delete(found[0]) }
      #expect(found.first?.name == "k2")
      #expect(state(found) == "prefix")
    }

    @Test func anOrderIsEvaluatedForItsFirstElementButNotToSeeWhetherThereIsOne() throws {
      let sorted = try realm().objects(Kite.self).where { $0.name != "k0" }.sorted(by: \.name, ascending: false)
      #expect(!sorted.isEmpty)
      #expect(state(sorted) == "nothing")
      #expect(sorted.first?.name == "k8")
      #expect(state(sorted) == "all")
      #expect(sorted.last?.name == "k1")
    }

    @Test func aFirstThatDoesNotExistIsTheWholeResult() throws {
      let found = try realm().objects(Kite.self).where { $0.name == "none" }
      #expect(found.first == nil)
      #expect(state(found) == "all")
      #expect(found.isEmpty)
    }

    @Test func aFurtherQueryMakesAViewOfWhichNothingIsKnown() throws {
      let found = try realm().objects(Kite.self).where { $0.name != "k0" }
      #expect(Array(found).count == 8)
      #expect(state(found.where { $0.height == 1 }) == "nothing")
      #expect(state(found) == "all")
    }

    @Test func aFrozenViewSharesItsResult() throws {
      let found = try realm().objects(Kite.self).where { $0.height == 1 }.freeze()
      #expect(found.count == 3 && found.first?.name == "k1" && found.map(\.name) == ["k1", "k4", "k7"])
      #expect(state(found) == "shared")
    }
  }
#endif
