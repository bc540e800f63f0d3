import Synchronization
import Testing

/// Runs a body that is meant to fail, and returns its issues: one string for each issue, with all its text.
///
/// The issues are marked as known, so the surrounding test still passes. A body without issues gives an empty array.
func issues(of body: () throws -> Void) -> [String] {
  let collected = Collected()
  // No error is rethrown, since every error is a known issue too.
  try? withKnownIssue(isIntermittent: true) {
    try body()
  } matching: { issue in
    collected.add(issue)
    return true
  }
  return collected.texts
}

/// The asynchronous variant: runs a body that is meant to fail.
func issues(
  isolation: isolated (any Actor)? = #isolation, ofAsync body: () async throws -> Void
) async -> [String] {
  let collected = Collected()
  // No error is rethrown, since every error is a known issue too.
  try? await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    collected.add(issue)
    return true
  }
  return collected.texts
}

private final class Collected: Sendable {
  private let storage = Mutex<[String]>([])

  var texts: [String] { storage.withLock { $0 } }

  func add(_ issue: Issue) {
    let text = ([String(describing: issue)] + issue.comments.map(\.rawValue)).joined(separator: " | ")
    storage.withLock { $0.append(text) }
  }
}

/// The error of deliberate failures.
struct Planted: Error {}
