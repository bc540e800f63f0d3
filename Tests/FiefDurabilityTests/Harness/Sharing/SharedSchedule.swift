import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation

/// One step of a process in a schedule.
enum SharedStep: Hashable, Sendable {
  case open
  case commit
  /// A commit that is not waited for.
  case relaxedCommit
  /// Waits for all commits of the process.
  case flush
  /// Looks for commits of others.
  case refresh
  case checkpoint
  /// A round of the timer.
  case rest
  case close
  /// Reads the store without sharing it.
  case read
  /// Reads what was committed since the last such step, without sharing the store.
  case follow
}

/// One order of the calls of two processes that share a store, and what must hold in it.
///
///     calls     0 1 2 3 4 5 6 7 8 9 …
///     first     ● ● ●         ● ●          changes at [3, 7]; a process that waits for a lock lets the other run, too
///     second          ● ● ● ●     ●        the first may be killed when it runs for the second time, within a write
///
/// A commit adds a line that names its process (`SharedStage`), so the lines of a version are its history:
///
/// - every acknowledged commit is there, once, at its version, and versions have no gaps;
/// - all processes and readers see the same lines at a version, and each sees only what was begun;
/// - no process waits in vain: the number of calls is bounded, and no call throws;
/// - afterwards `verify` finds the store sound, and an opening alone finds what was acknowledged;
/// - a process that closes the store after the death of the other one leaves it closed in order: nothing of an append
///   that was not finished is in the journal;
/// - at each power failure, an opening finds no less than what was acknowledged, and no more than what was begun.
///
/// `lock` guards what the processes note, so `@unchecked Sendable` is correct.
final class SharedSchedule: @unchecked Sendable {
  let disk: SimulatedDisk
  private let scripts: [[SharedStep]]
  private let turnstile: Turnstile
  private let killAt: Int?
  /// Whether the process that is killed goes on until its next write.
  private let killsInWrite: Bool
  private let history: HistoryLimits?
  /// Whether the disk has a fault. A process goes on after its errors then, as a user would.
  private let hasFault: Bool
  private let lock = NSLock()
  private var faults: [String] = []
  private var processes: [SimulatedProcess] = []
  /// Whether the process that is killed writes for the last time.
  private var isTearing = false
  /// The lines that a version may have added, and that a process has seen in it.
  private var begun: [UInt64: Set<String>] = [:]
  /// The lines whose commits were undone, and the moments: a power failure before may leave them.
  private var undone: [(version: UInt64, line: String, moment: Int)] = []
  private var seen: [UInt64: String] = [:]
  /// The call at which the first process was killed, and that at which the second one began to close the store last.
  private var killedAt: Int?
  private var closedAt: Int?
  /// The lines that were acknowledged, with their versions.
  private var acknowledged: [UInt64: String] = [:]
  /// The calls of a schedule without an end.
  private static let bound = 20_000
  /// What the lines of the process end with that may be killed: a record of the other one does not cover what is left
  /// of its record.
  private static let padding = String(repeating: "+", count: 60)

  /// - Parameters:
  ///   - scripts: The steps of the two processes.
  ///   - changes: The calls before which the other process runs.
  ///   - killAt: The call at which the first process is stopped, and killed when it would go on.
  ///   - killsInWrite: Whether it goes on until its next write, of which a part arrives.
  ///   - isThere: Whether the store exists before, with a version.
  ///   - isPiecemeal: Whether the system takes a record in several calls, between which the other process may run.
  ///   - fault: A fault of the disk, whose call counts from the beginning of the processes.
  init(
    scripts: [[SharedStep]], changes: [Int] = [], killAt: Int? = nil, killsInWrite: Bool = false,
    isThere: Bool = false, history: HistoryLimits? = nil, chance: UInt64 = 1, isPiecemeal: Bool = false,
    fault: DiskFault? = nil
  ) throws {
    disk = SimulatedDisk(chance: chance)
    self.scripts = scripts
    self.killAt = killAt
    self.killsInWrite = killsInWrite
    self.history = history
    hasFault = fault != nil
    turnstile = Turnstile(changes: Set(changes + (killAt.map { [$0] } ?? [])))
    if isThere {
      let stage = try SharedStage(SimulatedProcess(disk, number: 8), history: history)
      try stage.commit { self.note(begun: $0, $1) }
      acknowledge([(1, "")])
      try stage.close()
    }
    if var fault {
      fault.call += disk.calls
      disk.faults = [fault]
    }
    if isPiecemeal { disk.faults.append(DiskFault(call: 0, kind: .short(96), isForEver: true)) }
  }

  /// The number of errors after which a process went on.
  private(set) var errors = 0

