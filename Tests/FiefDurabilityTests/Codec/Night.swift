import Foundation

/// How much is tried: by day what fits into a build that somebody waits for, with `FIEF_NIGHT=1` more.
enum Night {
  static let isNow = ProcessInfo.processInfo.environment["FIEF_NIGHT"] == "1"

  static func count(_ day: Int, night: Int) -> Int { isNow ? night : day }

  /// Prints what was tried: a test of many cases that tries none by mistake would pass too.
  static func report(_ text: String) { print("tried: \(text)") }

  /// Calls `body` with the parts of a range, on as many threads as there are processors, and adds up what it returns.
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
