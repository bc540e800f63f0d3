import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// S27, S28, S30, S31: what a process sees of the commits of others.
@Suite("Following the commits of other processes", .leavesNoFileOpen, .alsoEncrypted)
struct FollowingTests {
  private let disk = SimulatedDisk()
  private let first: SharedStage
  private let second: SharedStage

  init() throws {
    first = try SharedStage(disk, 1)
    second = try SharedStage(disk, 2)
  }

  private func close() throws {
    try first.close()
    try second.close()
  }

  @Test func `commits are followed one by one, with their numbers`() throws {
    try first.commit()
    try first.commit()
    try first.commit()
    #expect(try second.refresh() == true)
    #expect(second.followed.map(\.graph.version) == [1, 2, 3])
    #expect(second.followed.map(\.hasNewTables) == [true, false, false])
    #expect(second.followed.allSatisfy { !$0.isLeap && SharedStage.isRight($0.graph) })
    #expect(try second.refresh() == false)
    try close()
  }

  @Test func `a process does not follow itself`() throws {
    try first.commit()
    #expect(try first.refresh() == false)
    #expect(first.followed.isEmpty)
    try close()
  }

  @Test func `a look costs one call while nothing happens`() throws {
    try first.commit()
    try second.refresh()
    for stage in [first, second] {
      let calls = disk.calls
      #expect(try stage.refresh() == false)
      #expect(disk.calls == calls + 1)
    }
    try close()
  }

  @Test func `a look does not wait for the turn`() throws {
    try first.begin()
    try first.append()
    #expect(try second.refresh() == nil)
    first.file.endTurn()
    #expect(try second.refresh() == true)
    try close()
  }

  @Test func `what was read and not yet applied is found by the next look`() throws {
    try first.commit()
    #expect(try second.file.lookForCommits() == true)
    #expect(try second.file.lookForCommits() == true)
    try second.follow()
    #expect(try second.file.lookForCommits() == false)
    try close()
  }

