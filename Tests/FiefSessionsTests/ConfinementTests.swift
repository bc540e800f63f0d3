import Dispatch
import FiefGraph
import FiefRuntime
import FiefSessions
import FiefTestSupport
import Foundation
import Testing

/// Which session an executor has, and who may use it.
@Suite struct ConfinementTests {
  private let store: Store

  init() throws { store = try Store.ofNumbers() }

  @Test func anExecutorHasOneSessionOfAStore() throws {
    let here = store.session(.currentThread, PlainOptions())
    #expect(here === store.session(.currentThread, PlainOptions()))
    let store = store
    let there = elsewhere { Held(store.session(.currentThread, PlainOptions())) }
    #expect(there.value !== here)
    let queue = DispatchQueue(label: "own")
    let (one, two) = queue.sync {
      (Held(store.session(.of(queue), PlainOptions())), Held(store.session(.of(queue), PlainOptions())))
    }
    #expect(one.value === two.value && one.value !== here)
  }

  @Test func aSessionThatWasReleasedIsMadeAgain() throws {
    weak var first: Session?
    do { first = store.session(.currentThread, PlainOptions()) }
    #expect(first == nil)
    #expect(store.session(.currentThread, PlainOptions()).numbers == [])
  }

  @Test func identitiesAreThoseOfTheExecutors() {
    let (one, two) = (DispatchQueue(label: "one"), DispatchQueue(label: "two"))
    #expect(Confinement.of(one).identity == Confinement.of(one).identity)
    #expect(Confinement.of(one).identity != Confinement.of(two).identity)
    #expect(Confinement.of(.main).identity == .main && Confinement.of(MainActor.shared).identity == .main)
    #expect(Confinement.frozen.identity == nil)
    #expect(elsewhere { Confinement.currentThread.identity } != Confinement.currentThread.identity)
  }

  @Test func wordsNameTheExecutor() {
    #expect(Confinement.of(DispatchQueue(label: "one")).label == "queue 'one'")
    #expect(Confinement.main.label == "the main thread" && Confinement.frozen.label == "any thread")
    let words = elsewhere {
      // Foundation ignores a name until the thread that started this one has stored its handle.
      while Thread.current.name != "worker" {
        Thread.current.name = "worker"
        Thread.sleep(forTimeInterval: 0.001)
      }
      return Confinement.currentThread.label
    }
    #expect(words == "thread 'worker'")
  }

  @Test func aQueueIsRunningInItsBlocksAlone() {
    let queue = DispatchQueue(label: "one")
    let confinement = Confinement.of(queue)
    #expect(!confinement.isHere() && queue.sync { confinement.isHere() && confinement.isRunning })
    #expect(Confinement.frozen.isHere())
  }

  @Test func aThreadWithoutARunningRunLoopIsGivenNoWork() {
    let isScheduled = elsewhere { Confinement.currentThread.schedule {} }
    #expect(!isScheduled && !Confinement.frozen.schedule {})
    #expect(!elsewhere { Confinement.currentThread.findRunLoop() })
  }

  @Test func workOfAQueueRunsAfterTheCall() {
    let queue = DispatchQueue(label: "one")
    let done = DispatchSemaphore(value: 0)
    let hasRun = queue.sync {
      Confinement.of(queue).schedule { done.signal() } && done.wait(timeout: .now()) == .success
    }
    #expect(!hasRun && done.wait(timeout: .now() + testPatience) == .success)
  }

  @Test @MainActor func workOfTheMainThreadIsReleasedWhenItIsDone() async {
    final class Token: Sendable {}
    weak var token: Token?
    await withCheckedContinuation { continuation in
      let made = Token()
      token = made
      Confinement.main.schedule { withExtendedLifetime(made) {} }
      // After the work, for which the same queue has a block.
      DispatchQueue.main.async { continuation.resume() }
    }
    #expect(token == nil)
  }

