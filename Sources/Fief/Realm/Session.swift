public import FiefGraph
import Foundation

/// What stands behind a `Realm`: one place (a thread, a queue, an actor) that looks at one version of a store, and may
/// write to it.
///
///     reading ──beginWrite──▶ writing ──commit──▶ reading, a version on
///                                └────roll back──▶ reading, the version that the write began from
///
/// Confined: nothing here is locked, as only its place may use it. A frozen session never changes, so anybody may.
@usableFromInline
final class Session {
  let store: Store
  let confinement: Confinement
  /// The thread that it is confined to; 0 when it is confined otherwise or not at all.
  @usableFromInline let thread: UInt
  @usableFromInline let isFrozen: Bool
  let configuration: Realm.Configuration

  // Exclusivity is not checked at run time on these: one place uses them, and none is held while others run.

  /// The version that is seen while no write is under way.
  @exclusivity(unchecked) var graph: Graph
  /// The write that is under way.
  @exclusivity(unchecked) @usableFromInline var transaction: Transaction? {
    didSet { writing = transaction.map { .passUnretained($0) } }
  }
  /// The same, for code that does not count references.
  @exclusivity(unchecked) @usableFromInline private(set) var writing: Unmanaged<Transaction>?
  /// Changes whenever a cluster and a slot that were found may have become wrong; never 0.
  @exclusivity(unchecked) @usableFromInline var stamp: UInt64 = 1
  /// Changes whenever what is seen may have changed.
  @exclusivity(unchecked) @usableFromInline var changes: UInt64 = 1
  /// The transaction's `moves` that `stamp` knows of.
  @exclusivity(unchecked) private var knownMoves: UInt64 = 0
  /// The first operation of the present write that failed: the write cannot be committed.
  @exclusivity(unchecked) var failure: (any Error)?
  /// Whether it was closed for good by `invalidate()` (of a frozen one).
  @exclusivity(unchecked) var isClosed = false
  /// Whether it advances by itself when it hears of a new version.
  @exclusivity(unchecked) var autorefresh: Bool
  /// The frozen session that was given out last.
  var latestFrozen: FaintReference<Session>?
  /// What plans the next operation that brings something in; nil before the first, and while one is under way.
  @exclusivity(unchecked) var sparePlanner: Planner?
  /// What wants to hear of changes; made when first asked for.
  @exclusivity(unchecked) var observers: SessionObservers?

  init(_ store: Store, _ confinement: Confinement, _ configuration: Realm.Configuration, frozenAt graph: Graph? = nil) {
    self.store = store
    self.confinement = confinement
    self.configuration = configuration
    self.graph = graph ?? store.published.current
    isFrozen = graph != nil
    autorefresh = graph == nil
    if case .thread(let number, _) = confinement { thread = number } else { thread = 0 }
  }

  deinit {
    if transaction != nil {
      store.keepKeys(of: transaction)
      transaction = nil
      store.lock.leave()
      Logger.shared.log(.warn, "A realm was released inside a write transaction, which was rolled back.")
    }
    store.forget(self)
  }

  /// Traps unless the running code is where the session belongs.
  @usableFromInline
  func checkConfinement() {
    if isFrozen {
      if isClosed { fatalError("The frozen realm has been closed by invalidate() and cannot be used any more.") }
      return
    }
    if thread == currentThread() { return }
    if !confinement.isHere() { Misuse.wrongThread(confinement) }
  }

  /// Whether both see one and the same: the same session, or frozen ones of one version.
  func sees(sameAs other: Session) -> Bool {
    self === other
      || isFrozen && other.isFrozen && store === other.store && graph.version == other.graph.version
        && graph.isIdentical(to: other.graph)
  }

  // MARK: Seeing

  /// The cluster of a chunk of keys as seen now; it stays where it is while the stamp stays.
  func cluster(_ table: TableKey, _ chunk: Int64) -> Unmanaged<Cluster>? {
    if let writing { return writing._withUnsafeGuaranteedRef { $0.peekCluster(table, chunk) } }
    return graph.peekCluster(table, chunk)
  }

  /// Calls `body` with what is seen now, which must not outlive the call.
  func read<Result>(_ body: (borrowing Graph) throws -> Result) rethrows -> Result {
    if let transaction { return try transaction.read(body) }
    return try body(graph)
  }

  /// What is seen now, as a version that can be kept. In a write, parts that are kept are copied when they change next.
  var snapshot: Graph { transaction?.graph ?? graph }

  /// Takes note that what is seen may have changed.
  @usableFromInline
  func touch() {
    changes &+= 1
    if let writing {
      let moves = writing._withUnsafeGuaranteedRef { $0.moves }
      if moves == knownMoves { return }
      knownMoves = moves
    } else {
      // Never a transaction's number: the next write begins with a change of the stamp.
      knownMoves = .max
    }
    stamp &+= 1
  }

  // MARK: Objects

  /// The class as the store has it; nil when the store does not have it.
  func binding(of type: ObjectBase.Type) -> ClassBinding? { store.binding(of: type) }

  /// An accessor of a row.
  @usableFromInline
  func accessor(_ binding: ClassBinding, _ key: ObjectKey) -> ObjectBase {
    let object = binding.type.init()
    object.bind(self, binding, key)
    return object
  }

  /// An accessor of whatever row a link points at; an object of `DynamicObject` when its class is not in the schema.
  func accessor(_ link: ObjectLink) -> ObjectBase? {
    store.binding(of: link.table).map { accessor($0, link.key) } ?? dynamicAccessor(link)
  }
}

extension Graph {
  /// Whether both are one graph, and not only equal. Linear in the number of tables.
  func isIdentical(to other: Graph) -> Bool {
    let a = allTables
    let b = other.allTables
    return a.count == b.count && zip(a, b).allSatisfy { $0 === $1 }
  }
}
