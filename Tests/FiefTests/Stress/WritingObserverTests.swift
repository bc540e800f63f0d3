import Dispatch
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

/// Sessions that write and observe, while the commits of others wait for the disk. A write then begins on a version
/// that is not published yet.
@Suite struct WritingObserverTests {
  @Test(arguments: Effort.seeds.prefix(Effort.of(debug: 1, release: 10)), [false, true])
  func changeSetsLeadToWhatIsThereWhileOthersCommit(_ seed: Seed, _ isInFile: Bool) async throws {
    let folder = try TemporaryFolder()
    let types = [LoadedItem.self, LoadedList.self]
    let configuration =
      isInFile
      ? Realm.Configuration(fileURL: folder.url.appendingPathComponent("watched.realm"), objectTypes: types)
      : .inMemory(objectTypes: types)
    try LoadedList.make(configuration)
    let writers = try (0..<4).map { try Writer($0, configuration) }
    let writes = Effort.of(debug: 60, release: 1000)
    var random = seed.random
    let randoms = writers.map { _ in random.split() }
    await withTaskGroup(of: Void.self) { group in
      for (writer, random) in zip(writers, randoms) { group.addTask { await writer.write(writes, random) } }
    }
    for (number, writer) in writers.enumerated() {
      let isLevel = await eventually { writer.isLevel() }
      #expect(isLevel, "the last change of writer \(number) is never missed, \(seed)")
      #expect(writer.shown.allSatisfy { $0.wrong == 0 && $0.changes > 0 }, "writer \(number), \(seed)")
    }
    withExtendedLifetime(folder) {}
  }

  /// A queue that writes and observes.
  private final class Writer: Sendable {
    let shown = (0..<3).map { _ in ShownChanges() }
    private let queue: DispatchQueue
    private let held: Held<(realm: Realm, list: LoadedList, tokens: [NotificationToken])>

    init(_ number: Int, _ configuration: Realm.Configuration) throws {
      let (queue, shown) = (DispatchQueue(label: "writer \(number)"), shown)
      self.queue = queue
      held = try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        let list = try #require(realm.object(ofType: LoadedList.self, forPrimaryKey: 0))
        let tokens = [
          realm.objects(LoadedItem.self).sorted(byKeyPath: "rank").observe { shown[0].take($0, \.mark) },
          list.items.observe { shown[1].take($0, \.mark) }, list.marks.observe { shown[2].take($0) { $0 } },
        ]
        return Held((realm, list, tokens))
      }
    }

    /// Writes, each time in a block of the queue of its own, so that observers are notified in between.
    func write(_ count: Int, _ random: SeededRandom) async {
      var random = random
      for _ in 0..<count {
        let part = random.split()
        await withCheckedContinuation { continuation in
          queue.async { [held] in
            var part = part
            let (realm, list, _) = held.value
            let isAsynchronous = part.bool(0.3)
            if isAsynchronous {
              realm.writeAsync { list.change(&part) }
            } else {
              do { try realm.write { list.change(&part) } } catch { Issue.record(error) }
            }
            continuation.resume()
          }
        }
      }
    }

    /// Whether the observers have seen the present collections.
    func isLevel() -> Bool {
      queue.sync {
        let (realm, list, _) = held.value
        realm.refresh()
        return shown[0].elements == realm.objects(LoadedItem.self).sorted(byKeyPath: "rank").map(\.mark)
          && shown[1].elements == list.items.map(\.mark) && shown[2].elements == Array(list.marks)
      }
    }
  }
}
