/// The measurement of one workload: its size, and the figures that it records.
final class Run {
  /// The number of rows.
  let n: Int
  let mode: Mode
  /// The number of measurements.
  let runs: Int
  /// The number of operations per measurement.
  private(set) var ops = 0
  /// Nanoseconds per operation, or another unit that the workload documents. There is one figure for each measurement.
  private(set) var figures: [Double] = []
  /// The rest of the work; see `whenMainThreadIsGone(_:)`.
  private(set) var rest: (() throws -> Void)?

  init(n: Int, mode: Mode, runs: Int) {
    self.n = n
    self.mode = mode
    self.runs = runs
  }

  /// A tenth of the rows: the number of persons where dogs are the rows.
  var tenth: Int { n / 10 }

  /// Does the rest of the work on the main queue after the main thread has ceased to serve it, as in programs with an
  /// asynchronous `main` after their first suspension.
  func whenMainThreadIsGone(_ rest: @escaping () throws -> Void) { self.rest = rest }

  /// Records that `ops` operations took `total`.
  func record(_ total: Double, ops: Int) {
    self.ops = ops
    figures.append(total / Double(ops))
  }

  /// Times `body` repeatedly on the same data. `body` returns the number of operations.
  func time(_ body: () throws -> Int) throws {
    for _ in 0..<runs {
      let start = ContinuousClock.now
      let ops = try body()
      record(start.nanosecondsSince, ops: ops)
    }
  }

  /// Times `body` on new data each time. `make` runs before the clock starts, and `check` after it has stopped.
  func time<Store>(
    fresh make: () throws -> Store, _ body: (inout Store) throws -> Int, check: (Store) throws -> Void
  ) throws {
    for _ in 0..<runs {
      var store = try make()
      let start = ContinuousClock.now
      let ops = try body(&store)
      record(start.nanosecondsSince, ops: ops)
      try check(store)
    }
  }

  /// The median of the figures.
  var median: Double {
    let sorted = figures.sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

extension ContinuousClock.Instant {
  /// The nanoseconds from this instant until now.
  fileprivate var nanosecondsSince: Double {
    let parts = duration(to: .now).components
    return Double(parts.seconds) * 1e9 + Double(parts.attoseconds) * 1e-9
  }
}
