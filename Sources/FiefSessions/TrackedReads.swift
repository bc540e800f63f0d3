import FiefGraph
import FiefRuntime
import Observation

/// What the tracking scopes of a session have read, and who is to be notified of a change.
///
///     a read in `withObservationTracking` ──▶ the running scope ──▶ its cells, and its questions about collections
///     the session shows another version   ──▶ the scopes that read what changed are notified, each once
///
/// A scope is registered with the library when it first reads something of the session: one key path for a scope, which
/// stands for all that it reads. So a read in a scope costs an append to an array, and a commit costs by its changes.
///
/// It belongs to its session's executor. Nothing here keeps a scope, or the session, alive.
package final class TrackedReads: Observable {
  // Exclusivity is not checked at run time: only the session's executor accesses these, and no access spans other code.

  private let registrar = ObservationRegistrar()
  private let ended = EndedScopes()
  @safe @exclusivity(unchecked) private var scopes: [TrackedScope.Number: WeakReference<TrackedScope>] = [:]
  @safe @exclusivity(unchecked) private var cells = TrackedCells()
  @safe @exclusivity(unchecked) private var questions: [Question] = []
  @safe @exclusivity(unchecked) private var known: Set<Question.Identity> = []
  /// The scopes that have read everything that can be reached.
  @safe @exclusivity(unchecked) private var all: Set<TrackedScope.Number> = []
  /// The scopes that have read in the write in progress, whose end may change everything that it has shown.
  @safe @exclusivity(unchecked) private var unsettled: Set<TrackedScope.Number> = []
  /// The version up to which scopes were notified; nil while nothing is tracked.
  @safe @exclusivity(unchecked) private var seen: Graph?

  // The running scope, as far as it is known.

  @safe @exclusivity(unchecked) private var current: TrackedScope.Number = 0
  /// Its word, and the address of the dictionary in its access list.
  @safe @exclusivity(unchecked) private var scope = TrackingScope.none
  @safe @exclusivity(unchecked) private var accesses: UInt = 0
  @safe @exclusivity(unchecked) private var dictionary: TrackingScope.Kept?
  /// The question that it noted last.
  @safe @exclusivity(unchecked) private var lastQuestion: Question.Identity?
  /// Where the words of scopes are unknown: the key paths of a question and of the latest scope.
  private lazy var question: KeyPath<TrackedReads, Bool> = \.[ScopeQuestion()]
  @safe @exclusivity(unchecked) private var latest: KeyPath<TrackedReads, Bool>?

  /// The number of running blocks whose reads are not noted.
  @safe @exclusivity(unchecked) var suspensions = 0

  /// Whether an earlier answer about a collection has changed.
  package typealias Test = (_ session: Session, _ differences: Differences) -> Bool

  /// A question about a collection that a scope has read.
  private struct Question {
    /// A scope asks once about an object.
    struct Identity: Hashable {
      let scope: TrackedScope.Number
      let subject: ObjectIdentifier
      let isDeep: Bool
    }

    let identity: Identity
    /// Keeps the identity of the object from being that of another one.
    let subject: WeakReference<AnyObject>
    let hasChanged: Test
  }

  /// For key paths alone.
  subscript(scope: TrackedScope) -> Bool { scope.number > 0 }
  subscript(question: ScopeQuestion) -> Bool { false }

  /// The number of scopes that wait for a change, as far as it is known, and of the cells that are kept for them: for
  /// tests.
  package var counts: (scopes: Int, cells: Int, questions: Int) { (scopes.count, cells.count, questions.count) }

  // MARK: Reading

  /// Notes that the running scope has read a cell of a row, or has asked for the row, when there is no column.
  func note(_ row: ObjectLink, _ column: ColumnKey?, _ session: Session, _ scope: TrackingScope) {
    guard enter(session, scope) else { return }
    if !cells.append(row, column, current) { all.insert(current) }
    if cells.isFull { settle() }
  }

  /// Notes that the running scope has read a collection.
  ///
  /// - Parameters:
  ///   - subject: stands for the collection.
  ///   - isDeep: whether changes of its elements count.
  ///   - test: makes the test whether it has changed since.
  func note(
    _ subject: AnyObject, isDeep: Bool, _ session: Session, _ scope: TrackingScope, _ test: () -> Test
  ) {
    guard enter(session, scope) else { return }
    let identity = Question.Identity(scope: current, subject: ObjectIdentifier(subject), isDeep: isDeep)
    if identity == lastQuestion { return }
    lastQuestion = identity
    if !known.insert(identity).inserted { return }
    questions.append(Question(identity: identity, subject: WeakReference(subject), hasChanged: test()))
  }

  /// Notes that the running scope has read what every change may affect.
  func noteAll(_ session: Session, _ scope: TrackingScope) {
    if enter(session, scope) { all.insert(current) }
  }

  /// Finds the running scope, and registers with it if it is a new one.
  ///
  /// - Returns: false when reads are not noted, and when no scope runs, where its word is unknown.
  @inline(__always)
  private func enter(_ session: Session, _ scope: TrackingScope) -> Bool {
    // The scope is the known one: no other scope has this dictionary, as its address is kept.
    assert(!scope.isNone, "Reads outside of scopes are not noted.")
    let isKnown = scope == self.scope && scope.accesses == accesses
    if suspensions > 0 || !isKnown && !enterAnother(session, scope) { return false }
    if session.writing != nil { unsettled.insert(current) }
    return true
  }

  private func enterAnother(_ session: Session, _ scope: TrackingScope) -> Bool {
    if scope != .unknown {
      register(session)
      self.scope = scope
      accesses = scope.accesses
      dictionary = TrackingScope.Kept(scope)
      return true
    }
    let (isRunning, isKnown) = ScopeQuestion.ask { registrar.access(self, keyPath: question) }
    if !isRunning { return false }
    // Another thread may have entered another scope between two readings of this one.
    if isKnown, let latest { registrar.access(self, keyPath: latest) } else { register(session) }
    return true
  }

  private func register(_ session: Session) {
    if ended.count > 16 + scopes.count / 2 { settle() }
    if scopes.isEmpty { seen = nil }
    if seen == nil { seen = session.writing == nil ? session.graph : session.layout }
    repeat { current &+= 1 } while current == 0 || scopes[current] != nil
    let made = TrackedScope(current, ended)
    scopes[current] = WeakReference(made)
    lastQuestion = nil
    let path: KeyPath<TrackedReads, Bool> = \.[made]
    registrar.access(self, keyPath: path)
    latest = path
  }

  /// Sorts what was read, and removes what ended scopes have read.
  private func settle() {
    for number in ended.take() {
      scopes[number] = nil
      all.remove(number)
      unsettled.remove(number)
    }
    if questions.contains(where: { scopes[$0.identity.scope] == nil }) {
      questions.removeAll { scopes[$0.identity.scope] == nil }
      known = Set(questions.map(\.identity))
    }
    if scopes.isEmpty { cells = TrackedCells() } else { cells.settle { scopes[$0] != nil } }
  }

  // MARK: Notifying

  /// Notifies the scopes that have read what changed since the last call, or anything in a write that has ended.
  func deliver(_ session: Session, _ differences: Differences) {
    settle()
    guard !scopes.isEmpty, let old = seen else {
      seen = nil
      return
    }
    assert(session.writing == nil || unsettled.isEmpty, "The scopes of a write wait for its end.")
    let new = session.graph
    seen = new
    var affected = unsettled
    unsettled = []
    if old.version != new.version {
      let difference = differences.between(old, new)
      if !difference.isEmpty {
        affected.formUnion(all)
        difference.forEachScope(reading: cells) { affected.insert($0) }
        // Every question is asked, also for scopes that are notified already: it remembers the version.
        for question in questions where question.hasChanged(session, differences) {
          affected.insert(question.identity.scope)
        }
      }
    }
    notify(affected)
  }

  /// Notifies the scopes that have read in a write that was rolled back.
  func rolledBack() {
    let affected = unsettled
    unsettled = []
    notify(affected)
  }

  /// Notifies all scopes, and forgets them, after the session was invalidated.
  func endAll() {
    settle()
    let affected = Set(scopes.keys)
    cells = TrackedCells()
    questions = []
    known = []
    all = []
    unsettled = []
    seen = nil
    notify(affected)
  }

  private func notify(_ numbers: Set<TrackedScope.Number>) {
    // In the order of their first readings. The library calls code of the application.
    for number in numbers.sorted() {
      guard let scope = scopes[number]?.object else { continue }
      registrar.withMutation(of: self, keyPath: \.[scope]) {}
    }
  }
}

