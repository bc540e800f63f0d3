import FiefDurability
import FiefTestSupport

/// Crashes of one random story: the story runs once, and its event record is cut off everywhere.
struct CrashCampaign {
  let seed: Seed
  /// The weakness of the file system, if it has one.
  var weakness: Weakness?
  /// How many fates of all kinds are drawn at each event, besides those that are always tried.
  var extra = 4
  /// The percentage of events at which the power fails.
  var share = 100
  /// Whether new files are written behind their writers.
  var isBehind = false

  /// The numbers of cases that were tried.
  struct Result {
    var images = 0
    var portions = 0
    var commitsMeanwhile = 0
  }

  /// Tries crashes.
  ///
  /// - Parameter limit: The maximum number of images.
  /// - Returns: the numbers of cases that were tried.
  /// - Throws: `StoryFault` for the first broken guarantee.
  func run(limit: Int) throws -> Result {
    var random = seed.random
    let disk = SimulatedDisk(chance: seed.value)
    let teller = StoryTeller(on: disk, seed: random.next(), weakness: weakness, isBehind: isBehind)
    let steps = Step.story(count: 10 + random.below(30), using: &random)
    try teller.tell(steps)
    teller.die()
    var point = CrashPoint()
    let verdict = Verdict(oracle: teller.oracle, weakness: weakness)
    var result = Result(portions: teller.portions, commitsMeanwhile: teller.commitsMeanwhile)
    for (index, event) in disk.events.enumerated() {
      point.advance(event)
      if random.below(100) >= share { continue }
      var drawing = random.split()
      try point.forEachFates(extra: extra, using: &drawing) { fates in
        guard result.images < limit else { return }
        result.images += 1
        var found: UInt64 = 0
        if let fault = verdict.fault(
          point.image(fates, chance: random.next()), after: point, found: &found)
        {
          throw StoryFault(
            description: "seed \(seed.testDescription), event \(index) of \(disk.events.count), \(fates): \(fault)")
        }
      }
    }
    return result
  }
}
