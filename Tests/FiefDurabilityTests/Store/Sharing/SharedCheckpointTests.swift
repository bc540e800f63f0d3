import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// S30: checkpoints beside other processes.
@Suite("Checkpoints of a store that several processes have open", .leavesNoFileOpen, .alsoEncrypted)
struct SharedCheckpointTests {
  private let disk = SimulatedDisk()

  private func stages() throws -> (SharedStage, SharedStage) { (try SharedStage(disk, 1), try SharedStage(disk, 2)) }

  @Test func `processes make checkpoints in turn`() throws {
    let (first, second) = try stages()
    for _ in 0..<4 {
      try first.commit()
      try first.checkpoint()
      try second.commit()
      try second.checkpoint()
    }
    #expect(second.lines.count == 7)
    try first.refresh()
    #expect(first.lines == second.lines)
    try first.close()
    try second.close()
    #expect(try SharedStage.left(on: disk).version == 8)
    #expect(try StoreFile.verify(SharedStage.path, on: SimulatedProcess(disk, number: 9)).problems.isEmpty)
  }

  /// The second process knows neither the new snapshot nor the new journal, and has appended nothing since.
  @Test func `a checkpoint follows one of another process`() throws {
    let (first, second) = try stages()
    try first.commit()
    try first.checkpoint()
    try first.commit()
    try second.refresh()
    try second.checkpoint()
    try second.commit()
    try first.commit()
    try first.close()
    try second.close()
    #expect(try SharedStage.left(on: disk).version == 4)
  }

  /// Both are of one opening, to which the lock among processes belongs: the first must not give the second one's back.
  @Test func `a checkpoint that follows one of the same process at once excludes other processes`() throws {
    let (first, second) = try stages()
    try first.commit()
    let checkpoint = try #require(try first.beginCheckpoint())
    try checkpoint.writeSnapshot()
    try checkpoint.copyCommits()
    try first.commit()
    try second.refresh()
    let (file, graph) = (first.file, first.graph)
    let next = Locking<Held<Checkpoint?>?>(nil)
    let begun = DispatchSemaphore(value: 0)
    first.process.beforeUnlocking {
      Thread.detachNewThread {
        next.value = Held(try? file.beginCheckpoint(graph, version: graph.version, userVersion: 3))
        begun.signal()
      }
      // It cannot begin before the lock is given back. If it can, it does so at once.
      if begun.wait(timeout: .now() + .milliseconds(200)) == .success { begun.signal() }
    }
    try checkpoint.finish()
    begun.wait()
    let last = try #require(next.value?.value)
    let version = second.graph.version
    #expect(try second.file.beginCheckpoint(second.graph, version: version, userVersion: 3, isWaiting: false) == nil)
    last.cancel()
    try second.checkpoint()
    try first.close()
    try second.close()
  }

  /// Its snapshot would be older than the one of the other process, and its journal would lack commits.
  @Test func `a checkpoint of a version that another process has passed does nothing`() throws {
    let (first, second) = try stages()
    for _ in 0..<3 { try first.commit() }
    try second.refresh()
    for _ in 0..<3 { try first.commit() }
    try first.checkpoint()
    let files = disk.files
    try second.checkpoint()
    #expect(disk.files[SharedStage.path] == files[SharedStage.path])
    #expect(disk.files[SharedStage.journal] == files[SharedStage.journal])
    try second.commit()
    #expect(second.lines.count == 6)
    try first.close()
    try second.close()
    #expect(try SharedStage.left(on: disk).version == 7)
  }

  @Test func `one process at a time makes a checkpoint`() throws {
    let (first, second) = try stages()
    try first.commit()
    try second.commit()
    try first.refresh()
    let checkpoint = try #require(try first.beginCheckpoint())
    try second.checkpoint(isWaiting: false)
    #expect(disk.files.keys.allSatisfy { !$0.hasSuffix(".tmp") })
    let impatient = try SharedStage(SimulatedProcess(disk, number: 3), patience: 2)
    let error = #expect(throws: StoreError.self) { try impatient.checkpoint() }
    #expect(error?.code == .alreadyOpen && error?.holder == 1)
    try checkpoint.writeSnapshot()
    try checkpoint.copyCommits()
    try checkpoint.finish()
    for stage in [first, second, impatient] { try stage.close() }
    #expect(try SharedStage.left(on: disk).version == 2)
  }

