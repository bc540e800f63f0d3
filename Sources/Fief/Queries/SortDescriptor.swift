import FiefQueries
public import Foundation

/// Says by which property objects are sorted, and which way.
///
///     dogs.sorted(by: [SortDescriptor(keyPath: "age", ascending: false), "name"])
///     persons.sorted(by: [SortDescriptor(keyPath: "name", locale: Locale(identifier: "sv_SE"))])
///     persons.sorted(by: ["dogs.@count", "dogs.@max.age"])
///     dogs.sorted(by: ["owners.name"])         // over linking objects: by the least when ascending, else by the greatest
@frozen
public struct SortDescriptor: Equatable, Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The name of the property, or a path of names over links, that ends with an operator over a collection perhaps.
  public let keyPath: String
  /// Whether the least comes first.
  public let ascending: Bool
  /// What makes no difference between texts.
  public let options: StringOptions
  /// The identifier of the locale whose order texts have; nil for the order of their bytes.
  public let localeIdentifier: String?

  /// Sorts by a property, or by one over links, that is named.
  ///
  /// - Parameters:
  ///   - keyPath: the name of the property, or a path.
  ///   - ascending: whether the least comes first.
  ///   - options: what makes no difference between texts.
  public init(keyPath: String, ascending: Bool = true, options: StringOptions = []) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.options = options
    localeIdentifier = nil
  }

  /// Sorts texts as a language does. Each comparison costs many times one of bytes.
  ///
  /// - Parameters:
  ///   - keyPath: the name of the property, or a path.
  ///   - ascending: whether the least comes first.
  ///   - locale: the language and the place. What their order is, the Unicode data of the platform says.
  public init(keyPath: String, ascending: Bool = true, locale: Locale) {
    self.init(keyPath, ascending, [], locale.identifier)
  }

  private init(_ keyPath: String, _ ascending: Bool, _ options: StringOptions, _ localeIdentifier: String?) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.options = options
    self.localeIdentifier = localeIdentifier
  }

  /// Sorts by a property, or by one over links. Traps when the key path passes no kept property.
  public init<Root: ObjectBase>(keyPath: PartialKeyPath<Root>, ascending: Bool = true) {
    self.init(keyPath: _name(for: keyPath), ascending: ascending)
  }

  /// Sorts ascending by the property of that name.
  public init(stringLiteral value: String) { self.init(keyPath: value) }

  /// The opposite order.
  public func reversed() -> SortDescriptor { SortDescriptor(keyPath, !ascending, options, localeIdentifier) }

  /// The path with the direction, as text.
  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
  }

  var key: SortKey {
    let collation: TextCollation =
      localeIdentifier.map { .locale($0) } ?? (options.isEmpty ? .bytes : .folded(options.textOptions))
    return SortKey(PropertyPath(text: keyPath), ascending: ascending, collation: collation)
  }
}
