import FiefDurability
import FiefTestSupport
import Testing

/// G2: power fails again while the store is being opened after a failure, up to three times.
///
///     story ──crash──▶ opening ──crash──▶ opening ──crash──▶ opening: version k
///
/// A version that an opening has returned must survive from then on. Before that, the earlier guarantees hold.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct RecoveryCrashTests {
  @Test func crashingInRecoveryLosesNothing() throws {
    let wanted = Effort.of(debug: 600, release: 5000, night: 500_000)
    var (tried, stories) = (0, 0)
    for seed in Effort.seeds where tried < wanted {
      tried += try recoveries(of: seed, limit: min(wanted - tried, min(wanted / 8 + 1, 626)))
      stories += 1
    }
    // The campaign throws at the first recovery that breaks a guarantee. This checks that it tried enough recoveries.
    #expect(tried >= wanted)
    Figures.report("G2: \(tried) recoveries that were cut off, of \(stories) stories, seeds from \(Effort.firstSeed)")
  }

  private func recoveries(of seed: Seed, limit: Int) throws -> Int {
    var random = seed.random
    let disk = SimulatedDisk(chance: seed.value)
    let teller = StoryTeller(on: disk, seed: random.next())
    try teller.tell(Step.story(count: 10 + random.below(20), using: &random))
    let events = disk.events
    var tried = 0
    while tried < limit {
      let moment = 1 + random.below(events.count)
      var point = CrashPoint()
      for event in events.prefix(moment) { point.advance(event) }
      let image = point.image(point.anyFates(using: &random), isRecording: true, chance: random.next())
      do {
        try crash(image, owed: point.owed, started: point.started, point, teller.oracle, 3, &random, &tried)
      } catch {
        throw StoryFault(description: "seed \(seed.testDescription), event \(moment): \(error)")
      }
    }
    return tried
  }

  /// Opens the result of a crash, lets the power fail during the opening, and repeats this `depth` times.
  private func crash(
    _ disk: SimulatedDisk, owed: UInt64, started: UInt64, _ origin: CrashPoint, _ oracle: Oracle, _ depth: Int,
    _ random: inout SeededRandom, _ tried: inout Int
  ) throws {
    let before = disk.events.count
    let process = SimulatedProcess(disk)
    let (file, stored) = try StoreFile.open(StoryTeller.path, on: process)
    withExtendedLifetime(file) {}
    process.kill()
    tried += 1
    guard owed...started ~= stored.version, oracle.holds(stored.graph, at: stored.version, moment: origin.moment) else {
      throw StoryFault(
        description: "Versions \(owed) to \(started) were left, \(stored.version) found, \(depth) to go.")
    }
    guard depth > 1 else { return }
    let events = disk.events
    let moment = before + random.below(events.count - before + 1)
    var point = CrashPoint()
    for event in events.prefix(moment) { point.advance(event) }
    let image = point.image(point.anyFates(using: &random), isRecording: true, chance: random.next())
    // The caller of the opening got the version only if the opening had ended.
    let isSeen = moment == events.count
    try crash(
      image, owed: isSeen ? stored.version : owed, started: isSeen ? stored.version : started, origin, oracle,
      depth - 1,
      &random, &tried)
  }
}
