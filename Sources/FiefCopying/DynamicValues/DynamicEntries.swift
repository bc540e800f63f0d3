/// The entries of a dictionary of which a Swift dictionary would lose some: it has one entry for canonically equivalent
/// keys, which stores distinguish.
package struct DynamicEntries {
  package private(set) var entries: [(key: String, value: Any)] = []

  package init() {}

  /// Adds an entry, whose key is not there.
  package mutating func append(_ key: String, _ value: Any) { entries.append((key, value)) }
}
