import Synchronization
import Testing

extension Circumstances {
  /// The failures under one outermost loop. Issues may come from any thread of the test; the mutex protects the notes.
  final class Watch: Sendable {
    private struct Notes {
      /// Distinct label lists, in the order of their first failure.
      var failures: [[String]] = []
      /// The number of issues and errors.
      var count = 0
      /// The labels in force when the error that is propagating was thrown.
      var errorOnItsWay: [String]?
    }

    private let notes = Mutex(Notes())

    /// The number of issues and errors.
    var count: Int { notes.withLock { $0.count } }

    /// Records an issue.
    func note(_ labels: [String]) {
      // A failure between two rounds has no circumstances.
      guard !labels.isEmpty else { return }
      notes.withLock { notes in
        notes.count += 1
        if !notes.failures.contains(labels) { notes.failures.append(labels) }
      }
    }

    /// Ends a round. An error propagates through every loop, but belongs to the innermost one. An error that is caught
    /// on its way, for example by `#expect(throws:)`, is not a failure.
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

    /// Ends the outermost loop with an error.
    func loopEndsWithError() {
      if let labels = notes.withLock({ $0.errorOnItsWay }) { note(labels) }
    }

    /// Records one issue that lists the first ten circumstances, if there were failures.
    func report(_ sourceLocation: SourceLocation) {
      let failures = notes.withLock { $0.failures }
      guard !failures.isEmpty else { return }
      let shown = failures.prefix(10).map { $0.joined(separator: ", ") }.joined(separator: "\n  ")
      let rest = failures.count > 10 ? "\n  and \(failures.count - 10) more" : ""
      Issue.record("Failed under these circumstances:\n  \(shown)\(rest)", sourceLocation: sourceLocation)
    }
  }
}
