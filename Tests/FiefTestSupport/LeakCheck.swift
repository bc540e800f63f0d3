import Testing

/// Expects a count of living things to be after the body what it was before.
///
/// The count is most often one for the whole process, such as the kernel's count of living tree nodes, and other tests
/// that run at the same time move it. So run the check alone, in a child process:
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
/// The body runs once before the first count is taken, because lazy globals and caches that are made at first use are
/// no leaks.
///
/// - Parameters:
///   - counter: Reads the count.
///   - sourceLocation: The line to blame: the caller's.
///   - body: What must not leak. It runs twice.
/// - Throws: What the body throws.
public func expectNoLeaks(
  of counter: () -> Int, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) rethrows {
  try body()
  let before = counter()
  try body()
  let after = counter()
  #expect(after == before, "\(after - before) leaked: \(before) before, \(after) after", sourceLocation: sourceLocation)
}

/// Expects a count of living things to be after an asynchronous body what it was before, as the plain form does.
///
/// - Parameters:
///   - counter: Reads the count.
///   - isolation: The actor to stay on: the caller's.
///   - sourceLocation: The line to blame: the caller's.
///   - body: What must not leak. It runs twice.
/// - Throws: What the body throws.
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
