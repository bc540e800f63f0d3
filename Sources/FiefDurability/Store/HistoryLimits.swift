import Foundation

/// How many earlier versions a store keeps.
package struct HistoryLimits: Sendable, Hashable {
  /// The greatest number of versions; nil for no limit.
  package let versions: Int?
  /// The seconds for which a version is kept after it was replaced; nil for no limit. The versions before one that goes
  /// go with it: they were replaced earlier, whatever the clock said.
  package let age: TimeInterval?

  /// Creates limits.
  package init(versions: Int?, age: TimeInterval?) {
    self.versions = versions
    self.age = age
  }

  /// Whether a version is kept, if all later ones are.
  ///
  /// - Parameters:
  ///   - count: The number of later versions that are kept.
  ///   - time: When it was replaced, in milliseconds since 1970.
  ///   - now: The present time.
  func keep(_ count: Int, laterThan time: UInt64, at now: UInt64) -> Bool {
    if let versions, count >= versions { return false }
    guard let age, now > time else { return true }
    return TimeInterval(now - time) <= age * 1000
  }
}
