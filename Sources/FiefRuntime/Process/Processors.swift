import Dispatch
import Foundation
import Synchronization

/// The processors of the machine.
package enum Processors {
  /// How many are active. The system is asked once: it reads files to answer, which takes twenty microseconds.
  package static let count = ProcessInfo.processInfo.activeProcessorCount

  /// The parts into which a number of items is divided for all processors.
  ///
  /// - Parameter least: The fewest items for which a thread is started, which takes some microseconds. At least 1.
  /// - Returns: a part for each processor, fewer for few items, and one for fewer than twice `least`.
  package static func parts(of items: Int, least: Int) -> [Range<Int>] {
    let parts = max(1, min(count, items / least))
    return (0..<parts).map { items * $0 / parts..<items * ($0 + 1) / parts }
  }

  /// Calls `body` with all numbers below `count`, on all processors.
  ///
  /// - Returns: the results, in the order of the numbers.
  package static func map<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result] {
    if count == 1 || self.count == 1 { return (0..<count).map(body) }
    let results = Mutex<[Int: Result]>([:])
    DispatchQueue.concurrentPerform(iterations: count) { number in
      let result = body(number)
      results.withLock { $0[number] = result }
    }
    return results.withLock { results in
      (0..<count).map { number in
        guard let result = results.removeValue(forKey: number) else { fatalError("Each number has a result.") }
        return result
      }
    }
  }
}
