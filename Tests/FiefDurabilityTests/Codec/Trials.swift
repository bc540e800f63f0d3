import FiefTestSupport

/// Trials of a test by the thousand: run in parallel, and counted.
enum Trials {
  /// Reports what was tested.
  static func report(_ text: String) { Figures.report("tried: \(text)") }

  /// Calls `body` with the parts of a range in concurrent tasks, and adds up the results.
  static func sum(over range: Range<Int>, _ body: @escaping @Sendable (Range<Int>) -> Int) async -> Int {
    let parts = 8
    let step = max(1, (range.count + parts - 1) / parts)
    return await withTaskGroup(of: Int.self) { group in
      for start in stride(from: range.lowerBound, to: range.upperBound, by: step) {
        group.addTask { body(start..<min(start + step, range.upperBound)) }
      }
      return await group.reduce(0, +)
    }
  }
}
