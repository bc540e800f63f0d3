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
///
/// At `.debug` it hears of every opening and closing, commit (what changed, how many bytes, how long), refresh, query
/// (with its plan; also those that are answered for observations), aggregate, grouping and sectioning. While the level
/// is above, all this costs one look at a number.
///
/// Its function is called on the thread on which a message arises, and uses no realm itself.
public final class Logger: Sendable {
  private let limit: Atomic<Int>
  private let write: @Sendable (LogLevel, String) -> Void

  /// A logger that hands messages of `level` and of greater weight to a function, on the thread on which they arise.
  public init(level: LogLevel = .info, logFunction: (@Sendable (LogLevel, String) -> Void)? = nil) {
    limit = Atomic(level.rawValue)
    write =
      logFunction ?? { level, message in
        FileHandle.standardError.write(Data("Fief [\(level)] \(message)\n".utf8))
      }
  }

  /// How much is let through.
  public var level: LogLevel {
    get { LogLevel(rawValue: limit.load(ordering: .relaxed)) ?? .off }
    set {
      Self.current.withLock { current in
        limit.store(newValue.rawValue, ordering: .relaxed)
        if current === self { Self.sharedLimit.store(newValue.rawValue, ordering: .relaxed) }
      }
    }
  }

  /// The logger that the library writes to. At first it writes warnings and worse to standard error.
  public static var shared: Logger {
    get { current.withLock { $0 } }
    set {
      let last = current.withLock { current in
        let last = current
        current = newValue
        sharedLimit.store(newValue.level.rawValue, ordering: .relaxed)
        return last
      }
      // What its function holds is let go of outside of the lock.
      withExtendedLifetime(last) {}
    }
  }

  private static let current = Mutex(Logger(level: .warn))
  /// The level of the shared logger, for a look that costs nothing.
  private static let sharedLimit = Atomic<Int>(LogLevel.warn.rawValue)

  /// Whether the shared logger lets messages of a level through.
  @inline(__always)
  static func isOn(_ level: LogLevel) -> Bool { level.rawValue <= sharedLimit.load(ordering: .relaxed) }

  /// Writes a message to the shared logger, if its level is let through.
  static func tell(_ level: LogLevel, _ message: @autoclosure () -> String) {
    if isOn(level) { shared.log(level, message()) }
  }

  /// Writes a message, if its level is let through.
  func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
    let limit = self.level
    if level != .off && limit != .off && level <= limit { write(level, message()) }
  }
}

/// When something began that is logged at `.debug`, with the time that it takes.
struct LoggedTime {
  /// In seconds since the machine was started. The instants of the library's clocks have a size that is found out at
  /// run time, which every query would pay for that is not logged.
  private let start = ProcessInfo.processInfo.systemUptime

  /// The present; nil when nothing is logged at `.debug`.
  @inline(__always)
  static var now: LoggedTime? { Logger.isOn(.debug) ? LoggedTime() : nil }

  /// What has passed since, in words.
  var words: String {
    let microseconds = Int64(max(0, ProcessInfo.processInfo.systemUptime - start) * 1_000_000)
    let fraction = String(1000 + microseconds % 1000).dropFirst()
    return "\(microseconds / 1000).\(fraction) ms"
  }
}

/// The original's other name for `Logger`.
public typealias RLMLogger = Logger
