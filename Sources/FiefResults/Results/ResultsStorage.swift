public import FiefGraph
import FiefObjects
import FiefQueries
import FiefRuntime
public import FiefSessions

/// The shared state of `Results`: a base, a request to it, and a cache of its result until the session changes.
///
///     base ──▶ request ──▶ cache          evaluated when first asked, again when the session has changed
///
/// An operation finds as much as it needs. `ResultsCache` has the states of the cache.
///
/// | request | `count` | `first`, `isEmpty`, `prefix` | all else |
/// | --- | --- | --- | --- |
/// | `all` of a table | the table's | the table's | → `all`, kept while no row comes or goes |
/// | `all` of another base | → `all` | → `all` | → `all` |
/// | `value` | → `count` by an index, otherwise → `all` | becomes `query` | becomes `query` |
/// | `query` | → `count` if cheap, otherwise → `all` | → `prefix`; → `all` with a sort | → `all` |
///
/// A core belongs to its session's thread, queue or actor. The core of a frozen session may be used by any thread: its
/// request never changes, and its first result is stored under a lock and stays.
@usableFromInline
final class ResultsStorage {
  @usableFromInline let session: Session
  let base: ResultsSource
  /// Whether rows are read as values of an application's type that stands for objects.
  let isMapped: Bool
  /// The class of the elements, when all of them are read as objects; the store retains it.
  private let rows: Borrowed<ClassBinding>?

  // Exclusivity is not checked at run time: accesses to these are confined to one thread, queue or actor, or the
  // properties never change.

  /// The moment at which this core was made; shows whether the session was invalidated since.
  @safe @exclusivity(unchecked) private var madeStamp: VersionStamp
  /// The request to the elements of the base.
  @safe @exclusivity(unchecked) private var request: ResultsRequest
  /// The knowledge about the result.
  @safe @exclusivity(unchecked) private(set) var cache: ResultsCache

  @inline(__always)
  init(_ session: Session, of base: ResultsSource, asking request: ResultsRequest = .all, isMapped: Bool = false) {
    self.session = session
    self.base = base
    self.request = request
    self.isMapped = isMapped
    madeStamp = session.validity.stamp
    cache = ResultsCache(isShared: session.isFrozen)
    if isMapped {
      rows = nil
    } else if case .table(let binding) = base {
      rows = binding
    } else {
      rows = base.rowClass.map { unsafe Borrowed($0) }
    }
  }

  /// A core that shows nothing, for good: what links to an object that no realm has.
  static func nothing() -> ResultsStorage { ResultsStorage(.placeholder, of: .union([])) }

  /// Whether this is such a core, or a view of one. It has no realm, and every query of it is itself.
  var isNothing: Bool { base.union?.isEmpty ?? false }

  /// The realm of the elements; nil without one.
  var realm: Realm? { isNothing ? nil : Realm(session) }

  /// Turns this core for all objects of a class into that for a lookup. Permitted only while the caller has the only
  /// reference.
  func narrow(to equality: SimpleEquality, at resolved: Borrowed<ResolvedKeyPath>) {
    assert(showsAll && !session.isFrozen, "A view that others may use was narrowed.")
    madeStamp = session.validity.stamp
    request = .value(equality, at: resolved)
    cache = .nothing
  }

  /// Whether the core shows all objects of a class.
  var showsAll: Bool { if case .all = request, case .table = base { true } else { false } }

  /// The query on the elements of the base; nil without one. A lookup becomes a query here.
  var query: ResultsQuery? {
    session.checkConfinementOfUse()
    // Many threads may do this at once in a frozen session, where no request is a lookup: they only read.
    switch request {
    case .all: return nil
    case .query(let query): return query
    case .value(let equality, let resolved):
      return QueryError.trapping {
        let condition = QueryPredicate(Comparison(resolved, .equal, to: equality.value))
        let query = try ResultsQuery(ParsedQuery(condition), of: base, in: session)
        request = .query(query)
        return query
      }
    }
  }

  /// The class of the elements, when all of them are read as objects; nil when they are read as stored values.
  var rowClass: ClassBinding? { rows?.counted }

  /// The core in another session of the store.
  func moved(to other: Session) -> ResultsStorage {
    if other === session { return self }
    let request = query.map { ResultsRequest.query($0) } ?? .all
    return ResultsStorage(other, of: base.moved(to: other), asking: request, isMapped: isMapped)
  }

