import FiefDurability
import FiefSessions
import FiefTestSupport
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
}
