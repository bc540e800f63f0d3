#if os(Linux)
  import Fief
  import FiefBoundarySupport
  import FiefTestSupport
  import Foundation
  import Testing

  /// Several processes read and write one file. They are killed, stopped and started at random, and their logs must be
  /// views of one history.
  @Suite(.waitsForProcesses) struct SharedProcessesTests {
    @Test(arguments: [2, 4, 8]) func processesThatShareAFileSeeOneHistory(processes: Int) throws {
      let seconds = Double(Effort.of(debug: 3, release: 10, night: 900))
      let kinds = ["done", "saw", "looked", "write", "transfer"]
      var total = Totals()
      try withScratchFolder { scratch in
        let end = Date(timeIntervalSinceNow: seconds)
        // On a slow machine a round may end before every kind of event has occurred.
        for seed in Effort.seeds.prefix(1000) {
          let round = Round(processes: processes, seconds: min(20, seconds), isDisturbed: true)
          if let fault = try round.run(seed, in: scratch, &total) {
            Issue.record("\(seed.testDescription), \(processes) processes: \(fault)")
            return
          }
          let isComplete = kinds.allSatisfy { total.counts[$0, default: 0] > 0 }
          if Date() >= end && isComplete || Effort.seeds.count == 1 { break }
        }
      }
      Figures.report("\(processes) processes: \(total.words), seeds from \(Effort.firstSeed)")
      for kind in kinds where Effort.seeds.count > 1 {
        #expect(total.counts[kind, default: 0] > 0, "\(kind) never happened")
      }
    }

    /// A call of one process fails, once or for ever.
    @Test func processesBesideOneWhoseCallFailsSeeOneHistory() throws {
      let rounds = Effort.of(debug: 6, release: 40, night: 2000)
      var total = Totals()
      try withScratchFolder { scratch in
        for seed in Effort.seeds.prefix(rounds) {
          var random = seed.random
          let call = 20 + random.below(1500)
          let kinds = ["fail=28", "fail=5", "short", "kill-inside", "kill-before", "kill-after", "dead=28", "dead=5"]
          let plan = "\(call):\(kinds[random.below(kinds.count)])"
          let round = Round(processes: 3, seconds: 0.5, isDisturbed: false, plan: plan)
          if let fault = try round.run(seed, in: scratch, &total) {
            Issue.record("\(seed.testDescription), \(plan): \(fault)")
            return
          }
        }
      }
      Figures.report("a call fails: \(total.words), seeds from \(Effort.firstSeed)")
    }

    /// A test of the test: processes for which every lock is free are detected.
    @Test func missingLocksOfSharingProcessesAreNoticed() throws {
      var total = Totals()
      try withScratchFolder { scratch in
        for seed in Effort.seeds.prefix(20) {
          let round = Round(processes: 4, seconds: 1, isDisturbed: false, locksAreFree: true)
          if let fault = try round.run(seed, in: scratch, &total) {
            Figures.report("Without locks: seed \(seed): \(fault)")
            return
          }
        }
        Issue.record("No processes without locks were found out.")
      }
    }
  }

  /// Processes that fill a small file system together.
  @Suite(.waitsForProcesses) struct SharedFullDiskTests {
    @Test(.enabled(if: SmallDisk.isAvailable, "A process cannot mount a small file system for itself here."))
    func processesThatFillADiskSeeOneHistory() throws {
      var refusals = 0
      for seed in Effort.seeds.prefix(Effort.of(debug: 3, release: 12, night: 300)) {
        try withScratchFolder { scratch in
          var random = seed.random
          let seeds = (1...3).map { _ in random.next() >> 1 }
          let (disk, copy) = (scratch.appendingPathComponent("disk"), scratch.appendingPathComponent("copy"))
          for folder in [disk, copy] { try folder.makeEmptyFolder() }
          func log(_ process: Int) -> URL { scratch.appendingPathComponent("log-\(process)") }
          let stop = scratch.appendingPathComponent("stop").path
          let uses = seeds.enumerated().map { index, seed in
            "'\(Helper.program.path)' share '\(disk.path)/bank.realm' \(seed) \(index + 1) '\(log(index + 1).path)' "
              + "'\(stop)' writer &"
          }
          // A slow machine needs more than these seconds until the disk is full. One refusal is waited for.
          let logs = (1...3).map { "'\(log($0).path)'" }.joined(separator: " ")
          let wait = "for i in $(seq 1200); do grep -qsE '^(refused|threw) ' \(logs) && break; sleep 0.1; done"
          let end = ["touch '\(stop)'; wait", "cp '\(disk.path)'/* '\(copy.path)'"]
          let script = uses + ["sleep 2"] + (refusals == 0 ? [wait] : []) + end
          #expect(try SmallDisk.run(script.joined(separator: "\n"), on: disk, kilobytes: 280 + random.below(200)))
          var history = SharedHistory(stops: [], errors: .fullDisk)
          for process in 1...3 {
            history.add(SharedProcess.lines(of: log(process)), of: process, isReader: false)
          }
          let path = copy.appendingPathComponent("bank.realm")
          history.compare(with: try SharedBank(path.path, isReadOnly: true))
          history.compare(with: try SharedBank(path.path))
          #expect(history.fault == nil, "\(seed.testDescription)")
          refusals += history.counts["refused", default: 0] + history.counts["threw", default: 0]
        }
      }
      Figures.report("\(refusals) writes and checkpoints refused by full file systems, seeds from \(Effort.firstSeed)")
      #expect(refusals > 0)
    }
  }

  /// A small file system in memory that the processes of one script have.
  private enum SmallDisk {
    /// Whether this machine permits such a mount.
    static let isAvailable = (try? withScratchFolder { try run("true", on: $0, kilobytes: 64) }) ?? false

    /// Runs a shell script with a small file system at a folder, which no other process sees.
    ///
    /// - Returns: whether it succeeded.
    static func run(_ script: String, on folder: URL, kilobytes: Int) throws -> Bool {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "unshare", "--map-root-user", "--mount", "/bin/sh", "-c",
        "mount -t tmpfs -o size=\(kilobytes)k none '\(folder.path)' || exit 1\n\(script)",
      ]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus == 0
    }
  }

  /// What rounds have done in all.
  private struct Totals {
    var counts: [String: Int] = [:]
    var rounds = 0
    var versions = 0
    var longestWait = 0

    var words: String {
      "\(rounds) rounds, \(versions) versions compared, longest step \(longestWait / 1_000_000) ms; "
        + counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
  }

  /// Processes that use one new file for some seconds.
  private struct Round {
    let processes: Int
    let seconds: Double
    /// Whether processes are killed and stopped.
    let isDisturbed: Bool
    /// What happens to which call of the first process.
    var plan: String?
    var locksAreFree = false

    /// - Returns: what was wrong; nil if nothing was.
    func run(_ seed: Seed, in scratch: URL, _ total: inout Totals) throws -> String? {
      var random = seed.random
      let folder = scratch.appendingPathComponent("shared")
      let logs = scratch.appendingPathComponent("logs")
      try folder.makeEmptyFolder()
      try logs.makeEmptyFolder()
      let path = folder.appendingPathComponent("bank.realm")
      let stop = logs.appendingPathComponent("stop")
      // In half of the rounds the processes compete for creating the file.
      if random.bool() {
        let bank = try SharedBank(path.path)
        try bank.realm.write { _ = bank.sign(process: 0, counter: 1) }
      }
      let isHeldUp = random.bool()
      var started: [(process: SharedProcess, isReader: Bool)] = []
      func start() throws -> SharedProcess {
        let number = started.count + 1
        var environment: [String: String] = [:]
        if isHeldUp || plan != nil || locksAreFree { environment["FIEF_ROOT"] = folder.path }
        if isHeldUp { environment["FIEF_JITTER"] = "\(random.next())" }
        if number == 1, let plan { environment["FIEF_PLAN"] = plan }
        if locksAreFree { environment["FIEF_LOCKS"] = "free" }
        let isReader = number > 2 && random.below(5) == 0
        let process = try SharedProcess(
          number, at: path, until: stop, seed: random.next(), isReader: isReader, environment: environment)
        started.append((process, isReader))
        return process
      }
      var running = try (0..<processes).map { _ in try start() }
      var stops: [Range<Int>] = []
      let end = SharedProcess.moment + Int(seconds * 1e9)
      while SharedProcess.moment < end {
        usleep(UInt32(5_000 + random.below(60_000)))
        for process in running where process.stop.map({ $0.until < SharedProcess.moment }) ?? false {
          process.goOn().map { stops.append($0) }
        }
        guard isDisturbed else { continue }
        let victim = running[random.below(running.count)]
        switch random.below(10) {
        case 0:
          total.counts["killed", default: 0] += 1
          victim.goOn().map { stops.append($0) }
          victim.kill()
          running.removeAll { $0 === victim }
          running.append(try start())
        case 1 where victim.stop == nil:
          total.counts["stopped", default: 0] += 1
          victim.halt(milliseconds: random.below(1000))
        default: break
        }
      }
      _ = FileManager.default.createFile(atPath: stop.path, contents: nil)
      for process in running {
        process.goOn().map { stops.append($0) }
      }
      for process in running { process.finish(isExpectedToTrap: locksAreFree) }
      var history = SharedHistory(stops: stops, errors: plan != nil || locksAreFree ? .any : .none)
      for (process, isReader) in started { history.add(process.lines, of: process.number, isReader: isReader) }
      let problem = try finalProblem(path, &history)
      for (kind, count) in history.counts { total.counts[kind, default: 0] += count }
      total.rounds += 1
      total.versions += history.versions
      total.longestWait = max(total.longestWait, history.longestWait)
      return history.fault ?? problem
    }

    /// Compares the history with the file, and opens it alone once more.
    private func finalProblem(_ path: URL, _ history: inout SharedHistory) throws -> String? {
      do {
        let report = try Realm.verify(fileURL: path)
        guard report.isSound else { return "the file is not sound: \(report.problems + report.doubts)" }
        history.compare(with: try SharedBank(path.path, isReadOnly: true))
        do {
          let bank = try SharedBank(path.path)
          history.compare(with: bank)
          try bank.realm.write { _ = bank.sign(process: 0, counter: 2) }
        }
        guard try Realm.verify(fileURL: path).isSound else { return "the file is not sound after it was opened" }
      } catch {
        return "the file does not open: \(error)"
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: path.deletingLastPathComponent().path)
      let left = names.filter { $0.hasSuffix(".tmp") }
      return left.isEmpty ? nil : "files are left: \(left)"
    }
  }
#endif
