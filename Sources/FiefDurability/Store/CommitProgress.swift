import FiefGraph
import Foundation

/// How soon a commit is synchronized that no thread waits for.
package enum Urgency: Sendable {
  /// At once.
  case now
  /// Within a few milliseconds, together with others.
  case grouped
  /// By the timer, or earlier with others: within a second.
  case timer
}

/// How far the commits of a store are, and who waits for them.
///
///     append ──▶ appended ──synchronize──▶ durable ──▶ threads that wait, reports
///
///     writing ──a synchronization fails (S7, S10), a file is lost (S16)──▶ read-only ──▶ closed
///        └───────────────────────────────close────────────────────────────────────────────▲
///
/// One synchronization serves all commits that were appended when it began: those of threads that wait, and those for
/// which a report is asked. Reports are made on a queue, in the order of the versions.
///
///     resting ──whenDurable──▶ lingering ──the pause ends──▶ working ──nothing is due──▶ resting
///                     └── a commit that does not linger ───────▲
final class CommitProgress: @unchecked Sendable {
  // `@unchecked Sendable` and the unchecked exclusivity are correct because `condition` guards `state`.

  /// How a store responds to a commit.
  enum Phase {
    /// It accepts commits.
    case writing
    /// It refuses commits, for this reason (S7).
    case readOnly(StoreError)
    /// It was closed.
    case closed
  }

  /// Receives nil when a commit is durable, or the reason why it may be lost.
  typealias Report = @Sendable (StoreError?) -> Void

  private struct Waiter {
    let version: UInt64
    let urgency: Urgency
    let report: Report
  }

  private enum Delivery { case resting, lingering, working }

  private struct State {
    var phase = Phase.writing
    /// The last commit in the journal.
    var appended: UInt64
    /// The last commit that this process has appended, or has found when it opened the store.
    var own: UInt64
    /// The last synchronized commit.
    var durable: UInt64
    /// The contents of the durable version and of the commits after it, to answer a failure with what is certain. Empty
    /// from the first commit without contents on: the versions before it are not the answer.
    var contents: ContiguousArray<Graph>
    /// The journal's file.
    var journal: any OpenFile
    /// Whether a thread synchronizes it, or changes it while none may.
    var isSynchronizing = false
    /// The last commit at the previous round of the timer; nil while no round is scheduled.
    var round: UInt64?
    /// The reports that are asked for, and the first of their versions.
    var waiters: [Waiter] = []
    var first: UInt64?
    var delivery = Delivery.resting

    var isWriting: Bool { if case .writing = phase { true } else { false } }

    /// The last version of which it is known whether it is durable.
    var known: UInt64 { isWriting ? durable : .max }

    /// Does what follows from a change.
    ///
    /// - Returns: contents that are no longer needed, and whether reports have to be made that nothing makes yet.
    mutating func advance() -> (dropped: ContiguousArray<Graph>, isDue: Bool) {
      assert(durable <= appended, "What is durable was appended.")
      var isDue = false
      if delivery == .resting, let first, first <= known {
        delivery = .working
        isDue = true
      }
      let isOver = !isWriting && contents.count > 1
      guard isOver || contents.count > 1 && contents[1].version <= durable else { return ([], isDue) }
      // Not every version has contents: those of other processes get them when they are applied.
      let count = max(0, contents.prefix { $0.version <= durable }.count - 1)
      defer { contents = ContiguousArray(contents[count...].prefix(isOver ? 1 : .max)) }
      return (contents, isDue)
    }

    /// Keeps the contents of a commit; nil if it comes without.
    ///
    /// - Returns: contents that are no longer needed.
    mutating func keep(_ next: Graph?) -> ContiguousArray<Graph> {
      guard let next else {
        defer { contents = [] }
        return contents
      }
      if isWriting, !contents.isEmpty { contents.append(next) }
      return []
    }

    /// Takes the reports that can be made, in the order of the versions.
    mutating func takeDue() -> [Waiter] {
      let known = known
      let due = waiters.filter { $0.version <= known }
      waiters.removeAll { $0.version <= known }
      first = waiters.lazy.map(\.version).min()
      return due.sorted { $0.version < $1.version }
    }

    /// The last version that is to be synchronized before the timer does it; nil without one.
    var wanted: UInt64? { waiters.lazy.filter { $0.urgency != .timer }.map(\.version).max() }
  }

  /// The time for which a grouped commit waits for others.
  private static let pause = DispatchTimeInterval.milliseconds(2)

  private let paths: StorePaths
  private let failed: @Sendable (UInt64) -> Void
  private let condition = NSCondition()
  @safe @exclusivity(unchecked) private var state: State
  private let queue = DispatchQueue(label: "fief.durability", qos: .userInitiated)

