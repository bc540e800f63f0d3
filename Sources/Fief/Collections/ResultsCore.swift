public import FiefGraph
import FiefQueries

/// What `Results` shows: the elements of a base, as a query leaves them, kept until the session sees something else.
///
///     base ──▶ query ──▶ shown          evaluated when first asked, again when the session has changed
///
/// It belongs to its session's place. One of a frozen session may be used by any thread: what the first of them finds
/// is put down under a lock, and does not change after that.
@usableFromInline
final class ResultsCore {
  @usableFromInline let session: Session
  let base: ResultsBase
  /// Whether rows are read as values of an application's own type, which stands for objects.
  let isMapped: Bool
  /// The class of the elements, when all of them are objects that are read as such; the store holds it.
  private let rows: Unmanaged<ClassBinding>?

  // Exclusivity is not checked at run time: one place uses these, or they stay as they are.

  /// The session's stamp when this was made: tells whether it was invalidated with the session.
  @exclusivity(unchecked) private var born: UInt64
  /// Whether nothing is asked of the objects of a class.
  @exclusivity(unchecked) private(set) var showsAll: Bool
  /// One value of one property, when that is all that is asked of the objects of a class.
  @exclusivity(unchecked) private var lookUp: LookUp?
  /// The query, and what it found; nil while there is neither. Of a frozen session it is there from the beginning, as
  /// several threads use it.
  @exclusivity(unchecked) private var findings: ResultsFindings?
  /// The count, while it was all that was asked and cost less than the rows.
  @exclusivity(unchecked) private var counted = 0
  /// The session's number of changes then; 0 when nothing was counted.
  @exclusivity(unchecked) private var countedChanges: UInt64 = 0

  init(_ session: Session, _ base: ResultsBase, _ query: ResultsQuery? = nil, isMapped: Bool = false) {
    self.session = session
    self.base = base
    born = session.stamp
    lookUp = nil
    self.isMapped = isMapped
    showsAll = if query == nil, case .table = base { true } else { false }
    rows = isMapped ? nil : base.rowClass.map { .passUnretained($0) }
    if query != nil || session.isFrozen { findings = ResultsFindings(query) }
  }

  /// All objects of a class.
  @inline(__always)
  init(_ session: Session, all binding: Unmanaged<ClassBinding>, isMapped: Bool) {
    self.session = session
    base = .table(binding)
    born = session.stamp
    lookUp = nil
    self.isMapped = isMapped
    showsAll = true
    rows = isMapped ? nil : binding
    if session.isFrozen { findings = ResultsFindings() }
  }

  /// The objects of a class that have one value of a property, of a view that shows all of them and is not frozen.
  init(_ all: ResultsCore, having lookUp: LookUp) {
    session = all.session
    base = all.base
    born = session.stamp
    self.lookUp = lookUp
    isMapped = all.isMapped
    showsAll = false
    rows = all.rows
  }

  /// Becomes that view, when nobody else has this one.
  func narrow(to lookUp: LookUp) {
    self.lookUp = lookUp
    born = session.stamp
    showsAll = false
    findings = nil
    countedChanges = 0
  }

  /// The query and what it found, from now on kept.
  private var kept: ResultsFindings {
    if let findings { return findings }
    let made = ResultsFindings(lookUp?.query(base, session))
    findings = made
    return made
  }

  /// What is asked of the elements of the base; nil when nothing is.
  var query: ResultsQuery? {
    session.checkPlaceOfUse()
    return showsAll ? nil : kept.query
  }

  /// The class of the elements, when all of them are objects; nil when they are read as stored values.
  var rowClass: ClassBinding? { rows?.takeUnretainedValue() }

  /// Whether what was evaluated is still what is there.
  private var isShown: Bool {
    findings.map { $0.changes.load(ordering: .relaxed) == session.changes } ?? false
  }

  /// The same, seen by another session of the store.
  func seen(by other: Session) -> ResultsCore {
    if other === session { return self }
    return ResultsCore(other, base.seen(by: other), query, isMapped: isMapped)
  }

  /// Whether elements are objects of a class; otherwise they are stored values.
  @usableFromInline
  var givesRows: Bool { rows != nil }

  /// What stored values are read with.
  @usableFromInline
  var context: _StoreContext { _StoreContext(session, target: base.target) }

  /// Whether what it is a view of is gone, or was invalidated with its realm. Traps elsewhere than in the session's
  /// place.
  var isInvalidated: Bool {
    session.checkPlaceOfUse()
    return session.isClosed || !session.isCurrent(born) || !base.isValid(session)
  }

