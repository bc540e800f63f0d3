import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Runner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var club = ""
  @Persisted var rank = 0
  @Persisted var note = ""
  @Persisted var coach: Runner?
  @Persisted var team: List<Runner>

  convenience init(_ id: Int, _ club: String, _ rank: Int = 0) {
    self.init()
    self.id = id
    self.club = club
    self.rank = rank
  }
}

/// A change as text: `-` deletions, `+` insertions, `~` modifications, `S-` and `S+` sections.
private func text<C>(_ change: SectionedResultsChange<C>) -> String {
  func paths(_ paths: [IndexPath]) -> String { paths.map { "\($0[0]).\($0[1])" }.joined(separator: " ") }
  switch change {
  case .initial: return "initial"
  case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
    let parts: [(String, String)] = [
      ("-", paths(deletions)), ("+", paths(insertions)), ("~", paths(modifications)),
      ("S-", deleted.map { "\($0)" }.joined(separator: " ")),
      ("S+", inserted.map { "\($0)" }.joined(separator: " ")),
    ]
    return parts.filter { !$0.1.isEmpty }.map { $0.0 + $0.1 }.joined(separator: " ")
  }
}

@MainActor @Suite struct SectionedObservingTests {
  private let realm: Realm
  private let all: Results<Runner>

  init() throws {
    realm = try Realm(configuration: .inMemory(objectTypes: [Runner.self]))
    all = realm.objects(Runner.self)
    try realm.write {
      realm.add([Runner(1, "Ajax"), Runner(2, "Bolt"), Runner(3, "Ajax"), Runner(4, "Comet")])
    }
  }

  /// The notifications of an observer, one for each of several writes.
  private func told<S: RealmSectionedResult>(
    _ sections: S, keyPaths: [String]? = nil, _ writes: (() -> Void)...
  ) throws -> [String] {
    var told: [String] = []
    let token = sections.observe(keyPaths: keyPaths) { told.append(text($0)) }
    realm.refresh()
    for write in writes {
      try realm.write(write)
      realm.refresh()
    }
    token.invalidate()
    return told
  }

  private func runner(_ id: Int) -> Runner? { realm.object(ofType: Runner.self, forPrimaryKey: id) }

  @Test func elementsComeGoAndChangeAtPathsOfSections() throws {
    let sections = all.sectioned(by: \.club)
    let told = try told(
      sections, { realm.add(Runner(5, "Ajax")) }, { runner(3)?.note = "hurt" },
      { if let runner = runner(1) { realm.delete(runner) } }, {})
    #expect(told == ["initial", "+0.2", "~0.1", "-0.0"])
  }

  @Test func sectionsComeWithTheirElementsAndGoWithoutThem() throws {
    let sections = all.sectioned(by: \.club)
    let told = try told(
      sections, { realm.add([Runner(5, "Bravo"), Runner(6, "Bravo")]) },
      { realm.delete(all.filter("club == 'Ajax'")) })
    #expect(told == ["initial", "+2.0 2.1 S+2", "S-0"])
  }

  @Test func anElementThatChangesItsSectionIsDeletedAndInserted() throws {
    let sections = all.sectioned(by: \.club)
    let told = try told(
      sections, { runner(3)?.club = "Bolt" }, { runner(4)?.club = "Ajax" }, { runner(4)?.club = "Zeal" })
    #expect(told == ["initial", "-0.1 +1.1", "+0.1 S-2", "-0.1 +2.0 S+2"])
  }

  @Test func aModifiedElementAtAnotherPositionIsDeletedAndInserted() throws {
    let sections = all.sectioned(by: { $0.club }, sortDescriptors: ["rank", "id"])
    let told = try told(
      sections,
      {
        // Comes before the others of its section, all of which move.
        realm.add(Runner(5, "Ajax", -1))
        runner(3)?.note = "hurt"
      },
      {
        if let runner = runner(5) { realm.delete(runner) }
        runner(1)?.note = "well"
        runner(3)?.note = "well"
      },
      { runner(1)?.note = "fast" },
      {
        // Another section moves the section, and not the element in it.
        realm.add(Runner(6, "Aero", -2))
        runner(4)?.note = "slow"
      })
    #expect(told == ["initial", "-0.1 +0.0 0.2", "-0.0 0.1 0.2 +0.0 0.1", "~0.0", "+0.0 ~2.0 S+0"])
    let one = all.sectioned(by: { $0.club }, sortDescriptors: ["rank", "id"])[1]
    #expect(try self.told(one, { runner(3)?.note = "new" }) == ["initial", "~1.1"])
  }

  @Test func aSectionThatMovesIsDeletedAndInserted() throws {
    let sections = all.sectioned(by: { $0.club }, sortDescriptors: ["rank", "id"])
    #expect(sections.allKeys == ["Ajax", "Bolt", "Comet"])
    let told = try told(sections, { runner(2)?.rank = 5 })
    #expect(told.count == 2)
    // The two sections changed indexes; either one may be reported as moved.
    #expect(["+2.0 S-1 S+2", "+1.0 S-2 S+1"].contains(told.last))
  }