  /// Begins with a version that is durable.
  ///
  /// - Parameter failed: called with the last durable version when the disk has failed.
  init(
    _ paths: StorePaths, _ graph: Graph, journal: any OpenFile, failed: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) {
    self.paths = paths
    self.failed = failed
    state = State(
      appended: graph.version, own: graph.version, durable: graph.version, contents: [graph], journal: journal)
  }

  @inline(__always)
  private func read<Result>(_ body: (State) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body(state)
  }

  /// Changes the state, and does what follows from that: wakes threads, begins to make reports, drops contents.
  ///
  /// - Parameter isWaking: whether a thread may wait for the change.
  @inline(__always)
  private func change<Result>(isWaking: Bool = true, _ body: (inout State) -> Result) -> Result {
    condition.lock()
    let result = body(&state)
    let (dropped, isDue) = state.advance()
    if isWaking { condition.broadcast() }
    condition.unlock()
    // Released after the lock.
    withExtendedLifetime(dropped) {}
    if isDue { queue.async { self.work() } }
    return result
  }

  // MARK: Asking

  /// The last commit that the system has, and the last one that survives a power failure.
  var versions: (appended: UInt64, durable: UInt64) { read { ($0.appended, $0.durable) } }

  /// The last commit that this process has appended, or has found when it opened the store.
  var lastOwn: UInt64 { read(\.own) }

  /// Why the store takes no commits, or nil while it does.
  var refusal: StoreError? { read { refusal($0) } }

  private func refusal(_ state: State) -> StoreError? {
    switch state.phase {
    case .writing: nil
    case .readOnly(let cause): StoreError.refusal(of: paths.snapshot, after: cause)
    case .closed: StoreError.closed(paths.snapshot)
    }
  }

  /// The same versions, while the store takes commits.
  ///
  /// - Throws: the refusal.
  func versionsForWriting() throws(StoreError) -> (appended: UInt64, durable: UInt64) {
    condition.lock()
    defer { condition.unlock() }
    if let refusal = refusal(state) { throw refusal }
    return (state.appended, state.durable)
  }

  /// The contents of the last durable version, and the last commit, when the store takes no more commits; nil while it
  /// does, and when a commit came without contents.
  var remains: (contents: Graph, appended: UInt64)? {
    read { state in
      guard case .readOnly = state.phase else { return nil }
      return state.contents.first.map { ($0, state.appended) }
    }
  }

  /// Why a commit may be lost; nil while it may still become durable, or is.
  func failure(of version: UInt64) -> StoreError? { read { failure(of: version, $0) } }

  private func failure(of version: UInt64, _ state: State) -> StoreError? {
    if version <= state.durable { return nil }
    switch state.phase {
    case .writing: return nil
    case .readOnly(let cause):
      return StoreError.outcomeUnknown(of: "commit \(version)", in: paths.snapshot, after: cause)
    case .closed: return StoreError.closed(paths.snapshot)
    }
  }

  // MARK: Noting

  /// Records that a commit is in the journal.
  ///
  /// - Parameter contents: its contents, if they may be asked for after a failure.
  /// - Returns: whether a round of the timer has to be scheduled.
  /// - Throws: `commitOutcomeUnknown` when the writing has ended meanwhile: a synchronization that failed may have
  ///   covered the commit.
  func note(appended version: UInt64, _ contents: Graph?) throws(StoreError) -> Bool {
    condition.lock()
    precondition(version == state.appended + 1, "Commits are appended in sequence.")
    (state.appended, state.own) = (version, version)
    let dropped = state.keep(contents)
    defer {
      condition.unlock()
      // Released after the lock.
      withExtendedLifetime(dropped) {}
    }
    if let failure = failure(of: version, state) { throw failure }
    defer { if state.round == nil { state.round = version - 1 } }
    return state.round == nil
  }

  /// Records that other processes have appended commits.
  ///
  /// - Parameters:
  ///   - version: the last one.
  ///   - durable: the last one that their records state to be durable.
  func note(followed version: UInt64, durableTo durable: UInt64) {
    change { state in
      assert(version >= state.appended, "Versions only grow.")
      state.appended = version
      if state.isWriting { state.durable = max(state.durable, min(durable, version)) }
    }
  }

  /// Records the contents of a commit of another process.
  ///
  /// - Parameter contents: nil if they are never asked for.
  func note(contents: Graph?) {
    let dropped = change(isWaking: false) { state in
      assert(contents.map { $0.version <= state.appended } ?? true, "What is applied was read.")
      return state.keep(contents)
    }
    // Released after the lock.
    withExtendedLifetime(dropped) {}
  }

  /// Records that a new journal holds all commits, and is synchronized. No thread synchronizes meanwhile (`alone`).
  func noteSwitch(to journal: any OpenFile) {
    change { state in
      assert(state.isWriting && state.isSynchronizing, "A journal is replaced while nothing else can happen to it.")
      state.journal = journal
      state.durable = state.appended
    }
  }