  @Test func aSessionOnAConcurrentQueueTraps() async {
    await #expect(processExitsWith: .failure) {
      let (store, queue) = (try Store.ofNumbers(), DispatchQueue(label: "wide", attributes: .concurrent))
      queue.sync { _ = store.session(.of(queue), PlainOptions()) }
    }
  }

  @Test func aSessionOfASerialQueueAboveAConcurrentOneIsMade() {
    let queue = DispatchQueue(label: "narrow", target: .global())
    #expect(queue.sync { store.session(.of(queue), PlainOptions()).isHere })
  }

  @Test func useOnAnotherThreadTrapsWithBothNames() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = DispatchQueue(label: "home")
      let store = try Store.ofNumbers()
      let held = queue.sync { Held(store.session(.of(queue), PlainOptions())) }
      held.value.checkConfinement()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("incorrect thread: it belongs to queue 'home' and was used on"))
  }

  @Test func aSessionIsHereOnItsExecutorAlone() {
    let session = store.session(.currentThread, PlainOptions())
    let held = Held(session)
    #expect(session.isHere && !elsewhere { held.value.isHere })
    let frozen = Held(session.frozen())
    #expect(frozen.value.isHere && elsewhere { frozen.value.isHere })
  }

  // MARK: Freezing

  @Test func aFrozenSessionThawsWhereItWasFrozen() {
    let session = store.session(.currentThread, PlainOptions())
    #expect(session.frozen().thawed() === session && session.thawed() === session)
    let queue = DispatchQueue(label: "one")
    let held = queue.sync { Held(store.session(.of(queue), PlainOptions())) }
    let frozen = queue.sync { Held(held.value.frozen()) }
    #expect(queue.sync { frozen.value.thawed() === held.value })
    #expect(frozen.value.thawed() === session)
  }

  @Test func aClosedFrozenSessionTrapsWhenItIsUsed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let frozen = Session(try Store.ofNumbers(), .currentThread, options: PlainOptions()).frozen()
      frozen.invalidate()
      frozen.checkConfinement()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("closed by invalidate()"))
  }

  @Test func aClosedFrozenSessionIsNotGivenOutAgain() {
    let session = store.session(.currentThread, PlainOptions())
    let frozen = session.frozen()
    frozen.invalidate()
    #expect(session.frozen() !== frozen && !session.frozen().isClosed)
  }

  @Test func frozenSessionsOfOneVersionSeeTheSame() throws {
    let session = store.session(.currentThread, PlainOptions())
    let other = Session(store, .currentThread, options: PlainOptions())
    let (one, two) = (session.frozen(), other.frozen())
    #expect(one !== two && one.sees(sameAs: two) && !one.sees(sameAs: session))
    try session.write { try $0.add(1) }
    #expect(!session.frozen().sees(sameAs: one))
  }

  @Test func frozenVersionsAreCountedWhileTheyAreHeld() throws {
    let session = store.session(.currentThread, PlainOptions())
    var frozen: [Session] = [session.frozen()]
    let version = session.graph.version
    try session.write { try $0.add(1) }
    frozen.append(session.frozen())
    #expect(store.frozenPins.versions == [version: 1, version + 1: 1])
    frozen = []
    #expect(store.frozenPins.versions.isEmpty)
  }

  // MARK: Seeing

  @Test func theFirstLookPinsAVersion() throws {
    let session = Session(store, .currentThread, options: PlainOptions())
    let writer = Session(store, .currentThread, options: PlainOptions())
    #expect(!session.isPinned && session.layout.version == 1 && !session.isPinned)
    try writer.write { try $0.add(1) }
    #expect(session.graph.version == 2 && session.isPinned)
    try writer.write { try $0.add(2) }
    #expect(session.numbers == [1])
  }

  @Test func invalidatingUnpinsAndBeginsAnotherEpoch() throws {
    let session = Session(store, .currentThread, options: PlainOptions())
    _ = session.graph
    let (epoch, stamp) = (session.epoch, session.validity.stamp)
    session.invalidate()
    #expect(!session.isPinned && session.epoch != epoch && !session.validity.isCurrent(stamp))
    try Session(store, .currentThread, options: PlainOptions()).write { try $0.add(1) }
    #expect(session.numbers == [1])
  }

  @Test func rowsAreFoundInAndOutsideOfAWrite() throws {
    let session = Session(store, .currentThread, options: PlainOptions())
    let table = store.numbers.table
    try session.beginWrite()
    let key = try session.add(1)
    #expect(session.hasRow(ObjectLink(table, key)) && session.snapshot.contains(ObjectLink(table, key)))
    #expect(!session.graph.contains(ObjectLink(table, key)))
    try session.commitWrite()
    #expect(session.hasRow(ObjectLink(table, key)) && session.borrowedTable(table)?.with { $0.count } == 1)
    #expect(!session.hasRow(ObjectLink(table, ObjectKey(rawValue: key.rawValue + 1))))
  }
}