  @Test func `a rested store is looked at without the turn`() throws {
    try first.commit()
    for _ in 0..<3 { first.process.passTime() }
    let joined = try SharedStage(disk, 3)
    try first.begin()
    if disk.key == nil { #expect(try joined.refresh() == false) }
    try first.append()
    #expect(try joined.refresh() == nil)
    first.file.endTurn()
    #expect(try joined.refresh() == true)
    try joined.close()
    try close()
  }

  @Test func `a leap brings the versions before it, if they are kept`() throws {
    try close()
    let disk = SimulatedDisk()
    let limits = HistoryLimits(versions: 100, age: nil)
    let (awake, sleeper) = (
      try SharedStage(disk, 1, history: limits), try SharedStage(disk, 2, history: limits)
    )
    var earlier = VersionHistory(limits)
    func commit() throws {
      let old = awake.graph
      try awake.commit()
      _ = earlier.add(old, at: awake.process.now)
    }
    for _ in 0..<3 { try commit() }
    try sleeper.refresh()
    for _ in 0..<3 { try commit() }
    try awake.file.checkpoint(awake.graph, version: 6, userVersion: 3, earlier: earlier)
    for _ in 0..<3 { try commit() }
    try sleeper.refresh()
    let leap = try #require(sleeper.followed.last)
    #expect(leap.isLeap && leap.graph.version == 9 && sleeper.lines == awake.lines)
    let kept = try #require(leap.earlier)
    #expect(kept.oldest == 6 && kept.count == 3)
    let snapshot = try #require(kept[6])
    let before = try #require(leap.beforeSnapshot).load(
      before: snapshot.graph, replacedAt: snapshot.time, kept.count, limits)
    #expect(before.loss == nil)
    // The first commit made the table, which ends the history.
    #expect(before.versions.map(\.graph.version).prefix(5) == [5, 4, 3, 2, 1])
    for version in before.versions where version.graph.version > 0 { #expect(SharedStage.isRight(version.graph)) }
    try awake.close()
    try sleeper.close()
  }

  @Test func `a write begins on the latest version`() throws {
    for _ in 0..<4 {
      try first.commit()
      try second.commit()
    }
    #expect(first.lines == ["B 1", "A 1", "B 2", "A 2", "B 3", "A 3"])
    #expect(second.lines == first.lines + ["B 4"])
    try close()
    #expect(try SharedStage.left(on: disk).lines == second.lines)
  }

  @Test func `a seal is read, and overwritten by the next commit of anyone`() throws {
    try first.commit()
    for _ in 0..<3 { first.process.passTime() }
    try second.refresh()
    #expect(try second.refresh() == false)
    try second.commit()
    #expect(try first.refresh() == true)
    for _ in 0..<3 { second.process.passTime() }
    // The seal is noticed, and is no commit.
    _ = try first.refresh()
    #expect(first.lines == ["B 1"] && first.followed.count == 1)
    try first.commit()
    #expect(try second.refresh() == true)
    #expect(second.lines == ["B 1", "A 1"])
    try close()
    #expect(try SharedStage.left(on: disk).version == 3)
  }

  @Test func `a seal is not cut off by a commit that is undone elsewhere`() throws {
    try first.commit()
    for _ in 0..<3 { first.process.passTime() }
    try second.begin()
    disk.faults = [DiskFault(call: disk.calls, kind: .refuseAfter(ENOSPC, bytes: 20), operation: .write)]
    #expect(StageStore.code { try second.append() } == .outOfDiskSpace)
    disk.faults = []
    second.file.endTurn()
    try first.commit()
    try second.commit()
    #expect(second.lines == ["A 1", "B 2"])
    try close()
    #expect(try SharedStage.left(on: disk).version == 3)
  }

  @Test func `a rested store is sealed by one process, and the others leave it alone`() throws {
    try first.commit()
    try second.commit()
    for _ in 0..<8 {
      first.process.passTime()
      second.process.passTime()
    }
    #expect(first.process.delays.isEmpty && second.process.delays.isEmpty)
    first.kill()
    second.kill()
    #expect(try SharedStage.left(on: disk).state == .closed)
  }

  @Test func `a process whose commits are durable leaves the timer to those that go on`() throws {
    try first.commit()
    try second.commit()
    try first.refresh()
    first.process.passTime()
    #expect(first.process.delays.isEmpty)
    #expect(!second.process.delays.isEmpty)
    // Its next commit begins a round.
    try first.commit()
    #expect(!first.process.delays.isEmpty)
    try close()
  }

  @Test func `commits of others are durable when their records say so, or when this process has synchronized`() throws {
    try first.commit()
    try first.commit(.relaxed)
    try second.refresh()
    // The second record was written when the first one was durable.
    #expect(second.file.version == 2 && second.file.durableVersion == 1)
    try second.file.waitUntilDurable(2)
    #expect(second.file.durableVersion == 2)
    try close()
  }

  // MARK: Switched journals

  @Test func `a switched journal is followed`() throws {
    try first.commit()
    try second.commit()
    try first.refresh()
    try second.checkpoint()
    try second.commit()
    #expect(try first.refresh() == true)
    #expect(first.lines == ["B 1", "B 2"] && first.followed.allSatisfy { !$0.isLeap })
    #expect(first.file.sizes.journal == second.file.sizes.journal)
    try first.commit()
    try second.commit()
    #expect(second.lines == ["B 1", "B 2", "A 1", "B 3"])
    try close()
    #expect(try SharedStage.left(on: disk).version == 5)
  }

  /// Only the records say what of a switched journal is durable. A record that promised too much would turn a torn tail
  /// into damage.
  @Test func `commits in a switched journal are not thought durable before they are`() throws {
    try first.commit()
    try second.commit()
    try second.checkpoint()
    try second.commit(.relaxed)
    try second.commit(.relaxed)
    try first.refresh()
    #expect(first.file.version == 4 && first.file.durableVersion == 2)
    try first.commit(.relaxed)
    var point = CrashPoint()
    for event in disk.events { point.advance(event) }
    // The last write is on the disk, and those before it are not.
    var random = SeededRandom(seed: 1)
    try point.forEachFates(extra: 20, using: &random) { fates in
      let left = try SharedStage.left(on: point.image(fates))
      #expect(left.version >= 2)
    }
    try close()
  }

  @Test(arguments: 0..<5) func `a journal is switched at any step of another checkpoint`(step: Int) throws {
    for _ in 0..<3 { try second.commit() }
    try first.refresh()
    let checkpoint = try #require(try second.beginCheckpoint())
    func others(_ now: Int) throws {
      guard now == step else { return }
      try first.commit()
      try first.commit(.relaxed)
    }
    try others(0)
    try checkpoint.writeHistory()
    try checkpoint.writeSnapshot()
    try others(1)
    try second.commit()
    try others(2)
    try checkpoint.copyCommits()
    try others(3)
    try second.commit()
    try checkpoint.finish()
    try others(4)
    try second.commit()
    try first.commit()
    #expect(first.file.version == 9)
    try second.refresh()
    #expect(first.lines == second.lines && first.lines.count == 8)
    try close()
    #expect(try SharedStage.left(on: disk).lines == first.lines)
  }

  @Test func `a process that slept reads the snapshot, and its versions stay valid`() throws {
    try first.commit()
    try second.commit()
    try first.refresh()
    let old = first.graph
    for _ in 0..<3 { try second.commit() }
    try second.checkpoint()
    try second.commit()
    #expect(try first.refresh() == true)
    #expect(first.followed.last?.isLeap == true && first.followed.last?.graph.version == 6)
    #expect(first.lines == second.lines)
    #expect(SharedStage.lines(old) == ["B 1"])
    try first.commit()
    try close()
    #expect(try SharedStage.left(on: disk).version == 7)
  }

  @Test func `a process sleeps over several checkpoints`() throws {
    try second.commit()
    for _ in 0..<3 {
      for _ in 0..<3 { try second.commit() }
      try second.checkpoint()
    }
    try first.commit()
    #expect(first.lines == ["B 1", "B 2", "B 3", "B 4", "B 5", "B 6", "B 7", "B 8", "B 9", "A 1"])
    #expect(first.file.durableVersion == 11)
    try close()
  }

  @Test func `a relaxed commit that another checkpoint copied is durable`() throws {
    try first.commit(.relaxed)
    try second.refresh()
    try second.checkpoint()
    try first.file.waitUntilDurable(1)
    try first.commit()
    try close()
    #expect(try SharedStage.left(on: disk).version == 2)
  }

  /// The process dies between naming the journal and making the name durable. Commits in the new journal would be lost
  /// with its name.
  @Test func `the name of a switched journal is durable before anyone relies on it`() throws {
    for isJoining in [false, true] {
      let disk = SimulatedDisk()
      let killer = Killer(disk, at: .max)
      let dying = try SharedStage(killer.process)
      try dying.commit()
      let other = isJoining ? nil : try SharedStage(disk, 2)
      // A third member keeps the store from being opened alone.
      let third = try SharedStage(disk, 3)
      let checkpoint = try #require(try dying.beginCheckpoint())
      try checkpoint.writeSnapshot()
      try checkpoint.copyCommits()
      // Killed at the first call after the rename.
      let before = disk.lock.withLock { disk.names[SharedStage.journal]?.number }
      killer.watch = { disk.lock.withLock { disk.names[SharedStage.journal]?.number } != before }
      #expect(throws: StoreError.self) { try checkpoint.finish() }
      #expect(killer.process.isDead)
      let next = try other ?? SharedStage(disk, 2)
      try next.commit()
      var point = CrashPoint()
      for event in disk.events { point.advance(event) }
      #expect(try SharedStage.left(on: point.image(point.noFates)).version == 2)
      try next.close()
      try third.close()
    }
  }

  @Test func `a foreign file under a name of the store ends the writing`() throws {
    try first.commit()
    disk.remove(SharedStage.journal)
    let stranger = disk.newFile(at: SharedStage.journal)
    stranger.bytes = Array("Not a journal".utf8)
    for stage in [first, second] {
      #expect(StageStore.code { try stage.commit() } == .storeIsReadOnly)
    }
    #expect(disk.files[SharedStage.journal] == stranger.bytes)
    _ = try? first.close()
    _ = try? second.close()
  }

  @Test func `a journal of another moment is not accepted`() throws {
    try first.commit()
    let old = try #require(disk.files[SharedStage.journal])
    try first.commit()
    try second.refresh()
    disk.remove(SharedStage.journal)
    disk.newFile(at: SharedStage.journal).bytes = old
    for stage in [first, second] {
      #expect(StageStore.code { try stage.commit() } == .storeIsReadOnly)
    }
    #expect(disk.files[SharedStage.journal] == old)
    _ = try? first.close()
    _ = try? second.close()
  }
}
