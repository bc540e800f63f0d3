import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// G1 with a history: power fails at every call, and within every write, of stores that keep versions.
@Suite(.leavesNoFileOpen) struct HistoryCrashTests {
  @Test func everyCrashLeavesTheVersionsThatTheLimitsKeep() throws {
    var crashes = CrashImages(
      wanted: Effort.of(debug: 1200, release: 20_000, night: 500_000),
      share: Effort.of(debug: 12, release: 50, night: 100))
    let notes = try Notes()
    var (stories, behind) = (0, 0)
    for seed in Effort.seeds where !crashes.isDone {
      var random = seed.random
      let limits = HistoryLimits(versions: random.element(of: [2, 6, 100]), age: nil)
      let disk = SimulatedDisk(chance: seed.value)
      var oracle = HistoryOracle()
      // Several lives, so that histories are copied, and openings crash that rewrite a journal.
      for life in 0..<(1 + random.below(3)) {
        let process = SimulatedProcess(disk, number: Int32(life + 10))
        if life == 0 { disk.mark(.started(1)) }
        let stage = try HistoryStage(process, limits, first: notes.first)
        disk.mark(.acknowledged(stage.latest.version))
        oracle.note(stage.latest, at: disk.clock)
        for _ in 0..<(3 + random.below(8)) {
          if random.below(3) == 0 {
            try stage.compact()
            continue
          }
          disk.clock += 1
          disk.mark(.started(stage.latest.version + 1))
          oracle.note(try stage.commit { try notes.change($0, &random) }, at: disk.clock)
          disk.mark(.acknowledged(stage.latest.version))
        }
        // What follows finds a store that was not closed in order.
        if random.bool() { process.kill() }
      }
      stories += 1
      try crashes.of(disk, using: &random) { point, image, place in
        do {
          let stage = try HistoryStage(image, limits, first: notes.first)
          let found = stage.latest.version
          // An opening that finds no store makes version 1.
          #expect(point.owed <= found && found <= max(1, point.started), "\(seed), \(place)")
          if (try? StoreFile.info(HistoryStage.path, on: image))?.historyVersions ?? 0 > 0 { behind += 1 }
          // The next opening also finds what a snapshot copied that was not read before.
          let asked: [UInt64]? = found.isMultiple(of: 2) ? nil : []
          let fault = oracle.fault(of: stage, limits, now: disk.clock, asking: asked)
          #expect(fault == nil, "\(seed), \(place)")
          try stage.compact()
        }
        let again = try HistoryStage(SimulatedProcess(image.disk, number: 3), limits, first: notes.first)
        let fault = oracle.fault(of: again, limits, now: disk.clock)
        #expect(fault == nil, "after a snapshot: \(seed), \(place)")
      }
    }
    #expect(crashes.isDone && behind > crashes.tried / 10)
    print("G1, history: \(crashes.tried) images of \(stories) stories, \(behind) of them with versions in a history")
  }
}
