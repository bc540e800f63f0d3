import FiefGraph
import FiefObjects
import FiefQueries
import FiefRuntime
import FiefSessions

/// A condition and modifiers, bound to the elements of a base: which elements a view keeps, and in what order.
///
///     filter, where           joined by AND: they test the elements of the base
///     sorted, distinct, limit  applied to the rest, in the order of their calls
///
/// The value holds no version: it is bound once, and evaluated again whenever what the session sees has changed.
struct ResultsQuery: Sendable {
  let parsed: ParsedQuery
  /// For elements that are objects, of one class or of several.
  let rows: CompiledQuery?
  /// For other elements.
  private let elements: ElementQuery?

  /// Binds a parsed query to the elements of a base.
  ///
  /// - Throws: `QueryError` for names and values that do not fit the elements.
  init(_ parsed: ParsedQuery, of base: ResultsSource, in session: Session) throws(QueryError) {
    self.parsed = parsed
    let (graph, catalog) = (session.layout, StoreCatalog(store: session.store, asked: base.namingClass?.counted))
    if let tables = base.tables {
      rows = try CompiledQuery(parsed, of: tables, in: graph, catalog: catalog)
      elements = nil
    } else {
      rows = nil
      elements = try ElementQuery(parsed, of: base.elementType, in: graph)
    }
  }

  private init(_ parsed: ParsedQuery, rows: CompiledQuery?, elements: ElementQuery?) {
    self.parsed = parsed
    self.rows = rows
    self.elements = elements
  }

  /// The query with a further condition and further modifiers. Only these are bound.
  ///
  /// - Throws: `QueryError` for names and values that do not fit the elements.
  func adding(
    _ more: ParsedQuery, to base: ResultsSource, in session: Session
  ) throws(QueryError) -> ResultsQuery {
    let all = ParsedQuery(parsed.predicate && more.predicate, parsed.modifiers + more.modifiers)
    let (graph, catalog) = (session.layout, StoreCatalog(store: session.store, asked: base.namingClass?.counted))
    return ResultsQuery(
      all, rows: try rows?.adding(more, in: graph, catalog: catalog), elements: try elements?.adding(more, in: graph))
  }

  /// The elements of `base` that the query keeps, in its order, as `session` sees them now.
  func evaluate(_ base: ResultsSource, _ session: Session) -> ResultsContents {
    switch (base, rows) {
    case (.table, let rows?):
      return session.read { rows.arranges ? .keys(rows.rows(in: $0)) : .selection(rows.selection(in: $0)) }
    case (.union, let rows?): return ResultsContents(session.read { rows.links(in: $0) })
    default: break
    }
    let all = base.all(session)
    guard let rows else {
      let values = all.values(of: nil)
      return .values(elements.map { elements in session.read { elements.elements(values, in: $0) } } ?? values)
    }
    if base.union != nil {
      let links = ContiguousArray(all.values(of: nil).lazy.compactMap(\.linked))
      return ResultsContents(session.read { rows.links(in: $0, among: links) })
    }
    return .keys(session.read { rows.rows(in: $0, among: all.keys) })
  }
}

extension ResultsContents {
  /// Objects of several classes.
  init(_ links: ContiguousArray<ObjectLink>) { self = .values(ContiguousArray(links.lazy.map { .link($0) })) }
}

extension ResultsStorage {
  /// A view of these elements with a further condition and further modifiers.
  func adding(_ more: ParsedQuery) throws(QueryError) -> ResultsStorage {
    if isNothing { return self }
    checkPresence()
    try session.check(more.predicate)
    let limited = query?.parsed.modifiers.contains { if case .limit = $0 { true } else { false } } ?? false
    // A condition after a limit tests only the elements that the limit left.
    let isBase = limited && !more.predicate.isAlwaysTrue
    let base = isBase ? ResultsSource.view(self) : base
    let added =
      if !isBase, let query {
        try query.adding(more, to: base, in: session)
      } else {
        try ResultsQuery(more, of: base, in: session)
      }
    return ResultsStorage(session, of: base, asking: .query(added), isMapped: isMapped)
  }

  /// The view whose conditions test the elements of this one alone: another view of them, where a distinct would work
  /// after a condition.
  var asBase: ResultsStorage {
    checkPresence()
    let isDistinct = query?.parsed.modifiers.contains { if case .distinct = $0 { true } else { false } } ?? false
    return isDistinct ? ResultsStorage(session, of: .view(self), isMapped: isMapped) : self
  }

  /// The elements of a view that satisfy a condition. Traps for mistakes in it.
  ///
  /// - Parameter core: consumed: a uniquely referenced view of a whole class becomes that of a lookup of one value,
  ///   which saves an allocation.
  @usableFromInline
  static func requiring(_ condition: QueryForm, of core: consuming ResultsStorage) -> ResultsStorage {
    if case .comparison(let resolved, .equal, let value) = condition,
      let equality = core.equality(value, at: resolved)
    {
      core.checkPresence()
      if isKnownUniquelyReferenced(&core) {
        core.narrow(to: equality, at: resolved)
        return core
      }
      return ResultsStorage(
        core.session, of: core.base, asking: .value(equality, at: resolved), isMapped: core.isMapped)
    }
    return core.requiring(ParsedQuery(condition.predicate))
  }

  /// The equality of a property and a value, if the view shows all objects of a class and the value can be looked up;
  /// nil otherwise.
  private func equality(_ value: StoredValue, at resolved: Borrowed<ResolvedKeyPath>) -> SimpleEquality? {
    // Many threads use frozen sessions, and a lookup makes its query at its first use.
    guard ShortCut.lookUps.isOn, showsAll, !session.isFrozen, let binding = base.namingClass else { return nil }
    return binding.with { binding in
      guard let number = resolved.with({ $0.number(in: binding) }), binding.leaf(number) >= 0 else { return nil }
      return SimpleEquality(binding.columns[number], of: binding.type(of: number), value)
    }
  }

  /// A view of these elements with a further condition and further modifiers. Traps for mistakes in them.
  func requiring(_ more: ParsedQuery) -> ResultsStorage {
    QueryError.trapping { try adding(more) }
  }

  /// A view of these elements with a further modifier. Traps for mistakes in it.
  func arranged(by modifier: QueryModifier) -> ResultsStorage {
    requiring(ParsedQuery(QueryPredicate(true), [modifier]))
  }
}
