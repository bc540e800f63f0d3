import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// Events between two calls of a store: other processes, and a disk that fails at the wrong moment.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct DoubtTests {
  /// Runs an action at chosen calls. `lock` guards the count.
  private final class Gate: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    /// Called with the number of each call of its kind, from 0.
    var action: (@Sendable (Int) -> Void)?

    func pass() {
      let number = lock.withLock {
        defer { count += 1 }
        return count
      }
      action?(number)
    }
  }

  private func closedStore(commits: Int = 3) throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let store = try StageStore(SimulatedProcess(disk))
    for _ in 0..<commits { try store.commit() }
    try store.file.close()
    return disk
  }

  @Test func aFileThatEndsBeforeItsEndIsAnErrorAndNoShorterFile() throws {
    let files = try closedStore().files
    let healthy = SimulatedDisk(files: files, isRecording: false)
    healthy.trace = []
    _ = try StoreFile.read(StageStore.path, on: SimulatedProcess(healthy))
    let reads = try #require(healthy.trace).enumerated().filter { $1.operation == .read && $1.bytes > 0 }.map(\.offset)
    #expect(reads.count >= 3)
    for call in reads {
      let disk = SimulatedDisk(files: files, isRecording: false)
      disk.faults = [DiskFault(call: call, kind: .short(0))]
      let code = StageStore.code { _ = try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)) }
      #expect(code == .fileOperationFailed, "call \(call)")
    }
  }

  @Test func aStoreThatGoesWhileItIsBeingReadIsNotThere() throws {
    let disk = try closedStore()
    let gate = Gate()
    gate.action = { number in
      if number == 1 { for path in [StageStore.path, StageStore.journal] { disk.remove(path) } }
    }
    let process = SimulatedProcess(disk) { operation, _ in if operation == .open { gate.pass() } }
    #expect(StageStore.code { _ = try StoreFile.read(StageStore.path, on: process) } == .fileNotFound)
  }

  @Test func aLockFileThatIsReplacedIsLockedAgainAndNotForEver() throws {
    for (times, expected) in [(3, nil), (1000, StoreError.Code.fileOperationFailed)] {
      let disk = try closedStore()
      let gate = Gate()
      gate.action = { number in if number < times { disk.newFile(at: StageStore.path + ".lock") } }
      let process = SimulatedProcess(disk) { operation, path in
        if operation == .lock, path.hasSuffix(".lock") { gate.pass() }
      }
      let code = StageStore.code { try StoreFile.open(StageStore.path, on: process).file.close() }
      #expect(code == expected, "replaced \(times) times")
      process.kill()
    }
  }

  @Test func aCommitThatIsAppendedWhileASynchronizationFailsIsInDoubt() throws {
    let disk = SimulatedDisk()
    let gate = Gate()
    let (isSynchronizing, isWriting, hasFailed) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let isArmed = Gate()
    let process = SimulatedProcess(disk) { operation, path in
      guard path.hasPrefix(StageStore.journal) else { return }
      if operation == .synchronize { gate.pass() }
      if operation == .write { isArmed.pass() }
    }
    let store = try StageStore(process)
    try store.commit(.relaxed)
    gate.action = { _ in
      isSynchronizing.signal()
      isWriting.wait()
      disk.faults = [DiskFault(call: disk.calls, kind: .refuse(EIO))]
    }
    isArmed.action = { _ in
      isWriting.signal()
      hasFailed.wait()
      disk.faults = []
    }
    let file = store.file
    Thread {
      _ = StageStore.code { try file.waitUntilDurable(1) }
      hasFailed.signal()
    }.start()
    isSynchronizing.wait()
    #expect(StageStore.code { try store.commit(.relaxed) } == .commitOutcomeUnknown)
    #expect(file.refusal?.code == .storeIsReadOnly)
    process.kill()
  }

  /// A system reports a failed write once for each open file, to the first call that asks.
  @Test func anErrorOfAnUndoneCommitIsNoSuccessForOneThatWaits() throws { try ReportedOnce.check() }

  @Test func anErrorNamesTheFileThatItsUserKnows() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    try store.commit(.relaxed)
    disk.faults = [DiskFault(call: disk.calls, kind: .refuse(EIO))]
    let error = #expect(throws: StoreError.self) { try store.file.waitUntilDurable(1) }
    #expect(error?.file == StageStore.journal)
    #expect(error?.message.contains(".tmp") == false)
    process.kill()
  }

  @Test func aSnapshotOfAStoreThatTakesNoCommitsAnyMoreIsGivenUp() throws {
    let disk = SimulatedDisk()
    let store = try StageStore(SimulatedProcess(disk))
    for _ in 0..<3 { try store.commit() }
    let before = disk.files[StageStore.path]
    let checkpoint = try #require(try store.file.beginCheckpoint(store.graph, version: 3, userVersion: 3))
    try store.commit(.relaxed)
    disk.faults = [DiskFault(call: disk.calls, kind: .refuse(EIO))]
    #expect(StageStore.code { try store.file.waitUntilDurable(4) } == .commitOutcomeUnknown)
    disk.faults = []
    #expect(StageStore.code { try checkpoint.writeSnapshot() } == .storeIsReadOnly)
    checkpoint.cancel()
    #expect(disk.files[StageStore.path] == before)
    #expect(!disk.files.keys.contains { $0.hasSuffix(".tmp") })
    #expect(StageStore.code { try store.file.close() } == .commitOutcomeUnknown)
  }

  @Test func aRenameThatIsRefusedAndDoneAllTheSameEndsWriting() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    for _ in 0..<3 { try store.commit() }
    let checkpoint = try #require(try store.file.beginCheckpoint(store.graph, version: 3, userVersion: 3))
    try checkpoint.writeSnapshot()
    try checkpoint.copyCommits()
    // The copies are synchronized already; what is left renames the new journal.
    disk.faults = [DiskFault(call: disk.calls, kind: .lie(EACCES), operation: .rename)]
    #expect(throws: StoreError.self) { try checkpoint.finish() }
    disk.faults = []
    #expect(store.file.refusal?.code == .storeIsReadOnly)
    #expect(StageStore.code { try store.commit() } == .storeIsReadOnly)
    process.kill()
    #expect(try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)).version == 3)
  }

  /// The name of a new snapshot is in doubt when the rename reported a failure after it was done, and when the folder
  /// was not synchronized. Either snapshot then belongs to the journal.
  @Test(arguments: [FileFailure.Operation.rename, .synchronizeFolder])
  func aSnapshotOfWhichNobodyKnowsWhetherItHasItsNameEndsWriting(operation: FileFailure.Operation) throws {
    func begin(_ disk: SimulatedDisk) throws -> (StageStore, Checkpoint) {
      let store = try StageStore(SimulatedProcess(disk))
      for _ in 0..<3 { try store.commit() }
      return (store, try #require(try store.file.beginCheckpoint(store.graph, version: 3, userVersion: 3)))
    }
    // The number of the call: equal disks run equal stories.
    let healthy = SimulatedDisk()
    healthy.trace = []
    let (sound, whole) = try begin(healthy)
    let before = healthy.calls
    try whole.writeSnapshot()
    whole.cancel()
    let call = try #require(healthy.trace?.indices.first { $0 >= before && healthy.trace?[$0].operation == operation })
    try sound.file.close()

    let disk = SimulatedDisk()
    let (store, checkpoint) = try begin(disk)
    disk.faults = [DiskFault(call: call, kind: operation == .rename ? .lie(EACCES) : .refuse(EIO))]
    #expect(throws: StoreError.self) { try checkpoint.writeSnapshot() }
    checkpoint.cancel()
    disk.faults = []
    #expect(store.file.refusal?.code == .storeIsReadOnly)
    #expect(StageStore.code { try store.commit() } == .storeIsReadOnly)
    try store.file.close()
    #expect(try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)).version == 3)
    var point = CrashPoint()
    for event in disk.events { point.advance(event) }
    var versions: Set<UInt64> = []
    try point.forEveryFates { fates in
      let image = point.image(fates)
      let info = try StoreFile.info(StageStore.path, on: SimulatedProcess(image))
      versions.insert(info.snapshotVersion)
      #expect(info.version == 3, "\(fates)")
      let found = try StageStore(SimulatedProcess(image))
      #expect(StageStore.isRight(found.graph) && found.stored.version == 3, "\(fates)")
    }
    // One crash leaves the old snapshot, and another the new one.
    #expect(versions == [0, 3])
  }

  @Test func aCallThatIsInterruptedIsMadeAHundredTimes() throws {
    let files = try closedStore().files
    let healthy = SimulatedDisk(files: files, isRecording: false)
    _ = try StoreFile.read(StageStore.path, on: SimulatedProcess(healthy))
    #expect(healthy.calls > 8)
    for call in 0..<healthy.calls {
      for (times, isRead) in [(99, true), (100, false)] {
        let disk = SimulatedDisk(files: files, isRecording: false)
        disk.faults = (0..<times).map { DiskFault(call: call + $0, kind: .refuse(EINTR)) }
        let code = StageStore.code { _ = try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)) }
        #expect((code == nil) == isRead, "call \(call), \(times) times")
      }
    }
    // The calls that write.
    let store = try StageStore(SimulatedProcess(healthy))
    let calls = healthy.calls
    try store.commit()
    #expect(healthy.calls - calls >= 3)
    for call in 0..<healthy.calls - calls {
      healthy.faults = (0..<99).map { DiskFault(call: healthy.calls + call + $0, kind: .refuse(EINTR)) }
      #expect(StageStore.code { try store.commit() } == nil, "call \(call)")
      healthy.faults = []
    }
    try store.file.close()
  }

  // MARK: Files of other stores and of other times

  private func refusal(_ files: [String: [UInt8]]) -> StoreError? {
    do throws(StoreError) {
      _ = try StoreFile.read(StageStore.path, on: SimulatedProcess(SimulatedDisk(files: files, isRecording: false)))
    } catch {
      return error
    }
    return nil
  }

  @Test func aJournalWithCommitsAndWithoutItsSnapshotIsDamage() throws {
    var files = try closedStore().files
    files[StageStore.path] = nil
    let process = SimulatedProcess(SimulatedDisk(files: files))
    let error = #expect(throws: StoreError.self) { _ = try StoreFile.open(StageStore.path, on: process) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("is missing") == true)
  }

  @Test func aJournalOfAnotherStoreAndAnOlderSnapshotAreRefused() throws {
    let files = try closedStore().files
    let other = SimulatedDisk(chance: 99)
    let store = try StageStore(SimulatedProcess(other))
    for _ in 0..<3 { try store.commit() }
    try store.checkpoint()
    try store.commit()
    try store.file.close()
    var mixed = files
    mixed[StageStore.journal] = other.files[StageStore.journal]
    #expect(refusal(mixed)?.code == .invalidDatabase)
    #expect(refusal(mixed)?.message.contains("of another store") == true)
    // The snapshot that the store was created with, beside the journal after its checkpoint.
    let first = SimulatedDisk(chance: 99)
    try StageStore(SimulatedProcess(first)).file.close()
    mixed = other.files
    mixed[StageStore.path] = first.files[StageStore.path]
    #expect(refusal(mixed)?.code == .damaged)
    #expect(refusal(mixed)?.message.contains("an older snapshot") == true)
  }

  @Test func aDamagedJournalSaysUpToWhereItCanBeRead() throws {
    var files = try closedStore(commits: 9).files
    let count = try #require(files[StageStore.journal]).count
    files[StageStore.journal]?[count / 2] ^= 0x3C
    let error = try #require(refusal(files))
    #expect(error.code == .damaged)
    #expect(error.message.contains("The commits up to"))
  }

  @Test func aChangeThatDoesNotFitItsGraphIsDamage() throws {
    // It makes plain files by hand.
    if SimulatedDisk.usualKey != nil { return }
    let disk = try closedStore()
    let stored = try StoreFile.read(StageStore.path, on: SimulatedProcess(disk))
    var files = disk.files
    // A snapshot without rows whose header includes the first commits, and a journal that changes rows it lacks.
    let header = SnapshotHeader(store: stored.store, generation: 1, version: 2, userVersion: 3)
    let t = Transaction(.empty)
    _ = try t.addTable("Other")
    files[StageStore.path] = Snapshot.bytes(t.graph, header)
    #expect(refusal(files)?.code == .damaged)
    #expect(refusal(files)?.message.contains("does not fit") == true)
  }
}
