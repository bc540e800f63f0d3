import FiefTestSupport
import RealmSwift
import Synchronization

/// An item of collections that are observed while others write.
class LoadedItem: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var rank = 0

  /// The number and the rank in one.
  var mark: Int { id * 1000 + rank }
}

/// Collections that are observed while others write.
class LoadedList: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var items: List<LoadedItem>
  @Persisted var marks: MutableSet<Int>

  /// Writes a list of forty items.
  static func make(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let list = realm.create(LoadedList.self, value: ["id": 0])
      for id in 0..<40 { list.items.append(realm.create(LoadedItem.self, value: ["id": id, "rank": id * 7 % 40])) }
    }
  }

  /// Changes something, in a write.
  func change(_ random: inout SeededRandom) {
    let count = items.count
    switch random.below(8) {
    case 0:
      // Some sixty items, so that the collections do not grow with the number of commits.
      guard let realm, count < 60 else {
        realm?.delete(items[random.below(count)])
        return
      }
      let id = (realm.objects(LoadedItem.self).max(of: \.id) ?? 0) + 1
      items.insert(
        realm.create(LoadedItem.self, value: ["id": id, "rank": random.below(40)]), at: random.below(count + 1))
    case 1: items.move(from: random.below(count), to: random.below(count))
    case 2:
      let mark = random.below(12)
      if marks.contains(mark) { marks.remove(mark) } else { marks.insert(mark) }
    default: items[random.below(count)].rank = random.below(40)
    }
  }
}

/// What an observer has seen, kept by its change sets alone.
final class ShownChanges: Sendable {
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
        if Self.led(state.elements, to: new, deletions, insertions, Set(modifications)) != new { state.wrong += 1 }
        state.elements = new
        state.changes += 1
      }
    case .error: state.withLock { $0.wrong += 1 }
    }
  }

  /// What a change set leads to; nil if it does not fit the old collection. Elements that are neither inserted nor
  /// modified are those of the old collection.
  private static func led(
    _ old: [Int], to new: [Int], _ deletions: [Int], _ insertions: [Int], _ modifications: Set<Int>
  ) -> [Int]? {
    var origins: [Int?] = Array(old.indices)
    for index in deletions.reversed() {
      guard index < origins.count else { return nil }
      origins.remove(at: index)
    }
    for index in insertions {
      guard index <= origins.count else { return nil }
      origins.insert(nil, at: index)
    }
    return origins.enumerated().map { position, origin in
      if let origin, !modifications.contains(origin) { return old[origin] }
      return position < new.count ? new[position] : -1
    }
  }
}
