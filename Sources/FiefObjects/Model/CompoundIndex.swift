/// An index over several properties of a class, for `compoundIndexes()`.
///
///     override class func compoundIndexes() -> [CompoundIndex] {
///       [CompoundIndex("city", "name"), CompoundIndex("country", "number", unique: true)]
///     }
///
/// It serves conditions that compare its first properties with one value each, and the next property with a value, a
/// range or a prefix. A unique index refuses two objects with equal values in all its properties, unless one of the
/// values is null.
public struct CompoundIndex: Hashable, Sendable {
  /// The Swift names of the properties, the most significant first; two or more, of types that can be indexed.
  public let properties: [String]
  /// Whether two objects with equal values in all the properties are refused.
  public let isUnique: Bool

  /// Creates an index over properties by their Swift names. Opening a realm checks that they exist.
  ///
  ///     let index = CompoundIndex("country", "number", unique: true)
  ///
  /// - Parameters:
  ///   - properties: the names, the most significant first; two or more.
  ///   - unique: whether two objects with equal values in all the properties are refused.
  public init(_ properties: String..., unique: Bool = false) { self.init(properties, unique: unique) }

  /// Creates an index over properties whose names are known at run time, as in a `DynamicSchema`.
  ///
  ///     let index = CompoundIndex(["city", "name"])
  ///
  /// - Parameters:
  ///   - properties: the names, the most significant first; two or more.
  ///   - unique: whether two objects with equal values in all the properties are refused.
  public init(_ properties: [String], unique: Bool = false) {
    self.properties = properties
    isUnique = unique
  }
}
