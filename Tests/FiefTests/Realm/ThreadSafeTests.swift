import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Page: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text = ""
  @Persisted var words: List<String>

  convenience init(_ id: Int, _ text: String = "") {
    self.init()
    self.id = id
    self.text = text
  }
}

private func memory() -> Realm.Configuration { .inMemory(objectTypes: [Page.self]) }

/// A realm with one page.
private func filled(_ configuration: Realm.Configuration) throws -> (realm: Realm, page: Page) {
  let realm = try Realm(configuration: configuration)
  let page = Page(1, "before")
  try realm.write { realm.add(page) }
  return (realm, page)
}

@Suite struct ThreadSafeReferenceTests {
  @MainActor @Test func aReferenceRefreshesTheRealmThatResolvesIt() throws {
    let configuration = memory()
    let realm = try Realm(configuration: configuration)
    #expect(realm.isEmpty)
    let calls = Atomic<Int>(0)
    let token = realm.observe { _, _ in calls.add(1, ordering: .relaxed) }
    let reference = try elsewhere {
      let realm = try Realm(configuration: configuration)
      let page = Page(1, "far")
      try realm.write { realm.add(page) }
      return ThreadSafeReference(to: page)
    }
    #expect(realm.resolve(reference)?.text == "far")
    #expect(calls.load(ordering: .relaxed) == 1)
    #expect(reference.isInvalidated)
    token.invalidate()
  }

  @Test func aRealmThatLooksAtTheReferencesVersionStaysThere() throws {
    let configuration = memory()
    let (realm, page) = try filled(configuration)
    let reference = ThreadSafeReference(to: page)
    try elsewhere {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.objects(Page.self).first?.text = "after" }
    }
    #expect(realm.resolve(reference)?.text == "before")
    #expect(realm.refresh())
    #expect(page.text == "after")
  }

  @Test func aRealmThatReadsNothingYetOpensAtTheReferencesVersion() throws {
    let configuration = memory()
    let (realm, page) = try filled(configuration)
    let first = ThreadSafeReference(to: page)
    let second = ThreadSafeReference(to: page)
    try realm.write { realm.delete(page) }
    try elsewhere {
      let realm = try Realm(configuration: configuration)
      let resolved = try #require(realm.resolve(first))
      #expect(resolved.text == "before")
      #expect(realm.objects(Page.self).count == 1)
      #expect(realm.refresh())
      #expect(resolved.isInvalidated)
      #expect(realm.resolve(second) == nil)
    }
  }

  @Test func aQueuesRealmThatOpensAtAReferencesVersionAdvancesByItself() throws {
    let configuration = memory()
    let (realm, page) = try filled(configuration)
    let reference = ThreadSafeReference(to: page)
    try realm.write { page.text = "after" }
    let queue = DispatchQueue(label: "resolving")
    let resolved = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let page = Held(try #require(realm.resolve(reference)))
      #expect(page.value.text == "before")
      return page
    }
    #expect(queue.sync { resolved.value.text } == "after")
  }

  @Test func referencesOfAWriteResolveAfterItsCommit() throws {
    let configuration = memory()
    let realm = try Realm(configuration: configuration)
    realm.beginWrite()
    let page = realm.create(Page.self, value: ["id": 1, "text": "made"])
    let early = ThreadSafeReference(to: page)
    let late = ThreadSafeReference(to: page)
    #expect(try elsewhere { try Realm(configuration: configuration).resolve(early) == nil })
    try realm.commitWrite()
    #expect(try elsewhere { try Realm(configuration: configuration).resolve(late)?.text } == "made")
  }

  @Test func deletionDoesNotShowInAReferenceAndResolvesToNil() throws {
    let (realm, page) = try filled(memory())
    let reference = ThreadSafeReference(to: page)
    let list = ThreadSafeReference(to: page.words)
    let all = ThreadSafeReference(to: realm.objects(Page.self))
    try realm.write { realm.delete(page) }
    #expect(!reference.isInvalidated)
    #expect(realm.resolve(reference) == nil)
    #expect(reference.isInvalidated)
    #expect(realm.resolve(list) == nil)
    #expect(realm.resolve(all)?.count == 0)
  }

  @Test func aRealmOfAnotherStoreResolvesToNilAndUsesTheReferenceUp() throws {
    let (_, page) = try filled(memory())
    let reference = ThreadSafeReference(to: page)
    #expect(try Realm(configuration: memory()).resolve(reference) == nil)
    #expect(reference.isInvalidated)
  }

  @Test func resolvingTwiceTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try resolveTwice()
    }
    expectSentence("Can only resolve a thread safe reference once", of: result)
  }
}

