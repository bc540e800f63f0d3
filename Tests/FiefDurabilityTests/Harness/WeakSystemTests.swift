import FiefDurability
import FiefTestSupport
import Foundation
import Testing

/// G4: the tests of the crash tests. Each measure between data and its loss is undermined alone, and one of the
/// campaigns must fail. A campaign that passes here would also pass if the measure were missing from the code. What no
/// file system can undermine is below `Fuzz/Faults/crashes`.
@Suite(.leavesNoFileOpen) struct WeakSystemTests {
  @Test(arguments: Weakness.allCases.filter { $0 != .historyBytes && $0 != .historyName })
  func aWeaknessIsFoundOut(_ weakness: Weakness) {
    let caught = Self.firstFault(with: weakness)
    Figures.report("G4: weak \(weakness): \(caught ?? "NOT CAUGHT")")
    #expect(caught != nil, "Nobody notices that \(weakness) are weak.")
  }

  /// The campaigns pass on a file system without a weakness.
  @Test func aSoundSystemIsNotAccused() {
    #expect(Self.firstFault(with: nil) == nil)
  }

  /// The first fault of stores on a weak file system, with the campaign that found it; nil if all campaigns pass.
  static func firstFault(with weakness: Weakness?) -> String? {
    let campaigns: [(name: String, run: (Seed) throws -> Void)] = [
      ("two openings", { _ in try TwoOpenings.check(weakness) }),
      ("files taken away", { _ in try TakenAwayFiles.check(weakness) }),
      ("swapped files", { try SwappedFiles(seed: $0, weakness: weakness).run() }),
      ("crashes", { _ = try CrashCampaign(seed: $0, weakness: weakness, extra: 2, share: 20).run(limit: 600) }),
      ("appends that fail", { try FailingAppends.check(weakness, $0) }),
      ("faults", { _ = try FaultCampaign(seed: $0, weakness: weakness, share: 8, crashes: 4).run() }),
    ]
    for seed in 1...UInt64(weakness == nil ? 2 : 24) {
      for campaign in campaigns {
        do { try campaign.run(Seed(seed)) } catch { return "\(campaign.name), seed \(seed): \("\(error)".prefix(160))" }
      }
    }
    return nil
  }
}

/// Two openings of one store at a time: the error of the second one contains the name and the process number.
enum TwoOpenings {
  static func check(_ weakness: Weakness?) throws {
    let disk = SimulatedDisk()
    let first = SimulatedProcess(disk, number: 4711)
    let (file, _) = try StoreFile.open(StoryTeller.path, on: WeakSystem.on(first, weakness))
    defer { withExtendedLifetime(file) {} }
    do throws(StoreError) {
      let second = SimulatedProcess(disk, number: 4712)
      _ = try StoreFile.open(StoryTeller.path, on: WeakSystem.on(second, weakness))
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
  static func check(_ weakness: Weakness?) throws {
    let disk = SimulatedDisk()
    let processes = [SimulatedProcess(disk, number: 4711), SimulatedProcess(disk, number: 4712)]
    let first = try StageStore(StageStore.path, WeakSystem.on(processes[0], weakness))
    for _ in 0..<2 { try first.commit() }
    for end in ["", ".journal", ".lock"] { disk.remove(StageStore.path + end) }
    let second = try StageStore(StageStore.path, WeakSystem.on(processes[1], weakness))
    for _ in 0..<3 { try second.commit() }
    try? first.checkpoint()
    for process in processes { process.kill() }
    let found = try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)).version
    guard found == 3 else {
      throw StoryFault(description: "Version 3 was acknowledged to another process, and \(found) is found.")
    }
  }
}

/// One call of a short story takes effect and fails, and the power fails at any moment after it.
enum FailingAppends {
  static func check(_ weakness: Weakness?, _ seed: Seed) throws {
    let campaign = FaultCampaign(seed: seed, weakness: weakness, crashes: .max, isBrief: true)
    _ = try campaign.run([.commit, .commit, .relaxedCommit, .commit]) { call in
      [DiskFault(call: call, kind: .lie(EIO), isForEver: false)]
    }
  }
}

/// Files of other stores, or of other versions of the same store, replace the right ones: G7 for whole files.
struct SwappedFiles {
  let seed: Seed
  let weakness: Weakness?

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
    let teller = StoryTeller(on: disk, seed: seed, weakness: weakness)
    try teller.tell(steps)
    try teller.close()
    return disk.files
  }

  private func expectRefusal(_ files: Files, of what: String) throws {
    let disk = SimulatedDisk(files: files)
    do throws(StoreError) {
      _ = try StoreFile.open(StoryTeller.path, on: WeakSystem.on(SimulatedProcess(disk), weakness))
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