  @Test func `a checkpoint that dies at any call is taken over`() throws {
    func story(_ calls: Int) throws -> Bool {
      let disk = SimulatedDisk()
      let killer = Killer(disk, at: .max)
      let dying = try SharedStage(killer.process)
      let other = try SharedStage(disk, 2)
      let sleeper = try SharedStage(disk, 3)
      for _ in 0..<3 { try dying.commit() }
      try other.commit()
      try dying.refresh()
      killer.allow(calls)
      try? dying.checkpoint()
      let isDone = killer.isDone
      killer.process.kill()
      try other.commit()
      try other.checkpoint()
      try other.commit()
      try sleeper.commit()
      #expect(sleeper.lines == ["A 1", "A 2", "B 1", "B 2", "B 3", "C 1"], "killed at call \(calls)")
      #expect(disk.files.keys.allSatisfy { !$0.hasSuffix(".tmp") }, "killed at call \(calls)")
      try other.close()
      try sleeper.close()
      #expect(try SharedStage.left(on: disk).version == 7, "killed at call \(calls)")
      return isDone
    }
    var calls = 0
    while try story(calls) { calls += 1 }
    #expect(calls > 20)
  }

  /// A process that has used up its descriptors for a moment must not have a store that takes no more commits.
  @Test func `a checkpoint that cannot open the folder is given up, and commits go on`() throws {
    let (first, second) = try stages()
    try first.commit()
    let snapshot = try #require(disk.names[SharedStage.path]).number
    first.process.folderRefusal = EMFILE
    #expect(StageStore.code { try first.checkpoint() } == .fileOperationFailed)
    #expect(disk.names[SharedStage.path]?.number == snapshot)
    try first.commit()
    first.process.folderRefusal = nil
    try second.commit()
    try first.refresh()
    try first.checkpoint()
    #expect(disk.names[SharedStage.path]?.number != snapshot)
    for stage in [first, second] { try stage.close() }
    #expect(try SharedStage.left(on: disk).version == 3)
  }

  @Test func `a process is told of the sizes that a checkpoint of another has left`() throws {
    let (first, second) = try stages()
    for _ in 0..<9 { try first.commit() }
    try second.refresh()
    try first.checkpoint()
    try second.commit()
    try first.refresh()
    #expect(first.file.sizes == second.file.sizes)
    try first.close()
    try second.close()
  }

