import Dispatch
import FiefGraph
import FiefRuntime
import FiefSessions
import FiefTestSupport
import Foundation
import Observation
import Synchronization
import Testing

/// A check that passes proves the executor, and one that fails proves nothing.
@Suite struct ConfinementCheckTests {
  private actor Keeper {
    private var session: Session?

    func open(_ store: Store) { session = Session(store, .of(self), options: PlainOptions()) }

    var isInPlace: Bool { session?.isKnownToBeHere ?? false }

    /// Whether the session is in place during the body, which runs elsewhere.
    func lend() -> UncheckedBox<Session>? { session.map { UncheckedBox($0) } }
  }

  /// What each place says of a session: nil where the check passes without the executor being right.
  private func look(_ session: Session) -> Bool? {
    if session.isKnownToBeHere && !session.confinement.isRunning { return nil }
    return session.isKnownToBeHere
  }

  @Test func aTrackingScopeFailsTheCheckAndLeavesTheExecutorKnown() throws {
    let session = Session(try Store.ofNumbers(), .currentThread, options: PlainOptions())
    // Where scopes are unknown, every moment may be in one.
    #expect(session.isOnExecutor == session.trackingScope.isNone)
    withObservationTracking {
      #expect(session.isKnownToBeHere && !session.isOnExecutor && session.mayBeTracked)
      session.checkConfinement()
    } onChange: {
    }
  }

  @Test func theCheckOfAThreadPassesOnItAlone() throws {
    let session = Session(try Store.ofNumbers(), .currentThread, options: PlainOptions())
    #expect(look(session) == true)
    let held = UncheckedBox(session)
    let elsewhere = Mutex<Bool?>(true)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      elsewhere.withLock { $0 = look(held.value) }
      done.signal()
    }
    done.wait()
    #expect(elsewhere.withLock { $0 } == false)
  }

  @Test func theCheckOfAThreadIsClosedWhenTheThreadEnds() throws {
    let store = try Store.ofNumbers()
    let made = Mutex<UncheckedBox<Session>?>(nil)
    let thread = Thread {
      let session = UncheckedBox(Session(store, .currentThread, options: PlainOptions()))
      made.withLock { $0 = session }
    }
    thread.start()
    #expect(waits { made.withLock { $0?.value.confinementCheck.isClosed ?? false } })
    let session = try #require(made.withLock { $0 }).value
    // The thread's number may come back with another thread, but the check stays closed.
    for _ in 0..<64 {
      let done = DispatchSemaphore(value: 0)
      let held = UncheckedBox(session)
      let isOpen = Mutex(false)
      Thread.detachNewThread {
        isOpen.withLock { $0 = held.value.isKnownToBeHere }
        done.signal()
      }
      done.wait()
      #expect(!isOpen.withLock { $0 })
    }
  }

  @Test(.enabled(if: CurrentQueue.function != nil))
  func theCheckOfAQueuePassesInItsBlocksAndFailsInThoseOfAQueueThatTargetsIt() throws {
    let store = try Store.ofNumbers()
    let queue = DispatchQueue(label: "session")
    let upper = DispatchQueue(label: "upper", target: queue)
    let other = DispatchQueue(label: "other")
    let held = queue.sync { UncheckedBox(Session(store, .of(queue), options: PlainOptions())) }
    #expect(queue.sync { look(held.value) } == true)
    #expect(other.sync { look(held.value) } == false)
    #expect(look(held.value) == false)
    // The queue that targets it is the right executor, which the slow way finds.
    #expect(upper.sync { held.value.isHere && !held.value.isKnownToBeHere })
    upper.sync { held.value.checkConfinement() }
    #expect(queue.sync { look(held.value) } == true)
  }

  @Test(.enabled(if: CurrentQueue.function != nil))
  func aCheckThatWasMadeOnAQueueAboveIsBoundInItsOwn() throws {
    let store = try Store.ofNumbers()
    let queue = DispatchQueue(label: "session")
    let upper = DispatchQueue(label: "upper", target: queue)
    _ = QueueIdentity.number(of: queue)
    let held = upper.sync { UncheckedBox(Session(store, .of(queue), options: PlainOptions())) }
    #expect(upper.sync { look(held.value) } == false)
    #expect(queue.sync { look(held.value) } == false)
    queue.sync { held.value.checkConfinement() }
    #expect(queue.sync { look(held.value) } == true)
    #expect(upper.sync { look(held.value) } == false)
  }

  @Test func parallelIterationsInABlockOfAQueueAreNotOnTheQueue() throws {
    let store = try Store.ofNumbers()
    let queue = DispatchQueue(label: "session")
    queue.sync {
      let held = UncheckedBox(Session(store, .of(queue), options: PlainOptions()))
      let wrong = Mutex(0)
      DispatchQueue.concurrentPerform(iterations: 64) { _ in
        if look(held.value) == nil { wrong.withLock { $0 += 1 } }
      }
      #expect(wrong.withLock { $0 } == 0)
    }
  }

  @Test func theCheckOfAnActorPassesInItsCodeAlone() async throws {
    let keeper = Keeper()
    await keeper.open(try Store.ofNumbers())
    #expect(await keeper.isInPlace == CurrentExecutor.isAvailable)
    let held = try #require(await keeper.lend())
    #expect(look(held.value) == false)
    let other = Keeper()
    await other.open(try Store.ofNumbers())
    #expect(await other.isInPlace == CurrentExecutor.isAvailable)
    await Task.detached { #expect(!held.value.isKnownToBeHere) }.value
  }

  @Test func theCheckOfAnActorFailsForAnotherAtItsAddress() async throws {
    let store = try Store.ofNumbers()
    var keeper: Keeper? = Keeper()
    await keeper?.open(store)
    let held = try #require(await keeper?.lend())
    keeper = nil
    for _ in 0..<1000 {
      let other = Keeper()
      #expect(await !isOpen(held, on: other))
    }
  }

  private func isOpen(_ held: UncheckedBox<Session>, on actor: isolated Keeper) -> Bool { held.value.isKnownToBeHere }

  @Test func theCheckOfAFrozenSessionPassesEverywhereUntilItIsClosed() throws {
    let frozen = Session(try Store.ofNumbers(), .currentThread, options: PlainOptions()).frozen()
    let held = UncheckedBox(frozen)
    let queue = DispatchQueue(label: "other")
    #expect(frozen.isKnownToBeHere && queue.sync { held.value.isKnownToBeHere })
    frozen.invalidate()
    #expect(!frozen.isKnownToBeHere && queue.sync { !held.value.isKnownToBeHere })
    #expect(frozen.isClosed)
  }
}
