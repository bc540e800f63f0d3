/// An index over several properties of a class, for `compoundIndexes()`.
///
///     override class func compoundIndexes() -> [CompoundIndex] {
///       [CompoundIndex("city", "name"), CompoundIndex("country", "number", unique: true)]
///     }
///
/// It answers conditions that ask its first properties for a value each, and the one after these for a value, a range
/// or a beginning. A unique one refuses two objects that are alike in all its properties, unless one of these is null.
public struct CompoundIndex: Hashable, Sendable {
  /// The Swift names of the properties, the most significant first; two or more, of types that can be indexed.
  public let properties: [String]
  /// Whether no two objects may be alike in all the properties.
  public let isUnique: Bool

  /// An index over properties by their Swift names. Whether they are there is checked when a realm is opened.
  public init(_ properties: String..., unique: Bool = false) {
    self.properties = properties
    isUnique = unique
  }
}
