import Synchronization
import Testing

extension Circumstances {
  /// What went wrong under one outermost loop. Issues may come from any thread of the test; the mutex protects the
  /// notes.
  final class Watch: Sendable {
    private struct Notes {
      /// Distinct label lists, in the order of their first failure.
      var failures: [[String]] = []
      /// How many issues and errors there were.
      var count = 0
      /// The labels in force where the error that is on its way out was thrown.
      var errorOnItsWay: [String]?
    }

    private let notes = Mutex(Notes())

    /// How many issues and errors there were.
    var count: Int { notes.withLock { $0.count } }

    /// Notes an issue.
    func note(_ labels: [String]) {
      // What fails between two rounds has no circumstances to tell.
      guard !labels.isEmpty else { return }
      notes.withLock { notes in
        notes.count += 1
        if !notes.failures.contains(labels) { notes.failures.append(labels) }
      }
    }

    /// A round ends. An error passes every loop on its way out, but belongs to the innermost; one that was caught on
    /// its way, by `#expect(throws:)` for example, is no failure.
    func roundEnds(_ labels: [String], withError: Bool) {
      notes.withLock { notes in
        let isInner = notes.errorOnItsWay?.starts(with: labels) ?? false
        if withError {
          if !isInner { notes.errorOnItsWay = labels }
        } else if isInner {
          notes.errorOnItsWay = nil
        }
      }
    }

    /// The outermost loop ends by an error.
    func loopEndsWithError() {
      if let labels = notes.withLock({ $0.errorOnItsWay }) { note(labels) }
    }

    /// Records one issue that lists the first ten circumstances, if anything failed.
    func report(_ sourceLocation: SourceLocation) {
      let failures = notes.withLock { $0.failures }
      guard !failures.isEmpty else { return }
      let shown = failures.prefix(10).map { $0.joined(separator: ", ") }.joined(separator: "\n  ")
      let rest = failures.count > 10 ? "\n  and \(failures.count - 10) more" : ""
      Issue.record("Failed under these circumstances:\n  \(shown)\(rest)", sourceLocation: sourceLocation)
    }
  }
}
