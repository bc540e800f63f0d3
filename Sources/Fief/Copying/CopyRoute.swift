import FiefGraph

/// How rows of a class get from one store into another: which leaf goes into which. Worked out once for each pair of
/// stores.
///
///     scalars    from leaf → to leaf                      moved as they lie
///     joins      what leads on or holds several, in the order of the class
///
/// There is one only where nothing has to be converted, checked or said in words: one Swift class on both sides,
/// columns of the same types, no unique index. Everything else is the planner's.
final class CopyRoute {
  /// The class in the store that is copied from; kept alive, so that its address stands for it.
  let source: ClassBinding
  let target: ClassBinding
  let scalars: ContiguousArray<(from: Int, to: Int)>
  @exclusivity(unchecked) var joins: ContiguousArray<Join>
  /// The leaf of the primary key in the source, and its type; -1 when there is none.
  let keyLeaf: Int
  let keyType: ColumnType

  // Of the copy that is under way.

  /// The key of the next row that is made; nil before the first.
  @exclusivity(unchecked) var nextKey: ObjectKey?
  /// Where the last row of the source was found.
  @exclusivity(unchecked) var chunk: Int64 = -1
  @exclusivity(unchecked) var cluster: Unmanaged<Cluster>?

  /// A property that is no scalar.
  struct Join {
    let from: Int
    let to: Int
    let column: ColumnKey
    /// The property's number.
    let number: Int
    let type: ColumnType
    let kind: Kind
    /// The way of what it leads to; -1 while that is not known.
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
    /// An any-value: copied when it holds a scalar.
    case any
    /// What is copied here only when it is empty.
    case other
  }

  init?(_ source: ClassBinding, _ target: ClassBinding) {
    guard source.model === target.model, !target.hasUniqueIndex, source.model.kind != .asymmetric else { return nil }
    var scalars: ContiguousArray<(from: Int, to: Int)> = []
    var joins: ContiguousArray<Join> = []
    for property in target.properties where !property.isPrimaryKey {
      let (from, to) = (Int(source.leaves[property.number]), Int(target.leaves[property.number]))
      var type = source.columnTypes[property.number]
      type.target = property.type.target
      guard from >= 0, to >= 0, type == property.type else { return nil }
      let kind: Kind
      switch (type.shape, type.kind) {
      case (.single, .link): kind = property.facts.target is EmbeddedObject.Type ? .owned : .link
      case (.single, .any): kind = .any
      case (.single, _):
        scalars.append((from, to))
        continue
      case (.list, .link): kind = property.facts.target is EmbeddedObject.Type ? .other : .list
      case (_, .link), (_, .any): kind = .other
      default: kind = .scalars
      }
      joins.append(Join(from: from, to: to, column: property.column, number: property.number, type: type, kind: kind))
    }
    self.source = source
    self.target = target
    self.scalars = scalars
    self.joins = joins
    if let number = target.primaryKey {
      keyLeaf = Int(source.leaves[number])
      keyType = source.columnTypes[number]
      guard keyLeaf >= 0, keyType == target.columnTypes[number] else { return nil }
    } else {
      keyLeaf = -1
      keyType = ColumnType(.int)
    }
  }
}