  /// Runs both processes to their ends, and opens the store alone; returns the number of calls.
  func run() throws -> Int {
    let group = DispatchGroup()
    processes = (0...1).map { number in
      SimulatedProcess(disk, number: Int32(number + 1)) { [self] operation, _ in
        turnstile.pass(number)
        if number == 0, let killAt, turnstile.calls > killAt { die(operation, killAt) }
        if turnstile.calls > Self.bound { kill(number, "The schedule does not end.") }
      } pausing: { [self] in
        turnstile.pause(number)
      }
    }
    for number in 0...1 {
      group.enter()
      Thread { [self] in
        do { try run(scripts[number], processes[number]) } catch {
          if !processes[number].isDead { note("process \(number + 1): \(error)") }
        }
        turnstile.finish(number)
        group.leave()
      }.start()
    }
    group.wait()
    let calls = turnstile.calls
    for process in processes { process.kill() }
    disk.faults = []
    try checkEnd()
    if !faults.isEmpty { throw StoryFault(description: faults.joined(separator: "; ")) }
    return calls
  }

  /// Kills the first process before a call, or when it has written a part of its bytes.
  private func die(_ operation: FileFailure.Operation, _ call: Int) {
    if operation == .write, !isTearing {
      isTearing = true
      disk.lock.withLock {
        disk.faults.insert(DiskFault(call: disk.calls, kind: .short(1 + call % 137)), at: 0)
      }
    } else if isTearing || !killsInWrite {
      lock.withLock { killedAt = killedAt ?? turnstile.calls }
      processes[0].kill()
    }
  }

  private func kill(_ number: Int, _ fault: String) {
    guard !processes[number].isDead else { return }
    note(fault)
    processes[number].kill()
  }

  private func note(_ fault: String) { lock.withLock { if faults.count < 5 { faults.append(fault) } } }

  // MARK: A process

  private func run(_ script: [SharedStep], _ process: SimulatedProcess) throws {
    var stage: SharedStage?
    // The versions that this process has committed and not waited for.
    var open: [(version: UInt64, line: String)] = []
    var count = 0
    var reading: (reader: StoreReader, graph: Graph)?
    func readOn() throws(StoreError) {
      guard let (reader, graph) = reading else {
        let (reader, stored) = try StoreReader.open(SharedStage.path, on: process)
        return reading = (reader, stored.graph)
      }
      // A reader may show a commit that is undone, when a disk fails (S38).
      reading = (reader, try reader.follow(from: graph) { if !hasFault { see($0.graph) } })
    }
    func flush() throws {
      guard let last = open.last, let stage else { return }
      try stage.file.waitUntilDurable(last.version)
      if !process.isDead { acknowledge(open) }
      open = []
    }
    func carryOut(_ step: SharedStep) throws {
      switch step {
      case .open:
        guard stage == nil else { break }
        let owed = lock.withLock { acknowledged.keys.max() ?? 0 }
        let padding = process.processIdentifier == 1 ? Self.padding : ""
        stage = try SharedStage(process, history: history, counting: count, padding: padding) { stage in
          guard !process.isDead else { return }
          // What an opening returns is durable. If it has the turn or is alone, nothing was begun after it.
          let version = stage.stored.version
          disk.mark(stage.file.mayCommit ? .seen(version) : .acknowledged(version))
          if stage.stored.version < owed { note("\(owed) was acknowledged, and \(stage.stored.version) opened") }
        }
        if let stage { see(stage.stored.graph) }
      case .commit, .relaxedCommit:
        guard let stage else { break }
        var begun: (version: UInt64, line: String)?
        do {
          try stage.commit(.relaxed) {
            note(begun: $0, $1)
            begun = ($0, $1)
          }
        } catch let error as StoreError {
          if let begun, error.code != .commitOutcomeUnknown, !process.isDead { note(undone: begun.version, begun.line) }
          throw error
        }
        if let begun { open.append(begun) }
        see(stage)
        if step == .commit { try flush() }
      case .flush: try flush()
      case .refresh:
        guard let stage else { break }
        try stage.refresh()
        see(stage)
      case .checkpoint: try stage?.checkpoint()
      case .rest: process.passTime()
      case .close:
        try flush()
        let call = turnstile.calls
        guard let held = stage else { break }
        try held.close()
        stage = nil
        if process.processIdentifier == 2 { lock.withLock { closedAt = call } }
      case .read:
        let owed = lock.withLock { acknowledged.keys.max() ?? 0 }
        do throws(StoreError) {
          let stored = try StoreFile.read(SharedStage.path, on: process)
          if stored.version < owed { note("\(owed) was acknowledged, and \(stored.version) read") }
          see(stored.graph)
        } catch {
          // Before its creation the store cannot be read.
          if error.code != .fileNotFound || owed > 0 { throw error }
        }
      case .follow:
        let owed = lock.withLock { acknowledged.keys.max() ?? 0 }
        do throws(StoreError) { try readOn() } catch {
          if error.code != .fileNotFound || owed > 0 { throw error }
        }
        guard let graph = reading?.graph, !process.isDead else { break }
        if graph.version < owed { note("\(owed) was acknowledged, and \(graph.version) followed") }
        if !hasFault { see(graph) }
      }
    }
    for step in script {
      defer { count = max(count, stage?.count ?? 0) }
      do { try carryOut(step) } catch {
        count = max(count, stage?.count ?? 0)
        guard hasFault, !process.isDead else { throw error }
        lock.withLock { errors += 1 }
        open = []
        guard let held = stage else { continue }
        if step == .close || held.file.refusal != nil {
          try? held.close()
          stage = nil
          if step != .close { try? carryOut(.open) }
        }
      }
    }
  }

