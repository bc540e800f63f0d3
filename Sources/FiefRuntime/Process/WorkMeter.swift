import Synchronization

/// How far a long work has come: reading, checking, comparing or writing a graph.
///
///     let meter = WorkMeter()
///     let stored = try WorkMeter.$current.withValue(meter) { try StoreFile.read(path) }
///     meter.state              // meanwhile, on another thread: reading, 3,145,728 of 12,529,845 bytes
///
/// Work counts in the meter of its task, and whoever shows progress looks at the meter when it likes. A work without a
/// meter pays for one look at its beginning.
package final class WorkMeter: Sendable {
  /// The meter of the running task; nil when it has none.
  @TaskLocal package static var current: WorkMeter?

  /// A part of a work, with what is counted in it.
  package struct Stage: Sendable, Hashable {
    /// The kind of work: `reading`.
    package let name: String
    /// The unit that is counted, in the singular.
    package let unit: String

    /// Creates a stage.
    package init(_ name: String, _ unit: String) {
      self.name = name
      self.unit = unit
    }

    /// Bytes of files become rows.
    package static let reading = Stage("reading", "byte")
    /// Rows are held against the invariants.
    package static let checking = Stage("checking", "object")
    /// Rows of two graphs are compared.
    package static let comparing = Stage("comparing", "object")
    /// Rows are made of a document.
    package static let creating = Stage("creating", "object")
    /// Rows become bytes of a file.
    package static let writing = Stage("writing", "object")
  }

  /// The state of a meter.
  package struct State: Sendable, Equatable {
    /// The stage; nil before the first.
    package var stage: Stage?
    /// How much is done of it.
    package var done = 0
    /// How much there is to do; 0 if that is not known.
    package var total = 0
    /// How long it has taken so far.
    package var time = Duration.zero

    /// Creates a state.
    package init(stage: Stage?, done: Int, total: Int, time: Duration) {
      (self.stage, self.done, self.total, self.time) = (stage, done, total, time)
    }
  }

  private struct Counts {
    var stage: Stage?
    var done = 0
    var total = 0
    var passes = 1
    var start = Duration.zero
  }

  private let counts: Mutex<Counts>
  private let now: @Sendable () -> Duration

  /// Creates a meter that shows nothing yet.
  ///
  /// - Parameter now: a clock.
  package init(now: @escaping @Sendable () -> Duration = WorkMeter.clock()) {
    self.now = now
    counts = Mutex(Counts(start: now()))
  }

  /// A clock that begins at zero.
  package static func clock() -> @Sendable () -> Duration {
    let start = ContinuousClock.now
    return { ContinuousClock.now - start }
  }

  /// The present stage, and its progress.
  package var state: State {
    let counts = counts.withLock { $0 }
    let done = counts.done / counts.passes
    return State(
      stage: counts.stage, done: counts.total > 0 ? min(done, counts.total) : done, total: counts.total,
      time: now() - counts.start)
  }

  /// Begins a stage.
  ///
  /// - Parameters:
  ///   - total: how much there is to do; 0 if that is not known.
  ///   - passes: how often each unit counts, because it is gone through several times.
  package func begin(_ stage: Stage, of total: Int, passes: Int = 1) {
    let start = now()
    counts.withLock { $0 = Counts(stage: stage, total: total, passes: passes, start: start) }
  }

  /// Counts what is done, in one pass.
  package func advance(by count: Int) { counts.withLock { $0.done += count } }

  /// A part of the stage that is done in steps of another kind: the bytes of a record as its rows are inserted.
  package final class Share {
    private let meter: WorkMeter
    private let amount: Int
    private let steps: Int
    private var stepsDone = 0
    private var counted = 0

    /// - Parameters:
    ///   - amount: how much the part counts in the meter.
    ///   - steps: the number of its steps.
    package init(_ amount: Int, of meter: WorkMeter, inSteps steps: Int) {
      self.meter = meter
      self.amount = amount
      self.steps = steps
    }

    /// Counts steps.
    package func advance(by count: Int) {
      stepsDone = min(stepsDone + count, steps)
      let reached = Int(Double(amount) * (Double(stepsDone) / Double(max(steps, 1))))
      meter.advance(by: reached - counted)
      counted = reached
    }

    /// Counts what is left.
    package func finish() {
      meter.advance(by: amount - counted)
      counted = amount
    }
  }
}