  /// Whether elements are objects of a class; otherwise they are stored values.
  @usableFromInline
  var givesRows: Bool { rows != nil }

  /// The context for reading stored values.
  @usableFromInline
  var context: _StoreContext { _StoreContext(session, target: base.target) }

  /// Whether the base was deleted, or was invalidated with its realm. Traps off the session's thread, queue or actor.
  var isInvalidated: Bool {
    session.checkConfinementOfUse()
    return session.isClosed || !session.validity.isCurrent(madeStamp) || !base.isValid(session)
  }

  /// Traps off the session's thread, queue or actor, and when the realm was invalidated after this core was made. Comes
  /// before every look at the elements that the application asks for, which a tracking scope may note.
  @inline(__always)
  func checkUse() {
    if !session.isOnExecutor { checkUseSlowly() }
    if !session.validity.isCurrent(madeStamp) { trapInvalidated() }
  }

  @inline(never)
  private func checkUseSlowly() {
    session.checkConfinement()
    if session.mayBeTracked, session.validity.isCurrent(madeStamp) { noteRead(isDeep: false) }
  }

  /// Like `checkUse()`, for what shows no element yet, or nothing that a tracking scope must know.
  @inline(__always)
  func checkPresence() {
    session.checkConfinement()
    if !session.validity.isCurrent(madeStamp) { trapInvalidated() }
  }

  /// Like `checkUse()`, before a look at values of the elements.
  func checkUseOfValues() {
    checkUse()
    if session.mayBeTracked { noteRead(isDeep: true) }
  }

  private func trapInvalidated() -> Never {
    fatalError("The collection was invalidated with its realm and cannot be used any more: fetch it anew.")
  }

  // MARK: Evaluating

  /// The current elements. Callers that answer the application have called `checkUse()`.
  func contents() -> ResultsContents {
    checkPresence()
    // Many threads use the cache of a frozen view, and none of them replaces it.
    if case .shared(let shared) = cache { return shared.contents { evaluate().found } }
    if let known = cache.contents(at: session.validity.stamp) { return known }
    // A change of values does not affect the positions of a whole table.
    if showsAll, let known = cache.lastContents, known.isPresent(session) {
      cache.remained(at: session.validity.stamp)
      return known
    }
    let (found, stamp) = evaluate()
    cache.evaluated(found, at: stamp)
    return found
  }

  /// Finds all elements. This may run code of the application, so the result is that of the moment of its beginning.
  private func evaluate() -> (found: ResultsContents, stamp: VersionStamp) {
    session.pinIfNeeded()
    let stamp = session.validity.stamp
    let start = LoggedTime.now
    let found = query?.evaluate(base, session) ?? base.all(session)
    report(since: start, counting: found.count)
    return (found, stamp)
  }

  /// Stores a result that was computed elsewhere, if the given moment is still the present one.
  func presume(_ found: ResultsContents, _ stamp: VersionStamp) {
    if session.isFrozen || stamp != session.validity.stamp { return }
    cache.evaluated(found, at: stamp)
  }

  /// The table, if all of its rows are shown; its count, first row and last row need no evaluation.
  private var wholeTable: TableKey? { ShortCut.wholeTables.attempt { showsAll ? table : nil } }

  /// The table of the base, if the base is all objects of a class.
  private var table: TableKey? {
    if case .table(let binding) = base { return binding.with { $0.table } }
    return nil
  }

  /// The number of elements. Constant time for a whole table.
  @usableFromInline
  var count: Int {
    checkUse()
    if let wholeTable {
      return session.borrowedTable(wholeTable)?.with { $0.count } ?? 0
    }
    return countAlone ?? contents().count
  }

  /// The count, if it is known or can be computed without evaluating the rows. Always nil for a frozen session: several
  /// threads use it, and share one evaluation.
  private var countAlone: Int? {
    if let count = cache.count(at: session.validity.stamp) { return count }
    guard base.isWhole, !cache.isShared else { return nil }
    let start = LoggedTime.now
    let found: Int?
    if case .value(let equality, _) = request, let table {
      found = ShortCut.lookUps.attempt { session.borrowedTable(table)?.with { equality.count(in: $0) } }
    } else {
      guard let rows = query?.rows else { return nil }
      found = session.read { rows.countIfCheap(in: $0) }
    }
    guard let count = found else { return nil }
    report(since: start, counting: count)
    // The moment after counting: the first look of a session pins a version, which is a change.
    cache.counted(count, at: session.validity.stamp)
    return count
  }

