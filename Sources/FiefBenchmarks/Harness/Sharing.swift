import Dispatch
import Foundation
import Synchronization

/// Data that several threads use at the same time.
struct Sharing: Sendable {
  /// Begins reading on a thread. What it returns scans all rows, and returns whether their sum was right.
  let reader: @Sendable () throws -> () throws -> Bool
  /// Begins writing on a thread. What it returns commits the change of one row.
  let writer: @Sendable () throws -> () throws -> Void

  /// The seconds that a number of threads take at the same time for so many scans each.
  func seconds(readers: Int, scans: Int, besideWriter: Bool = false) throws -> Double {
    let threads = SharingThreads()
    for _ in 0..<readers {
      threads.start {
        let scan = try reader()
        threads.isRight(try scan())
        threads.waitForStart()
        for _ in 0..<scans { threads.isRight(try scan()) }
        threads.oneIsDone()
      }
    }
    if besideWriter {
      threads.start {
        let write = try writer()
        try write()
        threads.waitForStart()
        while threads.done < readers { try write() }
      }
    }
    return try threads.run()
  }
}

extension Workload {
  /// Workloads that compare the readers of some data with one that is alone. A figure is the median of the runs.
  ///
  /// - Parameter rows: how many rows a reader scans in one measurement.
  static func sharing(
    _ name: String, rows: Int, _ prepare: @escaping @Sendable (Run) throws -> Sharing
  ) -> [Workload] {
    func comparing(
      _ ending: String, _ summary: String, _ body: @escaping @Sendable (Sharing, Int) throws -> Double
    ) -> Workload {
      Workload("\(name).\(ending).percent", summary) { run in
        let sharing = try prepare(run)
        let scans = max(rows / run.n, 1)
        for _ in 0..<run.runs { run.record(try 100 * body(sharing, scans), ops: 1) }
      }
    }
    return [
      comparing(
        "scaling", "How many times as many rows two threads scan as one in the same time; 200 is the most."
      ) { sharing, scans in
        let alone = try sharing.seconds(readers: 1, scans: scans)
        return try 2 * alone / sharing.seconds(readers: 2, scans: scans)
      },
      comparing(
        "beside_writer", "The speed of a thread that scans while another commits small changes, of that of one alone."
      ) { sharing, scans in
        let alone = try sharing.seconds(readers: 1, scans: scans)
        return try alone / sharing.seconds(readers: 1, scans: scans, besideWriter: true)
      },
    ]
  }
}

/// Threads that begin their measured work together.
private final class SharingThreads: @unchecked Sendable {
  // Only `run()` and its caller change the count.
  private var count = 0
  private let ready = DispatchSemaphore(value: 0)
  private let go = DispatchSemaphore(value: 0)
  private let ended = DispatchGroup()
  private let wrong = Atomic(0)
  private let finished = Atomic(0)

  /// How many readers are done.
  var done: Int { finished.load(ordering: .acquiring) }

  func oneIsDone() { finished.add(1, ordering: .releasing) }

  func isRight(_ isRight: Bool) { if !isRight { wrong.add(1, ordering: .relaxed) } }

  /// Starts a thread, which calls `waitForStart()` once.
  func start(_ body: @escaping @Sendable () throws -> Void) {
    count += 1
    ended.enter()
    Thread { [self] in
      do {
        try body()
      } catch {
        // The others go on, and the measurement fails.
        wrong.add(1, ordering: .relaxed)
        finished.add(1, ordering: .releasing)
        ready.signal()
      }
      ended.leave()
    }.start()
  }

  func waitForStart() {
    ready.signal()
    go.wait()
  }

  /// The seconds from the common start until all threads have ended.
  func run() throws -> Double {
    for _ in 0..<count { ready.wait() }
    let begin = ContinuousClock.now
    for _ in 0..<count { go.signal() }
    ended.wait()
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    try expect(wrong.load(ordering: .acquiring), 0, as: "threads that failed or saw wrong sums")
    return seconds
  }
}
