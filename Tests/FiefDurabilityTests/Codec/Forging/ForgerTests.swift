import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// Forged stores are opened, verified and recovered, without a trap or a disagreement. A store that opens is sound and
/// can be continued.
///
///     FIEF_NIGHT=1 swift test -c release --filter ForgerTests        a million
///     FIEF_FORGED=100000 swift test --filter ForgerTests             that number
///     FIEF_SEED=7 swift test --filter ForgerTests                    the stores of one seed again
@Suite(.leavesNoFileOpen) struct ForgerTests {
  /// The number of stores that are made from one sound store.
  private static let perSeed = 50

  private struct Counts: Sendable {
    var (tried, opened, refused, saved, lost) = (0, 0, 0, 0, 0)
  }

  @Test func theForgerUnderstandsAllThatTheCodecWrites() throws {
    for seed in Seeds.first(8) { #expect(try Forger(seed: seed).isUnderstood, "seed \(seed)") }
  }

  @Test func noForgedStoreDoesHarm() async throws {
    let environment = ProcessInfo.processInfo.environment
    let count =
      environment["FIEF_FORGED"].flatMap { Int($0) } ?? Effort.of(debug: 60, release: 5_000, night: 1_000_000)
    let seeds = Seeds.first(max(1, count / Self.perSeed))
    let counts = try await withThrowingTaskGroup(of: Counts.self) { group in
      for part in 0..<4 {
        group.addTask {
          var counts = Counts()
          for position in stride(from: part, to: seeds.count, by: 4) { try Self.run(seeds[position], &counts) }
          return counts
        }
      }
      return try await group.reduce(into: Counts()) { all, part in
        all.tried += part.tried
        all.opened += part.opened
        all.refused += part.refused
        all.saved += part.saved
        all.lost += part.lost
      }
    }
    // A generator that makes only refusals, or only sound stores, would test nothing.
    #expect(counts.opened > counts.tried / 50 && counts.refused > counts.tried / 50)
    Trials.report(
      "\(counts.tried) forged stores: \(counts.opened) open, \(counts.refused) are refused, \(counts.saved) are saved "
        + "by recover, \(counts.lost) are not; seeds from \(seeds[0])")
  }

  @Test func forgedStoresTakeMemoryInProportion() async {
    await #expect(processExitsWith: .success) {
      let before = HostileTests.peakMemory()
      var counts = Counts()
      for seed in Seeds.first(Effort.of(debug: 1, release: 4, night: 4)) { try ForgerTests.run(seed, &counts) }
      // A table may have the highest possible number, which takes eight MiB in each of the graphs in use.
      let growth = HostileTests.peakMemory() - before
      if growth > 256 << 20 { fatalError("\(counts.tried) forged stores took \(growth) bytes of memory.") }
    }
  }

  private static func run(_ seed: Seed, _ counts: inout Counts) throws {
    var forger = try Forger(seed: seed)
    for number in 0..<perSeed {
      let files = forger.next()
      for problem in judge(files, &counts) { Issue.record("forged store \(number) of seed \(seed): \(problem)") }
    }
  }

  /// All faults in the treatment of a forged store.
  private static func judge(_ files: [String: [UInt8]], _ counts: inout Counts) -> [String] {
    var problems: [String] = []
    let verdicts = Verdicts(files, at: Forger.path)
    if let disagreement = verdicts.disagreement { problems.append(disagreement) }
    counts.tried += 1
    switch verdicts.opened {
    case .success(let stored):
      counts.opened += 1
      if let fault = stored.graph.checkInvariants().first { problems.append("what opens is unsound: \(fault)") }
      if let problem = goOn(verdicts.disk) { problems.append(problem) }
    case .failure(let error):
      counts.refused += 1
      if ![.damaged, .invalidDatabase, .unsupportedFileFormatVersion, .fileNotFound].contains(error.code) {
        problems.append("it is refused by \(error)")
      }
      // Every file but the lock is unchanged.
      if verdicts.disk.files.filter({ !$0.key.hasSuffix(".lock") }) != files {
        problems.append("it is refused and changed")
      }
    }
    if let problem = recover(files, &counts) { problems.append(problem) }
    return problems
  }

  /// Opens a store again, commits a row to each table, closes it, and opens it once more: the commit can be read.
  private static func goOn(_ disk: SimulatedDisk) -> String? {
    let process = SimulatedProcess(disk)
    do {
      let (file, stored) = try StoreFile.open(Forger.path, on: process)
      let transaction = Transaction(stored.graph)
      for table in stored.graph.allTables {
        let schema = table.schema
        let key = schema.primaryKey.flatMap { schema.column($0) }.map { _ in Value.string("gone on") }
        _ = try? transaction.create(in: schema.key, primaryKey: key)
      }
      _ = try? transaction.addTable("gone on")
      let next = transaction.graph.numbered(stored.version &+ 1)
      var version = stored.version
      do throws(StoreError) {
        try file.commit(
          Delta(from: stored.graph, to: next), version: next.version, userVersion: stored.userVersion, durability: .full
        )
        version = next.version
      } catch {
        // Only at the last possible number.
        if stored.version < 1 << 62 { return "a commit after opening throws \(error)" }
      }
      try file.close()
      let report = try StoreFile.verify(Forger.path, on: process)
      if !report.isSound { return "it was gone on with, and is unsound: \(report.problems) \(report.doubts)" }
      let again = try StoreFile.open(Forger.path, on: process)
      if again.stored.version != version { return "what was gone on with is of version \(again.stored.version)" }
      if version == next.version && again.stored.graph != next { return "what was gone on with is another graph" }
      try again.file.close()
      return nil
    } catch  where error.message.hasPrefix("The store \(Forger.path) has used up its generations") {
      // A forged store at its last generation opens once more: what it holds then is saved by `recover`.
      let target = SimulatedDisk.folder + "/last.realm"
      let saved = try? StoreFile.recover(from: Forger.path, to: target, on: process)
      return saved == nil ? "it opened, used up its generations, and cannot be recovered" : nil
    } catch {
      return "it opened, and then: \(error)"
    }
  }

  private static func recover(_ files: [String: [UInt8]], _ counts: inout Counts) -> String? {
    let disk = SimulatedDisk(files: files, isRecording: false)
    let process = SimulatedProcess(disk)
    let target = SimulatedDisk.folder + "/saved.realm"
    do throws(StoreError) {
      _ = try StoreFile.recover(from: Forger.path, to: target, on: process)
    } catch {
      counts.lost += 1
      let isRefusal = [.damaged, .invalidDatabase, .unsupportedFileFormatVersion, .fileNotFound].contains(error.code)
      return isRefusal ? nil : "recover throws \(error)"
    }
    counts.saved += 1
    do throws(StoreError) {
      let report = try StoreFile.verify(target, on: process)
      if !report.isSound { return "what was recovered is unsound: \(report.problems) \(report.doubts)" }
      let stored = try StoreFile.open(target, on: process).stored
      return stored.graph.checkInvariants().first.map { "what was recovered is unsound: \($0)" }
    } catch {
      return "what was recovered does not open: \(error)"
    }
  }
}
