import FiefGraph
import FiefValues

/// A condition on elements that are not objects, such as the numbers or strings of a list, a set or a dictionary.
///
///     let query = try ElementQuery(QueryPredicate("SELF > 2"), of: column.type, in: graph)
///     query.matching([1, 2, 3].map { .int($0) }, in: graph)          // 3
///
/// The condition refers to an element as `SELF`. Subscripts access the contents of any-values.
package struct ElementQuery: Sendable {
  package let type: ColumnType
  private var condition: CompiledCondition

  /// Binds a condition to the elements of collections of a type.
  ///
  /// - Throws: `QueryError` for a condition that does not fit the type.
  package init(_ predicate: QueryPredicate, of type: ColumnType, in graph: Graph) throws(QueryError) {
    condition = try Self.bind(predicate, to: type, in: graph)
    self.type = type
  }

  private static func bind(
    _ predicate: QueryPredicate, to type: ColumnType, in graph: Graph
  ) throws(QueryError) -> CompiledCondition {
    var element = type
    element.isOptional = type.allowsNull
    var binder = Binder(graph, catalog: StoredNames(), scope: .element(element))
    return try binder.bind(predicate)
  }

  /// The conjunction of the condition and another one, which alone is bound here.
  ///
  /// - Throws: `QueryError` for a condition that does not fit the type.
  package func adding(_ predicate: QueryPredicate, in graph: Graph) throws(QueryError) -> ElementQuery {
    var query = self
    query.condition = condition.and(try Self.bind(predicate, to: type, in: graph))
    return query
  }

  /// The values that satisfy the condition, in their order. Takes linear time.
  package func matching(_ values: ContiguousArray<Value>, in graph: Graph) -> ContiguousArray<Value> {
    assert(condition.program.tests.allSatisfy { $0.levels.isSubset(of: [0]) }, "An element is no row.")
    let run = QueryRun(graph, memos: 0)
    return values.filter { value in
      run.element = value
      return run.matches(condition.program, nil)
    }
  }
}
