import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Synchronization
import Testing

/// Reports of durability, and the contents that a failure leaves.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct WaitingTests {
  /// Reports in the order in which they are made.
  private final class Reports: Sendable {
    private let all = Mutex<[(version: UInt64, code: StoreError.Code?)]>([])

    func ask(_ file: StoreFile, _ version: UInt64, _ urgency: Urgency) {
      file.whenDurable(version, urgency: urgency) { failure in self.all.withLock { $0.append((version, failure?.code)) }
      }
    }

    var versions: [UInt64] { all.withLock { $0.map(\.version) } }
    var codes: [StoreError.Code?] { all.withLock { $0.map(\.code) } }
  }

  /// A store whose commits have contents, on a simulated disk.
  private final class Stage {
    let disk = SimulatedDisk()
    let process: SimulatedProcess
    let file: StoreFile
    private(set) var graph: Graph

    init() throws {
      process = SimulatedProcess(disk)
      let (file, stored) = try StoreFile.open(StageStore.path, on: process)
      (self.file, graph) = (file, stored.graph)
    }

    /// How often a file was synchronized.
    var synchronizations: Int {
      disk.lock.withLock { disk.events.count { if case .synchronized = $0 { true } else { false } } }
    }

    func append() throws {
      let next = StageStore.next(after: graph)
      try file.append(Delta(from: graph, to: next), version: next.version, userVersion: 0, contents: next)
      graph = next
    }
  }

  @Test func reportsComeInTheOrderOfTheVersionsAfterOneSynchronization() throws {
    // The order is that of one round of reports. A busy machine may take longer for the requests than the pause of the
    // first one lasts, so that they are answered in several rounds.
    var isOneRound = false
    for _ in 0..<100 where !isOneRound {
      let stage = try Stage()
      for _ in 0..<20 { try stage.append() }
      let before = stage.synchronizations
      let reports = Reports()
      for version in (1...20).reversed() { reports.ask(stage.file, UInt64(version), .grouped) }
      #expect(waits { reports.versions.count == 20 })
      #expect(reports.versions.sorted() == Array(1...20))
      #expect(reports.codes.allSatisfy { $0 == nil })
      #expect(stage.file.durableVersion == 20)
      #expect(stage.synchronizations - before == 1)
      isOneRound = reports.versions == Array(1...20)
    }
    #expect(isOneRound)
  }

  @Test func aReportThatIsAskedForWhenItsCommitIsDurableIsMade() throws {
    let stage = try Stage()
    try stage.append()
    try stage.file.waitUntilDurable(1)
    let before = stage.synchronizations
    let reports = Reports()
    for urgency in [Urgency.timer, .grouped, .now] { reports.ask(stage.file, 1, urgency) }
    #expect(waits { reports.versions.count == 3 })
    #expect(stage.synchronizations == before)
  }

  @Test func aReportThatHasTimeComesWithTheTimerOrWithAnotherCommit() throws {
    let stage = try Stage()
    let reports = Reports()
    try stage.append()
    reports.ask(stage.file, 1, .timer)
    Thread.sleep(forTimeInterval: 0.02)
    #expect(reports.versions.isEmpty && stage.file.durableVersion == 0)
    stage.process.passTime()
    stage.process.passTime()
    #expect(waits { reports.versions == [1] })
    try stage.append()
    reports.ask(stage.file, 2, .timer)
    try stage.append()
    try stage.file.waitUntilDurable(3)
    #expect(waits { reports.versions == [1, 2] })
    try stage.append()
    reports.ask(stage.file, 4, .timer)
    try stage.file.checkpoint(stage.graph, version: 4, userVersion: 0)
    #expect(waits { reports.versions == [1, 2, 4] })
  }

  @Test func aFailureIsReportedToAllThatWaitAndLeavesTheContentsOfTheLastDurableCommit() throws {
    let stage = try Stage()
    for _ in 0..<2 { try stage.append() }
    try stage.file.waitUntilDurable(2)
    let durable = stage.graph
    #expect(stage.file.remains == nil)
    let reports = Reports()
    for _ in 0..<3 { try stage.append() }
    reports.ask(stage.file, 4, .timer)
    reports.ask(stage.file, 2, .timer)
    #expect(waits { reports.versions == [2] })
    stage.disk.lock.withLock { stage.disk.faults = [DiskFault(call: stage.disk.calls, kind: .dropOnSync(EIO))] }
    reports.ask(stage.file, 3, .now)
    #expect(waits { reports.versions == [2, 3, 4] })
    #expect(reports.codes == [nil, .commitOutcomeUnknown, .commitOutcomeUnknown])
    reports.ask(stage.file, 5, .timer)
    reports.ask(stage.file, 1, .now)
    #expect(waits { reports.versions.count == 5 })
    #expect(stage.file.failure(of: 2) == nil && stage.file.failure(of: 5)?.code == .commitOutcomeUnknown)
    let remains = try #require(stage.file.remains)
    #expect(remains.appended == 5 && remains.contents.version == 2)
    #expect(Oracle.bytes(remains.contents) == Oracle.bytes(durable))
    #expect(StageStore.code { try stage.append() } == .storeIsReadOnly)
    try? stage.file.close()
  }

  /// A commit that was cut off is not among the contents, and the next one follows.
  @Test func aCommitThatWasUndoneHasNoContents() throws {
    let stage = try Stage()
    try stage.append()
    let first = stage.graph
    stage.disk.lock.withLock { stage.disk.faults = [DiskFault(call: stage.disk.calls + 3, kind: .refuse(ENOSPC))] }
    #expect(StageStore.code { try stage.append() } == .outOfDiskSpace)
    stage.disk.lock.withLock { stage.disk.faults = [] }
    #expect(stage.file.version == 1 && stage.file.durableVersion == 0)
    try stage.append()
    try stage.file.waitUntilDurable(2)
    stage.disk.remove(StageStore.path)
    #expect(StageStore.code { try stage.append() } == .storeIsReadOnly)
    let remains = try #require(stage.file.remains)
    #expect(remains.appended == 2 && remains.contents.version == 2 && remains.contents.version > first.version)
    try? stage.file.close()
  }

  @Test func withoutContentsNothingRemains() throws {
    let store = try StageStore(SimulatedProcess(SimulatedDisk()))
    try store.commit()
    try store.commit(.relaxed)
    try store.file.close()
    #expect(store.file.remains == nil)
    #expect(StageStore.code { try store.commit() } == .closed)
  }

  @Test func afterACommitWithoutContentsNothingRemainsOfTheVersionsBefore() throws {
    let disk = SimulatedDisk()
    let store = try StageStore(SimulatedProcess(disk))
    try store.commit()
    try store.commit(.relaxed)
    disk.remove(StageStore.path)
    #expect(StageStore.code { try store.commit() } == .storeIsReadOnly)
    #expect(store.file.remains == nil)
    try? store.file.close()
  }

  @Test func afterACommitOfAnotherWithoutContentsNothingRemainsOfTheVersionsBefore() throws {
    let disk = SimulatedDisk()
    func open(_ number: Int32) throws -> StageStore {
      try StageStore(StageStore.path, SimulatedProcess(disk, number: number), sharingWithin: 100)
    }
    let (one, two) = (try open(1), try open(2))
    try one.commit()
    disk.remove(StageStore.path)
    #expect(StageStore.code { try two.commit() } == .storeIsReadOnly)
    #expect(two.graph.version == 1 && two.file.remains == nil)
    for store in [two, one] { try? store.file.close() }
  }

  @Test func contentsAfterACommitWithoutThemDoNotRemain() throws {
    let disk = SimulatedDisk()
    let (file, stored) = try StoreFile.open(StageStore.path, on: SimulatedProcess(disk))
    var graph = stored.graph
    for hasContents in [true, false, true] {
      let next = StageStore.next(after: graph)
      try file.append(
        Delta(from: graph, to: next), version: next.version, userVersion: 0, contents: hasContents ? next : nil)
      graph = next
    }
    disk.lock.withLock { disk.faults = [DiskFault(call: disk.calls, kind: .dropOnSync(EIO))] }
    #expect(StageStore.code { try file.waitUntilDurable(3) } == .commitOutcomeUnknown)
    #expect(file.remains == nil)
    try? file.close()
  }

  /// Threads and reports at the same time: each thread returns, and each report comes, after its commit is durable.
  @Test func threadsAndReportsShareTheDisk() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk) { operation, _ in
      if operation == .synchronize { Thread.sleep(forTimeInterval: 0.0005) }
    }
    let store = try StageStore(process)
    let file = store.file
    let early = Mutex(0)
    let done = Mutex(0)
    for version in UInt64(1)...60 {
      try store.commit(.relaxed)
      if version.isMultiple(of: 3) {
        Thread {
          try? file.waitUntilDurable(version)
          if file.durableVersion < version { early.withLock { $0 += 1 } }
          done.withLock { $0 += 1 }
        }.start()
      } else {
        file.whenDurable(version, urgency: version.isMultiple(of: 2) ? .now : .grouped) { failure in
          if failure != nil || file.durableVersion < version { early.withLock { $0 += 1 } }
          done.withLock { $0 += 1 }
        }
      }
    }
    #expect(waits { done.withLock { $0 } == 60 })
    #expect(early.withLock { $0 } == 0)
    try file.close()
  }
}
