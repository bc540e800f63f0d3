import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Boat: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var crew: List<Boat>
  @Persisted var ports: MutableSet<String>
  @Persisted var loads: Map<String, Int>
  @Persisted var flag: Flag?
  @Persisted(originProperty: "crew") var fleets: LinkingObjects<Boat>

  convenience init(_ id: Int, _ name: String = "") {
    self.init()
    self.id = id
    self.name = name
  }
}

private class Flag: EmbeddedObject {
  @Persisted var color = ""
}

private class BoatView: Projection<Boat> {
  @Projected(\Boat.name) var title
}

private func memory() -> Realm.Configuration { .inMemory(objectTypes: [Boat.self, Flag.self]) }

@Suite("Sequences of changes")
@MainActor
struct ObservedChangesTests {
  let realm: Realm

  init() throws { realm = try Realm(configuration: memory()) }

  private func words<C: RealmCollection>(_ change: RealmCollectionChange<C>?) -> String {
    switch change {
    case .initial(let all): "initial \(all.count)"
    case .update(let all, let deletions, let insertions, let modifications):
      "\(all.isInvalidated ? "gone" : "\(all.count)") -\(deletions) +\(insertions) ~\(modifications)"
    case .error: "error"
    case nil: "end"
    }
  }

  private func add(_ id: Int, _ name: String = "") throws { try realm.write { realm.add(Boat(id, name)) } }

  @Test func `results begin with their state, and continue with each change`() async throws {
    try add(1)
    var changes = realm.objects(Boat.self).changes.makeAsyncIterator()
    #expect(words(await changes.next(isolation: #isolation)) == "initial 1")
    try add(2)
    #expect(words(await changes.next(isolation: #isolation)) == "2 -[] +[1] ~[]")
    try realm.write {
      realm.delete(realm.objects(Boat.self)[0])
      realm.objects(Boat.self)[0].name = "b"
    }
    #expect(words(await changes.next(isolation: #isolation)) == "1 -[0] +[] ~[1]")
  }

