import Synchronization
import Testing

/// Runs a body that is meant to fail, and tells what it reported: an element for each issue, all its text in one.
///
/// The issues are marked as known, so the test around it stays green. A body that reports nothing gives an empty array.
func issues(of body: () throws -> Void) -> [String] {
  let collected = Collected()
  // Nothing comes out: every error is a known issue too.
  try? withKnownIssue(isIntermittent: true) {
    try body()
  } matching: { issue in
    collected.add(issue)
    return true
  }
  return collected.texts
}

/// Runs an asynchronous body that is meant to fail, as the plain form does.
func issues(
  isolation: isolated (any Actor)? = #isolation, ofAsync body: () async throws -> Void
) async -> [String] {
  let collected = Collected()
  // Nothing comes out: every error is a known issue too.
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

/// The error of planted failures.
struct Planted: Error {}
