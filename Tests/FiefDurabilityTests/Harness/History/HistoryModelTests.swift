import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// Histories over many lives of a store, against an oracle that keeps every version.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct HistoryModelTests {
  static let limits = [
    HistoryLimits(versions: 5, age: nil), HistoryLimits(versions: 40, age: nil), HistoryLimits(versions: nil, age: 60),
    HistoryLimits(versions: 12, age: 30), HistoryLimits(versions: 1, age: nil),
  ]

  @Test(arguments: Seeds.first(10))
  func versionsAreKnownAfterClosingAndKillingAsTheLimitsSay(seed: Seed) throws {
    var random = seed.random
    let limits = random.element(of: Self.limits)
    let disk = SimulatedDisk(chance: seed.value)
    var process = SimulatedProcess(disk)
    let notes = try Notes()
    var oracle = HistoryOracle()
    var stage: HistoryStage? = try HistoryStage(process, limits, first: notes.first)
    func use(_ body: (HistoryStage) throws -> Void) throws { try body(#require(stage)) }
    try use { oracle.note($0.latest, at: disk.clock) }
    for step in 0..<120 {
      switch random.below(20) {
      case 0: try use { try $0.compact() }
      case 1, 2:
        if random.below(3) == 0 { process.kill() }
        stage = nil
        process = SimulatedProcess(disk, number: process.processIdentifier + 1)
        stage = try HistoryStage(process, limits, first: notes.first)
      case 3: disk.clock += UInt64(random.below(20_000))
      case 4:
        let current = try #require(stage)
        let latest = Int(current.latest.version)
        let asked = (0..<4).map { _ in UInt64(random.below(latest)) }
        let fault = oracle.fault(of: current, limits, now: disk.clock, asking: asked)
        #expect(fault == nil, "\(seed), step \(step)")
      default:
        disk.clock += UInt64(random.below(3000))
        let current = try #require(stage)
        let next = try current.commit { transaction in try notes.change(transaction, &random) }
        oracle.note(next, at: disk.clock)
      }
    }
    try use {
      let fault = oracle.fault(of: $0, limits, now: disk.clock)
      #expect(fault == nil, "\(seed)")
    }
    stage = nil
    try checkReopened(disk, oracle, limits, notes, "\(seed)")
    // The limits bound the file: a snapshot drops what they do not keep.
    let bytes = disk.files[HistoryStage.path + ".history"]
    if let versions = limits.versions, let bytes {
      let stored = try HistoryReading(bytes)
      #expect(stored.versions.count <= versions && stored.fault == nil, "\(seed)")
    }
  }

  private func checkReopened(
    _ disk: SimulatedDisk, _ oracle: HistoryOracle, _ limits: HistoryLimits, _ notes: Notes, _ place: String
  ) throws {
    for isReadOnly in [true, false] {
      let process = SimulatedProcess(disk, number: 99)
      let stage = try HistoryStage(process, limits, isReadOnly: isReadOnly, first: notes.first)
      let fault = oracle.fault(of: stage, limits, now: disk.clock)
      #expect(fault == nil, "\(place), read-only: \(isReadOnly)")
    }
  }

  /// All types of columns, and tables that change.
  @Test(arguments: Seeds.first(4))
  func versionsOfAllTypesComeBackFromTheFile(seed: Seed) throws {
    let limits = HistoryLimits(versions: 30, age: nil)
    let disk = SimulatedDisk(chance: seed.value)
    var random = try RandomStore(seed: seed)
    let first = random.graph
    var oracle = HistoryOracle()
    for life in 0..<6 {
      let stage = try HistoryStage(SimulatedProcess(disk, number: Int32(life + 1)), limits, first: first)
      oracle.note(stage.latest, at: disk.clock)
      for _ in 0..<10 {
        let delta = try random.step(operations: 5)
        oracle.note(try stage.commit { try $0.apply(delta) }, at: disk.clock)
      }
      if life % 2 == 0 { try stage.compact() }
      let fault = oracle.fault(of: stage, limits, now: disk.clock)
      #expect(fault == nil, "\(seed), life \(life)")
    }
  }

  @Test func aSmallerLimitHoldsAtTheNextOpeningAndAGreaterOneKeepsMoreFromThenOn() throws {
    let disk = SimulatedDisk()
    let notes = try Notes()
    var random = Seed(7).random
    func live(_ versions: Int, _ number: Int32, _ body: (HistoryStage) throws -> Void) throws {
      try body(
        HistoryStage(
          SimulatedProcess(disk, number: number), HistoryLimits(versions: versions, age: nil), first: notes.first))
    }
    func commit(_ stage: HistoryStage, _ count: Int) throws {
      for number in 0..<count {
        try stage.commit {
          let key = try $0.create(in: notes.table)
          try $0.set(number + Int(random.below(2)), Cell(notes.table, key, notes.number))
        }
      }
      try stage.compact()
    }
    try live(20, 1) { try commit($0, 19) }
    try live(8, 2) { #expect($0.version(12) != nil && $0.version(11) == nil) }
    // Nothing was written, so the file still has what the larger limit asks for.
    try live(20, 3) { #expect($0.version(0) != nil) }
    try live(8, 4) { try commit($0, 1) }
    try live(20, 5) { #expect($0.version(13) != nil && $0.version(12) == nil) }
  }
}