  @Test func `commits during a busy loop become one change`() async throws {
    var changes = realm.objects(Boat.self).changes.makeAsyncIterator()
    _ = await changes.next(isolation: #isolation)
    for id in 0..<50 { try add(id) }
    try realm.write { realm.delete(realm.objects(Boat.self)[0]) }
    #expect(words(await changes.next(isolation: #isolation)) == "49 -[] +\(Array(0..<49)) ~[]")
  }

  @Test func `a change that is undone before it is asked for is none`() async throws {
    var changes = realm.objects(Boat.self).changes.makeAsyncIterator()
    _ = await changes.next(isolation: #isolation)
    try add(1)
    try realm.write { realm.deleteAll() }
    try add(2)
    #expect(words(await changes.next(isolation: #isolation)) == "1 -[] +[0] ~[]")
  }

  @Test func `a waiting loop hears of commits of this realm and of others`() async throws {
    let configuration = realm.configuration
    let log = Log()
    let boats = realm.objects(Boat.self)
    let task = Task {
      for await change in boats.changes {
        log.lines.append(words(change))
        if log.lines.count == 3 { break }
      }
    }
    #expect(await eventually { log.lines.count == 1 })
    try add(1)
    #expect(await eventually { log.lines.count == 2 })
    await Task.detached {
      let other = try! Realm(configuration: configuration)
      try! other.write { other.add(Boat(2)) }
    }.value
    await task.value
    #expect(log.lines == ["initial 0", "1 -[] +[0] ~[]", "2 -[] +[1] ~[]"])
  }

  @Test func `lists, sets, backlinks, queries and projections have changes, with and without key paths`() async throws {
    try add(1, "a")
    let boat = realm.objects(Boat.self)[0]
    var list = boat.crew.changes.makeAsyncIterator()
    var set = boat.ports.changes.makeAsyncIterator()
    var backlinks = boat.fleets.changes.makeAsyncIterator()
    var query = realm.objects(Boat.self).where { $0.name == "a" }.changes.makeAsyncIterator()
    var names = realm.objects(Boat.self).changes(keyPaths: ["name"]).makeAsyncIterator()
    var views = realm.objects(BoatView.self).changes.makeAsyncIterator()
    var any = AnyRealmCollection(boat.crew).changes.makeAsyncIterator()
    #expect(words(await list.next(isolation: #isolation)) == "initial 0")
    #expect(words(await set.next(isolation: #isolation)) == "initial 0")
    #expect(words(await backlinks.next(isolation: #isolation)) == "initial 0")
    #expect(words(await query.next(isolation: #isolation)) == "initial 1")
    #expect(words(await names.next(isolation: #isolation)) == "initial 1")
    #expect(words(await views.next(isolation: #isolation)) == "initial 1")
    #expect(words(await any.next(isolation: #isolation)) == "initial 0")
    try realm.write {
      boat.crew.append(boat)
      boat.ports.insert("Ancona")
    }
    #expect(words(await list.next(isolation: #isolation)) == "1 -[] +[0] ~[]")
    #expect(words(await any.next(isolation: #isolation)) == "1 -[] +[0] ~[]")
    #expect(words(await set.next(isolation: #isolation)) == "1 -[] +[0] ~[]")
    #expect(words(await backlinks.next(isolation: #isolation)) == "1 -[] +[0] ~[]")
    try realm.write { boat.name = "b" }
    #expect(words(await query.next(isolation: #isolation)) == "0 -[0] +[] ~[]", "Coalesced with the write before.")
    #expect(words(await names.next(isolation: #isolation)) == "1 -[] +[] ~[0]")
    #expect(words(await views.next(isolation: #isolation)) == "1 -[] +[] ~[0]")
  }

  @Test func `maps and sections have changes`() async throws {
    try add(1, "a")
    let boat = realm.objects(Boat.self)[0]
    var map = boat.loads.changes.makeAsyncIterator()
    var sections = realm.objects(Boat.self).sectioned(by: \.name).changes.makeAsyncIterator()
    guard case .initial = await map.next(isolation: #isolation),
      case .initial(let first) = await sections.next(isolation: #isolation)
    else { return #expect(Bool(false), "Both begin with their state.") }
    #expect(first.allKeys == ["a"])
    try realm.write {
      boat.loads["salt"] = 3
      realm.add(Boat(2, "b"))
    }
    guard case .update(_, let deletions, let insertions, _) = await map.next(isolation: #isolation),
      case .update(let after, _, _, _, let inserted, _) = await sections.next(isolation: #isolation)
    else { return #expect(Bool(false), "Both have changed.") }
    #expect(deletions.isEmpty && insertions == ["salt"])
    #expect(after.allKeys == ["a", "b"] && inserted == [1])
  }

  @Test func `the changes of a section that is gone begin when its key returns`() async throws {
    try add(1, "a")
    let sequence = realm.objects(Boat.self).sectioned(by: \.name)[0].changes
    try realm.write { realm.objects(Boat.self)[0].name = "b" }
    let log = Log()
    let task = Task {
      for await change in sequence {
        switch change {
        case .initial(let section): log.lines.append("initial \(section.count)")
        case .update(_, _, let insertions, _, _, _): log.lines.append("+\(insertions.count)")
        }
        if log.lines.count == 2 { break }
      }
    }
    // The loop has begun when another task of the main actor has run.
    for _ in 0..<10 { await Task.yield() }
    #expect(log.lines.isEmpty)
    try add(2, "a")
    #expect(await eventually { log.lines.count == 1 })
    try add(3, "a")
    await task.value
    #expect(log.lines == ["initial 1", "+1"])
  }

  @Test func `the changes of a section end with the owner of its elements, though it is gone`() async throws {
    try add(1, "a")
    let boat = realm.objects(Boat.self)[0]
    try realm.write { boat.crew.append(Boat(2, "b")) }
    let sequence = boat.crew.sectioned(by: \.name)[0].changes
    try realm.write { boat.crew.removeAll() }
    let log = Log()
    let task = Task { for await _ in sequence { log.add("change") } }
    for _ in 0..<10 { await Task.yield() }
    try realm.write { realm.delete(boat) }
    await task.value
    #expect(log.lines.isEmpty)
  }

  @Test func `an object has changes until it is deleted, and shows its last values`() async throws {
    try add(1, "a")
    let boat = realm.objects(Boat.self)[0]
    let sequence = boat.changes
    var changes = sequence.makeAsyncIterator()
    try realm.write { boat.name = "b" }
    guard case .change(let same, let properties) = await changes.next(isolation: #isolation) else {
      return #expect(Bool(false), "A property has changed.")
    }
    #expect(same.name == "b" && properties.map(\.name) == ["name"])
    #expect(properties[0].oldValue as? String == "a" && properties[0].newValue as? String == "b")
    #expect(sequence.previous?.name == "a")
    try realm.write {
      boat.name = "c"
      realm.delete(boat)
    }
    guard case .deleted = await changes.next(isolation: #isolation) else {
      return #expect(Bool(false), "The object was deleted.")
    }
    #expect(sequence.previous?.id == 1 && sequence.previous?.name == "b" && sequence.previous?.isFrozen == true)
    #expect(await changes.next(isolation: #isolation) == nil)
  }

  @Test func `a projection and an embedded object have changes`() async throws {
    try add(1, "a")
    let boat = realm.objects(Boat.self)[0]
    try realm.write { boat.flag = Flag(value: ["color": "red"]) }
    var view = BoatView(projecting: boat).changes.makeAsyncIterator()
    var flag = try #require(boat.flag).changes.makeAsyncIterator()
    try realm.write {
      boat.name = "b"
      boat.flag?.color = "blue"
    }
    guard case .change(let shown, let titles) = await view.next(isolation: #isolation),
      case .change(_, let colors) = await flag.next(isolation: #isolation)
    else { return #expect(Bool(false), "Both have changed.") }
    #expect(shown.title == "b" && titles.map(\.name) == ["title"] && colors.map(\.name) == ["color"])
  }

  @Test func `deleted elements are in what was shown before`() async throws {
    for id in 0..<3 { try add(id, "boat \(id)") }
    let sequence = realm.objects(Boat.self).changes
    var changes = sequence.makeAsyncIterator()
    _ = await changes.next(isolation: #isolation)
    #expect(sequence.previous == nil)
    try realm.write { realm.delete(realm.objects(Boat.self)[1]) }
    guard case .update(_, let deletions, _, _) = await changes.next(isolation: #isolation) else {
      return #expect(Bool(false), "A boat was deleted.")
    }
    #expect(deletions.map { sequence.previous?[$0].name } == ["boat 1"])
  }

  @Test func `a list ends with its owner`() async throws {
    try add(1)
    let boat = realm.objects(Boat.self)[0]
    try realm.write { boat.crew.append(boat) }
    var changes = boat.crew.changes.makeAsyncIterator()
    _ = await changes.next(isolation: #isolation)
    try realm.write { realm.delete(boat) }
    #expect(words(await changes.next(isolation: #isolation)) == "gone -[0] +[] ~[]")
    #expect(await changes.next(isolation: #isolation) == nil)
  }

  @Test func `a sequence ends when its task is cancelled`() async throws {
    let log = Log()
    let boats = realm.objects(Boat.self)
    let tasks = [
      Task { for await change in boats.changes { log.lines.append(words(change)) } },
      Task { await followFrozen(boats.changes, log) },
    ]
    #expect(await eventually { log.lines.count == 2 })
    for task in tasks {
      task.cancel()
      await task.value
    }
    try add(1)
    #expect(log.lines == ["initial 0", "initial 0"])
  }

  @Test func `a sequence ends when its realm is invalidated`() async throws {
    let log = Log()
    let boats = realm.objects(Boat.self)
    let task = Task { for await change in boats.changes { log.lines.append(words(change)) } }
    #expect(await eventually { log.lines.count == 1 })
    realm.invalidate()
    await task.value
    #expect(log.lines == ["initial 0"])
  }

  @Test func `a loop without an actor gets frozen elements`() async throws {
    let log = Log()
    let changes = realm.objects(Boat.self).changes
    let task = Task { await followFrozen(changes, log) }
    #expect(await eventually { log.lines.count == 1 })
    try add(1, "a")
    #expect(await eventually { log.lines.count == 2 })
    try realm.write { realm.objects(Boat.self)[0].name = "b" }
    #expect(await eventually { log.lines.count == 3 })
    #expect(log.lines == ["initial 0", "a frozen", "b frozen"])
    task.cancel()
    await task.value
  }

  @Test func `a loop without an actor gets a section that is gone as it is`() async throws {
    try add(1, "a")
    let log = Log()
    let changes = realm.objects(Boat.self).sectioned(by: \.name)[0].changes
    let task = Task { await followFrozen(changes, log) }
    #expect(await eventually { log.lines.count == 1 })
    try realm.write { realm.deleteAll() }
    #expect(await eventually { log.lines.count == 2 })
    try add(2, "a")
    #expect(await eventually { log.lines.count == 3 })
    #expect(log.lines == ["1", "gone", "1"])
    task.cancel()
    await task.value
  }

  @Test func `an actor gets elements of its own realm`() async throws {
    let follower = Follower()
    let changes = realm.objects(Boat.self).changes
    let task = Task { await follower.follow(changes) }
    #expect(await eventually { await follower.names == [[]] })
    try add(1, "a")
    #expect(await eventually { await follower.names.count == 2 })
    #expect(await follower.names == [[], ["a"]])
    task.cancel()
    await task.value
  }

  @Test func `a frozen object is followed from its version on`() async throws {
    try add(1, "a")
    let frozen = realm.objects(Boat.self)[0].freeze()
    try realm.write { realm.objects(Boat.self)[0].name = "b" }
    var changes = frozen.changes.makeAsyncIterator()
    guard case .change(let boat, let properties) = await changes.next(isolation: #isolation) else {
      return #expect(Bool(false), "It has changed since.")
    }
    #expect(boat.name == "b" && !boat.isFrozen && properties[0].oldValue as? String == "a")
  }

  @Test func `an object that is gone before the iteration begins is reported as deleted`() async throws {
    try add(1, "a")
    let changes = realm.objects(Boat.self)[0].freeze().changes
    try realm.write { realm.deleteAll() }
    var live = changes.makeAsyncIterator()
    guard case .deleted = await live.next(isolation: #isolation) else { return #expect(Bool(false), "live") }
    #expect(changes.previous?.name == "a")
    #expect(await live.next(isolation: #isolation) == nil)
    var frozen = changes.makeAsyncIterator()
    guard case .deleted = await frozen.next() else { return #expect(Bool(false), "frozen") }
    #expect(await frozen.next() == nil)
  }

  @Test(arguments: [true, false])
  func `the changes of an object that a write has made wait for its end`(isCommitted: Bool) async throws {
    let follower = Follower()
    realm.beginWrite()
    let boat = realm.create(Boat.self, value: ["id": 1, "name": "a"])
    let changes = boat.changes
    let task = Task { await follower.follow(changes) }
    // The actor is free to answer when the iteration has looked for the boat.
    #expect(await eventually { await follower.hasBegun })
    if isCommitted {
      try realm.commitWrite()
      try realm.write { boat.name = "b" }
      #expect(await eventually { await !follower.names.isEmpty })
      try realm.write { realm.delete(boat) }
    } else {
      realm.cancelWrite()
      try add(2)
    }
    await task.value
    #expect(await follower.names == (isCommitted ? [["b"], ["deleted"]] : [["deleted"]]))
  }

  @Test func `a list whose owner is gone before the iteration begins ends at once`() async throws {
    try add(1)
    let changes = realm.objects(Boat.self)[0].crew.changes
    try realm.write { realm.deleteAll() }
    var live = changes.makeAsyncIterator()
    #expect(await live.next(isolation: #isolation) == nil)
    var frozen = changes.makeAsyncIterator()
    #expect(await frozen.next() == nil)
  }

  @Test func `the changes of an unmanaged list trap`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().changes
    }
    #expect(
      result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.contains("only available for managed")
        ?? false)
  }

  @Test(arguments: [true, false])
  func `a loop that keeps up retains its last two versions, and no earlier one`(isOnActor: Bool) async throws {
    var configuration = memory()
    configuration.maximumNumberOfActiveVersions = 2
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let first = realm.version
    var live = isOnActor ? realm.objects(Boat.self).changes.makeAsyncIterator() : nil
    var frozen = isOnActor ? nil : realm.objects(Boat.self).changes.makeAsyncIterator()
    for id in 0..<5 {
      try realm.write { realm.add(Boat(id)) }
      _ = await live?.next(isolation: #isolation)
      _ = await frozen?.next()
    }
    let identifier = realm.configuration.inMemoryIdentifier
    let open = try #require(Realm.openRealms.first { $0.inMemoryIdentifier == identifier })
    #expect(!open.versions.contains(first), "\(open)")
    withExtendedLifetime((live, frozen)) {}
  }

  @Test func `a suspended loop retains one version, and none after its end`() async throws {
    let boats = realm.objects(Boat.self)
    var changes: ObservedChanges<Results<Boat>, RealmCollectionChange<Results<Boat>>>.AsyncIterator? =
      boats.changes.makeAsyncIterator()
    _ = await changes?.next(isolation: #isolation)
    for id in 0..<10 { try add(id) }
    #expect(words(await changes?.next(isolation: #isolation)) == "10 -[] +\(Array(0..<10)) ~[]")
    changes = nil
    #expect(realm.objects(Boat.self).count == 10)
  }
}

@MainActor private final class Log {
  var lines: [String] = []
  func add(_ line: String) { lines.append(line) }
}

private func followFrozen(
  _ changes: ObservedChanges<ResultsSection<String, Boat>, SectionedResultsChange<ResultsSection<String, Boat>>>,
  _ log: Log
) async {
  for await change in changes {
    switch change {
    case .initial(let section), .update(let section, _, _, _, _, _):
      await log.add(section.isInvalidated ? "gone" : "\(section.count)")
    }
  }
}

private func followFrozen(
  _ changes: ObservedChanges<Results<Boat>, RealmCollectionChange<Results<Boat>>>, _ log: Log
) async {
  for await change in changes {
    switch change {
    case .initial(let boats): await log.add("initial \(boats.count)")
    case .update(let boats, _, _, _): await log.add("\(boats[0].name) \(boats.isFrozen ? "frozen" : "live")")
    case .error: await log.add("error")
    }
  }
}

private actor Follower {
  var names: [[String]] = []
  var hasBegun = false

  func follow(_ changes: ObservedChanges<Boat, ObjectChange<Boat>>) async {
    hasBegun = true
    for await change in changes {
      switch change {
      case .change(let boat, _): names.append([boat.name])
      case .deleted: names.append(["deleted"])
      case .error: break
      }
    }
  }

  func follow(_ changes: ObservedChanges<Results<Boat>, RealmCollectionChange<Results<Boat>>>) async {
    for await change in changes {
      switch change {
      case .initial(let boats), .update(let boats, _, _, _): names.append(boats.map(\.name))
      case .error: break
      }
    }
  }
}
