import FiefObjects
import FiefQueries
public import Foundation

/// A property by which objects are sorted, and the direction.
///
///     dogs.sorted(by: [SortDescriptor(keyPath: "age", ascending: false), "name"])
///     persons.sorted(by: [SortDescriptor(keyPath: "name", locale: Locale(identifier: "sv_SE"))])
///     persons.sorted(by: ["dogs.@count", "dogs.@max.age"])
///     dogs.sorted(by: ["owners.name"])         // over linking objects: by the least, or by the greatest if descending
@frozen
public struct SortDescriptor: Equatable, Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The name of the property, or a path of names over links or linking objects; an operator over a collection may end
  /// it.
  public let keyPath: String
  /// Whether the least value comes first.
  public let ascending: Bool
  /// Differences between strings that the order ignores.
  public let options: StringOptions
  /// The identifier of the locale whose order strings have; nil for the order of their bytes.
  public let localeIdentifier: String?

  /// Sorts by a property, or by a path over links, that is named.
  ///
  ///     let names = persons.sorted(by: [SortDescriptor(keyPath: "name", options: .caseInsensitive)])
  ///
  /// - Parameters:
  ///   - keyPath: the name of the property, or a path.
  ///   - ascending: whether the least value comes first.
  ///   - options: differences between strings that the order ignores. With options, sorting by anything but a string
  ///     traps.
  public init(keyPath: String, ascending: Bool = true, options: StringOptions = []) {
    self.init(keyPath: keyPath, ascending: ascending, options: options, localeIdentifier: nil)
  }

  /// Sorts strings in the order of a language. Each comparison costs many times one of bytes. Sorting by anything but a
  /// string traps.
  ///
  ///     let names = persons.sorted(by: [SortDescriptor(keyPath: "name", locale: Locale(identifier: "sv_SE"))])
  ///
  /// - Parameters:
  ///   - keyPath: the name of the property, or a path.
  ///   - ascending: whether the least value comes first.
  ///   - locale: the language and the region. The Unicode data of the platform defines their order.
  public init(keyPath: String, ascending: Bool = true, locale: Locale) {
    self.init(keyPath: keyPath, ascending: ascending, localeIdentifier: locale.identifier)
  }

  private init(keyPath: String, ascending: Bool, options: StringOptions = [], localeIdentifier: String?) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.options = options
    self.localeIdentifier = localeIdentifier
  }

  /// Sorts by a property, or by a path over links. Traps for a key path that passes no persisted property.
  ///
  ///     let byAge = SortDescriptor(keyPath: \Dog.age, ascending: false)
  public init<Root: ObjectBase>(keyPath: PartialKeyPath<Root>, ascending: Bool = true) {
    self.init(keyPath: _name(for: keyPath), ascending: ascending)
  }

  /// Sorts ascending by the property of that name.
  ///
  ///     let ordered = dogs.sorted(by: ["age", "name"])
  public init(stringLiteral value: String) { self.init(keyPath: value) }

  /// The opposite order.
  ///
  ///     let byAge = SortDescriptor(keyPath: "age")
  ///     let oldestFirst = dogs.sorted(by: [byAge.reversed()])
  public func reversed() -> SortDescriptor {
    SortDescriptor(keyPath: keyPath, ascending: !ascending, options: options, localeIdentifier: localeIdentifier)
  }

  /// The path and the direction, as a string.
  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
  }

  var key: SortKey {
    let collation: TextCollation =
      localeIdentifier.map { .locale($0) } ?? (options.isEmpty ? .bytes : .folded(options.textOptions))
    return SortKey(PropertyPath(text: keyPath), ascending: ascending, collation: collation)
  }
}