  /// Makes the store refuse commits (S7). Later causes are ignored.
  func end(_ cause: StoreError) { change { if $0.isWriting { $0.phase = .readOnly(cause) } } }

  /// Makes the store refuse commits because the disk has failed: in all processes (S32).
  func fail(_ cause: StoreError) {
    end(cause)
    failed(versions.durable)
  }

  /// Makes the store refuse everything from now on.
  ///
  /// - Returns: the phase until now.
  func close() -> Phase {
    change { state in
      defer { state.phase = .closed }
      return state.phase
    }
  }

  // MARK: Synchronizing

  /// Waits until no thread synchronizes, and keeps others from it while `body` runs.
  func alone<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    _ = enter { _ in false }
    defer { change { $0.isSynchronizing = false } }
    return try body()
  }

  /// Waits until no thread synchronizes, and keeps others from it, unless there is nothing left to wait for.
  private func enter(unless isVain: (State) -> Bool) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while !isVain(state) {
      if !state.isSynchronizing {
        state.isSynchronizing = true
        return true
      }
      condition.wait()
    }
    return false
  }

  /// Synchronizes all commits that are appended by now. The caller keeps other threads from it (`alone`).
  ///
  /// - Throws: the failure. It ends the writing, and is never tried again (S7).
  func synchronize() throws(StoreError) {
    // A switch waits until no thread synchronizes, so the journal is not replaced before this ends.
    let (target, journal) = read { ($0.appended, $0.journal) }
    do throws(FileFailure) { try journal.synchronize() } catch {
      let cause = StoreError(error.of(paths.journal), "The journal could not be synchronized")
      fail(cause)
      throw cause
    }
    // A store whose writing has ended meanwhile must not report the commits as durable (S5).
    change { if $0.isWriting { $0.durable = max($0.durable, target) } }
  }

  /// Returns when `version` is durable. One of the waiting threads synchronizes for all of them.
  func waitUntilDurable(_ version: UInt64) throws(StoreError) {
    guard version <= versions.appended else {
      fatalError("Version \(version) is waited for, and was not appended: append it first.")
    }
    if enter(unless: { version <= $0.durable || !$0.isWriting }) {
      defer { change { $0.isSynchronizing = false } }
      try? synchronize()
    }
    if let failure = failure(of: version) { throw failure }
    assert(version <= versions.durable, "A commit is durable, or the synchronization has failed.")
  }

  // MARK: Reporting

  /// Reports when a commit is durable, on a queue, in the order of the versions.
  func whenDurable(_ version: UInt64, urgency: Urgency, _ report: @escaping Report) {
    let start: DispatchTime? = change(isWaking: false) { state in
      assert(version <= state.appended, "A commit is appended before its report is asked for.")
      state.waiters.append(Waiter(version: version, urgency: urgency, report: report))
      state.first = min(state.first ?? version, version)
      switch (state.delivery, urgency) {
      case (.working, _), (.lingering, .grouped), (_, .timer): return nil
      case (.resting, .grouped):
        state.delivery = .lingering
        return .now() + Self.pause
      case (.resting, .now), (.lingering, .now):
        state.delivery = .working
        return .now()
      }
    }
    if let start { queue.asyncAfter(deadline: start) { self.work() } }
  }

  /// Synchronizes commits and makes reports until nothing is due.
  private func work() {
    while true {
      let (due, wanted): ([(Report, StoreError?)], UInt64?) = change(isWaking: false) { state in
        let due = state.takeDue().map { ($0.report, failure(of: $0.version, state)) }
        state.delivery = due.isEmpty && state.wanted == nil ? .resting : .working
        return (due, due.isEmpty ? state.wanted : nil)
      }
      for (report, failure) in due { report(failure) }
      if let wanted { try? waitUntilDurable(wanted) } else if due.isEmpty { return }
    }
  }

  // MARK: The timer

  /// Ends the rounds if the commits of this process are durable, and other processes have committed since.
  ///
  /// - Returns: whether they ended.
  func leavesToOthers() -> Bool {
    change(isWaking: false) { state in
      guard state.appended > state.own, state.own <= state.durable else { return false }
      state.round = nil
      return true
    }
  }

  /// Begins a round of the timer.
  ///
  /// - Returns: the last commit of the previous round, and whether no commit came since.
  func beginRound() -> (old: UInt64, isIdle: Bool) {
    change(isWaking: false) { state in
      defer { state.round = state.appended }
      let old = state.round ?? state.appended
      return (old, old == state.appended)
    }
  }

  /// Ends the rounds unless a commit came after `version`.
  ///
  /// - Returns: whether they ended.
  func endRounds(after version: UInt64) -> Bool {
    change(isWaking: false) { state in
      if state.appended == version { state.round = nil }
      return state.round == nil
    }
  }
}
