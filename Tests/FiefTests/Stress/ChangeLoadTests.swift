import Dispatch
import FiefTestSupport
import Foundation
import RealmSwift
import Synchronization
import Testing

/// G17: a writer commits without a pause. Each change set leads from the collection that was seen last to the present
/// one, and the last change is not missed.
@Suite struct ChangeLoadTests {
  @Test func everyChangeSetLeadsToTheCollectionUnderALoadOfCommits() async throws {
    let commits = Effort.of(debug: 20_000, release: 1_000_000, night: 50_000_000)
    let configuration = Realm.Configuration.inMemory(objectTypes: [LoadedItem.self, LoadedList.self])
    try LoadedList.make(configuration)
    let shown = (0..<4).map { _ in ShownChanges() }
    let queue = DispatchQueue(label: "observing")
    let held = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let list = try #require(realm.object(ofType: LoadedList.self, forPrimaryKey: 0))
      let low = realm.objects(LoadedItem.self).where { $0.rank < 20 }
      let tokens = [
        low.observe { shown[0].take($0, \.mark) },
        low.sorted(byKeyPath: "rank").observe { shown[1].take($0, \.mark) },
        list.items.observe { shown[2].take($0, \.mark) },
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
        return shown[0].elements == low.map(\.mark)
          && shown[1].elements == low.sorted(byKeyPath: "rank").map(\.mark)
          && shown[2].elements == list.items.map(\.mark) && shown[3].elements == Array(list.marks)
      }
    }
    #expect(isLevel, "the last change is never missed, \(seed)")
    queue.sync { for token in held.value.3 { token.invalidate() } }
    for (number, one) in shown.enumerated() {
      #expect(one.wrong == 0 && one.changes > 0, "observer \(number): \(one.changes) changes, \(seed)")
    }
    Figures.report("G17: \(commits) commits, \(shown.map(\.changes)) change sets, \(seed)")
  }

  private static func write(_ configuration: Realm.Configuration, _ commits: Int, _ seed: Seed) throws {
    var random = seed.random
    let realm = try Realm(configuration: configuration)
    let list = try #require(realm.object(ofType: LoadedList.self, forPrimaryKey: 0))
    for _ in 0..<commits { try realm.write { list.change(&random) } }
  }
}
