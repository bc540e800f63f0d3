import FiefQueries

/// Says by which property objects are sorted, and which way.
///
///     dogs.sorted(by: [SortDescriptor(keyPath: "age", ascending: false), "name"])
@frozen
public struct SortDescriptor: Equatable, Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The name of the property, or a path of names over links.
  public let keyPath: String
  /// Whether the least comes first.
  public let ascending: Bool

  /// Sorts by a property, or by one over links, that is named.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// Sorts by a property, or by one over links. Traps when the key path passes no kept property.
  public init<Root: ObjectBase>(keyPath: PartialKeyPath<Root>, ascending: Bool = true) {
    self.init(keyPath: _name(for: keyPath), ascending: ascending)
  }

  /// Sorts ascending by the property of that name.
  public init(stringLiteral value: String) { self.init(keyPath: value) }

  /// The opposite order.
  public func reversed() -> SortDescriptor { SortDescriptor(keyPath: keyPath, ascending: !ascending) }

  /// The path with the direction, as text.
  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
  }

  var key: SortKey { SortKey(PropertyPath(text: keyPath), ascending: ascending) }
}
