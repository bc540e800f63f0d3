import Testing

/// The circumstances of the current test: the labels of all enclosing loops, outermost first.
///
/// A failed `#expect` names its line, but not the seed or the round that led there. The outermost loop therefore
/// watches for issues while it runs and notes the labels in force at each. At its end it records one issue that lists
/// them:
///
///     Seeds.run ──── watching ◀── reports at its end
///       round ────────── with("seed 7")
///         withEvery ──────── with("isShared = true")
///           #expect(...) ✘ ─── noted: seed 7, isShared = true
///
/// A loop never hides, changes or delays an issue or an error.
enum Circumstances {
  /// The labels of the enclosing loops.
  @TaskLocal static var labels: [String] = []

  /// The notes of failures, if an enclosing loop is watching.
  @TaskLocal private static var watch: Watch?

  /// The number of issues and errors that the enclosing loop has seen so far.
  static var failures: Int { watch?.count ?? 0 }

  /// Runs a loop; the outermost one reports its failures when it ends.
  ///
  /// - Parameters:
  ///   - sourceLocation: The line to which the report points.
  ///   - loop: Calls `with` for each of its rounds.
  static func watching<Failure: Error>(
    _ sourceLocation: SourceLocation, _ loop: () throws(Failure) -> Void
  ) throws(Failure) {
    guard watch == nil else { return try loop() }
    let watch = Watch()
    defer { watch.report(sourceLocation) }
    // `withKnownIssue` could take a thrown error for a known issue and swallow it. So the error bypasses it.
    var result = Result<Void, Failure>.success(())
    $watch.withValue(watch) {
      withKnownIssue(isIntermittent: true) {
        do throws(Failure) { try loop() } catch {
          watch.loopEndsWithError()
          result = .failure(error)
        }
      } matching: { _ in
        // Returning false leaves the issue unknown and unchanged. The call itself shows that there was an issue.
        watch.note(labels)
        return false
      }
    }
    try result.get()
  }

  /// Runs one round under its label.
  static func with<Failure: Error>(_ label: String, _ body: () throws(Failure) -> Void) throws(Failure) {
    var result = Result<Void, Failure>.success(())
    $labels.withValue(labels + [label]) {
      do throws(Failure) { try body() } catch {
        result = .failure(error)
      }
      watch?.roundEnds(labels, withError: (try? result.get()) == nil)
    }
    try result.get()
  }

  /// The asynchronous variant of `watching`.
  static func watching<Failure: Error>(
    _ sourceLocation: SourceLocation, isolation: isolated (any Actor)? = #isolation,
    _ loop: () async throws(Failure) -> Void
  ) async throws(Failure) {
    guard watch == nil else { return try await loop() }
    let watch = Watch()
    defer { watch.report(sourceLocation) }
    var result = Result<Void, Failure>.success(())
    await $watch.withValue(watch) {
      await withKnownIssue(isIntermittent: true) {
        do throws(Failure) { try await loop() } catch {
          watch.loopEndsWithError()
          result = .failure(error)
        }
      } matching: { _ in
        watch.note(labels)
        return false
      }
    }
    try result.get()
  }

  /// The asynchronous variant of `with`.
  static func with<Failure: Error>(
    _ label: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Void
  ) async throws(Failure) {
    var result = Result<Void, Failure>.success(())
    await $labels.withValue(labels + [label]) {
      do throws(Failure) { try await body() } catch {
        result = .failure(error)
      }
      watch?.roundEnds(labels, withError: (try? result.get()) == nil)
    }
    try result.get()
  }
}
