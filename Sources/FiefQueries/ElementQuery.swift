import FiefGraph
import FiefValues

/// A condition on elements that are no objects: numbers, texts and so on in a list, a set or a dictionary.
///
///     let query = try ElementQuery(QueryPredicate("SELF > 2"), of: column.type, in: graph)
///     query.positions(in: contents, of: graph)
///
/// An element is spoken of as `SELF`; into any-values subscripts lead.
public struct ElementQuery: Sendable {
  /// The type of the collection.
  public let type: ColumnType
  private let program: Program

  /// Binds a condition to the elements of collections of a type.
  ///
  /// - Throws: `QueryError` for what does not fit the type.
  public init(_ predicate: QueryPredicate, of type: ColumnType, in graph: Graph) throws(QueryError) {
    var element = type
    element.isOptional = type.allowsNull
    var binder = Binder(graph, StoredNames(), .element(element))
    (program, _) = try binder.bind(predicate)
    self.type = type
  }

  /// Whether a value satisfies the condition.
  public func matches(_ value: Value, in graph: Graph) -> Bool {
    let run = QueryRun(graph, memos: 0)
    run.element = value
    return run.matches(program, nil)
  }

  /// The positions of the elements that satisfy the condition, ascending. Linear.
  ///
  /// - Parameter contents: the collection; nil is an empty one.
  public func positions(in contents: StoredCollection?, of graph: Graph) -> [Int] {
    let run = QueryRun(graph, memos: 0)
    var positions: [Int] = []
    var place = 0
    contents?.forEach(as: type) { value in
      run.element = value
      if run.matches(program, nil) { positions.append(place) }
      place += 1
      return true
    }
    return positions
  }
}

/// The order of elements that are no objects.
public enum ElementOrder {
  /// Positions brought into the order of their values by `StoredOrder`; equal ones stay as they are.
  ///
  /// - Parameters:
  ///   - positions: positions in `contents`, in their present order.
  ///   - contents: the collection; nil is an empty one, and takes no position.
  ///   - type: the type of the collection.
  ///   - ascending: whether the least comes first.
  public static func sorted(
    _ positions: [Int], in contents: StoredCollection?, as type: ColumnType, ascending: Bool
  ) -> [Int] {
    guard let contents else { return [] }
    let values = positions.map { contents.value(at: $0, as: type) }
    var order = Array(positions.indices)
    SortColumn.values(values).sort(&order, ascending: ascending)
    return order.map { positions[$0] }
  }

  /// The first of each value's positions, in their present order.
  public static func distinct(_ positions: [Int], in contents: StoredCollection?, as type: ColumnType) -> [Int] {
    guard let contents else { return [] }
    var seen = ValueSet()
    return positions.filter { seen.insert(contents.value(at: $0, as: type)) }
  }
}