  @Test func `a process is woken after its own checkpoint, too`() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("woken.realm").path
      let (first, stored) = try StoreFile.open(path, sharingWithin: 2000)
      try first.share()
      let (second, found) = try StoreFile.open(path, sharingWithin: 2000)
      try second.share()
      let calls = Locking(0)
      first.whenOthersCommit { calls.value += 1 }
      var (graph, other) = (stored.graph, found.graph)
      func commit(_ file: StoreFile, _ graph: inout Graph) throws {
        try file.beginTurn()
        graph = try file.applyFollowed(to: graph, withContents: false) { _ in }
        let next = StageStore.next(after: graph)
        try file.append(Delta(from: graph, to: next), version: next.version, userVersion: 0)
        file.endTurn()
        graph = next
      }
      try commit(first, &graph)
      try first.checkpoint(graph, version: 1, userVersion: 0)
      // What the checkpoint has caused is over.
      Thread.sleep(forTimeInterval: 0.1)
      let before = calls.value
      try commit(second, &other)
      var rounds = 0
      while calls.value == before, rounds < 2000 {
        Thread.sleep(forTimeInterval: 0.005)
        rounds += 1
      }
      #expect(calls.value > before)
      #expect(try first.lookForCommits() == true)
      try first.close()
      try second.close()
    }
  }

  // MARK: Histories

  @Test func `processes that keep versions write one history`() throws {
    let limits = HistoryLimits(versions: 100, age: nil)
    let first = try SharedStage(disk, 1, history: limits)
    let second = try SharedStage(disk, 2, history: limits)
    try first.commit()
    for _ in 0..<3 {
      try second.commit()
      try first.commit()
    }
    try second.refresh()
    #expect(second.followed.allSatisfy { $0.time != nil })
    try first.close()
    try second.close()
    let stored = try StoreFile.read(SharedStage.path, history: limits, on: SimulatedProcess(disk, number: 9))
    #expect(stored.version == 7 && stored.isTimed)
    for version in 1..<7 {
      let graph = try #require(stored.earlier?[UInt64(version)]?.graph)
      #expect(SharedStage.isRight(graph) && Int(graph.version) == version)
    }
  }

  /// A process without limits makes a checkpoint, and one that keeps versions comes before or behind the new snapshot.
  @Test(arguments: [false, true])
  func `a process that comes during a checkpoint loses none of the versions that it has read`(isLate: Bool) throws {
    let limits = HistoryLimits(versions: 100, age: nil)
    let keeping = try SharedStage(disk, 1, history: limits)
    for _ in 0..<3 { try keeping.commit() }
    try keeping.close()
    let first = try SharedStage(disk, 2)
    try first.commit()
    let checkpoint = try #require(try first.beginCheckpoint())
    if isLate { try checkpoint.writeSnapshot() }
    let second = try SharedStage(disk, 3, history: limits)
    if isLate {
      try checkpoint.copyCommits()
      #expect(StageStore.code { try checkpoint.finish() } == .alreadyOpen)
    } else {
      #expect(StageStore.code { try checkpoint.writeSnapshot() } == .alreadyOpen)
      checkpoint.cancel()
    }
    try second.commit()
    try first.commit()
    try first.close()
    try second.close()
    let stored = try StoreFile.read(SharedStage.path, history: limits, on: SimulatedProcess(disk, number: 9))
    #expect(stored.version == 6 && stored.isTimed)
    for version in (isLate ? 4 : 1)..<6 {
      let graph = try #require(stored.earlier?[UInt64(version)]?.graph)
      #expect(SharedStage.isRight(graph) && Int(graph.version) == version)
    }
  }

  /// Otherwise the journal of two processes would grow for as long as they live.
  @Test func `processes without limits make checkpoints of a store that has kept versions`() throws {
    let keeping = try SharedStage(disk, 1, history: HistoryLimits(versions: 100, age: nil))
    try keeping.commit()
    try keeping.checkpoint()
    try keeping.commit()
    let (first, second) = (try SharedStage(disk, 2), try SharedStage(disk, 3))
    try first.commit()
    let length = disk.files[SharedStage.journal]?.count ?? 0
    try first.checkpoint()
    #expect(disk.files[SharedStage.journal]?.count == length)
    try keeping.close()
    try first.checkpoint()
    #expect(disk.files[SharedStage.journal]?.count ?? 0 < length)
    #expect(disk.files[SharedStage.path + ".history"] == nil)
    try second.commit()
    try first.close()
    try second.close()
    #expect(try SharedStage.left(on: disk).version == 4)
  }

  @Test func `a store begins to keep versions only when it is alone`() throws {
    let limits = HistoryLimits(versions: 100, age: nil)
    let first = try SharedStage(disk, 1)
    let error = #expect(throws: StoreError.self) { try SharedStage(disk, 2, history: limits) }
    #expect(error?.code == .alreadyOpen && error?.holder == 1)
    try first.close()
    let second = try SharedStage(disk, 2, history: limits)
    // A member without limits writes times, too, and makes no checkpoint that would lose versions.
    let third = try SharedStage(disk, 3)
    try third.commit()
    try second.commit()
    #expect(second.followed.first?.time != nil)
    let files = disk.files
    try third.checkpoint()
    #expect(disk.files[SharedStage.path] == files[SharedStage.path])
    try second.close()
    try third.close()
  }
}

/// A value that threads change.
private final class Locking<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var held: Value
  init(_ value: Value) { held = value }
  var value: Value {
    get { lock.withLock { held } }
    set { lock.withLock { held = newValue } }
  }
}
