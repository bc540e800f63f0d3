import FiefGraph
import FiefRuntime
import Observation

/// The reads of the tracking scopes of a session, and the scopes that a change notifies.
///
///     a read in `withObservationTracking` ──▶ the running scope ──▶ its cells, and its tests of collections
///     the session shows another version   ──▶ the scopes that read what changed are notified, each once
///
/// A scope is registered with the library when it first reads something of the session: one key path for a scope, which
/// stands for all that it reads. So a read in a scope costs a bit, and a commit costs by its changes.
///
/// It belongs to its session's executor. Nothing here keeps a scope, or the session, alive.
package final class TrackedReads: Observable {
  // Exclusivity is not checked at run time: only the session's executor accesses these, and no access spans other code.

  private let registrar = ObservationRegistrar()
  private let ended = EndedScopes()
  @safe @exclusivity(unchecked) private var scopes: [TrackedScope.Number: WeakReference<TrackedScope>] = [:]
  @safe @exclusivity(unchecked) private var cells = TrackedCells()
  @safe @exclusivity(unchecked) private var collections: [CollectionRead: TestedCollection] = [:]
  /// The scopes that have read everything that can be reached.
  @safe @exclusivity(unchecked) private var all: Set<TrackedScope.Number> = []
  /// The scopes that have read in the write in progress, whose end may change everything that it has shown.
  @safe @exclusivity(unchecked) private var scopesOfWrite: Set<TrackedScope.Number> = []
  /// The version up to which scopes were notified; nil while nothing is tracked.
  @safe @exclusivity(unchecked) private var delivered: Graph?

  // The running scope, as far as it is known.

  @safe @exclusivity(unchecked) private var current: TrackedScope.Number = 0
  /// Its word, and the address of the dictionary in its access list.
  @safe @exclusivity(unchecked) private var scope = TrackingScope.none
  @safe @exclusivity(unchecked) private var accesses: UInt = 0
  @safe @exclusivity(unchecked) private var dictionary: TrackingScope.Kept?
  /// The collection that it read last.
  @safe @exclusivity(unchecked) private var lastCollection: CollectionRead?
  /// The key path of a probe, where the words of scopes are unknown.
  private lazy var probe: KeyPath<TrackedReads, Bool> = \.[ScopeProbe()]

  /// The number of running blocks whose reads are not noted.
  @safe @exclusivity(unchecked) var suspensions = 0

  /// Whether a collection has changed since the last call, or since it was read.
  package typealias Test = (_ session: Session, _ delivery: Delivery) -> Bool

  /// A scope, and the object that stands for a collection that it has read.
  private struct CollectionRead: Hashable {
    let scope: TrackedScope.Number
    let subject: ObjectIdentifier
    let isDeep: Bool
  }

  private struct TestedCollection {
    /// Keeps the identity of the object from being that of another one.
    let subject: WeakReference<AnyObject>
    let hasChanged: Test
  }

  /// For key paths alone.
  subscript(scope: TrackedScope) -> Bool { scope.number > 0 }
  subscript(probe: ScopeProbe) -> Bool { false }

  /// The number of scopes that wait for a change, as far as it is known, and of what is kept for them: for tests.
  var counts: (scopes: Int, readers: Int, collections: Int) { (scopes.count, cells.count, collections.count) }

  // MARK: Reading

  /// Notes that the running scope has read a cell of a row, or has asked for the row, when there is no column.
  func note(_ row: ObjectLink, _ column: ColumnKey?, in session: Session, by scope: TrackingScope) {
    if enter(scope, session) { cells.append(row, column, by: current) }
  }

  /// Notes that the running scope has read a collection.
  ///
  /// - Parameters:
  ///   - subject: stands for the collection.
  ///   - isDeep: whether changes of its elements count.
  ///   - test: makes the test whether it has changed since.
  func note(
    collection subject: AnyObject, isDeep: Bool, in session: Session, by scope: TrackingScope, _ test: () -> Test
  ) {
    guard enter(scope, session) else { return }
    let read = CollectionRead(scope: current, subject: ObjectIdentifier(subject), isDeep: isDeep)
    if read == lastCollection { return }
    lastCollection = read
    if collections[read] != nil { return }
    collections[read] = TestedCollection(subject: WeakReference(subject), hasChanged: test())
  }

  /// Notes that the running scope has read what every change may affect.
  func noteAll(in session: Session, by scope: TrackingScope) {
    if enter(scope, session) { all.insert(current) }
  }

  /// Finds the running scope, and registers with it if it is a new one.
  ///
  /// - Returns: false when reads are not noted, and when no scope runs, where its word is unknown.
  @inline(__always)
  private func enter(_ scope: TrackingScope, _ session: Session) -> Bool {
    // The scope is the known one: no other scope has this dictionary, as its address is kept.
    assert(!scope.isNone, "Reads outside of scopes are not noted.")
    let isKnown = scope == self.scope && scope.accesses == accesses
    if suspensions > 0 || !isKnown && !enterAnother(scope, session) { return false }
    if session.writing != nil { scopesOfWrite.insert(current) }
    return true
  }

  private func enterAnother(_ scope: TrackingScope, _ session: Session) -> Bool {
    if scope == .unknown {
      // The scope of an earlier read cannot be recognized, so each read is registered as a scope of its own.
      guard ScopeProbe.isHashed(by: { registrar.access(self, keyPath: probe) }) else { return false }
      register(session)
      return true
    }
    register(session)
    self.scope = scope
    accesses = scope.accesses
    dictionary = TrackingScope.Kept(scope)
    return true
  }

  private func register(_ session: Session) {
    if ended.count > 16 + scopes.count / 2 { collect() }
    if scopes.isEmpty { delivered = nil }
    if delivered == nil { delivered = session.writing == nil ? session.graph : session.layout }
    repeat { current &+= 1 } while current == 0 || scopes[current] != nil
    let made = TrackedScope(current, ended)
    scopes[current] = WeakReference(made)
    lastCollection = nil
    registrar.access(self, keyPath: \.[made])
  }

  /// Makes what was read findable, and removes what ended scopes have read.
  private func collect() {
    for number in ended.take() {
      scopes[number] = nil
      all.remove(number)
      scopesOfWrite.remove(number)
    }
    if collections.contains(where: { scopes[$0.key.scope] == nil }) {
      collections = collections.filter { scopes[$0.key.scope] != nil }
    }
    if scopes.isEmpty { cells = TrackedCells() } else { cells.collect { scopes[$0] != nil } }
    assert(all.allSatisfy { scopes[$0] != nil }, "Ended scopes have no part in what all changes affect.")
    assert(scopesOfWrite.allSatisfy { scopes[$0] != nil }, "Ended scopes wait for no write.")
  }

  // MARK: Notifying

  /// Notifies the scopes that have read what changed since the last call, or anything in a write that has ended.
  func deliver(_ session: Session, _ delivery: Delivery) {
    collect()
    guard !scopes.isEmpty, let old = delivered else {
      delivered = nil
      return
    }
    assert(session.writing == nil || scopesOfWrite.isEmpty, "The scopes of a write wait for its end.")
    let new = session.graph
    assert(old.version <= new.version, "A session advances to later versions alone.")
    delivered = new
    var affected = scopesOfWrite
    scopesOfWrite = []
    if old.version != new.version {
      let difference = delivery.difference(from: old, to: new)
      if !difference.isEmpty {
        affected.formUnion(all)
        for table in difference.changedTables { table.forEachScope(reading: cells) { affected.insert($0) } }
        // Every test runs, also for scopes that are notified already: it keeps the version.
        for (read, collection) in collections where collection.hasChanged(session, delivery) {
          affected.insert(read.scope)
        }
      }
    }
    notify(affected)
  }

  /// Notifies the scopes that have read in a write that was rolled back.
  func rolledBack() {
    assert(scopesOfWrite.allSatisfy { scopes[$0] != nil || ended.count > 0 }, "A scope is known until it has ended.")
    let affected = scopesOfWrite
    scopesOfWrite = []
    notify(affected)
  }

  /// Notifies all scopes, and removes them, after the session was invalidated.
  func endAll() {
    collect()
    let affected = Set(scopes.keys)
    cells = TrackedCells()
    collections = [:]
    all = []
    scopesOfWrite = []
    delivered = nil
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
