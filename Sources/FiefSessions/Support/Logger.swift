import Foundation
import Synchronization

/// The level of a log message, and the threshold of a `Logger`.
///
///     Logger.shared.level = .error
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
  /// No messages.
  case off
  /// Errors that end the program.
  case fatal
  /// Failures.
  case error
  /// Likely mistakes.
  case warn
  /// Rare events that are good to know.
  case info
  /// More detailed information.
  case detail
  /// Information that helps to find mistakes.
  case debug
  /// All events.
  case trace
  /// All messages.
  case all

  /// Orders levels by the number of messages that they let through.
  public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }
}

/// Receives the messages of the library.
///
///     Logger.shared = Logger(level: .debug) { level, message in print(level, message) }
///
/// At `.debug` it receives a message for each opening, closing, refresh, aggregate, grouping and sectioning. Commits
/// are logged with their changes, bytes and duration. Queries are logged with their plan, those evaluated for
/// observations included. Below `.debug` each of these events costs one comparison of integers.
///
/// The function is called on the thread that logs the message. It must not use a realm itself.
public final class Logger: Sendable {
  private let limit: Atomic<Int>
  private let write: @Sendable (LogLevel, String) -> Void

  /// Creates a logger that passes messages of `level` and more severe ones to a function, on the thread that logs them.
  ///
  /// - Parameters:
  ///   - level: the threshold. `.off` lets no message through.
  ///   - logFunction: receives the level and the text of a message. Several threads may call it at once. Nil writes
  ///     each message as a line to standard error; one that cannot be written is lost.
  public init(level: LogLevel = .info, logFunction: (@Sendable (LogLevel, String) -> Void)? = nil) {
    limit = Atomic(level.rawValue)
    write =
      logFunction ?? { level, message in
        // Not the function that ends the program when the disk of the log is full, or the terminal is gone.
        try? FileHandle.standardError.write(contentsOf: Data("Fief [\(level)] \(message)\n".utf8))
      }
  }

  /// The threshold of the logger. It may be read and set on any thread, and applies to the messages that follow.
  ///
  ///     Logger.shared.level = .debug
  public var level: LogLevel {
    get { LogLevel(rawValue: limit.load(ordering: .relaxed)) ?? .off }
    set {
      Self.current.withLock { current in
        limit.store(newValue.rawValue, ordering: .relaxed)
        if current === self { Self.sharedLimit.store(newValue.rawValue, ordering: .relaxed) }
      }
    }
  }

  /// The logger that the library writes to. By default it writes warnings and more severe messages to standard error.
  /// It may be read and set on any thread.
  ///
  ///     Logger.shared = Logger(level: .info) { level, message in print("\(level): \(message)") }
  public static var shared: Logger {
    get { current.withLock { $0 } }
    set {
      let last = current.withLock { current in
        let last = current
        current = newValue
        sharedLimit.store(newValue.level.rawValue, ordering: .relaxed)
        return last
      }
      // The old logger may hold the last reference to its function's captures. They are released outside the lock.
      withExtendedLifetime(last) {}
    }
  }

  private static let current = Mutex(Logger(level: .warn))
  /// The level of the shared logger, which can be read without a lock.
  private static let sharedLimit = Atomic<Int>(LogLevel.warn.rawValue)

  /// Whether the shared logger lets messages of a level through.
  @inline(__always)
  static func isOn(_ level: LogLevel) -> Bool { level.rawValue <= sharedLimit.load(ordering: .relaxed) }

  /// Passes a message to the shared logger, if it lets the level through.
  package static func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
    if isOn(level) { shared.log(level, message()) }
  }

  /// Writes a message, if its level is let through.
  func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
    let limit = self.level
    if level != .off && limit != .off && level <= limit { write(level, message()) }
  }
}

/// The start of an event that is logged at `.debug`, for its duration.
package struct LoggedTime {
  /// In seconds since the machine was started. The size of the standard library's clock instants is only known at run
  /// time, and every query would pay for that, logged or not.
  private let start = ProcessInfo.processInfo.systemUptime

  /// The present time; nil when `.debug` is not logged.
  @inline(__always)
  package static var now: LoggedTime? { Logger.isOn(.debug) ? LoggedTime() : nil }

  /// The time since then, for a message.
  package var duration: String {
    let microseconds = Int64(max(0, ProcessInfo.processInfo.systemUptime - start) * 1_000_000)
    let fraction = String(1000 + microseconds % 1000).dropFirst()
    return "\(microseconds / 1000).\(fraction) ms"
  }
}