  // MARK: Evaluating

  /// The elements as they are now.
  func show() -> ResultsShown {
    session.checkConfinement()
    if !session.isCurrent(born) {
      fatalError("The collection was invalidated with its realm and cannot be used any more: fetch it anew.")
    }
    let kept = kept
    if kept.changes.load(ordering: .acquiring) == session.changes { return kept.shown }
    // Changed values leave the positions of a whole table as they are.
    if !session.isFrozen && showsAll && kept.shown.isPresent(session) {
      kept.changes.store(session.changes, ordering: .releasing)
      return kept.shown
    }
    // It may ask code of the program's, and so is done outside of the lock; the first of several threads to be ready
    // has its say.
    let start = LoggedTime.now
    let found = kept.query?.evaluate(base, session) ?? base.all(session)
    report(since: start, counting: found.count)
    kept.evaluating.withLock { _ in
      if session.isFrozen && kept.changes.load(ordering: .relaxed) == session.changes { return }
      kept.shown = found
      kept.changes.store(session.changes, ordering: .releasing)
    }
    return kept.shown
  }

  /// Takes note of what evaluating gives, as long as the session's number of changes is still what it was then.
  func presume(_ found: ResultsShown, _ changes: UInt64) {
    if session.isFrozen || changes != session.changes { return }
    kept.shown = found
    kept.changes.store(changes, ordering: .releasing)
  }

  /// The table that is shown as it is, if that is so: it is not evaluated for what it knows by itself.
  private var wholeTable: TableKey? { showsAll ? table : nil }

  /// The table whose rows are asked, or shown as they are.
  private var table: TableKey? {
    if case .table(let binding) = base { return binding._withUnsafeGuaranteedRef { $0.table } }
    return nil
  }

  /// How many elements there are. Constant time for a whole table.
  @usableFromInline
  var count: Int {
    session.checkConfinement()
    if let wholeTable {
      return session.peekTable(wholeTable)?._withUnsafeGuaranteedRef { $0.count } ?? 0
    }
    return countAlone ?? show().count
  }

  /// The count of what was not evaluated, if it is found without the rows. Frozen sessions belong to several threads,
  /// which share what is evaluated once.
  private var countAlone: Int? {
    guard let table, !session.isFrozen, session.isCurrent(born), !isShown else { return nil }
    if countedChanges == session.changes { return counted }
    let start = LoggedTime.now
    let found: Int?
    if findings == nil, lookUp != nil {
      found = session.peekTable(table)?._withUnsafeGuaranteedRef { lookUp?.count(in: $0) }
    } else {
      guard let rows = query?.rows else { return nil }
      found = session.read { rows.countIfCheap(in: $0) }
    }
    guard let count = found else { return nil }
    report(since: start, counting: count)
    counted = count
    countedChanges = session.changes
    return count
  }

  /// The first elements of what was not evaluated, found without the others; nil when evaluating is as good. Kept, as
  /// they are asked for one by one.
  ///
  /// - Parameter count: how many are wanted, if so many are there; more than 0.
  private func beginning(_ count: Int) -> ResultsBeginning? {
    guard let query = unevaluated else { return nil }
    if let begun = kept.begun, begun.changes == session.changes, begun.rows.answers(count) { return begun.rows }
    let start = LoggedTime.now
    guard let rows = query.beginning(count, of: base, session) else { return nil }
    report(since: start, counting: rows.count)
    kept.begun = (session.changes, rows)
    return rows
  }

  /// The query, as long as it was not evaluated. Frozen sessions belong to several threads, which share what is
  /// evaluated once.
  private var unevaluated: ResultsQuery? {
    guard let query, !session.isFrozen, session.isCurrent(born), !isShown else { return nil }
    return query
  }

  /// What is known of the first elements while the others are not.
  private var presentBeginning: ResultsBeginning? {
    guard let begun = findings?.begun, begun.changes == session.changes, !isShown else { return nil }
    return begun.rows
  }

  /// Whether there is no element. Looks no further than for the first.
  var isEmpty: Bool {
    session.checkConfinement()
    if showsAll { return count == 0 }
    // Which is the first of an order is more than whether there is one.
    if case .table = base, let query = unevaluated, query.sorts, let rows = query.rows {
      let start = LoggedTime.now
      let isEmpty = session.read { rows.isEmpty(in: $0) }
      report(since: start, counting: isEmpty ? 0 : 1)
      return isEmpty
    }
    return beginning(1).map { $0.count == 0 } ?? (count == 0)
  }