@Suite struct ThreadSafeTests {
  @Test func aWrapperGivesTheObjectOnEachThread() throws {
    let configuration = memory()
    let (realm, page) = try filled(configuration)
    let safe = ThreadSafe(wrappedValue: page)
    #expect(elsewhere { safe.wrappedValue?.text } == "before")
    #expect(elsewhere { safe.wrappedValue?.text } == "before")
    #expect(safe.wrappedValue == page)
    try realm.write { realm.delete(page) }
    #expect(safe.wrappedValue == nil)
    safe.wrappedValue = nil
    #expect(safe.wrappedValue == nil)
  }

  @Test func aWriteThroughAWrapperIsSeenByTheNextRead() throws {
    let configuration = memory()
    let (realm, page) = try filled(configuration)
    let safe = ThreadSafe(wrappedValue: page)
    for text in ["after", "after, again"] {
      try elsewhere {
        let realm = try Realm(configuration: configuration)
        try realm.write { safe.wrappedValue?.text = text }
      }
      #expect(safe.wrappedValue?.text == text)
    }
    #expect(page.text == "after, again")
    withExtendedLifetime(realm) {}
  }

  @Test func aReadDuringAWriteElsewhereDoesNotHideItsCommit() throws {
    let configuration = memory()
    let (realm, page) = try filled(configuration)
    let safe = ThreadSafe(wrappedValue: page)
    let isWritten = DispatchSemaphore(value: 0)
    let mayCommit = DispatchSemaphore(value: 0)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      if let realm = try? Realm(configuration: configuration) {
        try? realm.write {
          safe.wrappedValue?.text = "after"
          isWritten.signal()
          mayCommit.wait()
        }
      }
      isDone.signal()
    }
    isWritten.wait()
    #expect(safe.wrappedValue?.text == "before")
    mayCommit.signal()
    isDone.wait()
    #expect(safe.wrappedValue?.text == "after")
    withExtendedLifetime(realm) {}
  }

  @Test func aDeletionElsewhereIsSeenByTheNextRead() throws {
    let configuration = memory()
    let (realm, page) = try filled(configuration)
    let safe = ThreadSafe(wrappedValue: page)
    try elsewhere {
      let realm = try Realm(configuration: configuration)
      try realm.write { if let page = safe.wrappedValue { realm.delete(page) } }
    }
    #expect(safe.wrappedValue == nil)
    #expect(safe.wrappedValue == nil)
    withExtendedLifetime(realm) {}
  }

  @Test func aDeletionThatIsRolledBackLeavesTheThing() throws {
    let (realm, page) = try filled(memory())
    let safe = ThreadSafe(wrappedValue: page)
    realm.beginWrite()
    realm.delete(page)
    #expect(safe.wrappedValue == nil)
    realm.cancelWrite()
    #expect(safe.wrappedValue == page)
  }

  @Test func aThreadThatReadsForTheFirstTimeSeesTheLatestVersion() throws {
    let configuration = memory()
    let (realm, page) = try filled(configuration)
    let safe = ThreadSafe(wrappedValue: page)
    try realm.write { page.text = "after" }
    #expect(elsewhere { safe.wrappedValue?.text } == "after")
  }

  @Test func aCollectionOfAWrapperFollowsToo() throws {
    let configuration = memory()
    let (realm, page) = try filled(configuration)
    let safe = ThreadSafe(wrappedValue: page.words)
    try elsewhere {
      let realm = try Realm(configuration: configuration)
      try realm.write { safe.wrappedValue?.append("a") }
      #expect(safe.wrappedValue?.count == 1)
    }
    #expect(safe.wrappedValue.map { Array($0) } == ["a"])
    withExtendedLifetime(realm) {}
  }

  @Test func anObjectOfAQueueIsTheQueuesAgainAfterOthersReadIt() throws {
    let configuration = memory()
    let queue = DispatchQueue(label: "home")
    let (held, safe) = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let page = realm.objects(Page.self)
      try realm.write { realm.add(Page(1, "before")) }
      return (Held(realm), ThreadSafe(wrappedValue: page.first))
    }
    try elsewhere {
      let realm = try Realm(configuration: configuration)
      try realm.write { safe.wrappedValue?.text = "after" }
      #expect(safe.wrappedValue?.text == "after")
    }
    queue.sync {
      #expect(safe.wrappedValue?.text == "after")
      #expect(safe.wrappedValue?.realm == held.value)
    }
  }

  @Test func readsAndWritesOfManyThreadsLoseNothing() throws {
    let configuration = memory()
    let (realm, page) = try filled(configuration)
    try realm.write { page.text = "" }
    let safe = ThreadSafe(wrappedValue: page)
    let wrong = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<25 {
        do {
          let realm = try Realm(configuration: configuration)
          try realm.write { safe.wrappedValue?.text += "." }
          if safe.wrappedValue == nil { wrong.add(1, ordering: .relaxed) }
        } catch {
          wrong.add(1, ordering: .relaxed)
        }
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
    #expect(safe.wrappedValue?.text.count == 100)
  }
}

