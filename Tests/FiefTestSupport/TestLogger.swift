import FiefSessions

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The logger of test processes, which prints nothing. It is installed before the first test runs.
///
/// Tests provoke failures of disks and files by the thousand, and each of them is a message. The shared logger belongs
/// to the process, so no suite can silence it for itself while others run beside it.
///
/// | variable | meaning |
/// | --- | --- |
/// | `FIEF_LOG=warn` | prints the messages of that level and more severe ones on standard error, as applications do |
///
/// A test that listens to messages sets `Logger.shared` in an exit test, whose process has only this one test.
public enum TestLogger {
  /// The shared logger that an application starts with.
  public static let ofApplications: Logger = {
    let first = Logger.shared
    Logger.shared = TestLogger.logger(environment: ProcessInfo.processInfo.environment)
    return first
  }()

  /// The logger that an environment selects. Traps if `FIEF_LOG` names no level, since a run that prints less than
  /// intended would mislead.
  ///
  /// - Parameter environment: Variables by name.
  public static func logger(environment: [String: String]) -> Logger {
    // The threshold is that of applications, so that the tests compose the messages that applications print.
    guard let name = environment["FIEF_LOG"] else { return Logger(level: .warn) { _, _ in } }
    guard let level = LogLevel.allCases.first(where: { "\($0)" == name }) else {
      fatalError("FIEF_LOG must be the name of a log level, such as \"warn\", or not be set, not \"\(name)\".")
    }
    return Logger(level: level)
  }
}

// Swift Testing has no beginning of a run, so the loader calls this function, in the children of exit tests, too.
#if objectFormat(MachO)
  @section("__DATA,__mod_init_func") @used
  private let install: @convention(c) () -> Void = { _ = TestLogger.ofApplications }
#else
  @section(".init_array") @used
  private let install: @convention(c) () -> Void = { _ = TestLogger.ofApplications }
#endif
