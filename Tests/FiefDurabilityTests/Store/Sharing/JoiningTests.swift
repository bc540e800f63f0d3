import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Synchronization
import Testing

/// S26, S35, S36: who gets into a store, and whom its members keep out.
@Suite("Opening a store that others have open", .leavesNoFileOpen, .alsoEncrypted)
struct JoiningTests {
  @Test func `a process joins, sees what is there, and commits`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(disk, 1)
    for _ in 0..<3 { try first.commit() }
    let second = try SharedStage(disk, 2)
    #expect(second.stored.version == 3 && second.lines == ["A 1", "A 2"])
    try second.commit()
    try first.commit()
    #expect(first.lines == ["A 1", "A 2", "B 1", "A 3"])
    try first.close()
    try second.commit()
    try second.close()
    let left = try SharedStage.left(on: disk)
    #expect(left.version == 6 && left.state == .closed)
    #expect(left.lines == ["A 1", "A 2", "B 1", "A 3", "B 2"])
  }

  @Test func `a third process joins when the first has left`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(disk, 1)
    try first.commit()
    let second = try SharedStage(disk, 2)
    try first.close()
    try second.commit()
    let third = try SharedStage(disk, 3)
    #expect(third.lines == ["B 1"])
    try third.commit()
    try second.commit()
    #expect(second.lines == ["B 1", "C 1", "B 2"])
    try second.close()
    try third.close()
    #expect(try SharedStage.left(on: disk).version == 4)
  }

  @Test func `the second opener waits at the door until the first lets it in`() throws {
    let disk = SimulatedDisk()
    let first = SimulatedProcess(disk, number: 1)
    _ = try SharedStage(first) { stage in
      try stage.commit()
      let error = #expect(throws: StoreError.self) { try SharedStage(SimulatedProcess(disk, number: 2), patience: 2) }
      #expect(error?.code == .alreadyOpen && error?.holder == 1)
    }
    first.kill()
    let second = try SharedStage(disk, 2)
    #expect(second.stored.version == 1)
    try second.close()
  }

  @Test func `the number of a joiner that stops while it opens is in the error`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(SimulatedProcess(disk, number: 1), patience: 2)
    let second = SimulatedProcess(disk, number: 2)
    _ = try SharedStage(second) { _ in
      let error = #expect(throws: StoreError.self) { try first.commit() }
      #expect(error?.code == .alreadyOpen && error?.holder == 2)
    }
    try first.commit()
    second.kill()
    try first.close()
  }

  @Test func `letting others in a second time does nothing`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(disk, 1)
    let second = try SharedStage(disk, 2)
    try first.file.share()
    try second.file.share()
    try second.begin()
    try second.file.share()
    #expect(throws: StoreError.self) { try SharedStage(SimulatedProcess(disk, number: 3), patience: 2, inTurn: true) }
    try second.append()
    second.file.endTurn()
    try first.close()
    try second.close()
  }

  @Test func `an opening alone is refused while a member lives, and refuses others`() throws {
    let disk = SimulatedDisk()
    let member = try SharedStage(disk, 1)
    try member.commit()
    let error = #expect(throws: StoreError.self) {
      try StoreFile.open(SharedStage.path, on: SimulatedProcess(disk, number: 2))
    }
    #expect(error?.code == .alreadyOpen && error?.holder == 1)
    try member.close()
    let (alone, _) = try StoreFile.open(SharedStage.path, on: SimulatedProcess(disk, number: 3))
    // It is not waited for.
    let waiting = SimulatedProcess(
      disk, number: 4, pausing: { Issue.record("A store that is open alone is waited for.") })
    let other = #expect(throws: StoreError.self) { try SharedStage(waiting) }
    #expect(other?.code == .alreadyOpen && other?.holder == 3)
    try alone.close()
  }

  /// The files that a sleeping member has locked have lost their names, and nobody has locked the new ones.
  @Test func `a member that slept over a checkpoint keeps others from opening alone`() throws {
    let disk = SimulatedDisk()
    let sleeper = try SharedStage(disk, 1)
    let other = try SharedStage(disk, 2)
    try other.commit()
    try other.checkpoint()
    try other.close()
    let before = disk.files
    let error = #expect(throws: StoreError.self) {
      try StoreFile.open(SharedStage.path, on: SimulatedProcess(disk, number: 3))
    }
    #expect(error?.code == .alreadyOpen && error?.holder == 1)
    #expect(
      StageStore.code { try StoreFile.delete(SharedStage.path, on: SimulatedProcess(disk, number: 3)) } == .alreadyOpen)
    #expect(disk.files.filter { !$0.key.hasSuffix(".lock") } == before.filter { !$0.key.hasSuffix(".lock") })
    try sleeper.commit()
    try sleeper.close()
    #expect(try SharedStage.left(on: disk).version == 2)
  }

  @Test func `a store is removed only when its last member has left`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(disk, 1)
    let second = try SharedStage(disk, 2)
    let process = SimulatedProcess(disk, number: 3)
    for member in [first, second] {
      let error = #expect(throws: StoreError.self) { try StoreFile.delete(SharedStage.path, on: process) }
      #expect(error?.code == .alreadyOpen && error?.holder == member.process.processIdentifier)
      try member.close()
    }
    #expect(try StoreFile.delete(SharedStage.path, on: process))
    #expect(disk.files.keys.sorted() == [SharedStage.path + ".lock"])
  }

  @Test func `a member makes itself alone for a while, and says who is in the way`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(disk, 1)
    try first.file.excludeOthers(for: "This")
    #expect(StageStore.code { _ = try SharedStage(SimulatedProcess(disk, number: 2), patience: 2) } == .alreadyOpen)
    first.file.readmit()
    let second = try SharedStage(disk, 2)
    let error = #expect(throws: StoreError.self) { try first.file.excludeOthers(for: "This") }
    #expect(error?.code == .alreadyOpen && error?.holder == 2)
    #expect(error?.message.hasPrefix("This needs the store") == true)
    // What failed has changed nothing.
    let third = try SharedStage(disk, 3)
    for stage in [first, second, third] { try stage.close() }
  }

  @Test func `an opening that joins is not alone, and one that does not is`() throws {
    let disk = SimulatedDisk()
    let first = try SharedStage(SimulatedProcess(disk, number: 1)) { stage in
      try stage.file.excludeOthers(for: "This")
      stage.file.readmit()
    }
    let second = try SharedStage(SimulatedProcess(disk, number: 2)) { stage in
      let error = #expect(throws: StoreError.self) { try stage.file.excludeOthers(for: "This") }
      #expect(error?.holder == 1)
    }
    try first.close()
    let third = try SharedStage(SimulatedProcess(disk, number: 3)) { stage in
      #expect(StageStore.code { try stage.file.excludeOthers(for: "This") } == .alreadyOpen)
      try second.close()
      try stage.file.excludeOthers(for: "This")
    }
    try third.close()
  }

  @Test func `the lock file names the members that live`() throws {
    let disk = SimulatedDisk()
    let lock = SharedStage.path + ".lock"
    let members = try (1...3).map { try SharedStage(disk, $0) }
    let text = String(decoding: disk.files[lock] ?? [], as: UTF8.self)
    #expect(text.hasPrefix("fief 1 "))
    for number in 1...3 { #expect(text.contains("open \(number) ")) }
    members[1].kill()
    let fourth = try SharedStage(disk, 4)
    let after = String(decoding: disk.files[lock] ?? [], as: UTF8.self)
    #expect(!after.contains("open 2 ") && after.contains("open 4 "))
    for stage in [members[0], members[2], fourth] { try stage.close() }
    // Lines of members that are gone stay, and are not believed.
    let last = try SharedStage(disk, 5)
    let error = #expect(throws: StoreError.self) {
      try StoreFile.delete(SharedStage.path, on: SimulatedProcess(disk, number: 6))
    }
    #expect(error?.holder == 5)
    try last.close()
  }

  /// The lock file is opened twice: for the turn alone, and for the other locks.
  @Test(arguments: [false, true])
  func `a lock file that loses its name between its two openings is opened anew`(isReplaced: Bool) throws {
    let disk = SimulatedDisk()
    let openings = OpeningsOfLock()
    let first = try SharedStage(
      openings.process(on: disk) {
        disk.lock.withLock { isReplaced ? _ = disk.newFile(at: openings.path) : disk.remove(openings.path) }
      })
    #expect(openings.count == 4)
    #expect(disk.lock.withLock { disk.openFiles } == 4)
    let second = try SharedStage(disk, 2)
    try first.commit()
    try second.commit()
    #expect(second.lines == ["B 1"])
    #expect(disk.lock.withLock { disk.openFiles } == 8)
    try first.close()
    try second.close()
  }

  @Test func `a store whose lock file cannot be opened twice is not created`() throws {
    let disk = SimulatedDisk()
    let process = OpeningsOfLock().process(on: disk) {
      disk.lock.withLock { disk.faults = [DiskFault(call: disk.calls, kind: .refuse(EMFILE))] }
    }
    #expect(StageStore.code { _ = try SharedStage(process) } == .fileOperationFailed)
    #expect(disk.files.isEmpty)
    try SharedStage(disk, 2).close()
  }

  /// The other process was faster at the door, and uses the file by now.
  @Test func `an opening that joins and fails does not remove the lock file that it has made`() throws {
    let disk = SimulatedDisk()
    let path = SharedStage.path + ".lock"
    nonisolated(unsafe) var first: SharedStage?
    let process = SimulatedProcess(
      disk, number: 2,
      gate: { operation, locked in
        if operation == .lock && locked == path && first == nil { first = try? SharedStage(disk, 1) }
      })
    let limits = HistoryLimits(versions: 9, age: nil)
    let error = #expect(throws: StoreError.self) { try SharedStage(process, history: limits) }
    #expect(error?.code == .alreadyOpen && error?.holder == 1)
    #expect(disk.files[path] != nil)
    try first?.commit()
    let third = try SharedStage(disk, 3)
    #expect(third.stored.version == 1)
    try third.commit()
    try first?.close()
    try third.close()
  }

  @Test func `more members than the lock file can name share a store`() throws {
    let disk = SimulatedDisk()
    let members = try (1...70).map { try SharedStage(disk, Int32($0)) }
    try members[69].commit()
    try members[3].commit()
    for stage in members { try stage.close() }
    #expect(try SharedStage.left(on: disk).version == 2)
  }

  @Test func `beside a lock file of others a store is opened alone, and the file stays as it is`() throws {
    let bytes = Array("not ours".utf8)
    let disk = SimulatedDisk(files: [SharedStage.path + ".lock": bytes])
    let first = try SharedStage(disk, 1)
    #expect(!first.file.isShared)
    try first.commit()
    #expect(StageStore.code { _ = try SharedStage(disk, 2) } == .alreadyOpen)
    try first.close()
    #expect(disk.files[SharedStage.path + ".lock"] == bytes)
  }

  /// A power failure leaves such files of one with a single line, which was not synchronized.
  @Test(arguments: [[], [UInt8](repeating: 0, count: 16), Array("fie".utf8)])
  func `an empty lock file is used, and becomes the store's when the store is there`(bytes: [UInt8]) throws {
    let disk = SimulatedDisk(files: [SharedStage.path + ".lock": bytes])
    let first = try SharedStage(SimulatedProcess(disk, number: 1)) { _ in
      #expect(disk.files[SharedStage.path + ".lock"] == bytes)
    }
    let second = try SharedStage(disk, 2)
    #expect(StageStore.code { try StoreFile.delete(SharedStage.path, on: first.process) } == .alreadyOpen)
    #expect(String(decoding: disk.files[SharedStage.path + ".lock"] ?? [], as: UTF8.self).hasPrefix("fief 1 "))
    try first.close()
    try second.close()
  }

  @Test func `a copy is opened by two processes`() throws {
    let disk = SimulatedDisk()
    let stage = try StageStore(SharedStage.path + "2", SimulatedProcess(disk))
    try stage.commit()
    try StoreFile.writeCopy(
      of: stage.graph, version: 1, userVersion: 3, to: SharedStage.path, on: SimulatedProcess(disk))
    try stage.file.close()
    let first = try SharedStage(disk, 1)
    let second = try SharedStage(disk, 2)
    #expect(first.stored.version == 1 && second.stored.version == 1)
    try first.close()
    try second.close()
  }

  @Test func `a store whose first process died while it opened is repaired by the next`() throws {
    let whole = SimulatedDisk()
    try SharedStage(whole, 1).kill()
    for call in 0..<whole.calls {
      let disk = SimulatedDisk()
      let killer = Killer(disk, at: call)
      _ = try? SharedStage(killer.process)
      killer.process.kill()
      let second = try SharedStage(disk, 2)
      try second.commit()
      let third = try SharedStage(disk, 3)
      #expect(third.stored.version == 1)
      try second.close()
      try third.close()
      #expect(disk.files.keys.allSatisfy { !$0.hasSuffix(".tmp") })
    }
  }

  @Test func `a fork takes no locks, and gives none back`() throws {
    let disk = SimulatedDisk()
    let forking = ForkingSystem(SimulatedProcess(disk, number: 1))
    let (file, _) = try StoreFile.open(SharedStage.path, sharingWithin: 2, on: forking)
    try file.share()
    forking.isForked = true
    for act: () throws -> Void in [
      { try file.beginTurn() }, { _ = try file.takeDelivery() }, { try file.excludeOthers(for: "This") },
      { try file.checkpoint(.empty.numbered(1), version: 1, userVersion: 0) },
    ] {
      let error = #expect(throws: StoreError.self) { try act() }
      #expect(error?.code == .alreadyOpen && error?.holder == 1)
    }
    #expect(try file.lookForCommits() == false)
    let other = try SharedStage(disk, 2)
    try other.commit()
    try other.close()
    forking.isForked = false
    #expect(try file.lookForCommits() == true)
    try file.close()
  }
}

/// Counts how often a process opens the lock file of a store, and acts before the second time.
private final class OpeningsOfLock: Sendable {
  let path = SharedStage.path + ".lock"
  private let number = Atomic(0)

  var count: Int { number.load(ordering: .relaxed) }

  func process(on disk: SimulatedDisk, beforeSecond act: @escaping @Sendable () -> Void) -> SimulatedProcess {
    SimulatedProcess(
      disk, number: 1,
      gate: { [self] operation, opened in
        guard operation == .open && opened == path else { return }
        if number.add(1, ordering: .relaxed).newValue == 2 { act() }
      })
  }
}
