import Dispatch
import FiefGraph
import FiefRuntime
import Synchronization

// Scans that several processors share.

extension QueryRun {
  /// Scans of fewer rows are not divided, because waking other threads takes time: a test for equality of strings
  /// gained nothing at 200,000 rows, on two cores.
  static let rowsWorthDividing = 250_000

  /// Evaluates parts of a table on all processors, and returns the results in the order of the rows.
  ///
  /// The running thread evaluates parts too, and there are several for each processor. When the other processors are
  /// busy, it evaluates most parts itself, and waits at the end for those that others have begun.
  ///
  /// - Parameter body: evaluates the program over the clusters of a part, by a run of its own.
  /// - Returns: nil when the scan is better done alone: of few rows, of a query that may not use other processors, and
  ///   of a program that keeps what it learns about other rows.
  func inParts<Part: Sendable>(
    _ program: Program, of table: Table, _ body: @Sendable (QueryRun, Program, Table) -> Part
  ) -> [Part]? {
    guard usesAllProcessors, table.count >= Self.rowsWorthDividing, Processors.count > 1,
      program.tests.allSatisfy(\.readsRowAlone)
    else { return nil }
    let (count, clusters) = (4 * min(Processors.count, 16), Int(table.nextKey >> 8) + 1)
    let results = Mutex<[Int: (part: Part, examined: Int)]>([:])
    DispatchQueue.concurrentPerform(iterations: count) { [graph] number in
      let run = QueryRun(graph, memos: 0)
      run.chunks = Int64(clusters * number / count)..<Int64(clusters * (number + 1) / count)
      let part = body(run, program, table)
      results.withLock { $0[number] = (part, run.examined) }
    }
    return results.withLock { results in
      assert(results.count == count, "Each part was evaluated.")
      examined += results.values.reduce(0) { $0 + $1.examined }
      return (0..<count).compactMap { results[$0]?.part }
    }
  }
}
