import Testing

/// Expects that a process ended with a sentence on its standard error, which its test has to observe.
///
///     let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { … }
///     expectSentence("was changed outside a write", of: result)
///
/// A process whose preparation throws ends as one that traps does. The sentence distinguishes them.
///
/// - Parameters:
///   - sentence: a part of what the trap says.
///   - result: the end of the process; nil if it did not end as its test expected, which the test has then recorded.
public func expectSentence(
  _ sentence: String, of result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
) {
  guard let result else { return }
  let text = String(decoding: result.standardErrorContent, as: UTF8.self)
  #expect(text.contains(sentence), "\(text)", sourceLocation: sourceLocation)
}
