import FiefDurability
import FiefTestSupport
import Foundation
import Testing

/// G4: the tests of the crash tests. Each barrier between data and its loss is removed alone, and one of the campaigns
/// must fail. A campaign that passes here would also pass if the barrier were missing from the code.
@Suite(.leavesNoFileOpen) struct BarrierTests {
  @Test(arguments: Barriers.each.map(\.name))
  func aStoreWithoutABarrierIsFoundOut(name: String) throws {
    let barrier = try #require(Barriers.each.first { $0.name == name }).barrier
    let caught = Self.firstFault(without: barrier)
    Figures.report("G4: without \(name): \(caught ?? "NOT CAUGHT")")
    #expect(caught != nil, "Nobody notices that \(name) is missing.")
  }

  /// The campaigns pass for a store that has all barriers.
  @Test func aStoreWithAllBarriersIsNotAccused() {
    #expect(Self.firstFault(without: []) == nil)
  }

  /// The first fault of stores without a barrier, with the campaign that found it; nil if all campaigns pass.
  static func firstFault(without barrier: Barriers) -> String? {
    let barriers = Barriers.all.subtracting(barrier)
    let campaigns: [(name: String, run: (Seed) throws -> Void)] = [
      ("two openings", { _ in try TwoOpenings.check(barriers) }),
      ("files taken away", { _ in try TakenAwayFiles.check(barriers) }),
      ("swapped files", { try SwappedFiles(seed: $0, barriers: barriers).run() }),
      ("crashes", { _ = try CrashCampaign(seed: $0, barriers: barriers, extra: 2, share: 20).run(limit: 600) }),
      ("faults", { _ = try FaultCampaign(seed: $0, barriers: barriers, share: 8, crashes: 4).run() }),
      ("a failure that is reported once", { _ in try ReportedOnce.check(barriers) }),
    ]
    for seed in 1...UInt64(barrier.isEmpty ? 2 : 24) {
      for campaign in campaigns {
        do { try campaign.run(Seed(seed)) } catch { return "\(campaign.name), seed \(seed): \("\(error)".prefix(160))" }
      }
    }
    return nil
  }
}

/// Two openings of one store at a time: the error of the second one contains the name and the process number.
enum TwoOpenings {
  static func check(_ barriers: Barriers) throws {
    let disk = SimulatedDisk()
    let first = SimulatedProcess(disk, number: 4711)
    let (file, _) = try StoreFile.open(StoryTeller.path, on: first, barriers: barriers)
    defer { withExtendedLifetime(file) {} }
    do throws(StoreError) {
      _ = try StoreFile.open(StoryTeller.path, on: SimulatedProcess(disk, number: 4712), barriers: barriers)
    } catch {
      guard error.code == .alreadyOpen, error.holder == 4711, error.message.contains("4711"),
        error.message.contains(StoryTeller.path)
      else { throw StoryFault(description: "The second opening was refused by: \(error)") }
      return
    }
    throw StoryFault(description: "A second opening was allowed.")
  }
}

/// All files of an open store are removed, and another process makes a store of the same name: it keeps its commits.
enum TakenAwayFiles {
  static func check(_ barriers: Barriers) throws {
    let disk = SimulatedDisk()
    let processes = [SimulatedProcess(disk, number: 4711), SimulatedProcess(disk, number: 4712)]
    let first = try StageStore(StageStore.path, processes[0], barriers: barriers)
    for _ in 0..<2 { try first.commit() }
    for end in ["", ".journal", ".lock"] { disk.remove(StageStore.path + end) }
    let second = try StageStore(StageStore.path, processes[1], barriers: barriers)
    for _ in 0..<3 { try second.commit() }
    try? first.checkpoint()
    for process in processes { process.kill() }
    let found = try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)).version
    guard found == 3 else {
      throw StoryFault(description: "Version 3 was acknowledged to another process, and \(found) is found.")
    }
  }
}

/// Files of other stores, or of other versions of the same store, replace the right ones: G7 for whole files.
struct SwappedFiles {
  let seed: Seed
  let barriers: Barriers

  private typealias Files = [String: [UInt8]]

  func run() throws {
    let snapshot = StoryTeller.path
    let journal = snapshot + ".journal"
    let early = try files(of: seed.value, [.commit, .commit])
    let late = try files(of: seed.value, [.commit, .commit, .commit, .checkpoint(0, 0, 0), .commit])
    let other = try files(of: seed.value &+ 1, [.commit, .commit])
    for (what, a, b) in [("another store", late, other), ("an older snapshot", early, late)] {
      var mixed = a
      mixed[journal] = b[journal]
      try expectRefusal(mixed, of: "the journal of \(what)")
    }
    for missing in [snapshot, journal] {
      var rest = late
      rest[missing] = nil
      try expectRefusal(rest, of: "\(missing) missing")
    }
  }

  private func files(of seed: UInt64, _ steps: [Step]) throws -> Files {
    let disk = SimulatedDisk(chance: seed)
    let teller = StoryTeller(on: disk, seed: seed, barriers: barriers)
    try teller.tell(steps)
    try teller.close()
    return disk.files
  }

  private func expectRefusal(_ files: Files, of what: String) throws {
    let disk = SimulatedDisk(files: files)
    do throws(StoreError) {
      _ = try StoreFile.open(StoryTeller.path, on: SimulatedProcess(disk), barriers: barriers)
    } catch {
      guard error.code == .damaged || error.code == .invalidDatabase else {
        throw StoryFault(description: "With \(what) it was refused by: \(error)")
      }
      guard disk.files.filter({ !$0.key.hasSuffix(".lock") }) == files.filter({ !$0.key.hasSuffix(".lock") }) else {
        throw StoryFault(description: "With \(what) it was refused and changed.")
      }
      return
    }
    throw StoryFault(description: "With \(what) it was opened.")
  }
}
