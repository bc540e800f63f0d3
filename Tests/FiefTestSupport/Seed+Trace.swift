import Foundation

extension Seed {
  /// Names the seed on standard error if `FIEF_SEED_TRACE` is set. A trap kills the process before any issue can be
  /// recorded; the last seed named is then the one that did it (run with `--no-parallel`, so that there is only one at
  /// a time).
  func trace() {
    guard ProcessInfo.processInfo.environment["FIEF_SEED_TRACE"] != nil else { return }
    FileHandle.standardError.write(Data("seed \(testDescription)\n".utf8))
  }
}
