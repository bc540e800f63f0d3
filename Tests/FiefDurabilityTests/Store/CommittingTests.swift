import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.leavesNoFileOpen, .alsoEncrypted) struct CommittingTests {
  @Test func commitsThatWaitShareSynchronizations() throws {
    // Synchronizing is slow here, so that other commits arrive during a synchronization.
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk) { operation, path in
      if operation == .synchronize && path.contains(".journal") { Thread.sleep(forTimeInterval: 0.002) }
    }
    let store = try StageStore(process)
    let turn = NSLock()
    nonisolated(unsafe) let shared = store
    let group = DispatchGroup()
    for _ in 0..<8 {
      group.enter()
      Thread {
        for _ in 0..<10 {
          let version = turn.withLock {
            try? shared.commit(.relaxed)
            return shared.graph.version
          }
          try? shared.file.waitUntilDurable(version)
          if shared.file.durableVersion < version { Issue.record("Version \(version) was waited for in vain.") }
        }
        group.leave()
      }.start()
    }
    group.wait()
    #expect(store.graph.version == 80)
    let synchronizations = disk.events.count { if case .synchronized = $0 { true } else { false } }
    #expect(synchronizations < 60, "\(synchronizations) synchronizations for 80 commits")
  }

  @Test func commitsThatAreAppendedDuringASynchronizationShareTheNextOne() throws {
    let (isSynchronizing, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    // The number of synchronizations; nil while the store is being opened.
    let count = Mutex<Int?>(nil)
    let process = SimulatedProcess(SimulatedDisk()) { operation, _ in
      guard operation == .synchronize else { return }
      let number = count.withLock { count -> Int? in
        count = count.map { $0 + 1 }
        return count
      }
      if number == 1 {
        isSynchronizing.signal()
        mayGoOn.wait()
      }
    }
    let store = try StageStore(process)
    try store.commit(.relaxed)
    count.withLock { $0 = 0 }
    let file = store.file
    let group = DispatchGroup()
    func wait(for version: UInt64) {
      group.enter()
      Thread {
        try? file.waitUntilDurable(version)
        group.leave()
      }.start()
    }
    wait(for: 1)
    isSynchronizing.wait()
    for _ in 0..<3 { try store.commit(.relaxed) }
    for version in 2...4 as ClosedRange<UInt64> { wait(for: version) }
    mayGoOn.signal()
    group.wait()
    #expect(file.durableVersion == 4)
    #expect(count.withLock { $0 } == 2)
    process.kill()
  }

  @Test func aRelaxedCommitReturnsBeforeItIsDurable() throws {
    let disk = SimulatedDisk()
    let store = try StageStore(SimulatedProcess(disk))
    try store.commit(.relaxed)
    #expect(store.file.version == 1)
    #expect(store.file.durableVersion == 0)
    try store.file.waitUntilDurable(1)
    #expect(store.file.durableVersion == 1)
  }

  @Test func aCommitForWhichThereIsNoSpaceIsUndoneAndTheNextOneWorks() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    try store.commit()
    let before = disk.files
    // The write follows the three calls that compare the names.
    disk.faults = [DiskFault(call: disk.calls + 3, kind: .refuseAfter(ENOSPC, bytes: 17))]
    let events = disk.events.count
    #expect(StageStore.code { try store.commit() } == .outOfDiskSpace)
    let writes = disk.events[events...].compactMap { if case .wrote(_, _, let bytes) = $0 { bytes.count } else { nil } }
    #expect(writes == [17])
    #expect(disk.files == before)
    #expect(store.file.refusal == nil)
    disk.faults = []
    try store.commit()
    #expect(store.file.durableVersion == 2)
    process.kill()
    #expect(try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)).version == 2)
  }

  @Test func aFailedSynchronizationEndsTheWritingUntilTheStoreIsOpenedAgain() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    try store.commit()
    // The three calls that compare the names, the write, and then the synchronization.
    disk.faults = [DiskFault(call: disk.calls + 4, kind: .dropOnSync(EIO))]
    #expect(StageStore.code { try store.commit() } == .commitOutcomeUnknown)
    disk.faults = []
    #expect(store.file.refusal?.code == .storeIsReadOnly)
    #expect(store.file.refusal?.systemCode == EIO)
    #expect(StageStore.code { try store.file.append(Delta(), version: 3, userVersion: 0) } == .storeIsReadOnly)
    #expect(StageStore.code { try store.file.checkpoint(store.graph, version: 1, userVersion: 0) } == .storeIsReadOnly)
    #expect(store.file.durableVersion == 1)
    #expect(StageStore.code { try store.file.close() } == .commitOutcomeUnknown)
    // No seal certifies bytes that may be missing: the next opening rewrites the journal.
    let again = try StageStore(SimulatedProcess(disk, number: 2))
    #expect(again.stored.state == .notClosed)
    #expect(again.stored.version == 2)
    try again.commit()
  }

  @Test func closingReportsRelaxedCommitsThatTheTimerCouldNotSynchronize() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    try store.commit()
    try store.commit(.relaxed)
    process.passTime()
    disk.faults = [DiskFault(call: disk.calls, kind: .refuse(EIO))]
    process.passTime()
    disk.faults = []
    #expect(store.file.refusal?.systemCode == EIO)
    let error = #expect(throws: StoreError.self) { try store.file.close() }
    #expect(error?.code == .commitOutcomeUnknown)
    #expect(error?.systemCode == EIO)
    #expect(error?.message.contains("after version 1") == true)
    // The files are closed nevertheless, and closing again does nothing.
    try store.file.close()
    #expect(disk.openFiles == 0)
    #expect(try StageStore(SimulatedProcess(disk, number: 2)).stored.version == 2)
  }

  @Test func closingReportsRelaxedCommitsThatItCannotSynchronize() throws {
    let disk = SimulatedDisk()
    let store = try StageStore(SimulatedProcess(disk))
    try store.commit(.relaxed)
    disk.faults = [DiskFault(call: disk.calls, kind: .refuse(EIO))]
    #expect(StageStore.code { try store.file.close() } == .commitOutcomeUnknown)
    #expect(disk.openFiles == 0)
  }

  @Test func aSealThatCannotBeWrittenLeavesNoCommitInDoubt() throws {
    let disk = SimulatedDisk()
    let store = try StageStore(SimulatedProcess(disk))
    try store.commit()
    disk.faults = [DiskFault(call: disk.calls, kind: .refuse(EIO))]
    #expect(StageStore.code { try store.file.close() } == .fileOperationFailed)
  }

  @Test func aStoreWhoseNamesWereTakenAwayIsClosedWithoutAnErrorIfAllIsDurable() throws {
    let disk = SimulatedDisk()
    let store = try StageStore(SimulatedProcess(disk))
    try store.commit()
    disk.remove(StageStore.journal)
    #expect(StageStore.code { try store.commit() } != nil)
    #expect(store.file.refusal?.code == .storeIsReadOnly)
    try store.file.close()
  }

  @Test func aForkHasNoPartInTheStore() throws {
    let disk = SimulatedDisk()
    let process = ForkingSystem(SimulatedProcess(disk))
    let (file, stored) = try StoreFile.open(StageStore.path, on: process)
    process.isForked = true
    let next = StageStore.next(after: stored.graph)
    let error = #expect(throws: StoreError.self) {
      try file.commit(Delta(from: stored.graph, to: next), version: 1, userVersion: 0)
    }
    #expect(error?.code == .alreadyOpen)
    #expect(error?.holder == 1)
    let before = disk.files
    try file.close()
    #expect(disk.files == before)
  }

  @Test func aClosedStoreSaysSo() throws {
    let store = try StageStore(SimulatedProcess(SimulatedDisk()))
    try store.file.close()
    try store.file.close()
    #expect(StageStore.code { try store.commit() } == .closed)
    #expect(store.file.refusal?.code == .closed)
  }

  @Test func waitingForAClosedStoreSaysSo() throws {
    let store = try StageStore(SimulatedProcess(SimulatedDisk()))
    try store.commit(.relaxed)
    try store.file.close()
    #expect(StageStore.code { try store.file.waitUntilDurable(1) } == .closed)
  }

  @Test func aVersionOutOfTurnTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try StageStore(SimulatedProcess(SimulatedDisk()))
      try store.file.append(Delta(), version: 2, userVersion: 0)
    }
    expectSentence("Commit 2 does not follow version", of: result)
  }
}
