/// One workload being measured: the size it was given, and the figures that it records.
final class Run {
  /// How many rows there are.
  let n: Int
  let mode: Mode
  /// How often to measure.
  let runs: Int
  /// How many operations one figure is about.
  private(set) var ops = 0
  /// Nanoseconds (or whatever the workload says) for one operation, a figure for each time it was measured.
  private(set) var figures: [Double] = []

  init(n: Int, mode: Mode, runs: Int) {
    self.n = n
    self.mode = mode
    self.runs = runs
  }

  /// A tenth of the rows: how many persons there are where dogs are the rows.
  var tenth: Int { n / 10 }

  /// Notes that `total` was spent on `ops` operations.
  func record(_ total: Double, ops: Int) {
    self.ops = ops
    figures.append(total / Double(ops))
  }

  /// Times `body`, again and again on the same data. It returns how many operations it did.
  func time(_ body: () throws -> Int) throws {
    for _ in 0..<runs {
      let start = ContinuousClock.now
      let ops = try body()
      record(start.nanosecondsSince, ops: ops)
    }
  }

  /// Times `body` on data of its own each time: `make` before the clock starts, `check` when it has stopped.
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

  /// The middle figure.
  var median: Double {
    let sorted = figures.sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

extension ContinuousClock.Instant {
  /// How many nanoseconds ago it was.
  fileprivate var nanosecondsSince: Double {
    let parts = duration(to: .now).components
    return Double(parts.seconds) * 1e9 + Double(parts.attoseconds) * 1e-9
  }
}
