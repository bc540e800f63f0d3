import Dispatch
import FiefTestSupport
import Foundation
import RealmSwift
import Synchronization
import Testing

private class LoadedItem: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var rank = 0
}

private class LoadedList: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var items: List<LoadedItem>
  @Persisted var marks: MutableSet<Int>
}

/// G17: a writer commits without a pause. Each change set leads from the collection that was seen last to the present
/// one, and the last change is not missed.
@Suite struct ChangeLoadTests {
  /// What an observer has seen, kept by its change sets alone.
  private final class Shown: Sendable {
    private let state = Mutex((elements: [Int](), changes: 0, wrong: 0))

    var elements: [Int] { state.withLock { $0.elements } }
    var changes: Int { state.withLock { $0.changes } }
    var wrong: Int { state.withLock { $0.wrong } }

    func take<C: RealmCollection>(_ change: RealmCollectionChange<C>, _ value: (C.Element) -> Int) {
      switch change {
      case .initial(let all):
        let all = all.map(value)
        state.withLock { $0.elements = all }
      case .update(let all, let deletions, let insertions, let modifications):
        let new = all.map(value)
        state.withLock { state in
          var origins: [Int?] = Array(state.elements.indices)
          for index in deletions.reversed() { origins.remove(at: index) }
          for index in insertions { origins.insert(nil, at: index) }
          let changed = Set(modifications)
          let old = state.elements
          // Elements that are neither inserted nor modified are those of the old collection.
          let led = origins.enumerated().map { position, origin in
            if let origin, !changed.contains(origin) { return old[origin] }
            return position < new.count ? new[position] : -1
          }
          if led != new { state.wrong += 1 }
          state.elements = new
          state.changes += 1
        }
      case .error: state.withLock { $0.wrong += 1 }
      }
    }
  }

  @Test func everyChangeSetLeadsToTheCollectionUnderALoadOfCommits() async throws {
    let commits = Effort.of(debug: 20_000, release: 1_000_000, night: 50_000_000)
    let configuration = Realm.Configuration.inMemory(objectTypes: [LoadedItem.self, LoadedList.self])
    try Self.begin(configuration)
    let shown = (0..<4).map { _ in Shown() }
    let queue = DispatchQueue(label: "observing")
    let held = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let list = try #require(realm.object(ofType: LoadedList.self, forPrimaryKey: 0))
      let low = realm.objects(LoadedItem.self).where { $0.rank < 20 }
      let tokens = [
        low.observe { shown[0].take($0) { $0.id * 1000 + $0.rank } },
        low.sorted(byKeyPath: "rank").observe { shown[1].take($0) { $0.id * 1000 + $0.rank } },
        list.items.observe { shown[2].take($0) { $0.id * 1000 + $0.rank } },
        list.marks.observe { shown[3].take($0) { $0 } },
      ]
      return Held((realm, list, low, tokens))
    }
    let seed = Effort.firstSeed
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Swift.Error>) in
      Thread.detachNewThread { continuation.resume(with: Result { try Self.write(configuration, commits, seed) }) }
    }
    let isLevel = await eventually {
      queue.sync {
        let (_, list, low, _) = held.value
        held.value.0.refresh()
        return shown[0].elements == low.map { $0.id * 1000 + $0.rank }
          && shown[1].elements == low.sorted(byKeyPath: "rank").map { $0.id * 1000 + $0.rank }
          && shown[2].elements == list.items.map { $0.id * 1000 + $0.rank } && shown[3].elements == Array(list.marks)
      }
    }
    #expect(isLevel, "the last change is never missed, \(seed)")
    queue.sync { for token in held.value.3 { token.invalidate() } }
    for (number, one) in shown.enumerated() {
      #expect(one.wrong == 0 && one.changes > 0, "observer \(number): \(one.changes) changes, \(seed)")
    }
    print("G17: \(commits) commits, \(shown.map(\.changes)) change sets, \(seed)")
  }

  private static func begin(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let list = realm.create(LoadedList.self, value: ["id": 0])
      for id in 0..<40 { list.items.append(realm.create(LoadedItem.self, value: ["id": id, "rank": id * 7 % 40])) }
    }
  }

  private static func write(_ configuration: Realm.Configuration, _ commits: Int, _ seed: Seed) throws {
    var random = seed.random
    let realm = try Realm(configuration: configuration)
    let list = try #require(realm.object(ofType: LoadedList.self, forPrimaryKey: 0))
    var next = 40
    for _ in 0..<commits {
      try realm.write {
        let count = list.items.count
        switch random.below(8) {
        case 0:
          // Some sixty items, so that the collections do not grow with the number of commits.
          if count < 60 {
            list.items.insert(
              realm.create(LoadedItem.self, value: ["id": next, "rank": random.below(40)]), at: random.below(count + 1))
            next += 1
          } else {
            realm.delete(list.items[random.below(count)])
          }
        case 1: list.items.move(from: random.below(count), to: random.below(count))
        case 2:
          let mark = random.below(12)
          if list.marks.contains(mark) { list.marks.remove(mark) } else { list.marks.insert(mark) }
        default: list.items[random.below(count)].rank = random.below(40)
        }
      }
    }
  }
}
