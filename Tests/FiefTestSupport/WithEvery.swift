import Testing

/// Runs the body for every element, which covers a whole small space instead of a sample. Loops nest, and a failure
/// names the values of all enclosing loops.
///
///     withEvery("count", in: 0..<5) { count in
///       withEvery("isShared", in: [false, true]) { isShared in ... }
///     }
///
/// A failing round does not end the loop; a thrown error does.
///
/// - Parameters:
///   - label: The meaning of an element, in a word or two.
///   - elements: The space.
///   - sourceLocation: The line to report: the caller's.
///   - body: The code to run.
/// - Throws: The error that the body throws.
/// - Complexity: O(*n*) runs of the body.
public func withEvery<S: Sequence, Failure: Error>(
  _ label: String, in elements: S, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (S.Element) throws(Failure) -> Void
) throws(Failure) {
  try Circumstances.watching(sourceLocation) { () throws(Failure) in
    for element in elements {
      try Circumstances.with("\(label) = \(element)") { () throws(Failure) in try body(element) }
    }
  }
}

/// The asynchronous variant: runs the body for every element.
///
/// - Parameters:
///   - label: The meaning of an element, in a word or two.
///   - elements: The space.
///   - isolation: The actor of the caller, on which the body runs.
///   - sourceLocation: The line to report: the caller's.
///   - body: The code to run.
/// - Throws: The error that the body throws.
/// - Complexity: O(*n*) runs of the body.
public func withEvery<S: Sequence, Failure: Error>(
  _ label: String, in elements: S, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: (S.Element) async throws(Failure) -> Void
) async throws(Failure) {
  try await Circumstances.watching(sourceLocation) { () async throws(Failure) in
    for element in elements {
      try await Circumstances.with("\(label) = \(element)") { () async throws(Failure) in try await body(element) }
    }
  }
}
