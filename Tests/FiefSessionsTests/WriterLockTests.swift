#if DEBUG
  import Dispatch
  import FiefTestSupport
  import Foundation
  import Synchronization
  import Testing

  @testable import FiefSessions

  /// One writer at a time, in order of arrival, but for those who keep their turn.
  @Suite struct WriterLockTests {
    private final class Party: Sendable {}

    private let lock = WriterLock()
    private let a = Party()
    private let b = Party()

    private func id(_ party: Party) -> ObjectIdentifier { ObjectIdentifier(party) }

    /// Runs a block on a thread of its own, and signals its end.
    private func onThread(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
      let done = DispatchSemaphore(value: 0)
      Thread {
        body()
        done.signal()
      }.start()
      return done
    }

    /// A thread that waits for the lock, enters and leaves.
    private func waiter(_ party: Party, _ entered: Atomically<Bool>) -> DispatchSemaphore {
      let (lock, id) = (lock, id(party))
      let waiting = lock.waitingCount
      let done = onThread {
        lock.enter(id)
        entered.value = true
        lock.leave()
      }
      while lock.waitingCount == waiting { Thread.sleep(forTimeInterval: 0.0005) }
      return done
    }

    private final class Atomically<Value: Sendable>: Sendable {
      private let mutex: Mutex<Value>
      init(_ value: Value) { mutex = Mutex(value) }
      var value: Value {
        get { mutex.withLock { $0 } }
        set { mutex.withLock { $0 = newValue } }
      }
    }

    private func wait(_ done: DispatchSemaphore) -> Bool { done.wait(timeout: .now() + testPatience) == .success }

    @Test func aWriterThatKeepsItsTurnEntersBeforeOneThatWaits() {
      // A slow machine may end a turn before it is used, so one of many attempts counts.
      let wasFirst = (0..<200).contains { _ in
        let entered = Atomically(false)
        lock.enter(id(a))
        let done = waiter(b, entered)
        lock.leave(keepingTurnOf: id(a))
        lock.enter(id(a))
        let wasFirst = !entered.value
        lock.leave()
        #expect(wait(done) && entered.value && !lock.isHeld)
        return wasFirst
      }
      #expect(wasFirst)
    }

    @Test func anOfferIsRevokedForAShortTimeAndMadeAgain() {
      let ticket = lock.queue(id(a))
      #expect(!lock.enterIfFree())
      #expect(lock.enterUnlessRunning() && !lock.enterUnlessRunning())
      #expect(!lock.start(ticket))
      let isWoken = Atomically(false)
      lock.whenTurnComes(ticket) { isWoken.value = true }
      #expect(!isWoken.value)
      lock.leave()
      #expect(isWoken.value && lock.start(ticket))
      lock.leave()
    }

    @Test func theWriterThatIsInKnowsSinceWhenItHasWaited() {
      let start = DispatchTime.now()
      lock.enter(id(a))
      #expect(lock.arrival == nil)
      let (lock, other) = (lock, id(b))
      let arrival = Atomically<DispatchTime?>(nil)
      let done = onThread {
        lock.enter(other)
        arrival.value = lock.arrival
        lock.leave()
      }
      while lock.waitingCount == 0 { Thread.sleep(forTimeInterval: 0.0005) }
      let arrived = DispatchTime.now()
      lock.leave()
      #expect(wait(done))
      #expect(arrival.value.map { start <= $0 && $0 <= arrived } ?? false)
      // A writer that has an offer of the lock, and then enters.
      let ticket = lock.queue(id(a))
      let offered = lock.arrival
      #expect(offered.map { arrived <= $0 } ?? false)
      #expect(lock.start(ticket) && lock.arrival == offered)
      lock.leave()
      lock.enter()
      #expect(lock.arrival == nil)
      lock.leave()
    }

    @Test func aTurnThatNobodyUsesEnds() {
      let entered = Atomically(false)
      lock.enter(id(a))
      let done = waiter(b, entered)
      lock.leave(keepingTurnOf: id(a))
      #expect(wait(done))
      #expect(entered.value && !lock.isHeld)
    }

    @Test func aTurnEndsForAWriterThatNeverStops() {
      let entered = Atomically(false)
      lock.enter(id(a))
      let done = waiter(b, entered)
      let start = ContinuousClock.now
      while !entered.value && start.duration(to: .now) < .seconds(testPatience) {
        lock.leave(keepingTurnOf: id(a))
        lock.enter(id(a))
      }
      lock.leave()
      #expect(entered.value)
      #expect(wait(done))
    }

    @Test func keepingTheTurnWithNobodyWaitingFreesTheLock() {
      lock.enter(id(a))
      lock.leave(keepingTurnOf: id(a))
      #expect(!lock.isHeld)
      let entered = Atomically(false)
      let (lock, other) = (lock, id(b))
      #expect(
        wait(
          onThread {
            lock.enter(other)
            entered.value = true
            lock.leave()
          }))
      #expect(entered.value)
    }

    @Test func aKeptTurnIsOfferedToASleepingWriterOfTheParty() {
      let entered = Atomically(false)
      lock.enter(id(a))
      let done = waiter(b, entered)
      lock.leave(keepingTurnOf: id(a))
      let ticket = lock.queue(id(a))
      // Unless the turn has ended meanwhile.
      if lock.start(ticket) {
        #expect(!entered.value)
        lock.leave()
      } else {
        lock.leaveQueue(ticket)
      }
      #expect(wait(done))
    }

    @Test func aBlockingWriterGoesBeforeSleepingOnesOfItsParty() {
      lock.enter(id(b))
      let tickets = (0..<100).map { _ in lock.queue(id(a)) }
      let entered = Atomically(false)
      let done = waiter(a, entered)
      lock.leave()
      #expect(wait(done) && entered.value)
      for ticket in tickets {
        #expect(lock.start(ticket))
        lock.leave()
      }
      #expect(!lock.isHeld)
    }

    @Test func aCancelledTaskDoesNotWaitForWhatPreparesItsTurn() async {
      let (lock, party) = (lock, id(a))
      let (wakes, isOver) = (Atomically<[@Sendable () -> Void]>([]), Atomically(false))
      let task = Task {
        defer { isOver.value = true }
        try await lock.enterSuspending(party) { wakes.value += [$0] }
      }
      #expect(await eventually { !wakes.value.isEmpty })
      task.cancel()
      #expect(await eventually { isOver.value })
      #expect(!lock.isHeld && lock.waitingCount == 0)
      for wake in wakes.value { wake() }
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func nothingIsPreparedForATaskThatIsCancelledInLine() async {
      let (lock, party) = (lock, id(a))
      lock.enter(id(b))
      let isPrepared = Atomically(false)
      let task = Task {
        try await lock.enterSuspending(party) { wake in
          isPrepared.value = true
          wake()
        }
      }
      #expect(await eventually { lock.waitingCount == 1 })
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(!isPrepared.value && lock.waitingCount == 0)
      lock.leave()
    }

    /// Programs queue any number of writes, so handing the lock over must not look at all that wait.
    @Test func aLongLineOfSleepingWritersIsServedOneByOne() {
      let tickets = (0..<100_000).map { _ in lock.queue(id(a)) }
      var served = 0
      for ticket in tickets where lock.start(ticket) {
        served += 1
        lock.leave()
      }
      #expect(served == tickets.count && lock.waitingCount == 0 && !lock.isHeld)
    }

    /// Threads that write in loops, some keeping their turns: each sees all writes before its own, and none is lost.
    @Test(arguments: [2, 5]) func writersThatKeepTheirTurnsExcludeEachOther(threads: Int) {
      let each = 2_000
      let box = Counter()
      let lock = lock
      let parties = (0..<threads).map { _ in Party() }
      let done = parties.enumerated().map { number, party in
        onThread {
          for _ in 0..<each {
            lock.enter(ObjectIdentifier(party))
            box.count += 1
            if number.isMultiple(of: 2) { lock.leave(keepingTurnOf: ObjectIdentifier(party)) } else { lock.leave() }
          }
        }
      }
      for end in done { #expect(wait(end)) }
      lock.enter()
      #expect(box.count == threads * each)
      lock.leave()
    }

    /// Not atomic: the lock under test protects it.
    private final class Counter: @unchecked Sendable {
      var count = 0
    }
  }

  /// Whether a session returns at once after a commit that may be grouped.
  @Suite struct TurnPredictionTests {
    @Test func aSessionThatBeginsAtOnceHasReturned() {
      // A pause of this thread in between makes the prediction wrong, so one of many attempts counts.
      let attempts = (0..<1_000).contains { _ in
        var prediction = TurnPrediction()
        prediction.begin()
        if prediction.returned { return false }
        prediction.commit()
        prediction.begin()
        return prediction.returned
      }
      #expect(attempts)
    }

    @Test func anotherEndOrAPauseIsNoReturn() {
      var prediction = TurnPrediction()
      prediction.commit()
      prediction.end()
      prediction.begin()
      #expect(!prediction.returned)
      prediction.commit()
      Thread.sleep(forTimeInterval: 0.001)
      prediction.begin()
      #expect(!prediction.returned)
    }
  }
#endif