  /// Notes that a commit was undone: nobody sees it from now on.
  private func note(undone version: UInt64, _ line: String) {
    disk.mark(.refused(version))
    let moment = disk.lock.withLock { disk.events.count }
    lock.withLock {
      begun[version]?.remove(line)
      undone.append((version, line, moment))
    }
  }

  private func note(begun version: UInt64, _ line: String) {
    lock.withLock { _ = begun[version, default: []].insert(line) }
    disk.mark(.started(version))
  }

  private func acknowledge(_ commits: [(version: UInt64, line: String)]) {
    lock.withLock { for commit in commits { acknowledged[commit.version] = commit.line } }
    if let last = commits.last { disk.mark(.acknowledged(last.version)) }
  }

  private func see(_ stage: SharedStage) {
    for followed in stage.followed.suffix(3) { see(followed.graph) }
    see(stage.graph)
  }

  /// Notes what a process sees, and compares it with what others have seen.
  private func see(_ graph: Graph) {
    if let fault = fault(of: graph) { note(fault) }
  }

  /// The fault of a version; nil if it has none.
  ///
  /// - Parameter moment: when the power failed before it was found; nil if its lines are those that all others must see
  ///   from now on.
  private func fault(of graph: Graph, failedAt moment: Int? = nil) -> String? {
    let lines = SharedStage.lines(graph)
    guard SharedStage.isRight(graph) else { return "version \(graph.version) has the lines \(lines)" }
    return lock.withLock {
      for (index, line) in lines.enumerated() {
        let version = UInt64(index + 2)
        let isBegun =
          begun[version]?.contains(line) == true
          || undone.contains { $0.version == version && $0.line == line && moment ?? .max < $0.moment }
        guard isBegun else { return "version \(version) is \(line), which nobody began" }
        if moment == nil {
          if let other = seen[version], other != line { return "version \(version) is \(line), and was \(other)" }
          seen[version] = line
        }
      }
      return nil
    }
  }

  // MARK: Afterwards

  private func checkEnd() throws {
    let process = SimulatedProcess(disk, number: 9)
    if disk.lock.withLock({ disk.names[SharedStage.path] }) != nil {
      let report = try StoreFile.verify(SharedStage.path, on: process)
      let isKilled = killAt != nil || hasFault
      if !report.problems.isEmpty { note("\(report.problems)") }
      if !isKilled && !report.doubts.isEmpty { note("\(report.doubts)") }
      let isLast = lock.withLock { killedAt.flatMap { killed in closedAt.map { killed < $0 } } ?? false }
      if !isKilled || isLast && !hasFault, report.info?.state != .closed { note("the last process did not seal") }
    }
    let (file, stored) = try StoreFile.open(SharedStage.path, history: history, on: process)
    defer { process.kill() }
    withExtendedLifetime(file) { see(stored.graph) }
    check(stored.graph)
  }

  /// Checks that all acknowledged commits are there.
  private func check(_ graph: Graph) {
    let lines = SharedStage.lines(graph)
    if Set(lines).count != lines.count { note("a commit is there twice: \(lines)") }
    for (version, line) in acknowledged where version > 1 {
      guard version <= graph.version else {
        note("version \(version), \(line), was acknowledged, and \(graph.version) is there")
        continue
      }
      if lines[Int(version) - 2] != line { note("version \(version) was \(line), and is \(lines[Int(version) - 2])") }
    }
    if let last = acknowledged.keys.max(), last > graph.version { note("\(last) is lost") }
  }

  /// Tries power failures of the schedule, which has run.
  func tryPowerFailures(_ images: inout CrashImages, using random: inout SeededRandom) throws {
    try images.of(disk, using: &random) { point, image, place in
      guard point.owed > 0 else { return }
      do {
        let (file, stored) = try StoreFile.open(SharedStage.path, history: history, on: image)
        defer { withExtendedLifetime(file) {} }
        if stored.version < point.owed {
          throw StoryFault(description: "\(point.owed) was owed, \(stored.version) is there")
        }
        if stored.version > point.started {
          throw StoryFault(description: "\(point.started) was begun last, \(stored.version) is there")
        }
        if let fault = fault(of: stored.graph, failedAt: point.moment) { throw StoryFault(description: fault) }
      } catch {
        throw StoryFault(description: "\(place): \(error)")
      }
    }
  }
}