/// An actor that may have a realm of its own.
private actor Reader {
  private var realm: Realm!

  init() {}

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func fill() throws { try realm.write { realm.add(Page(1, "before")) } }

  func handOver() -> (safe: ThreadSafe<Page>, frozen: Held<Page>) {
    let page = realm.objects(Page.self)[0]
    return (ThreadSafe(wrappedValue: page), Held(page.freeze()))
  }

  /// The string as each way returns it, and whether all results are of one realm that is live here.
  func look(_ given: (safe: ThreadSafe<Page>, frozen: Held<Page>)) throws -> (texts: [String], areOfOwnRealm: Bool) {
    let pages = [given.safe.wrappedValue, given.frozen.value.thaw()].compactMap { $0 }
    let live = given.frozen.value.realm?.thaw()
    let own = realm ?? live
    return (
      pages.map(\.text) + [live.map { "\($0.objects(Page.self).count)" } ?? ""],
      (pages.map(\.realm) + [live]).allSatisfy { $0 == own && $0?.isFrozen == false }
    )
  }

  func reference() -> ThreadSafeReference<Page> { ThreadSafeReference(to: realm.objects(Page.self)[0]) }

  func resolve(_ reference: ThreadSafeReference<Page>) -> String? { realm.resolve(reference)?.text }

  func write(_ given: (safe: ThreadSafe<Page>, frozen: Held<Page>), _ text: String) throws {
    try realm.write { given.safe.wrappedValue?.text = text }
    try realm.write { given.frozen.value.thaw()?.text += "." }
  }
}