  /// The number of elements, at most `limit`, which is more than 0. The search ends when `limit` elements are found,
  /// which are kept, as callers read them one by one.
  ///
  /// A sort has to read all elements, so such a view is evaluated.
  private func prefix(_ limit: Int) -> Int {
    if let known = cache.prefix(at: session.validity.stamp), limit <= known.count { return limit }
    guard let rows = unevaluated, !rows.sorts else {
      return min(limit, cache.count(at: session.validity.stamp) ?? contents().count)
    }
    session.pinIfNeeded()
    let stamp = session.validity.stamp
    let start = LoggedTime.now
    let found = session.read { graph -> ResultsContents in
      base.union == nil ? .keys(rows.prefix(limit, in: graph)) : ResultsContents(rows.links(in: graph, first: limit))
    }
    report(since: start, counting: found.count)
    if found.count < limit {
      cache.evaluated(found, at: stamp)
    } else {
      cache.foundPrefix(found, at: stamp)
    }
    return found.count
  }

  /// The query of all rows of some tables, while it was not evaluated. Always nil for a frozen session: several threads
  /// use it, and share one evaluation.
  private var unevaluated: CompiledQuery? {
    if !base.isWhole || cache.isShared || cache.isAll(at: session.validity.stamp) { return nil }
    return query?.rows
  }

  /// Whether there are no elements. The search ends at the first match.
  var isEmpty: Bool {
    checkUse()
    if showsAll { return count == 0 }
    // Any match will do, whatever the order.
    if let rows = unevaluated, rows.sorts {
      let start = LoggedTime.now
      let isEmpty = session.read { rows.isEmpty(in: $0) }
      report(since: start, counting: isEmpty ? 0 : 1)
      return isEmpty
    }
    return prefix(1) == 0
  }

  /// The number of elements, at most `limit`, which is not negative. The search ends when `limit` elements are found.
  func count(upTo limit: Int) -> Int {
    checkUse()
    if limit == 0 { return 0 }
    return showsAll ? min(limit, count) : prefix(limit)
  }

  // MARK: Elements

  /// The key of the row at a position. Traps when the position is out of range.
  func key(at position: Int) -> ObjectKey {
    checkUse()
    if let known = cache.prefix(at: session.validity.stamp), position >= 0, position < known.count {
      return known.key(at: position)
    }
    if let wholeTable {
      // Without gaps among the keys, the position is the key.
      let key: ObjectKey? = session.read { graph in
        guard let table = graph[wholeTable], position >= 0, Int64(table.count) == table.nextKey,
          position < table.count
        else { return nil }
        return ObjectKey(Int64(position))
      }
      if let key { return key }
      if position == 0, let key = firstKey(wholeTable) { return key }
    }
    let contents = contents()
    let count = contents.count
    if position < 0 || position >= count { Misuse.outOfRange(position, count) }
    return contents.key(at: position)
  }

  /// The object at a position. Traps when the position is out of range.
  @usableFromInline
  func object(at position: Int) -> ObjectBase { object(key(at: position)) }

  private func object(_ key: ObjectKey) -> ObjectBase {
    guard let binding = rowClass else { fatalError("Values were taken for objects.") }
    return session.accessor(binding, key)
  }

  /// The stored value at a position. Traps when the position is out of range.
  @usableFromInline
  func value(at position: Int) -> _StoredValue {
    checkUse()
    var known = cache.prefix(at: session.validity.stamp) ?? contents()
    if position < 0 || position >= known.count {
      known = contents()
      if position < 0 || position >= known.count { Misuse.outOfRange(position, known.count) }
    }
    return known.value(at: position, of: base.target)
  }

  /// The last object, or nil. A whole table needs no evaluation.
  @usableFromInline
  var lastObject: ObjectBase? {
    if let wholeTable {
      checkUse()
      let key = session.read { graph in
        graph[wholeTable]?.rows.last.map { number, cluster in
          ObjectKey(chunk: number, bit: cluster.bit(ofSlot: cluster.count - 1))
        }
      }
      return key.map { object($0) }
    }
    let count = count
    return count == 0 ? nil : object(at: count - 1)
  }

