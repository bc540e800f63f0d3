import FiefDurability
import FiefTestSupport
import Testing

/// G3: creation, checkpoints, closing and recovery, each cut off at every step with every combination of what was pending, each
/// pending write kept, lost, zeros, noise, cut in the middle, or its sectors in any mix.
@Suite(.leavesNoFileOpen) struct SmallSpaceTests {
  @Test(arguments: [
    ("creation", [Step]()), ("first commits", [.commit, .relaxedCommit, .commit]),
    ("checkpoint", [.commit, .commit, .checkpoint(1, 1, 1)]),
    ("second checkpoint", [.commit, .checkpoint(0, 0, 0), .relaxedCommit, .checkpoint(0, 1, 0)]),
    ("close", [.commit, .reopen, .commit]), ("recovery", [.commit, .relaxedCommit, .killAndReopen, .commit]),
    ("recovery after a checkpoint", [.commit, .checkpoint(0, 1, 0), .killAndReopen, .commit]),
  ])
  func everyStepIsSafeInEveryCombination(name: String, steps: [Step]) throws {
    // Debug builds look at every seventh image: the others are those of release builds.
    let every = Effort.of(debug: 7, release: 1, night: 1)
    var (seen, tried) = (0, 0)
    let disk = SimulatedDisk(chance: 7)
    let teller = StoryTeller(on: disk, seed: 7)
    try teller.tell(steps)
    try teller.close()
    var point = CrashPoint()
    let verdict = Verdict(oracle: teller.oracle, barriers: .all)
    for (index, event) in disk.events.enumerated() {
      point.advance(event)
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
    print("G3: \(name): \(disk.events.count) events, \(tried) of \(seen) crash images")
    #expect(seen > 10 && tried > 0)
  }
}
