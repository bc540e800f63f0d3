import FiefDurability
import FiefObjects
import FiefSessions
import Foundation

extension Realm.Configuration {
  /// How many earlier versions of a store are kept.
  ///
  ///     configuration.history = .versions(100)
  ///     configuration.history = .versions(1_000, age: 3_600)
  ///
  /// A version shares with its successor all that did not change, so keeping it costs as much memory as the next commit
  /// has replaced. Versions beyond the limits are released by the next commit, or when the history is used.
  ///
  /// The versions of a realm with a file survive closing, and the end of the process. Beside the file, `….history`
  /// holds the changes that lead back to versions before the snapshot. It is written when a snapshot is, and read when
  /// such a version is asked for. It takes about as much space as the commits that made these versions took in the
  /// journal. The history begins anew with a change of a class that is stored. A realm that is opened without a history
  /// keeps the file until it writes a snapshot, which ends the history. `undo` is limited to writes of this process.
  public struct History: Hashable, Sendable, CustomStringConvertible {
    let limits: HistoryLimits?

    /// The limits, as a string: `100 versions, for 3600.0 seconds`.
    public var description: String {
      guard let limits else { return "no history" }
      let versions = limits.versions.map { $0 == 1 ? "1 version" : "\($0) versions" }
      let age = limits.age.map { "for \($0) seconds" }
      return [versions ?? "all versions", age].compactMap { $0 }.joined(separator: ", ")
    }

    /// Keeps no version. Nothing can be undone.
    ///
    ///     configuration.history = .none          // the default
    public static let none = History(limits: nil)

    /// Keeps the given number of versions before the latest.
    ///
    ///     configuration.history = .versions(100)
    ///
    /// - Parameter count: at least 1; other numbers trap.
    public static func versions(_ count: Int) -> History { limited(count, nil) }

    /// Keeps each version for a time after it was replaced.
    ///
    ///     configuration.history = .age(24 * 3_600)          // a day
    ///
    /// - Parameter seconds: more than 0; other numbers trap.
    public static func age(_ seconds: TimeInterval) -> History { limited(nil, seconds) }

    /// Keeps each version for a time after it was replaced, but no more than the given number of versions.
    ///
    ///     configuration.history = .versions(1_000, age: 3_600)
    ///
    /// - Parameters:
    ///   - count: at least 1; other numbers trap.
    ///   - seconds: more than 0; other numbers trap.
    public static func versions(_ count: Int, age seconds: TimeInterval) -> History { limited(count, seconds) }

    private static func limited(_ count: Int?, _ seconds: TimeInterval?) -> History {
      if let count, count < 1 { fatalError("A history of \(count) versions was configured: use .none, or at least 1.") }
      if let seconds, !(seconds > 0) {
        fatalError("A history of \(seconds) seconds was configured: use .none, or more than 0.")
      }
      return History(limits: HistoryLimits(versions: count, age: seconds))
    }
  }
}
