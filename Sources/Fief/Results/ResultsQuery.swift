import FiefGraph
import FiefQueries
import FiefRuntime
import FiefSessions

/// A condition and an arrangement of the elements of a base: which elements a view keeps, and in what order.
///
///     filter, where           joined by AND: they test the elements of the base
///     sorted, distinct, limit  applied to the rest, in the order of their calls
///
/// The value holds no version: it is bound once, and evaluated again whenever what the session sees has changed.
struct ResultsQuery: Sendable {
  let parsed: ParsedQuery
  /// For elements that are objects.
  let rows: BoundQuery?
  /// For elements that are objects of several classes.
  let union: UnionQuery?
  /// For other elements; nil when there is no condition.
  private let elements: ElementQuery?

  /// Binds a parsed query to the elements of a base.
  ///
  /// - Throws: `QueryError` for names and values that do not fit the elements.
  init(_ parsed: ParsedQuery, _ base: ResultsSource, _ session: Session) throws(QueryError) {
    self.parsed = parsed
    let graph = session.layout
    if let table = base.table {
      rows = try BoundQuery(
        parsed, of: table, in: graph,
        catalog: StoreCatalog(store: session.store, asked: base.speaker?.counted))
      union = nil
      elements = nil
    } else if let classes = base.union {
      rows = nil
      union = try UnionQuery(
        parsed, of: classes.map(\.table), in: graph, catalog: StoreCatalog(store: session.store))
      elements = nil
    } else {
      rows = nil
      union = nil
      elements =
        parsed.predicate.isAlwaysTrue ? nil : try ElementQuery(parsed.predicate, of: base.elementType, in: graph)
      for arrangement in parsed.arrangements { try Self.check(arrangement) }
    }
  }

  /// Elements that are not objects can be sorted and compared only as a whole.
  private static func check(_ arrangement: QueryModifier) throws(QueryError) {
    let paths: [PropertyPath] =
      switch arrangement {
      case .sort(let keys): keys.map(\.path)
      case .distinct(let paths): paths
      case .limit: []
      }
    if paths.contains(where: { !$0.components.isEmpty }) || paths.count > 1 {
      throw QueryError(
        .unknownProperty, "Elements that are no objects have no properties: only 'self' can be named, and once.")
    }
  }

  /// The elements of `base` that the query keeps, in its order, as `session` sees them now.
  func evaluate(_ base: ResultsSource, _ session: Session) -> ResultsContents {
    if let union {
      if case .union = base { return .union(session.read { union.rows(in: $0) }) }
      let links = base.links(session)
      return .union(session.read { union.rows(in: $0, among: links) })
    }
    guard let rows else { return .values(values(base, session)) }
    if case .table = base {
      return ResultsContents(session.read { rows.rows(in: $0) })
    }
    let keys = base.keys(session)
    return ResultsContents(session.read { rows.rows(in: $0, among: keys) })
  }

  private func values(_ base: ResultsSource, _ session: Session) -> ContiguousArray<StoredValue> {
    var values: ContiguousArray<StoredValue>
    if let cell = base.cell, let elements {
      values = session.read { graph in
        guard let contents = graph.collection(cell) else { return [] }
        let type = base.elementType
        return ContiguousArray(elements.positions(in: contents, of: graph).map { contents.value(at: $0, as: type) })
      }
    } else {
      values = base.all(session).allValues(nil)
      if let elements { values = session.read { graph in values.filter { elements.matches($0, in: graph) } } }
    }
    for arrangement in parsed.arrangements {
      switch arrangement {
      case .sort(let keys):
        if let key = keys.first { values = ElementOrder.sorted(values, ascending: key.ascending) }
      case .distinct(let paths): if !paths.isEmpty { values = ElementOrder.distinct(values) }
      case .limit(let count, let offset): values = ContiguousArray(values.dropFirst(offset).prefix(count))
      }
    }
    return values
  }
}

extension ResultsContents {
  init(_ result: QueryResult) {
    switch result {
    case .selection(let rows): self = .selection(rows)
    case .ordered(let keys): self = .keys(keys)
    }
  }
}

extension ResultsStorage {
  /// A view of these elements with an extended query.
  func asking(_ change: (inout ParsedQuery) -> Void) throws(QueryError) -> ResultsStorage {
    checkUse()
    var parsed = query?.parsed ?? ParsedQuery(QueryPredicate(true))
    change(&parsed)
    // A condition after a limit tests only the elements that the limit left.
    let isLimited = query?.parsed.arrangements.contains { if case .limit = $0 { true } else { false } } ?? false
    var base = base
    if isLimited && parsed.predicate != query?.parsed.predicate {
      base = .view(self)
      parsed = ParsedQuery(QueryPredicate(true))
      change(&parsed)
    }
    try session.check(parsed.predicate)
    let made = try ResultsQuery(parsed, base, session)
    return ResultsStorage(session, base, made, isMapped: isMapped)
  }

  /// The elements of a view that satisfy a condition. Traps for mistakes in it.
  @usableFromInline
  static func requiring(_ condition: QueryForm, of core: ResultsStorage) -> ResultsStorage {
    if case .comparison(let way, .equal, let value) = condition, let lookUp = core.lookingUp(value, at: way) {
      core.checkUse()
      return ResultsStorage(core, having: lookUp)
    }
    let predicate = condition.predicate
    return core.requiring { $0.predicate = $0.predicate && predicate }
  }

  /// The lookup of one value of a property, if the view shows all objects of a class and the value can be looked up;
  /// nil otherwise.
  private func lookingUp(_ value: StoredValue, at way: Borrowed<ResolvedKeyPath>) -> EqualityLookup? {
    // Many threads use frozen sessions, and a lookup makes its query at its first use.
    guard ShortCut.lookUps.isOn, showsAll, !session.isFrozen, let binding = base.speaker else { return nil }
    return EqualityLookup(value, at: way, of: binding)
  }

  /// A view of these elements with an extended query. Traps for mistakes in it.
  func requiring(_ change: (inout ParsedQuery) -> Void) -> ResultsStorage {
    do {
      return try asking(change)
    } catch {
      error.trap()
    }
  }
}
