import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Leaf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text = ""
  @Persisted var words: List<String>
  @Persisted var next: Leaf?

  convenience init(_ id: Int, _ text: String = "") {
    self.init()
    self.id = id
    self.text = text
  }
}

private func memory() -> Realm.Configuration { .inMemory(objectTypes: [Leaf.self]) }

private func write(_ configuration: Realm.Configuration, _ body: @escaping (Realm) -> Void) throws {
  try elsewhere {
    let realm = try Realm(configuration: configuration)
    try realm.write { body(realm) }
  }
}

@Suite struct RefreshingTests {
  @Test func aThreadSeesItsVersionUntilItRefreshes() throws {
    let configuration = memory()
    let realm = try Realm(configuration: configuration)
    let leaf = Leaf(1, "old")
    try realm.write { realm.add(leaf) }
    try write(configuration) { $0.object(ofType: Leaf.self, forPrimaryKey: 1)?.text = "new" }
    #expect(leaf.text == "old")
    #expect(realm.refresh())
    #expect(leaf.text == "new")
    #expect(!realm.refresh())
  }

  @Test func aWriteBeginsWithTheLatestVersion() throws {
    let configuration = memory()
    let realm = try Realm(configuration: configuration)
    let leaf = Leaf(1, "old")
    try realm.write { realm.add(leaf) }
    try write(configuration) { $0.object(ofType: Leaf.self, forPrimaryKey: 1)?.text = "new" }
    realm.beginWrite()
    #expect(leaf.text == "new")
    #expect(!realm.refresh())
    realm.cancelWrite()
    #expect(leaf.text == "new")
  }

  @Test func aRealmOfAQueueAdvancesUnlessAutorefreshIsOff() throws {
    let configuration = memory()
    let queue = DispatchQueue(label: "advancing")
    let (held, leaf) = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let leaf = Leaf(1, "old")
      try realm.write { realm.add(leaf) }
      return (Held(realm), Held(leaf))
    }
    try write(configuration) { $0.object(ofType: Leaf.self, forPrimaryKey: 1)?.text = "new" }
    #expect(queue.sync { leaf.value.text } == "new")
    queue.sync { held.value.autorefresh = false }
    try write(configuration) { $0.object(ofType: Leaf.self, forPrimaryKey: 1)?.text = "newer" }
    #expect(queue.sync { leaf.value.text } == "new")
    #expect(queue.sync { held.value.refresh() })
    #expect(queue.sync { leaf.value.text } == "newer")
  }

  @Test(arguments: Effort.seeds.prefix(Effort.of(debug: 5, release: 20)))
  func ofManyQueuesThoseAdvanceWhoseAutorefreshIsOn(_ seed: Seed) throws {
    var random = seed.random
    let configuration = memory()
    try write(configuration) { $0.add(Leaf(1, "0")) }
    let realms = try (0..<6).map { number in
      let queue = DispatchQueue(label: "queue \(number)")
      return (queue, Held(try queue.sync { try Realm(configuration: configuration, queue: queue) }))
    }
    func shown(_ number: Int) -> String? {
      realms[number].0.sync { realms[number].1.value.object(ofType: Leaf.self, forPrimaryKey: 1)?.text }
    }
    var advances = Array(repeating: true, count: realms.count)
    var expected = realms.indices.map { shown($0) }
    for number in 1...30 {
      for _ in 0..<random.below(3) {
        let chosen = random.below(realms.count)
        advances[chosen].toggle()
        realms[chosen].0.sync { realms[chosen].1.value.autorefresh = advances[chosen] }
        // Switching it on brings the latest version as well.
        if advances[chosen] { expected[chosen] = "\(number - 1)" }
      }
      try write(configuration) { $0.object(ofType: Leaf.self, forPrimaryKey: 1)?.text = "\(number)" }
      for index in realms.indices where advances[index] { expected[index] = "\(number)" }
      #expect(realms.indices.map { shown($0) } == expected, "\(seed), write \(number)")
    }
  }

  @Test func anInvalidatedRealmGoesOnAndEverythingOfBeforeIsInvalid() throws {
    let configuration = memory()
    let realm = try Realm(configuration: configuration)
    let leaf = Leaf(1, "a")
    try realm.write { realm.add(leaf) }
    let found = try #require(realm.object(ofType: Leaf.self, forPrimaryKey: 1))
    let words = leaf.words
    let all = realm.objects(Leaf.self)
    realm.invalidate()
    #expect(leaf.isInvalidated && found.isInvalidated && words.isInvalidated && all.isInvalidated)
    try write(configuration) { $0.object(ofType: Leaf.self, forPrimaryKey: 1)?.text = "b" }
    let again = try #require(realm.object(ofType: Leaf.self, forPrimaryKey: 1))
    #expect(again.text == "b" && !again.isInvalidated)
    try realm.write { again.text = "c" }
    #expect(leaf.isInvalidated && again.text == "c")
    #expect(realm.objects(Leaf.self).map(\.text) == ["c"])
    for leaf in realm.objects(Leaf.self) { #expect(!leaf.isInvalidated) }
  }

  @Test func invalidatingInsideAWriteRollsItBackAndLetsOthersWrite() throws {
    let configuration = memory()
    let realm = try Realm(configuration: configuration)
    realm.beginWrite()
    realm.add(Leaf(1))
    realm.invalidate()
    #expect(!realm.isInWriteTransaction)
    try write(configuration) { $0.add(Leaf(2)) }
    #expect(realm.objects(Leaf.self).map(\.id) == [2])
  }

  @Test func dataInMemoryLivesAsLongAsAnybodyHoldsAPart() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Leaf.self])
    func fill() throws -> Leaf {
      let realm = try Realm(configuration: configuration)
      let leaf = Leaf(1, "a")
      try realm.write { realm.add(leaf) }
      return leaf
    }
    var leaf: Leaf? = try fill()
    #expect(try Realm(configuration: configuration).objects(Leaf.self).count == 1)
    var frozen = leaf?.freeze()
    leaf = nil
    #expect(try Realm(configuration: configuration).objects(Leaf.self).count == 1)
    #expect(frozen?.text == "a")
    frozen = nil
    #expect(try Realm(configuration: configuration).isEmpty)
  }

  @Test func tooManyVersionsInUseRefuseAWrite() throws {
    var configuration = memory()
    configuration.maximumNumberOfActiveVersions = 3
    let realm = try Realm(configuration: configuration)
    var kept: [Realm] = []
    for number in 0..<2 {
      try realm.write { realm.add(Leaf(number)) }
      kept.append(realm.freeze())
    }
    try realm.write { realm.add(Leaf(8)) }
    kept.append(realm.freeze())
    try realm.write { realm.add(Leaf(9)) }
    #expect(throws: Realm.Error.self) { try realm.write {} }
    kept = []
    try realm.write { realm.add(Leaf(10)) }
    #expect(realm.objects(Leaf.self).count == 5)
  }

  /// As in the original, where 0 is the default.
  @Test func aMaximumOfNoVersionsIsNoLimit() throws {
    var configuration = memory()
    configuration.maximumNumberOfActiveVersions = 0
    let realm = try Realm(configuration: configuration)
    var kept: [Realm] = []
    for number in 0..<5 {
      try realm.write { realm.add(Leaf(number)) }
      kept.append(realm.freeze())
    }
    realm.beginWrite()
    realm.deleteAll()
    try realm.commitWrite()
    #expect(kept.last?.objects(Leaf.self).count == 5 && realm.isEmpty)
  }
}

