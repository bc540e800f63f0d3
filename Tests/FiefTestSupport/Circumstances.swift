import Testing

/// Under which circumstances a test is running right now: the labels of all loops around this line, outermost first.
///
/// A failed `#expect` names its line, but not the seed or the round that led there. The outermost loop therefore
/// watches for issues while it runs, notes the labels in force at each, and records one issue at its end that lists
/// them:
///
///     Seeds.run ──── watching ◀── reports at its end
///       round ────────── with("seed 7")
///         withEvery ──────── with("isShared = true")
///           #expect(...) ✘ ─── noted: seed 7, isShared = true
///
/// It never hides, changes or delays an issue or an error.
enum Circumstances {
  /// The labels around this line.
  @TaskLocal static var labels: [String] = []

  /// Where failures are noted, if some loop is watching.
  @TaskLocal private static var watch: Watch?

  /// How many issues and errors the loop around this line has seen so far.
  static var failures: Int { watch?.count ?? 0 }

  /// Runs a loop; the outermost one reports its failures when it ends.
  ///
  /// - Parameters:
  ///   - sourceLocation: The line that the report blames.
  ///   - loop: What calls `with` for each of its rounds.
  static func watching<Failure: Error>(
    _ sourceLocation: SourceLocation, _ loop: () throws(Failure) -> Void
  ) throws(Failure) {
    guard watch == nil else { return try loop() }
    let watch = Watch()
    defer { watch.report(sourceLocation) }
    // An error that this scope saw could be taken for a known issue and stop here; so it goes around.
    var result = Result<Void, Failure>.success(())
    $watch.withValue(watch) {
      withKnownIssue(isIntermittent: true) {
        do throws(Failure) { try loop() } catch {
          watch.loopEndsWithError()
          result = .failure(error)
        }
      } matching: { _ in
        // The answer "not known" leaves the issue as it is; the question alone tells that there was one.
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

  /// Runs an asynchronous loop as the plain form does.
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

  /// Runs one asynchronous round under its label.
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
