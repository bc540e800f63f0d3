import Foundation
import Synchronization

/// How much a `Logger` lets through.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
  /// Nothing.
  case off
  /// What ends the program.
  case fatal
  /// What failed.
  case error
  /// What is likely a mistake.
  case warn
  /// What happens seldom and is good to know.
  case info
  /// More of it.
  case detail
  /// What helps to find mistakes.
  case debug
  /// Everything that happens.
  case trace
  /// Everything.
  case all

  /// By how much is let through.
  public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }
}

/// Where messages about the library's doings go.
///
///     Logger.shared = Logger(level: .debug) { level, message in print(level, message) }
public final class Logger: Sendable {
  private let limit: Mutex<LogLevel>
  private let write: @Sendable (LogLevel, String) -> Void

  /// A logger that hands messages of `level` and of greater weight to a function, on the thread on which they arise.
  public init(level: LogLevel = .info, logFunction: (@Sendable (LogLevel, String) -> Void)? = nil) {
    limit = Mutex(level)
    write =
      logFunction ?? { level, message in
        FileHandle.standardError.write(Data("Fief [\(level)] \(message)\n".utf8))
      }
  }

  /// How much is let through.
  public var level: LogLevel {
    get { limit.withLock { $0 } }
    set { limit.withLock { $0 = newValue } }
  }

  /// The logger that the library writes to. At first it writes warnings and worse to standard error.
  public static var shared: Logger {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  private static let current = Mutex(Logger(level: .warn))

  /// Writes a message, if its level is let through.
  func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
    let limit = self.level
    if level != .off && limit != .off && level <= limit { write(level, message()) }
  }
}

/// The original's other name for `Logger`.
public typealias RLMLogger = Logger