@Suite struct FreezingTests {
  @Test func aFrozenObjectShowsItsVersionOnAnyThread() throws {
    let realm = try Realm(configuration: memory())
    let leaf = Leaf(1, "old")
    leaf.next = Leaf(2, "second")
    leaf.words.append("a")
    try realm.write { realm.add(leaf) }
    let frozen = Held(leaf.freeze())
    let all = Held(realm.objects(Leaf.self).freeze())
    try realm.write {
      leaf.text = "new"
      leaf.words.append("b")
      realm.delete(try #require(leaf.next))
    }
    let wrong = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<200 {
        let leaf = frozen.value
        if leaf.text != "old" || leaf.next?.text != "second" || Array(leaf.words) != ["a"] || all.value.count != 2
          || leaf.next?.isFrozen != true || all.value.map(\.text).sorted() != ["old", "second"]
        {
          wrong.add(1, ordering: .relaxed)
        }
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
    #expect(leaf.text == "new" && leaf.next == nil)
    #expect(frozen.value.freeze() === frozen.value)
  }

  @Test func freezingInsideAWriteShowsTheStateBeforeIt() throws {
    let realm = try Realm(configuration: memory())
    let leaf = Leaf(1, "old")
    try realm.write { realm.add(leaf) }
    try realm.write {
      leaf.text = "new"
      #expect(leaf.freeze().text == "old")
      #expect(realm.freeze().objects(Leaf.self).count == 1)
    }
  }

  @Test func frozenThingsOfOneVersionAreEqualAndNeverEqualLiveOnes() throws {
    let realm = try Realm(configuration: memory())
    let leaf = Leaf(1, "a")
    try realm.write { realm.add(leaf) }
    #expect(realm.freeze() == realm.freeze())
    #expect(realm.freeze() != realm)
    #expect(leaf.freeze() == leaf.freeze())
    #expect(leaf.freeze() != leaf)
    let before = leaf.freeze()
    try realm.write { leaf.text = "b" }
    #expect(leaf.freeze() != before)
    #expect(leaf.freeze().thaw() == leaf)
    #expect(before.thaw()?.text == "b")
    #expect(before.realm?.thaw() == realm)
    try realm.write { realm.delete(leaf) }
    #expect(before.thaw() == nil)
    #expect(before.text == "a" && !before.isInvalidated)
  }

  @Test func aFrozenRealmIsClosedByInvalidatingIt() throws {
    let realm = try Realm(configuration: memory())
    let leaf = Leaf(1)
    try realm.write { realm.add(leaf) }
    let frozen = leaf.freeze()
    frozen.realm?.invalidate()
    #expect(frozen.isInvalidated)
    #expect(!leaf.freeze().isInvalidated)
    #expect(!leaf.isInvalidated)
  }

  @Test func changingSomethingFrozenTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try changeFrozen()
    }
    expectSentence("Property 'Leaf.text' was changed while frozen", of: result)
  }

  @Test func freezingWhatIsUnmanagedTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Leaf(1).freeze()
    }
    expectSentence("freeze() is only available for managed objects", of: result)
  }

  @Test func freezingWhatThePresentWriteMadeTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try freezeNew()
    }
    expectSentence("that was made in the present write transaction cannot be frozen", of: result)
  }
}

private func changeFrozen() throws {
  let realm = try Realm(configuration: memory())
  let leaf = Leaf(1)
  try realm.write { realm.add(leaf) }
  let frozen = leaf.freeze()
  try realm.write { frozen.text = "b" }
}

private func freezeNew() throws {
  let realm = try Realm(configuration: memory())
  try realm.write {
    let leaf = Leaf(1)
    realm.add(leaf)
    _ = leaf.freeze()
  }
}
