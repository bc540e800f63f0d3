import FiefGraph
import FiefQueries

/// What a query does to the elements of its base: which of them it keeps, and in what order.
///
///     filter, where           joined by AND: they look at the elements of the base
///     sorted, distinct, limit  done to what is left, in the order in which they were asked for
///
/// A value that holds no version: it is bound once, and asked anew whenever the session sees something else.
struct ResultsQuery: Sendable {
  let parsed: ParsedQuery
  /// For elements that are objects.
  let rows: BoundQuery?
  /// For elements that are objects of several classes.
  let union: UnionQuery?
  /// For other elements; nil when there is no condition.
  private let elements: ElementQuery?

  /// - Throws: `QueryError` for what does not fit the elements.
  init(_ parsed: ParsedQuery, _ base: ResultsBase, _ session: Session) throws(QueryError) {
    self.parsed = parsed
    let graph = session.layout
    if let table = base.table {
      rows = try BoundQuery(
        parsed, of: table, in: graph,
        catalog: StoreCatalog(store: session.store, asked: base.speaker?.takeUnretainedValue()))
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

  /// Elements that are no objects are sorted, and told apart, by themselves.
  private static func check(_ arrangement: Arrangement) throws(QueryError) {
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

  /// The elements of `base` that are kept, in their order, as `session` sees them now.
  func evaluate(_ base: ResultsBase, _ session: Session) -> ResultsShown {
    if let union {
      if case .union = base { return .union(session.read { union.rows(in: $0) }) }
      let links = base.links(session)
      return .union(session.read { union.rows(in: $0, among: links) })
    }
    guard let rows else { return .values(values(base, session)) }
    if case .table = base {
      return ResultsShown(session.read { rows.rows(in: $0) })
    }
    let keys = base.keys(session)
    return ResultsShown(session.read { rows.rows(in: $0, among: keys) })
  }

  private func values(_ base: ResultsBase, _ session: Session) -> ContiguousArray<StoredValue> {
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

extension ResultsShown {
  init(_ result: QueryResult) {
    switch result {
    case .selection(let rows): self = .selection(rows)
    case .ordered(let keys): self = .keys(keys)
    }
  }
}

extension ResultsCore {
  /// These elements, with more asked of them.
  func asking(_ change: (inout ParsedQuery) -> Void) throws(QueryError) -> ResultsCore {
    session.checkConfinement()
    var parsed = query?.parsed ?? ParsedQuery(QueryPredicate(true))
    change(&parsed)
    // A condition on what a limit left is another than one before it.
    let isLimited = query?.parsed.arrangements.contains { if case .limit = $0 { true } else { false } } ?? false
    var base = base
    if isLimited && parsed.predicate != query?.parsed.predicate {
      base = .view(self)
      parsed = ParsedQuery(QueryPredicate(true))
      change(&parsed)
    }
    try session.check(parsed.predicate)
    let made = try ResultsQuery(parsed, base, session)
    return ResultsCore(session, base, made, isMapped: isMapped)
  }

  /// Those elements of a view that satisfy a condition. Mistakes in it are the program's.
  ///
  /// - Parameter core: given away: a view that nobody else has becomes the narrower one itself, where that is no more
  ///   than looking one value up.
  @usableFromInline
  static func requiring(_ condition: QueryForm, of core: consuming ResultsCore) -> ResultsCore {
    if case .comparison(let way, .equal, let value) = condition, let lookUp = core.lookingUp(value, at: way) {
      core.session.checkConfinement()
      if isKnownUniquelyReferenced(&core) {
        core.narrow(to: lookUp)
        return core
      }
      return ResultsCore(core, having: lookUp)
    }
    let predicate = condition.predicate
    return core.requiring { $0.predicate = $0.predicate && predicate }
  }

  /// One value of a property, as long as nothing else was asked of the objects of a class; nil for what is no such
  /// thing.
  private func lookingUp(_ value: StoredValue, at way: Unmanaged<PropertyWay>) -> LookUp? {
    // Frozen sessions are used by many threads, and a look-up makes its query when it is first asked for it.
    guard showsAll, !session.isFrozen, let binding = base.speaker else { return nil }
    return LookUp(value, at: way, of: binding)
  }

  /// The same where what is wrong is a mistake of the program.
  func requiring(_ change: (inout ParsedQuery) -> Void) -> ResultsCore {
    do {
      return try asking(change)
    } catch {
      error.trap()
    }
  }
}
