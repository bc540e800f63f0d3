import FiefDurability
import FiefTestSupport
import Testing

/// G1, G11: power fails at every call, and within every write, of random stories.
struct CrashTests {
  @Test func everyCrashLeavesACommittedVersion() throws {
    var tried = 0
    let wanted = Effort.of(debug: 3000, release: 50_000, night: 5_000_000)
    var count = 0
    for seed in Effort.seeds where tried < wanted {
      tried += try crash(seed, limit: wanted - tried)
      count += 1
    }
    print("G1: \(tried) crash images of \(count) stories, seeds from \(Effort.firstSeed)")
  }

  /// Lets power fail everywhere in the story of `seed`; returns in how many ways.
  private func crash(_ seed: Seed, limit: Int) throws -> Int {
    var random = seed.random
    let disk = SimulatedDisk(chance: seed.value)
    let teller = StoryTeller(on: disk, seed: random.next())
    let steps = Step.story(count: 12 + random.below(30), using: &random)
    try teller.tell(steps)
    var point = CrashPoint()
    let verdict = Verdict(oracle: teller.oracle, barriers: .all)
    var tried = 0
    for (index, event) in disk.events.enumerated() {
      point.advance(event)
      switch event {
      case .mark, .synchronized, .synchronizedFolder: if random.below(4) != 0 { continue }
      default: break
      }
      var drawing = random.split()
      try point.forEachFates(extra: 6, using: &drawing) { fates in
        guard tried < limit else { return }
        tried += 1
        var found: UInt64 = 0
        if let fault = verdict.fault(
          point.image(fates, chance: random.next()), owed: point.owed, started: point.started, found: &found)
        {
          throw StoryFault(description: "seed \(seed.testDescription), event \(index) \(fates): \(fault)")
        }
      }
      if tried >= limit { break }
    }
    return tried
  }
}
