import FiefDurability
import FiefTestSupport

/// Crashes of one random story: the story is told once, and its record is cut off everywhere.
struct CrashCampaign {
  let seed: Seed
  var barriers = Barriers.all
  /// How often, at each event, fates of every kind are drawn besides those that are always tried.
  var extra = 4
  /// At how many events in a hundred power fails.
  var share = 100

  /// Tries crashes.
  ///
  /// - Parameter limit: At most so many.
  /// - Returns: how many were tried.
  /// - Throws: `StoryFault` for the first that broke a promise.
  func run(limit: Int) throws -> Int {
    var random = seed.random
    let disk = SimulatedDisk(chance: seed.value)
    let teller = StoryTeller(on: disk, seed: random.next(), barriers: barriers)
    let steps = Step.story(count: 10 + random.below(30), using: &random)
    try teller.tell(steps)
    var point = CrashPoint()
    let verdict = Verdict(oracle: teller.oracle, barriers: barriers)
    var tried = 0
    for (index, event) in disk.events.enumerated() {
      point.advance(event)
      if random.below(100) >= share { continue }
      var drawing = random.split()
      try point.forEachFates(extra: extra, using: &drawing) { fates in
        guard tried < limit else { return }
        tried += 1
        var found: UInt64 = 0
        if let fault = verdict.fault(
          point.image(fates, chance: random.next()), after: point, found: &found)
        {
          throw StoryFault(
            description: "seed \(seed.testDescription), event \(index) of \(disk.events.count), \(fates): \(fault)")
        }
      }
    }
    return tried
  }
}
