import FiefRuntime
import Testing

/// Expects the count of live objects to be equal before and after the body.
///
/// Most counts are per process, such as the kernel's count of live tree nodes, and tests that run at the same time
/// change them. So run the check alone, in a child process:
///
///     @Test func rollingBackFreesTheWorkingCopy() async {
///       await #expect(processExitsWith: .success) {
///         expectNoLeaks(of: { LiveNodes.count }) { ... }
///       }
///     }
///
/// The child reports the issue to its parent. A count that belongs to the test alone, such as that of a
/// ``LifetimeTracker``, needs no child. A `.serialized` suite is not enough: it orders its own tests only.
///
/// The body runs once before the first count is taken, because lazy globals and caches that are created on first use
/// are not leaks.
///
/// - Parameters:
///   - counter: Reads the count.
///   - sourceLocation: The line to report: the caller's.
///   - body: The code that must not leak. It runs twice.
/// - Throws: The error that the body throws.
public func expectNoLeaks(
  of counter: () -> Int, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) rethrows {
  try body()
  let before = counter()
  try body()
  let after = counter()
  #expect(after == before, "\(after - before) leaked: \(before) before, \(after) after", sourceLocation: sourceLocation)
}

/// The asynchronous variant: expects the count of live objects to be equal before and after the body.
///
/// - Parameters:
///   - counter: Reads the count.
///   - isolation: The actor of the caller, on which the body runs.
///   - sourceLocation: The line to report: the caller's.
///   - body: The code that must not leak. It runs twice.
/// - Throws: The error that the body throws.
public func expectNoLeaks(
  of counter: () -> Int, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async rethrows {
  try await body()
  let before = counter()
  try await body()
  let after = counter()
  #expect(after == before, "\(after - before) leaked: \(before) before, \(after) after", sourceLocation: sourceLocation)
}
