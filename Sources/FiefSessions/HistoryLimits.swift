import Foundation

/// How many earlier versions a store keeps.
package struct HistoryLimits: Sendable, Hashable {
  /// The greatest number of versions; nil for no limit.
  package let versions: Int?
  /// The seconds for which a version is kept after it was replaced; nil for no limit.
  package let age: TimeInterval?

  package init(versions: Int?, age: TimeInterval?) {
    self.versions = versions
    self.age = age
  }
}
