internal import FiefGraph

/// The way of a class from one store to another: the leaves of its columns in both. Computed once for each pair.
///
/// A route exists only where nothing has to be converted, validated or reported: one Swift class on both sides, columns
/// of the same types, no unique index. The planner handles all other cases.
final class CopyRoute {
  /// The class in the store that is read. It is retained, so that its address identifies it.
  let source: RowClass
  let target: RowClass
  @safe @exclusivity(unchecked) var columns: ContiguousArray<Column> = []
  /// The key of the next row that the current copy makes; nil before the first.
  @safe @exclusivity(unchecked) var nextKey: ObjectKey?

  struct Column {
    let from: Int
    let to: Int
    let property: RowProperty
    let kind: Kind
    /// The number of the route of the linked class; nil while it is unknown.
    var next: Int?
  }

  enum Kind {
    case primaryKey, scalar
    /// A link, or a list of links to ordinary objects.
    case link, list
    case collection
    /// An any-value, which is copied here if it holds a scalar.
    case any
    /// A property that is copied here only if it is empty.
    case other

    init(_ property: RowProperty) {
      switch (property.type.shape, property.type.kind) {
      case _ where property.isPrimaryKey: self = .primaryKey
      case (.single, .link): self = .link
      case (.single, .any): self = .any
      case (.single, _): self = .scalar
      case (.list, .link) where !property.embedsTarget: self = .list
      case (_, .link), (_, .any): self = .other
      default: self = .collection
      }
    }
  }

  init?(_ source: RowClass, _ target: RowClass) {
    guard source.declaration === target.declaration, !target.hasUniqueIndex, source.kind != .asymmetric else {
      return nil
    }
    self.source = source
    self.target = target
    for property in target.stored {
      let (from, to) = (source.leaf(property.number), target.leaf(property.number))
      var type = source.all[property.number].type
      type.target = property.type.target
      guard from >= 0, type == property.type else { return nil }
      assert(to >= 0, "A stored property has a leaf.")
      columns.append(Column(from: from, to: to, property: property, kind: Kind(property)))
    }
  }
}
