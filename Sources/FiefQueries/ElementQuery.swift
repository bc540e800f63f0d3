import FiefGraph
import FiefValues

/// A condition and its modifiers for elements that are not objects, such as the numbers or strings of a list, a set or
/// a dictionary.
///
///     let query = try ElementQuery(ParsedQuery("SELF > 1 SORT(SELF DESC)"), of: column.type, in: graph)
///     query.elements([1, 2, 3].map { .int($0) }, in: graph)          // 3, 2
///
/// The condition refers to an element as `SELF`. Subscripts access the contents of any-values.
package struct ElementQuery: Sendable {
  package let type: ColumnType
  private let condition: CompiledCondition
  private let modifiers: [QueryModifier]

  /// Binds a condition and the modifiers of its result to the elements of collections of a type.
  ///
  /// - Throws: `QueryError` for a query that does not fit the type.
  package init(_ query: ParsedQuery, of type: ColumnType, in graph: Graph) throws(QueryError) {
    self.type = type
    var element = type
    element.isOptional = type.allowsNull
    var binder = Binder(graph, catalog: StoredNames(), scope: .element(element))
    condition = try binder.bind(query.predicate)
    modifiers = query.modifiers
    for modifier in modifiers {
      let paths: [PropertyPath] =
        switch modifier {
        case .sort(let keys): keys.map(\.path)
        case .distinct(let paths): paths
        case .limit: []
        }
      if paths.contains(where: { !$0.components.isEmpty }) || paths.count > 1 {
        throw QueryError(
          .unknownProperty, "Elements that are no objects have no properties: only 'self' can be named, and once.")
      }
      if case .sort(let keys) = modifier, type.kind != .string, keys.contains(where: { $0.collation != .bytes }) {
        throw QueryError(
          .unsupported, "'SELF' is \(type.kind.phrase): only text has other orders than that of bytes.")
      }
    }
  }

  private init(_ type: ColumnType, _ condition: CompiledCondition, _ modifiers: [QueryModifier]) {
    (self.type, self.condition, self.modifiers) = (type, condition, modifiers)
  }

  /// The query with a further condition, joined by AND, and further modifiers, which alone are bound here.
  ///
  /// - Throws: `QueryError` for additions that do not fit the type.
  package func adding(_ more: ParsedQuery, in graph: Graph) throws(QueryError) -> ElementQuery {
    let more = try ElementQuery(more, of: type, in: graph)
    return ElementQuery(type, condition.and(more.condition), modifiers + more.modifiers)
  }

  /// The values that satisfy the condition, arranged. Without modifiers they keep their order, and take linear time.
  package func elements(_ values: ContiguousArray<Value>, in graph: Graph) -> ContiguousArray<Value> {
    assert(condition.program.tests.allSatisfy { $0.levels.isSubset(of: [0]) }, "An element is no row.")
    var values = values
    if !condition.program.isAlwaysTrue {
      let run = QueryRun(graph, memos: 0)
      values = values.filter { value in
        run.element = value
        return run.matches(condition.program, nil)
      }
    }
    for modifier in modifiers {
      switch modifier {
      case .sort(let keys):
        guard let key = keys.first else { continue }
        var order = Array(values.indices)
        SortColumn(Array(values), kind: type.kind, collation: key.collation).sort(&order, ascending: key.ascending)
        values = ContiguousArray(order.lazy.map { [values] in values[$0] })
      case .distinct(let paths):
        var seen: Set<ValueKey> = []
        if !paths.isEmpty { values = values.filter { seen.insert(ValueKey($0)).inserted } }
      case .limit(let count, let offset): values = ContiguousArray(values.dropFirst(offset).prefix(count))
      }
    }
    return values
  }
}