  @Test func keyPathsSayWhatMakesAnElementModified() throws {
    try realm.write { runner(1)?.coach = runner(4) }
    let sections = all.sectioned(by: \.club)
    #expect(try told(sections, keyPaths: ["rank"], { runner(1)?.note = "x" }, { runner(1)?.rank = 1 }).last == "~0.0")
    #expect(try told(sections, keyPaths: ["rank"], { runner(1)?.note = "y" }) == ["initial"])
    #expect(try told(sections, keyPaths: ["coach.note"], { runner(4)?.note = "z" }) == ["initial", "~0.0"])
    // Without key paths, changes behind links count too.
    #expect(try told(sections, { runner(4)?.note = "zz" }) == ["initial", "~0.0 2.0"])
    var count = 0
    let token = sections.observe(keyPaths: [\Runner.rank]) { _ in count += 1 }
    realm.refresh()
    try realm.write { runner(2)?.note = "n" }
    realm.refresh()
    #expect(count == 1)
    token.invalidate()
  }

  @Test func theObserverOfASectionHearsOfItsKeyAlone() throws {
    let bolt = all.sectioned(by: \.club)[1]
    let told = try told(
      bolt, { runner(1)?.note = "x" }, { runner(2)?.note = "x" }, { realm.delete(all.filter("club == 'Ajax'")) },
      { realm.add(Runner(7, "Bolt")) }, { realm.delete(all.filter("club == 'Bolt'")) },
      { realm.add(Runner(8, "Ajax")) },
      { realm.add(Runner(9, "Bolt")) })
    #expect(told == ["initial", "~1.0", "+0.1", "S-0", "+1.0 S+1"])
  }

  @Test func deliveredSectionsAreInTheirNewState() throws {
    let sections = all.sectioned(by: \.club)
    var keys: [[String]] = []
    let token = sections.observe { change in
      switch change {
      case .initial(let sections): keys.append(sections.allKeys)
      case .update(let sections, _, _, _, _, _): keys.append(sections.allKeys)
      }
    }
    realm.refresh()
    try realm.write { realm.add(Runner(5, "Dash")) }
    realm.refresh()
    #expect(keys == [["Ajax", "Bolt", "Comet"], ["Ajax", "Bolt", "Comet", "Dash"]])
    token.invalidate()
  }

  @Test func changesOfAWriteThatSkipsTheTokenAreNotDelivered() throws {
    let sections = all.sectioned(by: \.club)
    var told: [String] = []
    let token = sections.observe { told.append(text($0)) }
    realm.refresh()
    try realm.write(withoutNotifying: [token]) { realm.add(Runner(5, "Ajax")) }
    realm.refresh()
    try realm.write { realm.add(Runner(6, "Ajax")) }
    realm.refresh()
    #expect(told == ["initial", "+0.3"])
  }

  @Test func observersAfterABlockThatWritesAreToldOfThatWrite() throws {
    let (realm, sections) = (realm, all.sectioned(by: \.club))
    var (first, second): ([String], [String]) = ([], [])
    let writing = sections.observe { change in
      first.append(text(change))
      if first.count == 2 { try? realm.write { realm.add(Runner(6, "Dash")) } }
    }
    let following = sections.observe { second.append(text($0)) }
    realm.refresh()
    try realm.write { realm.add(Runner(5, "Ajax")) }
    realm.refresh()
    realm.refresh()
    #expect(first == ["initial", "+0.2", "+3.0 S+3"])
    #expect(second == ["initial", "+0.2 3.0 S+3"])
    withExtendedLifetime((writing, following)) {}
  }

  @Test func theDeletionOfTheListIsDeliveredOnce() throws {
    let captain = try realm.write {
      let captain = realm.create(Runner.self, value: [9, "Gone"])
      captain.team.append(objectsIn: all.filter("id < 4"))
      return captain
    }
    let told = try told(
      captain.team.sectioned(by: \.club), { realm.delete(captain) }, { runner(1)?.note = "unheard" })
    #expect(told == ["initial", "S-0 1"])
  }

  @Test nonisolated func queuesAreNotifiedOnThemselves() throws {
    let queue = DispatchQueue(label: "sections")
    let told = Mutex<[String]>([])
    let realm = try Realm(configuration: .inMemory(objectTypes: [Runner.self]))
    try realm.write { realm.add([Runner(1, "Ajax"), Runner(2, "Bolt"), Runner(3, "Ajax"), Runner(4, "Comet")]) }
    let sections = realm.objects(Runner.self).sectioned(by: \.club)
    let token = sections.observe(on: queue) { change in
      dispatchPrecondition(condition: .onQueue(queue))
      told.withLock { $0.append(text(change)) }
    }
    #expect(waits { told.withLock { !$0.isEmpty } })
    try realm.write { realm.add(Runner(5, "Dash")) }
    #expect(waits { told.withLock { $0.count } >= 2 })
    #expect(told.withLock { $0 } == ["initial", "+3.0 S+3"])
    token.invalidate()
  }