  /// How many elements there are, but no more than `limit`, which is not negative. Looks no further than for those.
  func count(upTo limit: Int) -> Int {
    session.checkConfinement()
    if limit == 0 { return 0 }
    if showsAll { return min(limit, count) }
    return beginning(limit).map { min(limit, $0.count) } ?? min(limit, count)
  }

  // MARK: Elements

  /// The row at a position. Traps when it is out of range.
  func key(at position: Int) -> ObjectKey {
    session.checkConfinement()
    if let begun = presentBeginning, let key = begun.key(at: position) { return key }
    if let wholeTable {
      // Without holes among the keys the position is the key.
      let key: ObjectKey? = session.read { graph in
        guard let table = graph[wholeTable], position >= 0, Int64(table.count) == table.nextKey,
          position < table.count
        else { return nil }
        return ObjectKey(Int64(position))
      }
      if let key { return key }
      if position == 0, let key = firstKey(wholeTable) { return key }
    }
    let shown = show()
    let count = shown.count
    if position < 0 || position >= count { Misuse.outOfRange(position, count) }
    return shown.key(at: position, session)
  }

  /// The object at a position. Traps when it is out of range.
  @usableFromInline
  func object(at position: Int) -> ObjectBase { object(key(at: position)) }

  private func object(_ key: ObjectKey) -> ObjectBase {
    guard let binding = rowClass else { fatalError("Values were taken for objects.") }
    return session.accessor(binding, key)
  }

  /// The stored value at a position. Traps when it is out of range.
  @usableFromInline
  func value(at position: Int) -> _StoredValue {
    session.checkConfinement()
    if let begun = presentBeginning, let link = begun.link(at: position) { return .link(link) }
    let shown = show()
    let count = shown.count
    if position < 0 || position >= count { Misuse.outOfRange(position, count) }
    if rowClass == nil, let table = base.rowClass?.table {
      return .link(ObjectLink(table, shown.key(at: position, session)))
    }
    return shown.value(at: position, base.target)
  }

  /// All elements as stored values; rows as links.
  private func values(of shown: ResultsShown) -> ContiguousArray<StoredValue> {
    guard let table = base.rowClass?.table else { return shown.allValues(base.target) }
    return ContiguousArray((0..<shown.count).lazy.map { .link(ObjectLink(table, shown.key(at: $0, self.session))) })
  }

  /// The last position, or nil. A whole table is not evaluated for it.
  @usableFromInline
  var lastObject: ObjectBase? {
    if let wholeTable {
      session.checkConfinement()
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

  /// Goes over the elements as they are now.
  @usableFromInline
  func walk() -> ElementWalk {
    session.checkConfinement()
    if let wholeTable, let binding = rowClass {
      // In a write this gives a version of it away: what the loop changes is copied first.
      let rows = session.snapshot[wholeTable]?.rows
      return .rows(RowWalk(session, binding, rows.map { .table($0) } ?? .none))
    }
    let shown = show()
    guard let binding = rowClass else { return .values(ValueWalk(values(of: shown))) }
    return .rows(RowWalk(session, binding, shown.source(session)))
  }

  /// All elements as stored values.
  var storedValues: ContiguousArray<StoredValue> {
    session.checkConfinement()
    return values(of: show())
  }

  /// What an aggregate is over the elements.
  func total(_ query: AggregateQuery) -> StoredValue {
    session.checkConfinement()
    if showsAll { return session.read { query.value(in: $0) } }
    if case .selection(let rows) = show() { return session.read { query.value(in: $0, of: rows) } }
    let keys = ResultsBase.view(self).keys(session)
    return session.read { query.value(in: $0, among: keys) }
  }

  /// All links among the elements, as often as they are there.
  var links: [ObjectLink] {
    guard let binding = base.rowClass else { return show().allValues(base.target).compactMap(\.linked) }
    let shown = show()
    return (0..<shown.count).map { ObjectLink(binding.table, shown.key(at: $0, session)) }
  }

  /// The position of what is stored for `content`, or nil.
  func index(of content: _Content) -> Int? {
    switch content {
    case .object(let object):
      guard let other = object.heldSession, other.sees(sameAs: session), let link = object.link else { return nil }
      if !object.hasRow { Misuse.invalidated(object) }
      guard let binding = base.rowClass else { return show().index(of: .link(link)) }
      return link.table == binding.table ? show().index(of: link.key, session, binding) : nil
    case .value(let value): return show().index(of: value)
    case .collection, .nestedList, .nestedDictionary: return nil
    }
  }
}
