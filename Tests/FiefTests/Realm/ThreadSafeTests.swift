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

private struct Held<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// Runs a block on a thread of its own, and waits for it.
private func elsewhere<Result>(_ body: @escaping () throws -> Result) throws -> Result {
  let result = Mutex<Held<Swift.Result<Result, any Error>>?>(nil)
  let held = Held(body)
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    let made = Held(Swift.Result { try held.value() })
    result.withLock { $0 = made }
    done.signal()
  }
  done.wait()
  guard let held = result.withLock({ $0 }) else { throw CancellationError() }
  return try held.value.get()
}

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

  @Test func whatAWriteHandsOverIsThereAfterItsCommit() throws {
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
    await #expect(processExitsWith: .failure) { try resolveTwice() }
  }
}

@Suite struct ThreadSafeTests {
  @Test func aWrapperGivesTheObjectOnEachThread() throws {
    let configuration = memory()
    let (realm, page) = try filled(configuration)
    let safe = ThreadSafe(wrappedValue: page)
    #expect(try elsewhere { safe.wrappedValue?.text } == "before")
    #expect(try elsewhere { safe.wrappedValue?.text } == "before")
    #expect(safe.wrappedValue == page)
    try realm.write { realm.delete(page) }
    #expect(safe.wrappedValue == nil)
    safe.wrappedValue = nil
    #expect(safe.wrappedValue == nil)
  }

  @Test func whatIsWrittenThroughAWrapperElsewhereIsSeenByItsNextRead() throws {
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
    #expect(try elsewhere { safe.wrappedValue?.text } == "after")
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

private func resolveTwice() throws {
  let (realm, page) = try filled(memory())
  let reference = ThreadSafeReference(to: page)
  _ = realm.resolve(reference)
  _ = realm.resolve(reference)
}
