import Dispatch
import FiefDurability
import FiefGraph
import FiefSessions
import FiefTestSupport
import Foundation
import Synchronization
import Testing

/// Documents that wait in the file: each of a durable commit arrives, and none of another.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct OutboxCrashTests {
  /// A handler that records the numbers that it receives.
  private final class Receiver: Sendable {
    private let state = Mutex((numbers: [Int64](), keys: [Int64: Int64](), refusals: 0))
    private let disk: SimulatedDisk?

    init(marking disk: SimulatedDisk? = nil, refusing refusals: Int = 0) {
      self.disk = disk
      state.withLock { $0.refusals = refusals }
    }

    var numbers: [Int64] { state.withLock { $0.numbers } }

    /// The key of the document with a number.
    func key(of number: Int64) -> Int64? { state.withLock { $0.keys[number] } }

    var handler: OutboxHandler {
      OutboxHandler { messages in
        let numbers = messages.compactMap { Int64(String(decoding: $0.payload, as: UTF8.self)) }
        self.state.withLock { state in
          for (number, message) in zip(numbers, messages) { state.keys[number] = message.key.rawValue }
        }
        for number in numbers { self.disk?.mark(.delivered(UInt64(number))) }
        try self.state.withLock { state in
          state.numbers += numbers
          if state.refusals > 0 {
            state.refusals -= 1
            throw POSIXError(.EAGAIN)
          }
        }
      }
    }
  }

  @Test func documentsArriveInTheOrderOfTheCommits() async throws {
    let receiver = Receiver()
    let early = try EarlyCommits(SimulatedProcess(SimulatedDisk()), handler: receiver.handler)
    // A commit that isGrouped is reported after the next one, which does not, has returned.
    for number in 0..<400 { try early.send(number, isEarly: number % 2 == 0, isGrouped: true) }
    #expect(await eventually { receiver.numbers.count >= 400 })
    #expect(receiver.numbers == Array(0..<400))
    #expect(await eventually { EarlyCommits.waiting(early.store.published.current).isEmpty })
  }

  @Test func documentsArriveWhenTheirCommitIsDurable() async throws {
    let barricade = Barricade()
    let process = SimulatedProcess(SimulatedDisk()) { operation, _ in barricade.pass(operation) }
    let receiver = Receiver()
    let early = try EarlyCommits(process, handler: receiver.handler)
    barricade.shut()
    try early.send(7, isEarly: true)
    #expect(await eventually { barricade.count >= 1 })
    #expect(EarlyCommits.waiting(early.store.published.current) == [7] && receiver.numbers.isEmpty)
    barricade.open()
    #expect(await eventually { receiver.numbers == [7] })
  }

  @Test func documentsOfALostCommitNeverArrive() async throws {
    let disk = SimulatedDisk()
    let receiver = Receiver()
    let early = try EarlyCommits(SimulatedProcess(disk), handler: receiver.handler)
    try early.send(1, isEarly: false)
    // The removal of the document is the third version.
    #expect(await eventually { early.store.files?.durableVersion == 3 })
    disk.lock.withLock { disk.faults = [DiskFault(call: disk.calls, kind: .dropOnSync(EIO), isForEver: true)] }
    try early.send(2, isEarly: true)
    #expect(throws: StoreError.self) { try early.send(3, isEarly: false) }
    #expect(await eventually { early.onQueue { $0.operations.isEmpty } })
    #expect(receiver.numbers == [1] && EarlyCommits.waiting(early.store.published.current).isEmpty)
  }

  @Test func whatAnAcceptedCallLeftBehindIsNotPassedAgainWhenItsRemovalFails() async throws {
    let disk = SimulatedDisk()
    let removal = Mutex(false)
    let process = SimulatedProcess(disk)
    let numbers = Mutex<[Int64]>([])
    let handler = OutboxHandler { messages in
      numbers.withLock { $0 += messages.map(\.key.rawValue) }
      // The commit that removes them finds the disk full, once.
      removal.withLock { $0 = true }
      disk.lock.withLock { disk.faults = [DiskFault(call: disk.calls, kind: .refuse(ENOSPC))] }
    }
    let early = try EarlyCommits(process, handler: handler)
    try early.send(1, isEarly: false)
    #expect(await eventually { EarlyCommits.waiting(early.store.published.current).isEmpty })
    #expect(numbers.withLock { $0 } == [0] && removal.withLock { $0 })
  }

  @Test func aCrashAtAnyMomentLosesNoDocumentAndInventsNone() async throws {
    var crashes = CrashImages(
      wanted: Effort.of(debug: 800, release: 10_000, night: 200_000),
      share: Effort.of(debug: 10, release: 50, night: 100))
    var random = Effort.firstSeed.random
    var stories = 0
    while !crashes.isDone {
      let disk = SimulatedDisk()
      let receiver = Receiver(marking: disk, refusing: random.below(4) == 0 ? 1 : 0)
      do {
        let early = try EarlyCommits(SimulatedProcess(disk), handler: receiver.handler)
        for number in 0..<Int(3 + random.below(12)) {
          try early.send(number, isEarly: random.below(2) == 0, isGrouped: random.below(2) == 0)
          if random.below(4) == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        #expect(await eventually { EarlyCommits.waiting(early.store.published.current).isEmpty })
      }
      stories += 1
      var delivered: Set<Int64> = []
      try crashes.of(
        disk, using: &random,
        noting: { if case .mark(.delivered(let number)) = $0 { delivered.insert(Int64(number)) } }
      ) { _, image, place in
        let (file, stored) = try StoreFile.open(EarlyCommits.path, on: image)
        let committed = EarlyCommits.numbers(stored.graph)
        let waiting = EarlyCommits.waiting(stored.graph)
        let place = "story \(stories), \(place)"
        #expect(committed == Array(0..<Int64(committed.count)), "a prefix of the commits: \(place)")
        #expect(delivered.isSubset(of: committed), "delivered before it was durable: \(place)")
        #expect(delivered.union(waiting) == Set(committed), "neither delivered nor waiting: \(place)")
        #expect(waiting == waiting.sorted(), "\(place)")
        withExtendedLifetime(file) {}
      }
    }
    Figures.report("Outbox: \(crashes.tried) crash images of \(stories) stories, seed \(Effort.firstSeed)")
  }

  @Test func documentsOfAStoreThatDoesNotWaitArriveAfterTheTimersRounds() async throws {
    let process = SimulatedProcess(SimulatedDisk())
    let receiver = Receiver()
    let numbers = try EarlyCommits(process, waitsForDisk: false, handler: receiver.handler)
    for number in 0..<3 { try numbers.send(number, isEarly: false) }
    #expect(numbers.store.files?.durableVersion ?? 9 < numbers.store.published.current.version)
    process.passTime()
    try numbers.send(3, isEarly: true)
    #expect(receiver.numbers.isEmpty)
    process.passTime()
    // The second round is the first that finds the commits. It synchronizes all that are there by then.
    #expect(await eventually { receiver.numbers == [0, 1, 2, 3] })
    #expect(await eventually { EarlyCommits.waiting(numbers.store.published.current).isEmpty })
  }

  /// The store stays open until the documents are durable and the first attempt to deliver them is over.
  @Test func aStoreThatDoesNotWaitDeliversAfterItsLastUse() async throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let receiver = Receiver()
    do {
      let numbers = try EarlyCommits(process, waitsForDisk: false, handler: receiver.handler)
      try numbers.send(1, isEarly: false)
    }
    #expect(receiver.numbers.isEmpty && disk.openFiles > 0)
    process.passTime()
    process.passTime()
    #expect(await eventually { disk.openFiles == 0 })
    #expect(receiver.numbers == [1])
  }

  /// A disk that fails ends the waiting, and the store closes.
  @Test func documentsThatTheTimerCouldNotSynchronizeAreNotDelivered() async throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let receiver = Receiver()
    do {
      let numbers = try EarlyCommits(process, waitsForDisk: false, handler: receiver.handler)
      try numbers.send(1, isEarly: false)
      process.passTime()
      disk.lock.withLock { disk.faults = [DiskFault(call: disk.calls, kind: .dropOnSync(EIO), isForEver: true)] }
      process.passTime()
      #expect(numbers.store.files?.refusal != nil)
    }
    #expect(await eventually { disk.openFiles == 0 })
    #expect(receiver.numbers.isEmpty)
  }

  @Test func aPowerFailureAfterRelaxedCommitsTakesNothingThatWasDelivered() async throws {
    var crashes = CrashImages(
      wanted: Effort.of(debug: 800, release: 10_000, night: 200_000),
      share: Effort.of(debug: 10, release: 50, night: 100))
    var random = Effort.firstSeed.random
    var (stories, early) = (0, 0)
    while !crashes.isDone {
      let disk = SimulatedDisk()
      let receiver = Receiver(marking: disk, refusing: random.below(4) == 0 ? 1 : 0)
      let process = SimulatedProcess(disk)
      do {
        let numbers = try EarlyCommits(process, waitsForDisk: false, handler: receiver.handler)
        for number in 0..<Int(3 + random.below(12)) {
          try numbers.send(number, isEarly: random.below(2) == 0, withDocument: random.below(4) > 0)
          if random.below(3) == 0 { process.passTime() }
          if random.below(4) == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        #expect(
          await eventually {
            process.passTime()
            return EarlyCommits.waiting(numbers.store.published.current).isEmpty
          })
      }
      while process.passTime() {}
      stories += 1
      var delivered: [Int64: Int64] = [:]
      try crashes.of(
        disk, using: &random,
        noting: { event in
          guard case .mark(.delivered(let number)) = event else { return }
          delivered[Int64(number)] = receiver.key(of: Int64(number))
        }
      ) { _, image, place in
        let (file, stored) = try StoreFile.open(EarlyCommits.path, on: image)
        let committed = EarlyCommits.numbers(stored.graph)
        let place = "story \(stories), \(place)"
        #expect(delivered.keys.allSatisfy(committed.contains), "delivered, and lost: \(place)")
        let next = stored.graph.table(named: TableSchema.outboxName)?.nextKey ?? 0
        #expect(delivered.values.allSatisfy { $0 < next }, "a number is given again: \(place)")
        if !delivered.isEmpty && committed.count < receiver.numbers.count { early += 1 }
        withExtendedLifetime(file) {}
      }
    }
    #expect(early > 0, "Power fails between deliveries.")
    print("Relaxed outbox: \(crashes.tried) crash images of \(stories) stories, seed \(Effort.firstSeed)")
  }

  @Test func whatWaitsAfterACrashIsDeliveredByTheNextOpening() async throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    do {
      let early = try EarlyCommits(process)
      for number in 1...1500 { try early.send(number, isEarly: number % 100 != 0) }
      try early.send(1501, isEarly: false)
      process.kill()
    }
    let receiver = Receiver()
    let again = try EarlyCommits(SimulatedProcess(disk, number: 2), handler: receiver.handler)
    #expect(await eventually { receiver.numbers.count >= 1501 })
    #expect(receiver.numbers == Array(1...1501))
    #expect(await eventually { EarlyCommits.waiting(again.store.published.current).isEmpty })
  }
}
