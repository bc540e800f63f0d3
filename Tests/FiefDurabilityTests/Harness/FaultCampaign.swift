import FiefDurability
import FiefTestSupport
import Foundation

/// One random story that runs again and again, each time with a fault of another kind at another call.
struct FaultCampaign {
  let seed: Seed
  /// The weakness of the file system, if it has one.
  var weakness: Weakness?
  /// Whether new files are written behind their writers.
  var isBehind = false
  /// The percentage of faults that are tried.
  var share = 100
  /// The number of crashes that are tried after each fault.
  var crashes = 6
  /// Whether the power fails at each of them in two ways only: with everything lost, and with random fates.
  var isBrief = false

  /// The numbers of cases that were tried.
  struct Result {
    var runs = 0
    var images = 0
    var errors = 0
  }

  /// The ways in which a call fails.
  static func kinds(using random: inout SeededRandom) -> [DiskFault.Kind] {
    let numbers = DiskFault.numbers
    return [
      .refuse(random.element(of: numbers)), .refuse(EIO), .refuse(ENOSPC),
      .refuseAfter(random.element(of: numbers), bytes: random.below(200)), .short(random.below(40)), .dropOnSync(EIO),
      .lie(random.element(of: [EIO, EINTR])),
    ]
  }

  /// Runs the story with each fault.
  ///
  /// - Throws: `StoryFault` for the first broken guarantee.
  func run() throws -> Result {
    var random = seed.random
    let steps = Step.story(count: 8 + random.below(8), using: &random)
    let storySeed = random.next()
    let healthy = SimulatedDisk(isRecording: false, chance: seed.value)
    try StoryTeller(on: healthy, seed: storySeed, weakness: weakness, isBehind: isBehind).tell(steps)
    var result = Result()
    for call in 0..<healthy.calls {
      for kind in Self.kinds(using: &random) {
        let isForEver = random.bool()
        var drawing = random.split()
        if random.below(100) >= share { continue }
        let fault = DiskFault(call: call, kind: kind, isForEver: isForEver)
        try run(steps, storySeed, [fault], &drawing, &result)
      }
    }
    return result
  }

  /// Runs a given story again and again, each time with one fault.
  ///
  /// - Parameter faults: the faults that are tried at the call with a number.
  /// - Returns: the cases, and the number of calls of the story.
  /// - Throws: `StoryFault` for the first broken guarantee.
  func run(_ steps: [Step], _ faults: (_ call: Int) -> [DiskFault]) throws -> (result: Result, calls: Int) {
    let healthy = SimulatedDisk(isRecording: false, chance: seed.value)
    try StoryTeller(on: healthy, seed: seed.value, weakness: weakness, isBehind: isBehind).tell(steps)
    var (random, result) = (seed.random, Result())
    for fault in (0..<healthy.calls).flatMap(faults) { try run(steps, seed.value, [fault], &random, &result) }
    return (result, healthy.calls)
  }

  /// Runs a story on a disk with faults, and tries power failures after them.
  ///
  /// - Throws: `StoryFault` for the first broken guarantee.
  func run(
    _ steps: [Step], _ storySeed: UInt64, _ faults: [DiskFault], _ random: inout SeededRandom, _ result: inout Result
  ) throws {
    do {
      try tell(steps, storySeed, faults, &random, &result)
    } catch {
      throw StoryFault(description: "seed \(seed.testDescription), \(faults): \(error)")
    }
  }

  private func tell(
    _ steps: [Step], _ storySeed: UInt64, _ faults: [DiskFault], _ random: inout SeededRandom, _ result: inout Result
  ) throws {
    let disk = SimulatedDisk(chance: seed.value)
    disk.faults = faults
    let teller = StoryTeller(on: disk, seed: storySeed, weakness: weakness, goesOn: true, isBehind: isBehind)
    try teller.tell(steps)
    disk.faults = []
    result.runs += 1
    result.errors += teller.errors.count
    // Whatever happened, the next opening finds every durable commit.
    let verdict = Verdict(oracle: teller.oracle, weakness: weakness)
    let events = disk.events
    let first = disk.eventsAtFirstFault ?? events.count
    var moments = Set([first, events.count])
    while moments.count < min(crashes, events.count - first) {
      moments.insert(first + random.below(events.count - first))
    }
    var point = CrashPoint()
    for (index, event) in events.enumerated() {
      point.advance(event)
      guard moments.contains(index + 1) else { continue }
      func judge(_ fates: Fates) throws {
        result.images += 1
        var found: UInt64 = 0
        if let wrong = verdict.fault(
          point.image(fates), after: point, found: &found)
        {
          throw StoryFault(description: "after \(teller.errors.map(\.code)), at event \(index), \(fates): \(wrong)")
        }
      }
      if isBrief {
        try judge(point.noFates)
        try judge(point.anyFates(using: &random))
      } else {
        try point.forEachFates(limit: 1, extra: 2, using: &random, judge)
      }
    }
    teller.die()
    if disk.openFiles != 0 { throw StoryFault(description: "\(disk.openFiles) files were left open.") }
  }
}
