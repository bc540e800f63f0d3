import FiefDurability
import FiefTestSupport
import Foundation
import Testing

/// S27, S28: a process that had the last turn, too, knows what is in the journal.
@Suite("The process that had the turn last", .leavesNoFileOpen, .alsoEncrypted)
struct LastTurnTests {
  private let disk = SimulatedDisk()
  private let first: SharedStage
  private let second: SharedStage

  init() throws {
    first = try SharedStage(disk, 1)
    second = try SharedStage(disk, 2)
    try first.commit()
  }

  private func close() throws {
    try first.close()
    try second.close()
  }

  /// The number of calls with which the first process begins a turn.
  private func calls() throws -> Int {
    let before = disk.calls
    try first.begin()
    defer { first.file.endTurn() }
    return disk.calls - before
  }

  @Test func `it begins its next turn with two calls`() throws {
    for _ in 0..<3 {
      // The turn, and what the lock file says.
      #expect(try calls() == 2)
      try first.commit()
    }
    #expect(first.lines == ["A 1", "A 2", "A 3"])
    try close()
  }

  @Test func `it looks for another journal after every kind of turn of another process`() throws {
    let acts: [(String, (SharedStage) throws -> Void)] = [
      ("a commit", { try $0.commit() }),
      ("a refresh", { try $0.refresh() }),
      ("a checkpoint", { try $0.checkpoint() }),
      ("a seal", { for _ in 0..<3 { $0.process.passTime() } }),
      (
        "a commit that is undone",
        { other in
          try other.begin()
          defer { other.file.endTurn() }
          // The first part of the record is written, and the rest refused.
          other.disk.faults = [DiskFault(call: other.disk.calls + 3, kind: .refuseAfter(EIO, bytes: 9))]
          #expect(throws: StoreError.self) { try other.append() }
          other.disk.faults = []
        }
      ),
    ]
    for (name, act) in acts {
      try first.commit()
      try act(second)
      // It notes its own turn as well.
      #expect(try calls() > 2, "\(name)")
      try first.commit()
      try second.commit()
    }
    #expect(second.lines.count == Int(second.graph.version) - 1 && SharedStage.isRight(second.graph))
    try close()
  }

  @Test func `a process that joins, and one that dies, is looked after`() throws {
    let joining = try SharedStage(disk, 3)
    #expect(try calls() > 2)
    try joining.begin()
    try joining.append()
    joining.kill()
    #expect(try calls() > 2)
    #expect(first.lines == ["C 1"])
    try close()
  }

  /// Nothing is changed by a process that could not say that it had the turn: the other one would not look.
  @Test func `a turn that cannot be noted changes nothing`() throws {
    try close()
    var refusals = 0
    // The turn is noted when it begins, and again before the first change if that failed.
    for call in 0..<12 {
      for next in call + 1..<14 {
        let disk = SimulatedDisk()
        let (first, second) = (try SharedStage(disk, 1), try SharedStage(disk, 2))
        try first.commit()
        try first.commit()
        disk.faults = [call, next].map { DiskFault(call: disk.calls + $0, kind: .refuse(ENOSPC)) }
        do { try second.commit(.relaxed) } catch let error as StoreError {
          if error.message.contains("The turn could not be noted") { refusals += 1 }
        }
        disk.faults = []
        // If the commit could not be undone, the disk has failed for both.
        if second.file.refusal == nil {
          try first.commit()
          try second.commit()
          try #require(SharedStage.isRight(second.graph), "calls \(call) and \(next)")
        }
        for stage in [first, second] { stage.kill() }
        #expect(try SharedStage.left(on: disk).lines.starts(with: first.lines))
      }
    }
    #expect(refusals > 0)
  }
}