  private func firstKey(_ table: TableKey) -> ObjectKey? {
    session.read { graph in
      graph[table]?.rows.next(from: 0).map { number, cluster in
        ObjectKey(chunk: number, bit: cluster.bit(ofSlot: 0))
      }
    }
  }

  /// Iterates over the current elements.
  @usableFromInline
  func walk() -> ElementWalk {
    checkUse()
    return walkUnnoted()
  }

  /// Iterates over the current elements, for the evaluation of another view.
  func walkUnnoted() -> ElementWalk {
    if let wholeTable, let binding = rowClass {
      // In a write, this takes a snapshot: clusters that the loop changes are copied first.
      let rows = session.snapshot[wholeTable]?.rows
      return .rows(RowWalk(rows.map { .table($0) } ?? .none, of: binding, in: session))
    }
    let contents = contents()
    guard let binding = rowClass else { return .values(ValueWalk(contents.values(of: base.target))) }
    return .rows(RowWalk(contents.source(session), of: binding, in: session))
  }

  /// All elements as stored values.
  var storedValues: ContiguousArray<StoredValue> {
    checkUse()
    return storedValuesUnnoted
  }

  /// All elements as stored values, for the evaluation of another view; rows become links.
  var storedValuesUnnoted: ContiguousArray<StoredValue> { contents().values(of: base.target) }

  /// The aggregate over the elements.
  func total(_ query: AggregateQuery) -> Accumulator {
    checkUseOfValues()
    if showsAll { return session.read { query.total(in: $0) } }
    if case .selection(let rows) = contents() { return session.read { query.total(in: $0, of: rows) } }
    if base.union != nil {
      let links = presentLinks
      return session.read { query.total(in: $0, among: links) }
    }
    let keys = contents().keys
    return session.read { query.total(in: $0, among: keys) }
  }

  /// All links among the elements, including duplicates.
  var links: [ObjectLink] {
    checkUse()
    return Array(presentLinks)
  }

  /// All links among the elements, for an evaluation.
  var presentLinks: ContiguousArray<ObjectLink> {
    ContiguousArray(storedValuesUnnoted.lazy.compactMap(\.linked))
  }

  /// The position of the stored form of `content`, or nil.
  func index(of content: _PropertyContent) -> Int? {
    switch content {
    case .object(let object):
      guard let other = object.retainedSession, other.sees(sameAs: session), let link = object.rowLink else {
        return nil
      }
      checkUse()
      if !object.hasRow { Misuse.invalidated(object) }
      guard let binding = base.rowClass else { return contents().index(of: .link(link), among: base.target) }
      return link.table == binding.table ? contents().index(of: link.key) : nil
    case .value(let value):
      checkUse()
      return contents().index(of: value, among: base.target)
    case .collection: return nil
    }
  }
}

extension ResultsStorage {
  /// Logs a query that was just evaluated, with its plan. The query is planned again for the message, and not
  /// evaluated.
  ///
  /// - Parameters:
  ///   - start: when the evaluation began; nil if the message would not be logged.
  ///   - count: how many elements were found.
  ///   - purpose: the purpose of the evaluation, with a space before it; empty for a query of the program.
  ///   - session: the session whose rows were asked; nil for that of the view.
  @inline(__always)
  func report(
    since start: LoggedTime?, counting count: Int, for purpose: String = "", in session: Session? = nil
  ) {
    if let start { report(count, since: start, for: purpose, in: session ?? self.session) }
  }

  private func report(_ count: Int, since start: LoggedTime, for purpose: String, in session: Session) {
    guard let query else { return }
    session.report("Query\(purpose)", since: start) {
      let plan =
        if let rows = query.rows, base.isWhole {
          session.read { rows.plan(in: $0) }
        } else {
          "Elements tested without an index: \(query.parsed)"
        }
      return "\(count) found. \(plan)"
    }
  }
}

/// The request of a view to the elements of its base.
enum ResultsRequest {
  /// Nothing: it shows all of them. A whole table knows its count, its first and its last row.
  case all
  /// One value of one property, which an index may count. Becomes a query when more than a count is needed.
  case value(SimpleEquality, at: Borrowed<ResolvedKeyPath>)
  /// A condition and its modifiers.
  case query(ResultsQuery)
}
