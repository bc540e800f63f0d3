import FiefDurability
import FiefSessions
import FiefTestSupport
import Foundation
import Testing

/// How often a store looks for the commits of other processes. The simulated disk reports no events, so a store looks
/// now and then: once in each round here.
@Suite("A store that follows others", .leavesNoFileOpen, .alsoEncrypted)
struct StoreFollowingTests {
  /// The time after which a store looks again, in milliseconds.
  private static let pause = 5

  @Test func `a store looks again once, however often it was woken`() throws {
    let disk = SimulatedDisk()
    let other = try EarlyCommits(SimulatedProcess(disk), patience: 100)
    let process = SimulatedProcess(disk, number: 2)
    let numbers = try EarlyCommits(process, patience: 100)
    func looks() -> Int { process.delays.count { $0 == Self.pause } }
    for _ in 0..<3 { process.passTime() }
    #expect(looks() == 0)
    // While the other process keeps the turn, its commit cannot be read.
    let files = try #require(other.store.files)
    try files.beginTurn()
    try other.commit()
    for _ in 0..<5 {
      process.passTime()
      #expect(looks() == 1)
    }
    files.endTurn()
    for _ in 0..<3 { process.passTime() }
    #expect(looks() == 0)
    #expect(numbers.store.published.current.version == other.store.published.current.version)
  }

  /// The process that writes keeps no versions, and leaves checkpoints to the one that does. That one never writes.
  @Test func `a store that keeps versions makes the checkpoints of those that do not`() throws {
    let disk = SimulatedDisk(isRecording: false)
    let process = SimulatedProcess(disk, number: 2)
    let keeping = try EarlyCommits(process, patience: 100, history: HistoryLimits(versions: 100, age: nil))
    let writing = try EarlyCommits(SimulatedProcess(disk), patience: 100)
    try writing.onQueue { session in
      try session.beginWrite()
      session.perform { transaction in
        try session.send(
          Data(repeating: 1, count: 5 << 20), className: "Number", created: .init(seconds: 0), transaction)
      }
      try session.commitWrite()
    }
    func journalLength() -> Int { disk.files[EarlyCommits.path + ".journal"]?.count ?? 0 }
    #expect(journalLength() > 4 << 20)
    let files = try #require(writing.store.files)
    var rounds = 0
    while journalLength() > 1 << 20 || !files.isTurnFree, rounds < 2000 {
      process.passTime()
      Thread.sleep(forTimeInterval: 0.005)
      rounds += 1
    }
    #expect(journalLength() < 1 << 20)
    let version = writing.store.published.current.version
    #expect(keeping.store.published.current.version == version)
    try writing.commit()
    #expect(writing.store.published.current.version == version + 1)
  }
}
