import Foundation

extension Seed {
  /// Prints the seed on standard error if `FIEF_SEED_TRACE` is set. A trap ends the process before an issue can be
  /// recorded. The last seed printed is then the one that trapped. Run with `--no-parallel`, so that only one seed runs
  /// at a time.
  func trace() {
    guard ProcessInfo.processInfo.environment["FIEF_SEED_TRACE"] != nil else { return }
    FileHandle.standardError.write(Data("seed \(testDescription)\n".utf8))
  }
}
