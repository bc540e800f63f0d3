import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// G1 with a history: power fails at every call, and within every write, of stores that keep versions.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct HistoryCrashTests {
  /// A broken guarantee.
  private struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// What was tried.
  private struct Result {
    var crashes: CrashImages
    var stories = 0
    /// The images with versions in a history.
    var behind = 0
  }

  @Test func everyCrashLeavesTheVersionsThatTheLimitsKeep() throws {
    let result = try run(
      CrashImages(
        wanted: Effort.of(debug: 1200, release: 20_000, night: 500_000),
        share: Effort.of(debug: 4, release: 30, night: 100)))
    #expect(result.crashes.isDone && result.behind > result.crashes.tried / 10)
    Figures.report(
      "G1, history: \(result.crashes.tried) images of \(result.stories) stories, \(result.behind) with versions in a "
        + "history, seeds from \(Effort.firstSeed)")
  }

  @Test(arguments: [Weakness.historyBytes, .historyName])
  func aHistoryThatIsNotSynchronizedIsFoundOut(_ weakness: Weakness) {
    let fault = #expect(throws: Fault.self) {
      _ = try run(CrashImages(wanted: 20_000, share: 100)) { WeakSystem($0, weakness) }
    }
    Figures.report("G4, history: weak \(weakness): \(fault?.description ?? "nothing")")
  }

  /// Runs stories, and lets the power fail in them.
  ///
  /// - Throws: `Fault` for the first broken guarantee.
  private func run(
    _ crashes: CrashImages, on system: (SimulatedProcess) -> any FileSystem = { $0 }
  ) throws -> Result {
    var result = Result(crashes: crashes)
    let notes = try Notes()
    for seed in Effort.seeds where !result.crashes.isDone {
      var random = seed.random
      let limits = HistoryLimits(versions: random.element(of: [2, 6, 100]), age: nil)
      let disk = SimulatedDisk(chance: seed.value)
      var oracle = HistoryOracle()
      // Several lives, so that histories are copied, and openings crash that rewrite a journal.
      for life in 0..<(1 + random.below(3)) {
        let process = SimulatedProcess(disk, number: Int32(life + 10))
        if life == 0 { disk.mark(.started(1)) }
        // Otherwise a snapshot may be of a commit that the disk does not have.
        let waits = random.below(3) != 0
        let stage = try HistoryStage(system(process), limits, waitsForDisk: waits, first: notes.first)
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
          if waits { disk.mark(.acknowledged(stage.latest.version)) }
        }
        // What follows finds a store that was not closed in order.
        if random.bool() { process.kill() }
      }
      result.stories += 1
      var behind = 0
      try result.crashes.of(disk, using: &random) { point, image, place in
        func check(_ fault: String?) throws {
          if let fault { throw Fault(description: "\(seed), \(place): \(fault)") }
        }
        do {
          let stage = try HistoryStage(image, limits, first: notes.first)
          let found = stage.latest.version
          // An opening that finds no store makes version 1.
          try check(point.owed <= found && found <= max(1, point.started) ? nil : "version \(found) is found")
          if try StoreFile.info(HistoryStage.path, on: image).historyVersions > 0 { behind += 1 }
          // The next opening also finds what a snapshot copied that was not read before.
          let asked: [UInt64]? = found.isMultiple(of: 2) ? nil : []
          try check(oracle.fault(of: stage, limits, now: disk.clock, asking: asked))
          try stage.compact()
        }
        let again = try HistoryStage(SimulatedProcess(image.disk, number: 3), limits, first: notes.first)
        try check(oracle.fault(of: again, limits, now: disk.clock).map { "after a snapshot: \($0)" })
      }
      result.behind += behind
    }
    return result
  }
}
