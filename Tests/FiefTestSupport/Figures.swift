#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The numbers of what a test has tried, such as the crashes of a disk. A test that skips all cases by mistake passes
/// too, and its figures show it.
///
/// `FIEF_FIGURES=1` prints them. Without it, a run prints nothing but the lines of Swift Testing.
public enum Figures {
  private static let arePrinted = ProcessInfo.processInfo.environment["FIEF_FIGURES"] == "1"

  /// Prints a line, if the figures of this process are printed.
  public static func report(_ line: @autoclosure () -> String) {
    if arePrinted { print(line()) }
  }
}
