#if os(Linux)
  import Fief
  import FiefBoundarySupport
  import FiefTestSupport
  import Foundation
  import Testing

  /// Several processes use the realms of one folder concurrently.
  @Suite(.waitsForProcesses) struct SeveralProcessesTests {
    // MARK: Random schedules

    @Test func acknowledgedCommitsOfSeveralProcessesExist() throws {
      let wanted = Effort.of(debug: 5, release: 20, night: 3000)
      let kinds = ["done", "opened", "copied", "deleted", "checkpoint", "checked", "read", "threw open alreadyOpen"]
      try withScratchFolder { scratch in
        var (rounds, counts) = (0, [String: Int]())
        // The interleaving of processes depends on the machine, so rounds continue until every kind of event has
        // occurred.
        for seed in Effort.seeds.prefix(20 * wanted) {
          if let fault = try Self.schedule(seed, in: scratch, &counts) {
            Issue.record("\(seed.testDescription): \(fault)")
            return
          }
          rounds += 1
          if rounds >= wanted, kinds.allSatisfy({ counts[$0, default: 0] > 0 }) { break }
        }
        Figures.report(
          "\(rounds) rounds of \(Self.processes) processes: \(Self.words(counts)), seeds from \(Effort.firstSeed)")
        for kind in kinds {
          #expect(Effort.seeds.count == 1 || counts[kind, default: 0] > 0, "\(kind) never happened")
        }
      }
    }

    /// A test of the test: processes for which every lock is free are detected.
    @Test func missingLocksAreNoticed() throws {
      try withScratchFolder { scratch in
        var counts: [String: Int] = [:]
        for seed in Effort.seeds.prefix(20) {
          if let fault = try Self.schedule(seed, in: scratch, &counts, environment: ["FIEF_LOCKS": "free"]) {
            Figures.report("Without locks: seed \(seed): \(fault)")
            return
          }
        }
        Issue.record("No schedule without locks was found out.")
      }
    }

    private static let processes = 4

    private static func words(_ counts: [String: Int]) -> String {
      counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    /// Runs processes and returns the fault of the resulting files; nil if there is no fault.
    private static func schedule(
      _ seed: Seed, in scratch: URL, _ counts: inout [String: Int], environment: [String: String] = [:]
    ) throws -> String? {
      var random = seed.random
      let folder = scratch.appendingPathComponent("store")
      try folder.makeEmptyFolder()
      try makeSeed(rows: 10, text: 10, at: folder.appendingPathComponent("seed.realm"))
      let start = scratch.appendingPathComponent("start-\(UUID().uuidString)").path
      let running = try (1...processes).map { process in
        try RecordedProcess(
          ["schedule", folder.path, "\(random.next())", "20", "\(process)", start], in: folder, jitter: random.next(),
          environment: environment)
      }
      _ = FileManager.default.createFile(atPath: start, contents: nil)
      var outcomes = ScheduleOutcomes(seedRows: Set(1...10))
      for process in running { outcomes.add(try process.finish()) }
      for (kind, count) in outcomes.counts { counts[kind, default: 0] += count }
      if let fault = outcomes.faults.first { return fault }
      for name in ["a.realm", "b.realm", "c.realm"] {
        let path = folder.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: path.path) else {
          if let fault = outcomes.fault(ofMissing: name) { return fault }
          continue
        }
        do {
          let report = try Realm.verify(fileURL: path)
          guard report.isSound else { return "\(name) is not sound: \(report.problems + report.doubts)" }
          let ledger = try Ledger(path.path)
          if let fault = outcomes.fault(ofFinding: ledger.realm.objects(Entry.self).map(\.id), in: name) {
            return fault
          }
          try ledger.realm.write { _ = ledger.countWrite() }
        } catch {
          return "\(name) does not open: \(error)"
        }
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".tmp") }
      return left.isEmpty ? nil : "files are left: \(left)"
    }

    /// Makes a realm as a seed for others.
    private static func makeSeed(rows: Int, text: Int, at url: URL) throws {
      let ledger = try Ledger(url.path)
      try ledger.realm.write {
        let text = String(repeating: "x", count: text)
        for row in 1...rows {
          for id in [row, row + ScheduleOutcomes.twin] {
            ledger.realm.create(Entry.self, value: ["id": id, "text": text], update: .error)
          }
        }
      }
    }

    // MARK: One seed, one copy

    /// Four processes open one path concurrently, with a seed of some 3 MB.
    @Test func ofProcessesThatOpenOneSeededRealmAtOnceEachHasItOrIsRefused() throws {
      let rounds = Effort.of(debug: 6, release: 24, night: 2000)
      try withScratchFolder { scratch in
        let seed = scratch.appendingPathComponent("seed.realm")
        try Self.makeSeed(rows: 1500, text: 1000, at: seed)
        let seedSize = try FileManager.default.attributesOfItem(atPath: seed.path)[.size] as? Int ?? 0
        let journal = try FileManager.default.attributesOfItem(atPath: seed.path + ".journal")[.size] as? Int ?? 0
        #expect(seedSize + journal > 3_000_000)
        var (opened, refused) = (0, 0)
        for round in 0..<rounds {
          let path = scratch.appendingPathComponent("store\(round).realm")
          let start = scratch.appendingPathComponent("start\(round)").path
          let helpers = try (1...4).map { number in
            try Helper(["open-seeded", path.path, seed.path, "\(number)", start])
          }
          usleep(30_000)
          _ = FileManager.default.createFile(atPath: start, contents: nil)
          let answers = helpers.map { $0.finish().last ?? "ended" }
          #expect(
            answers.allSatisfy { $0.hasPrefix("done") || $0 == "threw alreadyOpen" }, "round \(round): \(answers)")
          let numbers = answers.compactMap { $0.hasPrefix("done ") ? Int($0.dropFirst(5)) : nil }
          #expect(!numbers.isEmpty, "round \(round)")
          #expect(try Realm.verify(fileURL: path).isSound, "round \(round)")
          let ledger = try Ledger(path.path)
          let ids = Set(ledger.realm.objects(Entry.self).map(\.id))
          let seeded = (1...1500).flatMap { [$0, $0 + ScheduleOutcomes.twin] }
          #expect(ids == Set(seeded + numbers.map { -$0 }), "round \(round): \(answers)")
          opened += numbers.count
          refused += answers.count - numbers.count
          for end in ["", ".journal", ".lock"] { try? FileManager.default.removeItem(atPath: path.path + end) }
        }
        Figures.report(
          "\(rounds) rounds of four openings with one seed of \(seedSize + journal) bytes: \(opened) opened, "
            + "\(refused) refused"
        )
      }
    }

    /// Three processes copy their realms to one name.
    @Test func ofProcessesThatCopyToOneNameOneDoes() throws {
      let rounds = Effort.of(debug: 6, release: 24, night: 2000)
      try withScratchFolder { scratch in
        let sources = (1...3).map { scratch.appendingPathComponent("source\($0).realm") }
        for (number, source) in sources.enumerated() { try Self.makeSeed(rows: 500 + number, text: 600, at: source) }
        for round in 0..<rounds {
          let target = scratch.appendingPathComponent("copy\(round).realm")
          let start = scratch.appendingPathComponent("start\(round)").path
          let helpers = try sources.map { try Helper(["copy", $0.path, target.path, start]) }
          for helper in helpers { #expect(helper.nextLine() == "open") }
          _ = FileManager.default.createFile(atPath: start, contents: nil)
          let answers = helpers.map { $0.finish().last ?? "ended" }
          #expect(answers.filter { $0 == "done" }.count == 1, "round \(round): \(answers)")
          #expect(
            answers.allSatisfy { ["done", "threw alreadyOpen", "threw fileExists"].contains($0) },
            "round \(round): \(answers)")
          #expect(try Realm.verify(fileURL: target).isSound, "round \(round)")
          let winner = answers.firstIndex(of: "done") ?? 0
          let found = try Ledger(target.path, isReadOnly: true).digest
          #expect(try found == Ledger(sources[winner].path, isReadOnly: true).digest, "round \(round): \(answers)")
        }
        Figures.report("\(rounds) rounds of three copies to one name")
      }
    }
  }
#endif
