internal import FiefGraph
internal import FiefRuntime

/// Maps the leaves of a class in one store to its leaves in another. Computed once for each pair of classes.
///
///     scalars    from leaf → to leaf                      copied without conversion
///     joins      links, collections and any-values, in the order of the class
///
/// A route exists only where nothing has to be converted, validated or reported: one Swift class on both sides, columns
/// of the same types, no unique index. The planner handles all other cases.
final class CopyRoute {
  /// The class in the store that is read. It is retained, so that its address identifies it.
  let source: RowClass
  let target: RowClass
  let scalars: ContiguousArray<(from: Int, to: Int)>
  @safe @exclusivity(unchecked) var joins: ContiguousArray<Join>
  /// The leaf of the primary key in the source, and its type; -1 for a class without one.
  let keyLeaf: Int
  let keyType: ColumnType

  // State of the current copy.

  /// The key of the next row to be made; nil before the first.
  @safe @exclusivity(unchecked) var nextKey: ObjectKey?
  /// The chunk and the cluster of the most recent row of the source.
  @safe @exclusivity(unchecked) var chunk: Int64 = -1
  @safe @exclusivity(unchecked) var cluster: Borrowed<Cluster>?

  /// A property that is not a scalar.
  struct Join {
    let from: Int
    let to: Int
    let column: ColumnKey
    /// The index of the property.
    let number: Int
    let type: ColumnType
    let kind: Kind
    /// The route of the property's target class; -1 while it is unknown.
    var route = -1
  }

  enum Kind {
    /// A link to an ordinary object.
    case link
    /// An embedded object.
    case owned
    /// A list of ordinary objects.
    case list
    /// A collection of scalars.
    case scalars
    /// An any-value, which is copied here if it holds a scalar.
    case any
    /// A property that is copied here only if it is empty.
    case other
  }

  init?(_ source: RowClass, _ target: RowClass) {
    guard source.declaration == target.declaration, !target.hasUniqueIndex, source.kind != .asymmetric else {
      return nil
    }
    var scalars: ContiguousArray<(from: Int, to: Int)> = []
    var joins: ContiguousArray<Join> = []
    for property in target.properties where !property.isPrimaryKey {
      let (from, to) = (source.leaf(property.number), target.leaf(property.number))
      var type = source.all[property.number].type
      type.target = property.type.target
      guard from >= 0, to >= 0, type == property.type else { return nil }
      let kind: Kind
      switch (type.shape, type.kind) {
      case (.single, .link): kind = property.embedsTarget ? .owned : .link
      case (.single, .any): kind = .any
      case (.single, _):
        scalars.append((from, to))
        continue
      case (.list, .link): kind = property.embedsTarget ? .other : .list
      case (_, .link), (_, .any): kind = .other
      default: kind = .scalars
      }
      joins.append(Join(from: from, to: to, column: property.column, number: property.number, type: type, kind: kind))
    }
    assert(
      scalars.count + joins.count == target.properties.count { !$0.isPrimaryKey }, "Each property has one way across.")
    self.source = source
    self.target = target
    self.scalars = scalars
    self.joins = joins
    if let key = target.keyProperty {
      keyLeaf = source.leaf(key.number)
      keyType = source.all[key.number].type
      guard keyLeaf >= 0, keyType == key.type else { return nil }
    } else {
      keyLeaf = -1
      keyType = ColumnType(.int)
    }
  }
}
