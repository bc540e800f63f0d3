import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// G19: two processes on one disk, in every order of their calls with at most two switches besides those at the ends.
///
///     first    open, commit, checkpoint, commit, close       or is killed at the first switch
///     second   open (once more when refused), commit, close  or only reads
///
/// P7, P8: never do two processes write at a time; each continues from the durable commits of the other. A reader sees
/// a version that was begun, and none older than the durable ones before it began.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct ScheduleTests {
  enum Second: CaseIterable { case writes, reads }

  @Test(arguments: Second.allCases, [false, true])
  func everyOrderOfTwoProcessesIsSafe(second: Second, isKilling: Bool) throws {
    let calls = try Schedule(changes: [], second: second, isKilling: false).run()
    var schedules = 0
    // Debug builds try every ninth pair: each switch occurs in many pairs.
    let every = isKilling ? 1 : Effort.of(debug: 9, release: 1, night: 1)
    for first in 0..<calls {
      for next in first + 1...(isKilling ? first + 1 : calls) where (first + next) % every == 0 {
        do {
          _ = try Schedule(changes: [first, next], second: second, isKilling: isKilling).run()
        } catch {
          throw StoryFault(description: "changes at \(first) and \(next): \(error)")
        }
        schedules += 1
      }
    }
    // The search throws at the first schedule that breaks a guarantee. This checks that it omitted none: a death at
    // every call, or every choice of one or two switches.
    let all = isKilling ? calls : calls * (calls + 1) / 2
    #expect(every == 1 ? schedules == all : schedules > all / (every + 1))
    Figures.report("G19: second \(second), killing \(isKilling): \(schedules) schedules of \(calls) calls")
  }
}

/// One order of the calls of two processes. `lock` guards the promised and the seen versions.
private final class Schedule: @unchecked Sendable {
  private let disk = SimulatedDisk()
  private let turnstile: Turnstile
  private let second: ScheduleTests.Second
  private let killAt: Int?
  private let lock = NSLock()
  private var faults: [String] = []
  private var writers = 0
  private var begun: UInt64 = 0
  private var promised: UInt64 = 0
  private var firstProcess: SimulatedProcess?

  init(changes: [Int], second: ScheduleTests.Second, isKilling: Bool) {
    turnstile = Turnstile(changes: Set(changes))
    self.second = second
    killAt = isKilling ? changes.first : nil
  }

  /// Runs both processes to their ends, and a third that reads; returns the number of calls.
  func run() throws -> Int {
    let group = DispatchGroup()
    for number in 0...1 {
      group.enter()
      Thread { [self] in
        let process = SimulatedProcess(disk, number: Int32(number + 1)) { [self] _, _ in
          turnstile.pass(number)
          if number == 0, let killAt, turnstile.calls > killAt { kill() }
        }
        if number == 0 { lock.withLock { firstProcess = process } }
        do {
          if number == 0 { try first(process) } else { try another(process) }
        } catch {
          if !process.isDead { note("\(error)") }
        }
        turnstile.finish(number)
        group.leave()
      }.start()
    }
    group.wait()
    let calls = turnstile.calls
    let stored = try StoreFile.open(StoryTeller.path, on: SimulatedProcess(disk, number: 9)).stored
    if stored.version < promised || stored.version > begun { note("\(promised) was promised, \(stored.version) found") }
    check(stored)
    if !faults.isEmpty { throw StoryFault(description: faults.joined(separator: "; ")) }
    return calls
  }

  private func kill() {
    guard let process = lock.withLock({ firstProcess }), !process.isDead else { return }
    lock.withLock { if isFirstWriting { writers -= 1 } }
    process.kill()
  }

  private var isFirstWriting = false

  private func note(_ fault: String) { lock.withLock { faults.append(fault) } }

  /// The graph of a version: its number of rows is the version's number less one.
  private static func next(after graph: Graph) throws -> Graph {
    let transaction = Transaction(graph)
    if let table = graph.table(named: "Row") {
      try transaction.create(in: table.schema.key)
    } else {
      _ = try transaction.addTable("Row")
    }
    return transaction.graph.numbered(graph.version + 1)
  }

  private func check(_ stored: StoredVersion) {
    let rows = stored.graph.table(named: "Row")?.count ?? 0
    if rows != max(0, Int(stored.version) - 1) { note("version \(stored.version) has \(rows) rows") }
  }

  private func enter(_ stored: StoredVersion, isFirst: Bool) {
    lock.withLock {
      writers += 1
      if isFirst { isFirstWriting = true }
      if writers > 1 { faults.append("two write at a time") }
      if stored.version < promised { faults.append("\(promised) was promised, and \(stored.version) opened") }
    }
    check(stored)
  }

  private func commit(_ file: StoreFile, _ graph: inout Graph) throws {
    let next = try Self.next(after: graph)
    lock.withLock { begun = max(begun, next.version) }
    try file.commit(Delta(from: graph, to: next), version: next.version, userVersion: 0)
    graph = next
    lock.withLock { promised = max(promised, next.version) }
  }

  private func first(_ process: SimulatedProcess) throws {
    // A call whose failure an opening survives may be the one at which the process was killed: it goes no further.
    guard let (file, stored) = try open(process), !process.isDead else { return }
    enter(stored, isFirst: true)
    var graph = stored.graph
    try commit(file, &graph)
    try file.checkpoint(graph, version: graph.version, userVersion: 0)
    try commit(file, &graph)
    leave(isFirst: true)
    try file.close()
  }

  private func leave(isFirst: Bool) {
    lock.withLock {
      writers -= 1
      if isFirst { isFirstWriting = false }
    }
  }

  /// Opens the store, with a second attempt when the other process has it.
  private func open(_ process: SimulatedProcess) throws -> (StoreFile, StoredVersion)? {
    for _ in 0..<2 {
      do throws(StoreError) { return try StoreFile.open(StoryTeller.path, on: process) } catch {
        if error.code != .alreadyOpen { throw error }
      }
    }
    return nil
  }

  private func another(_ process: SimulatedProcess) throws {
    switch second {
    case .writes:
      guard let (file, stored) = try open(process) else { return }
      enter(stored, isFirst: false)
      var graph = stored.graph
      try commit(file, &graph)
      leave(isFirst: false)
      try file.close()
    case .reads:
      let before = lock.withLock { promised }
      do throws(StoreError) {
        let stored = try StoreFile.read(StoryTeller.path, on: process)
        if stored.version < before { note("\(before) was promised, and \(stored.version) read") }
        if stored.version > lock.withLock({ begun }) { note("\(stored.version) was read and not begun") }
        check(stored)
      } catch {
        // Before its creation the store cannot be read.
        if error.code != .fileNotFound { throw error }
      }
    }
  }
}
