import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// G3: creation, checkpoints, closing and recovery, each cut off at every step with every combination of pending
/// changes. Each pending write is kept, lost, zeros, noise, cut in the middle, or any mix of its sectors.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct SmallSpaceTests {
  @Test(arguments: [
    ("creation", [Step]()), ("first commits", [.commit, .relaxedCommit, .commit]),
    ("checkpoint", [.commit, .commit, .checkpoint(1, 1, 1)]),
    ("second checkpoint", [.commit, .checkpoint(0, 0, 0), .relaxedCommit, .checkpoint(0, 1, 0)]),
    ("close", [.commit, .reopen, .commit]), ("recovery", [.commit, .relaxedCommit, .killAndReopen, .commit]),
    ("recovery after a checkpoint", [.commit, .checkpoint(0, 1, 0), .killAndReopen, .commit]),
  ])
  func everyStepIsSafeInEveryCombination(name: String, steps: [Step]) throws {
    let disk = SimulatedDisk(chance: 7)
    try check(name, steps, StoryTeller(on: disk, seed: 7))
  }

  /// S11: a copy gets a journal and then a snapshot of its own; a seed becomes the store as a whole, or not at all.
  @Test(arguments: [true, false])
  func everyStepOfAStoreThatBeginsAsACopyOrWithASeedIsSafe(isCopy: Bool) throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let name = try transaction.addColumn(to: table, "name", ColumnType(.string))
    for row in 0..<3 { try transaction.create(in: table) { try $0.set("row \(row)", name) } }
    let graph = transaction.graph.numbered(1)
    let copies = SimulatedDisk()
    if isCopy {
      try StoreFile.writeCopy(of: graph, version: 1, userVersion: 0, to: StoryTeller.path, on: SimulatedProcess(copies))
    }
    let teller = StoryTeller(on: SimulatedDisk(files: copies.files, chance: 7), seed: 7)
    teller.begin(with: graph, isThere: isCopy)
    try check(isCopy ? "a copy" : "a seed", [.commit], teller)
  }

  /// Runs a story, and checks every possible result of a power failure.
  private func check(_ name: String, _ steps: [Step], _ teller: StoryTeller) throws {
    // Debug builds check every seventh image; release builds check all.
    let every = Effort.of(debug: 19, release: 1, night: 1)
    var (seen, tried) = (0, 0)
    let disk = teller.disk
    let beginning = disk.events.count
    try teller.tell(steps)
    try teller.close()
    var point = CrashPoint()
    let verdict = Verdict(oracle: teller.oracle)
    for (index, event) in disk.events.enumerated() {
      point.advance(event)
      if index < beginning { continue }
      try point.forEveryFates { fates in
        seen += 1
        if seen % every != 0 { return }
        tried += 1
        var found: UInt64 = 0
        if let fault = verdict.fault(point.image(fates), after: point, found: &found) {
          throw StoryFault(description: "\(name), event \(index), \(fates): \(fault)")
        }
      }
    }
    Figures.report("G3: \(name): \(disk.events.count) events, \(tried) of \(seen) crash images")
    #expect(seen > 10 && tried > 0)
  }
}
