import Dispatch
import FiefDurability
import FiefGraph
import FiefSessions
import FiefTestSupport
import Foundation
import Synchronization
import Testing

/// Commits that are visible at once, and durable later.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct EarlyCommitTests {
  @Test func aCommitIsVisibleAtOnceAndDurableLater() throws {
    let barricade = Barricade()
    let disk = SimulatedDisk()
    let early = try EarlyCommits(SimulatedProcess(disk) { operation, _ in barricade.pass(operation) })
    barricade.shut()
    let version = try early.commitEarly()
    #expect(early.store.published.current.version == version)
    #expect(EarlyCommits.numbers(early.store.published.current) == [2])
    #expect(early.onQueue { $0.graph.version } == version)
    #expect(early.onQueue { !$0.operations.isEmpty })
    #expect(waits { barricade.count == 1 })
    #expect(early.store.files?.durableVersion == version - 1)
    #expect(early.told.withLock { $0.isEmpty })
    barricade.open()
    #expect(waits { early.told.withLock { $0.map(\.version) == [version] && !$0[0].hasFailed } })
    #expect(early.store.files?.durableVersion == version)
    #expect(early.onQueue { $0.operations.isEmpty })
  }

  @Test func commitsThatWaitTogetherShareOneSynchronization() throws {
    let barricade = Barricade()
    let disk = SimulatedDisk()
    disk.trace = []
    func synchronizations() -> Int {
      disk.lock.withLock { disk.trace?.count { $0.operation == .synchronize } ?? 0 }
    }
    let early = try EarlyCommits(SimulatedProcess(disk) { operation, _ in barricade.pass(operation) })
    let before = synchronizations()
    barricade.shut()
    for _ in 0..<100 { try early.commitEarly() }
    #expect(waits { barricade.count == 1 })
    barricade.open()
    #expect(waits { early.told.withLock { $0.count } == 100 })
    #expect(early.told.withLock { $0.map(\.version) } == Array(2...101))
    // The one that was under way at the beginning counts as well.
    #expect((1...2).contains(synchronizations() - before))
  }

  @Test func aGroupedCommitWaitsForOthersAndIsDurableWithoutThem() throws {
    let disk = SimulatedDisk()
    let early = try EarlyCommits(SimulatedProcess(disk))
    let version = try early.commitEarly(isGrouped: true)
    #expect(waits { early.told.withLock { $0.map(\.version) } == [version] })
    try early.commitEarly(isGrouped: true)
    try early.commitEarly(isGrouped: false)
    #expect(waits { early.told.withLock { $0.map(\.version) } == [version, version + 1, version + 2] })
  }

  @Test func aWriteThatWaitsForTheDiskStandsOnEarlierOnesThatDoNot() throws {
    let disk = SimulatedDisk()
    let early = try EarlyCommits(SimulatedProcess(disk))
    for _ in 0..<20 {
      let version = try early.commitEarly()
      try early.commit()
      #expect(try #require(early.store.files?.durableVersion) >= version + 1)
    }
    #expect(waits { early.told.withLock { $0.count } == 20 })
    #expect(EarlyCommits.numbers(early.store.published.current) == Array(2...41))
  }

  @Test func aFailedSynchronizationRollsBackForEverySessionAndTellsEveryCompletion() throws {
    let barricade = Barricade()
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk) { operation, _ in barricade.pass(operation) }
    let early = try EarlyCommits(process)
    try early.commit()
    let other = DispatchQueue(label: "other")
    func seen() -> [Int64] {
      other.sync {
        let session = early.store.session(.of(other), EarlyCommits.Options())
        _ = session.refresh()
        return EarlyCommits.numbers(session.graph)
      }
    }
    barricade.shut()
    for _ in 0..<3 { try early.commitEarly() }
    #expect(seen() == [2, 3, 4, 5])
    #expect(waits { barricade.count == 1 })
    disk.failFromNow()
    barricade.open()
    #expect(waits { early.told.withLock { $0.map(\.hasFailed) } == [true, true, true] })
    #expect(seen() == [2])
    #expect(early.onQueue { EarlyCommits.numbers($0.graph) } == [2])
    disk.repair()
    // Versions never go back, and rows of the rolled-back commits stay deleted.
    #expect(early.store.published.current.version == 6)
    let table = try #require(early.store.published.current.table(named: "Number"))
    #expect(early.store.isGone(ObjectLink(table.schema.key, ObjectKey(rawValue: table.nextKey))))
    #expect(throws: StoreError.self) { try early.commit() }
    #expect(throws: StoreError.self) { try early.commit() }
    process.kill()
    let image = SimulatedProcess(disk, number: 2)
    let again = try StoreFile.read(EarlyCommits.path, on: image)
    #expect(EarlyCommits.numbers(again.graph).starts(with: [2]))
  }

  @Test(arguments: [true, false])
  func aWriteWithoutChangesFailsAfterADiskFailed(_ isEarly: Bool) throws {
    let disk = SimulatedDisk()
    let early = try EarlyCommits(SimulatedProcess(disk))
    try early.commit()
    disk.failFromNow()
    #expect(throws: StoreError.self) { try early.commit() }
    disk.repair()
    try early.onQueue { session in
      try session.beginWrite()
      if isEarly {
        session.commitWriteLater(.now) { failure in early.told.withLock { $0.append((0, failure != nil)) } }
      } else {
        #expect(throws: StoreError.self) { try session.commitWrite() }
      }
      #expect(EarlyCommits.numbers(session.graph) == [2])
    }
    if isEarly { #expect(waits { early.told.withLock { $0.map(\.hasFailed) } == [true] }) }
    #expect(throws: StoreError.self) { try early.commit() }
    #expect(early.onQueue { EarlyCommits.numbers($0.graph) } == [2])
  }

  @Test func anActorDoesOtherWorkWhileItsWriteWaitsForTheDisk() async throws {
    let barricade = Barricade()
    let early = try EarlyCommits(SimulatedProcess(SimulatedDisk()) { operation, _ in barricade.pass(operation) })
    let writer = Writer(early)
    barricade.shut()
    async let first: Void = writer.write()
    #expect(await eventually { barricade.count == 1 })
    #expect(await writer.numbers == [2])
    async let second: Void = writer.write()
    #expect(await eventually { await writer.numbers == [2, 3] })
    #expect(await writer.ended == 0)
    barricade.open()
    try await first
    try await second
    #expect(await writer.ended == 2)
    #expect(early.store.files?.durableVersion == 3)
  }

  @Test func anActorsWriteThatTheDiskLosesThrowsAndIsRolledBack() async throws {
    let barricade = Barricade()
    let disk = SimulatedDisk()
    let early = try EarlyCommits(SimulatedProcess(disk) { operation, _ in barricade.pass(operation) })
    let writer = Writer(early)
    try await writer.write()
    barricade.shut()
    let lost = Task { try await writer.write() }
    #expect(await eventually { barricade.count == 1 })
    disk.failFromNow()
    barricade.open()
    let error = await #expect(throws: StoreError.self) { try await lost.value }
    #expect(error?.code == .commitOutcomeUnknown)
    #expect(await writer.numbers == [2])
    disk.repair()
  }

  /// An actor that writes.
  private actor Writer {
    private let early: EarlyCommits
    private(set) var ended = 0

    init(_ early: EarlyCommits) { self.early = early }

    private var session: Session { early.store.session(.of(self), EarlyCommits.Options()) }

    var numbers: [Int64] { EarlyCommits.numbers(session.graph) }

    func write() async throws {
      let session = session
      try await session.writeSuspending(isolation: self) { _ = try early.add(toOpenWriteOf: session) }
      ended += 1
    }
  }

  /// G1: power fails at every call, and within every write, while commits are made early and together.
  @Test func everyCrashLeavesAPrefixOfTheCommits() throws {
    var crashes = CrashImages(
      wanted: Effort.of(debug: 1500, release: 20_000, night: 500_000),
      share: Effort.of(debug: 10, release: 50, night: 100))
    var stories = 0
    for seed in Effort.seeds where !crashes.isDone {
      var random = seed.random
      let disk = SimulatedDisk(chance: seed.value)
      let pauses = Mutex(random.split())
      let process = SimulatedProcess(disk) { operation, _ in
        guard operation == .synchronize else { return }
        Thread.sleep(forTimeInterval: Double(pauses.withLock { $0.below(4) }) * 0.0005)
      }
      disk.mark(.started(1))
      let early = try EarlyCommits(process)
      disk.mark(.acknowledged(1))
      var count = 0
      for _ in 0..<(5 + random.below(20)) {
        switch random.below(6) {
        case 0: try early.commit(marking: disk)
        case 1: _ = waits { early.told.withLock { $0.count } == count }
        default:
          try early.commitEarly(isGrouped: random.below(2) == 0, marking: disk)
          count += 1
        }
      }
      if random.below(2) == 0 { _ = waits { early.told.withLock { $0.count } == count } }
      process.kill()
      _ = waits { early.told.withLock { $0.count } == count }
      stories += 1
      try crashes.of(disk, using: &random) { point, image, place in
        let (file, stored) = try StoreFile.open(EarlyCommits.path, on: image)
        let found = stored.version
        #expect(point.owed <= found && found <= point.started, "\(seed), \(place)")
        let numbers = EarlyCommits.numbers(stored.graph)
        #expect(numbers == (found < 2 ? [] : Array(2...Int64(found))), "\(seed), \(place)")
        withExtendedLifetime(file) {}
      }
    }
    #expect(crashes.isDone)
    Figures.report("G1, early: \(crashes.tried) crash images of \(stories) stories, seeds from \(Effort.firstSeed)")
  }
}

extension SimulatedDisk {
  /// Loses the pending changes at every synchronization from now on.
  fileprivate func failFromNow() {
    lock.withLock { faults = [DiskFault(call: calls, kind: .dropOnSync(EIO), isForEver: true)] }
  }

  /// Ends the failures.
  fileprivate func repair() { lock.withLock { faults = [] } }
}
