import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Note: Object {
  @Persisted var text = ""
  @Persisted var lines: List<String>

  convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

private func memory() -> Realm.Configuration { .inMemory(objectTypes: [Note.self]) }

private actor Desk {
  private(set) var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func add(_ text: String) async throws {
    try await realm.asyncWrite { realm.add(Note(text)) }
  }

  func addAndFail(_ text: String) async throws {
    try await realm.asyncWrite {
      realm.add(Note(text))
      throw CancellationError()
    }
  }

  func addAtOnce(_ text: String) throws { try realm.write { realm.add(Note(text)) } }

  var texts: [String] { realm.objects(Note.self).map(\.text) }

  func refresh() async -> Bool { await realm.asyncRefresh() }

  func rename(_ reference: ThreadSafeReference<Note>, _ text: String) async throws -> Bool {
    guard let note = realm.resolve(reference) else { return false }
    try await realm.asyncWrite { note.text = text }
    return true
  }

  func isSame(_ configuration: Realm.Configuration) async throws -> Bool {
    try await Realm.open(configuration: configuration) == realm
  }
}

private actor Shelf {
  func count(_ configuration: Realm.Configuration) async throws -> Int {
    try await Realm.open(configuration: configuration).objects(Note.self).count
  }
}

@Suite struct ConfinementTests {
  @Test func openingAgainInTheSamePlaceGivesTheSameRealm() throws {
    let configuration = memory()
    let realm = try Realm(configuration: configuration)
    #expect(try Realm(configuration: configuration) == realm)
    try realm.write {
      let again = try Realm(configuration: configuration)
      #expect(again.isInWriteTransaction)
    }
    let queue = DispatchQueue(label: "other executor")
    let isSame = try queue.sync {
      let own = try Realm(configuration: configuration, queue: queue)
      let again = try Realm(configuration: configuration, queue: queue)
      return (own == Held(realm).value, own == again)
    }
    #expect(isSame == (false, true))
  }

  @Test func aRealmIsNotGivenToALaterThreadOfTheSameNumber() throws {
    let configuration = memory()
    let keeper = try Realm(configuration: configuration)
    let kept = Mutex<[Held<Realm>]>([])
    let clashes = Atomic<Int>(0)
    for _ in 0..<20 {
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        if let own = try? Realm(configuration: configuration) {
          kept.withLock { kept in
            if kept.contains(where: { $0.value == own }) { clashes.add(1, ordering: .relaxed) }
            kept.append(Held(own))
          }
        }
        done.signal()
      }
      done.wait()
    }
    #expect(clashes.load(ordering: .relaxed) == 0)
    #expect(kept.withLock { $0.count } == 20)
    withExtendedLifetime(keeper) {}
  }

  @Test func useOnAnotherThreadTrapsAndNamesBothPlaces() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let held = try addNote(memory())
      await withCheckedContinuation { (never: CheckedContinuation<Void, Never>) in
        DispatchQueue(label: "elsewhere").async {
          print(held.value.text)
          never.resume()
        }
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("incorrect thread") && text.contains("belongs to") && text.contains("used on"))
  }

  @Test func openingForAQueueElsewhereTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try openElsewhere()
    }
    expectSentence("Realm opened from incorrect queue", of: result)
  }

  @Test func aConcurrentQueueIsRefusedForRealmsAndObservations() async {
    await #expect(processExitsWith: .failure) {
      let queue = DispatchQueue(label: "wide", attributes: .concurrent)
      try queue.sync { _ = try Realm(configuration: memory(), queue: queue) }
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      let realm = try await Realm(configuration: memory())
      let token = realm.objects(Note.self).observe(on: .global()) { _ in }
      // The realm is opened on the queue.
      _ = await eventually { false }
      token.invalidate()
    }
  }

  @Test func aRealmOfAQueueIsUsedOnItsQueue() throws {
    let queue = DispatchQueue(label: "notes")
    let configuration = memory()
    let held = try queue.sync { Held(try Realm(configuration: configuration, queue: queue)) }
    try queue.sync { try held.value.write { held.value.add(Note("a")) } }
    #expect(queue.sync { held.value.objects(Note.self).first?.text } == "a")
  }

  @Test func actorsWriteReadAndShare() async throws {
    let configuration = memory()
    let a = try await Desk(configuration)
    let b = try await Desk(configuration)
    try await a.add("one")
    try await b.add("two")
    try await b.addAtOnce("three")
    _ = await a.refresh()
    #expect(await a.texts == ["one", "two", "three"])
    #expect(try await a.isSame(configuration))
    #expect(try await Shelf().count(configuration) == 3)
    await #expect(throws: CancellationError.self) { try await a.addAndFail("four") }
    #expect(await a.texts.count == 3)
  }

  @Test func writesOfManyActorsAndThreadsAllHappen() async throws {
    let configuration = memory()
    let desks = [try await Desk(configuration), try await Desk(configuration), try await Desk(configuration)]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, desk) in desks.enumerated() {
        group.addTask { for step in 0..<20 { try await desk.add("\(number).\(step)") } }
        group.addTask { for step in 0..<20 { try await desk.addAtOnce("\(number).\(step)") } }
      }
      for number in 0..<3 {
        group.addTask {
          for step in 0..<20 {
            try openAndAdd(configuration, "t\(number).\(step)")
          }
        }
      }
      try await group.waitForAll()
    }
    _ = await desks[0].refresh()
    #expect(await desks[0].texts.count == 180)
  }

  @Test func aCancelledTaskDoesNotRunItsBlock() async throws {
    let configuration = memory()
    let desk = try await Desk(configuration)
    let queue = DispatchQueue(label: "holder")
    let isHeld = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    queue.async {
      guard let realm = try? Realm(configuration: configuration) else { return }
      try? realm.write {
        isHeld.signal()
        mayEnd.wait()
      }
    }
    await withCheckedContinuation { (held: CheckedContinuation<Void, Never>) in
      DispatchQueue.global().async {
        isHeld.wait()
        held.resume()
      }
    }
    let task = Task { try await desk.add("never") }
    let other = Task { try await desk.add("later") }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    mayEnd.signal()
    try await other.value
    #expect(await desk.texts == ["later"])
  }

  @Test func aReferenceCarriesAnObjectToAnActorOnce() async throws {
    let configuration = memory()
    let desk = try await Desk(configuration)
    let reference = try makeNote(configuration)
    #expect(!reference.isInvalidated)
    #expect(try await desk.rename(reference, "renamed"))
    #expect(reference.isInvalidated)
    #expect(await desk.texts == ["renamed"])
  }

  private func makeNote(_ configuration: Realm.Configuration) throws -> ThreadSafeReference<Note> {
    let realm = try Realm(configuration: configuration)
    return try realm.write {
      let note = Note("new")
      realm.add(note)
      return ThreadSafeReference(to: note)
    }
  }

  @Test @MainActor func theMainActorWritesWithoutBlocking() async throws {
    let realm = try await Realm(configuration: memory())
    let note: Note = try await realm.asyncWrite {
      let note = Note("a")
      realm.add(note)
      return note
    }
    #expect(note.text == "a")
    #expect(await realm.asyncRefresh() == false)
    try realm.write { note.text = "b" }
    #expect(note.text == "b")
  }

  @Test func anActorsRealmDoesNotKeepTheActor() async throws {
    weak var gone: Desk?
    do {
      let desk = try await Desk(memory())
      try await desk.add("a")
      gone = desk
    }
    #expect(gone == nil)
  }

  @Test func asyncWriteOnAThreadsRealmTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      actor Stranger {
        func write(_ realm: Held<Realm>) async throws { try await realm.value.asyncWrite {} }
      }
      let configuration = memory()
      let held = try makeRealm(configuration)
      try await Stranger().write(held)
    }
    expectSentence("asyncWrite can only be called on a realm of the main thread or of an actor", of: result)
  }
}

private func makeRealm(_ configuration: Realm.Configuration) throws -> Held<Realm> {
  let made = Mutex<Held<Realm>?>(nil)
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    made.withLock { $0 = (try? Realm(configuration: configuration)).map { Held($0) } }
    done.signal()
  }
  done.wait()
  guard let held = made.withLock({ $0 }) else { throw CancellationError() }
  return held
}

private func openAndAdd(_ configuration: Realm.Configuration, _ text: String) throws {
  let realm = try Realm(configuration: configuration)
  try realm.write { realm.add(Note(text)) }
}

private func addNote(_ configuration: Realm.Configuration) throws -> Held<Note> {
  let realm = try Realm(configuration: configuration)
  let note = Note()
  try realm.write { realm.add(note) }
  return Held(note)
}

private func openElsewhere() throws {
  _ = try Realm(configuration: memory(), queue: DispatchQueue(label: "not here"))
}