extension Difference {
  /// Calls a block with the scopes that have read what differs. The same scope may come several times.
  func forEachScope(reading cells: TrackedCells, _ body: (TrackedScope.Number) -> Void) {
    for table in changedTables {
      let count = cells.count(of: table.table)
      if count == 0 { continue }
      let changes = table.updated.reduce(0) { $0 + $1.cells.count } + table.deletedCount + table.insertedCount
      if count < changes {
        cells.forEach(of: table.table) { entry in
          if isTouched(entry) { body(entry.scope) }
        }
        continue
      }
      for column in table.updated {
        for cell in column.cells { cells.scopes(reading: Cell(table.table, cell.key, column.column), body) }
      }
      for key in table.insertedRows { cells.scopes(readingRow: ObjectLink(table.table, key), body) }
      for key in table.deletedRows { cells.scopes(readingRow: ObjectLink(table.table, key), body) }
    }
  }

  /// Whether one of the cells changed, or their row came or went.
  private func isTouched(_ entry: TrackedCells.Entry) -> Bool {
    let row = entry.row
    return entry.contains { change(of: Cell(row.table, row.key, $0)) != nil } || old.contains(row) != new.contains(row)
  }
}

extension TableDelta {
  var deletedCount: Int { deleted.reduce(0) { $0 + $1.rows.count } }
  var insertedCount: Int { inserted.reduce(0) { $0 + $1.rows.live.count } }

  /// The deleted rows, ascending.
  package var deletedRows: [ObjectKey] {
    var keys: [ObjectKey] = []
    for part in deleted { part.rows.forEach { keys.append(ObjectKey(chunk: part.chunk, bit: $0)) } }
    return keys
  }

  /// The inserted rows, ascending.
  package var insertedRows: [ObjectKey] {
    var keys: [ObjectKey] = []
    for part in inserted { part.rows.live.forEach { keys.append(ObjectKey(chunk: part.chunk, bit: $0)) } }
    return keys
  }
}