/// Runs an actor's jobs as blocks of a queue.
private final class Line: SerialExecutor {
  private let queue = DispatchQueue(label: "line")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// An actor with an executor of its own.
private actor Rider {
  private let line = Line()
  private var realm: Realm!

  nonisolated var unownedExecutor: UnownedSerialExecutor { line.asUnownedSerialExecutor() }

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func fill() throws { try realm.write { realm.add(Page(1, "before")) } }

  func handOver() -> Held<Page> { Held(realm.objects(Page.self)[0].freeze()) }

  func thawsInOwnRealm(_ page: Held<Page>) -> Bool { page.value.thaw()?.realm == realm }
}

/// The string as each way returns it on the running thread, and whether all results are of one realm.
private func look(
  _ given: (safe: ThreadSafe<Page>, frozen: Held<Page>)
) throws -> (texts: [String], areOfOwnRealm: Bool) {
  let pages = [given.safe.wrappedValue, given.frozen.value.thaw()].compactMap { $0 }
  let live = given.frozen.value.realm?.thaw()
  return (
    pages.map(\.text) + [live.map { "\($0.objects(Page.self).count)" } ?? ""],
    try (pages.map(\.realm) + [live]).allSatisfy { try $0 == Realm(configuration: #require(live).configuration) }
  )
}

@Suite struct LivePlaceTests {
  @Test func aTaskWithoutAnActorThawsWhatAnActorFroze() async throws {
    let home = try await Reader(memory())
    try await home.fill()
    let given = await home.handOver()
    let seen = try await Task.detached { try look(given) }.value
    #expect(seen.texts == ["before", "before", "1"] && seen.areOfOwnRealm)
    withExtendedLifetime(home) {}
  }

  @Test func anotherActorGetsItsOwnRealm() async throws {
    let configuration = memory()
    let home = try await Reader(configuration)
    try await home.fill()
    let given = await home.handOver()
    let other = try await Reader(configuration)
    let seen = try await other.look(given)
    #expect(seen.texts == ["before", "before", "1"] && seen.areOfOwnRealm)
    try await other.write(given, "after")
    // The actor is notified of the commit, but may read before it has advanced.
    #expect(try await eventually { try await home.look(given).texts[0] == "after." })
  }

  @Test func anotherActorWithoutARealmGetsThatOfTheThread() async throws {
    let home = try await Reader(memory())
    try await home.fill()
    let given = await home.handOver()
    let seen = try await Reader().look(given)
    #expect(seen.texts == ["before", "before", "1"] && seen.areOfOwnRealm)
  }

  @Test func actorsWithExecutorsOfTheirOwnAreDistinguished() async throws {
    let configuration = memory()
    let home = try await Rider(configuration)
    try await home.fill()
    let page = await home.handOver()
    let other = try await Rider(configuration)
    #expect(await other.thawsInOwnRealm(page))
    #expect(await home.thawsInOwnRealm(page))
    #expect(await Task.detached { page.value.thaw()?.text == "before" }.value)
  }

  @Test func theHomeActorGetsItsRealmAgain() async throws {
    let home = try await Reader(memory())
    try await home.fill()
    let given = await home.handOver()
    _ = try await Task.detached { try look(given) }.value
    let seen = try await home.look(given)
    #expect(seen.texts == ["before", "before", "1"] && seen.areOfOwnRealm)
  }

  @Test func aBlockOnAQueueGetsTheQueuesRealm() async throws {
    let configuration = memory()
    let home = try await Reader(configuration)
    try await home.fill()
    let given = Held(await home.handOver())
    let queue = DispatchQueue(label: "other")
    try queue.sync {
      // Without a realm of its own the queue is treated as any thread.
      #expect(try look(given.value).areOfOwnRealm)
      let own = try Realm(configuration: configuration, queue: queue)
      #expect(given.value.safe.wrappedValue?.realm == own)
      #expect(given.value.frozen.value.thaw()?.realm == own)
      try own.write { given.value.safe.wrappedValue?.text = "after" }
    }
    #expect(try await eventually { try await home.look(given.value).texts[0] == "after" })
  }

  @MainActor @Test func objectsFrozenOnTheMainActorAreThawedElsewhere() async throws {
    let configuration = memory()
    let (realm, page) = try filled(configuration)
    let given = Held((safe: ThreadSafe(wrappedValue: page), frozen: Held(page.freeze())))
    let reference = ThreadSafeReference(to: page)
    let texts = try await Task.detached { try look(given.value) }.value
    #expect(texts.texts == ["before", "before", "1"] && texts.areOfOwnRealm)
    let other = try await Reader(configuration)
    #expect(try await other.look(given.value).areOfOwnRealm)
    #expect(await other.resolve(reference) == "before")
    let far = try elsewhere { try look(given.value) }
    #expect(far.texts == ["before", "before", "1"] && far.areOfOwnRealm)
    try await other.write(given.value, "after")
    #expect(given.value.safe.wrappedValue == page && page.text == "after.")
    #expect(given.value.frozen.value.thaw() == page && page.realm == realm)
  }

  @Test func aReferenceOfAnActorIsResolvedInATaskWithoutOne() async throws {
    let configuration = memory()
    let home = try await Reader(configuration)
    try await home.fill()
    let reference = await home.reference()
    let text = try await Task.detached { try Realm(configuration: configuration).resolve(reference)?.text }.value
    #expect(text == "before")
    withExtendedLifetime(home) {}
  }
}

private func resolveTwice() throws {
  let (realm, page) = try filled(memory())
  let reference = ThreadSafeReference(to: page)
  _ = realm.resolve(reference)
  _ = realm.resolve(reference)
}