  @Test nonisolated func anObservationOfASectionThatIsGoneOnItsQueueBeginsWhenTheKeyReturns() throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Runner.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add([Runner(1, "Ajax"), Runner(2, "Bolt")]) }
    let section = realm.objects(Runner.self).sectioned(by: \.club)[1]
    // The realm of the queue shows a later version than this one.
    let queue = DispatchQueue(label: "sections")
    let kept = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      try realm.write { realm.delete(realm.objects(Runner.self).where { $0.club == "Bolt" }) }
      return Held(realm)
    }
    let told = Mutex<[String]>([])
    let token = section.observe(on: queue) { change in told.withLock { $0.append(text(change)) } }
    queue.sync {}
    #expect(told.withLock { $0.isEmpty })
    try queue.sync { try kept.value.write { kept.value.add(Runner(3, "Bolt")) } }
    #expect(waits { told.withLock { !$0.isEmpty } })
    try queue.sync { try kept.value.write { kept.value.add(Runner(4, "Bolt")) } }
    #expect(waits { told.withLock { $0.count } >= 2 })
    #expect(told.withLock { $0 } == ["initial", "+1.1"] && token.invalidate())
  }

  @Test func actorsAreNotifiedOnTheirExecutors() async throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Runner.self])
    let listener = Listener()
    try await listener.listen(configuration)
    #expect(await eventually { await !listener.told.isEmpty })
    func add() throws {
      let other = try Realm(configuration: configuration)
      try other.write { other.add(Runner(5, "Dash")) }
    }
    try add()
    #expect(await eventually { await listener.told.count >= 2 })
    #expect(await listener.told == ["initial", "+0.0 S+0"])
    await listener.stop()
  }

  @Test(arguments: Seeds.all) func everyChangeLeadsFromTheOldSectionsToTheNew(seed: Seed) throws {
    var random = seed.random
    let sections = all.sectioned(by: { $0.club }, sortDescriptors: ["rank", "id"])
    let clubs = ["Ajax", "Bolt", "Comet", "Dash", "Elk"]
    var state = sections.map { Section($0.key, $0.map(\.id)) }
    var written: Set<Int> = []
    let token = sections.observe { change in
      guard
        case .update(let sections, let deletions, let insertions, let modifications, let added, let removed) = change
      else { return }
      let new = sections.map { Section($0.key, $0.map(\.id)) }
      #expect(deletions == deletions.sorted() && Set(deletions).count == deletions.count)
      #expect(insertions == insertions.sorted() && Set(insertions).count == insertions.count)
      #expect(deletions.allSatisfy { !removed.contains($0[0]) })
      // Exactly the elements that were written and keep their position are modified.
      let expected = state.indices.flatMap { section in
        state[section].ids.indices.compactMap { index -> IndexPath? in
          let path: IndexPath = [section, index]
          let isStaying = !removed.contains(section) && !deletions.contains(path)
          return isStaying && written.contains(state[section].ids[index]) ? path : nil
        }
      }
      #expect(modifications == expected)
      for path in modifications {
        let same = new.first { $0.key == state[path[0]].key }
        #expect(same?.ids[path[1]] == state[path[0]].ids[path[1]])
      }
      for path in deletions.reversed() { state[path[0]].ids.remove(at: path[1]) }
      for section in removed.reversed() { state.remove(at: section) }
      for section in added { state.insert(Section(new[section].key, []), at: section) }
      for path in insertions { state[path[0]].ids.insert(new[path[0]].ids[path[1]], at: path[1]) }
      #expect(state == new)
    }
    realm.refresh()
    for _ in 0..<30 {
      written = []
      try realm.write {
        for _ in 0..<random.below(5) {
          let id = random.below(25)
          switch random.below(4) {
          case 0:
            if runner(id) == nil { realm.add(Runner(id, clubs[random.below(5)], random.below(9))) }
          case 1: if let runner = runner(id) { realm.delete(runner) }
          case 2: change(id, &written) { $0.note += "x" }
          default:
            change(id, &written) {
              $0.club = clubs[random.below(5)]
              $0.rank += random.below(3)
              $0.note += "y"
            }
          }
        }
      }
      realm.refresh()
      #expect(state == sections.map { Section($0.key, $0.map(\.id)) })
    }
    token.invalidate()
  }

  private func change(_ id: Int, _ written: inout Set<Int>, _ body: (Runner) -> Void) {
    guard let runner = runner(id) else { return }
    body(runner)
    written.insert(id)
  }
}

private struct Section: Equatable {
  let key: String
  var ids: [Int]

  init(_ key: String, _ ids: [Int]) {
    self.key = key
    self.ids = ids
  }
}

private actor Listener {
  var told: [String] = []
  private var token: NotificationToken?

  func listen(_ configuration: Realm.Configuration) async throws {
    let realm = try await Realm.open(configuration: configuration)
    let sections = realm.objects(Runner.self).sectioned(by: \.club)
    token = await sections.observe(on: self) { (self, change) in self.told.append(text(change)) }
  }

  func stop() { token = nil }
}
