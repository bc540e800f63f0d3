import FiefGraph
import FiefValues

/// A condition on elements that are not objects, such as the numbers or strings of a list, a set or a dictionary.
///
///     let query = try ElementQuery(QueryPredicate("SELF > 2"), of: column.type, in: graph)
///     query.positions(in: contents, of: graph)
///
/// The condition refers to an element as `SELF`. Subscripts access the contents of any-values.
package struct ElementQuery: Sendable {
  /// The type of the collection.
  package let type: ColumnType
  private let condition: CompiledCondition

  /// Binds a condition to the elements of collections of a type.
  ///
  /// - Throws: `QueryError` for a condition that does not fit the type.
  package init(_ predicate: QueryPredicate, of type: ColumnType, in graph: Graph) throws(QueryError) {
    condition = try Self.bind(predicate, type, graph)
    self.type = type
  }

  private init(_ condition: CompiledCondition, of type: ColumnType) {
    self.condition = condition
    self.type = type
  }

  private static func bind(
    _ predicate: QueryPredicate, _ type: ColumnType, _ graph: Graph
  ) throws(QueryError) -> CompiledCondition {
    var element = type
    element.isOptional = type.allowsNull
    var binder = Binder(graph, StoredNames(), .element(element))
    return try binder.bind(predicate)
  }

  /// The conjunction of the condition and another one, which alone is bound here.
  ///
  /// - Throws: `QueryError` for a condition that does not fit the type.
  package func adding(_ predicate: QueryPredicate, in graph: Graph) throws(QueryError) -> ElementQuery {
    ElementQuery(condition.and(try Self.bind(predicate, type, graph)), of: type)
  }

  private var program: Program { condition.program }

  /// Whether a value satisfies the condition.
  package func matches(_ value: Value, in graph: Graph) -> Bool {
    let run = QueryRun(graph, memos: 0)
    run.element = value
    return run.matches(program, nil)
  }

  /// The positions of the elements that satisfy the condition, in ascending order. Takes linear time.
  ///
  /// - Parameter contents: the collection; nil is an empty one.
  package func positions(in contents: StoredCollection?, of graph: Graph) -> [Int] {
    let run = QueryRun(graph, memos: 0)
    var positions: [Int] = []
    var position = 0
    contents?.forEach(as: type) { value in
      run.element = value
      if run.matches(program, nil) { positions.append(position) }
      position += 1
      return true
    }
    return positions
  }
}

/// Sorting and deduplicating elements that are not objects.
package enum ElementOrder {
  /// Sorts positions by the values of their elements in `StoredOrder`. The sort is stable.
  ///
  /// - Parameters:
  ///   - positions: positions in `contents`.
  ///   - contents: the collection; nil is an empty one, and the result is then empty.
  ///   - type: the type of the collection.
  ///   - ascending: whether the minimum comes first.
  package static func sorted(
    _ positions: [Int], in contents: StoredCollection?, as type: ColumnType, ascending: Bool
  ) -> [Int] {
    guard let contents else { return [] }
    let values = positions.map { contents.value(at: $0, as: type) }
    var order = Array(positions.indices)
    SortColumn.values(values, nil).sort(&order, ascending: ascending)
    return order.map { positions[$0] }
  }

  /// Keeps the first position of each value, in their order.
  package static func distinct(_ positions: [Int], in contents: StoredCollection?, as type: ColumnType) -> [Int] {
    guard let contents else { return [] }
    var seen = ValueSet()
    return positions.filter { seen.insert(contents.value(at: $0, as: type)) }
  }
}
