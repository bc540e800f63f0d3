public import FiefGraph
import FiefRuntime
import Foundation
import Synchronization

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
  @usableFromInline let isFrozen: Bool
  let sharedConfiguration: SharedConfiguration
  /// By which it is told that there is something to see.
  let bell: Doorbell

  // Exclusivity is not checked at run time on these: one place uses them, and none is held while others run.

  /// The thread that it is confined to; 0 when it is confined otherwise or not at all, or the thread has ended.
  @exclusivity(unchecked) @usableFromInline private(set) var thread: UInt = 0
  /// The version that is seen while no write is under way, once something was looked at.
  @exclusivity(unchecked) private var pinned: Graph
  @exclusivity(unchecked) private(set) var isPinned: Bool
  /// The write that is under way.
  @exclusivity(unchecked) @usableFromInline var transaction: Transaction? {
    didSet {
      writing = transaction.map { .passUnretained($0) }
      // However a write ends, what it has said ends with it; a commit takes the documents out before.
      if !documents.isEmpty { documents = [] }
    }
  }
  /// The same, for code that does not count references.
  @exclusivity(unchecked) @usableFromInline private(set) var writing: Unmanaged<Transaction>?
  /// Itself, while a write is under way that nobody else may be holding it for.
  @exclusivity(unchecked) var heldByWrite: Session?
  /// Grows whenever a cluster and a slot that were found may have become wrong; even, and never 0.
  @exclusivity(unchecked) @usableFromInline private(set) var stamp: UInt64 = 2
  /// The stamp at the last `invalidate()`: what is older is invalid for good.
  @exclusivity(unchecked) @usableFromInline private(set) var epoch: UInt64 = 0
  /// Counts the calls of `invalidate()`, and begins anew after many. Changed in the session's place, asked from
  /// anywhere: what was given out in another era is invalid for good.
  let era = Atomic<UInt16>(0)
  /// The stamp since which no row that was seen has gone.
  @exclusivity(unchecked) private(set) var steadyStamp: UInt64 = 2
  /// Changes whenever what is seen may have changed.
  @exclusivity(unchecked) @usableFromInline var changes: UInt64 = 1
  /// The transaction's `moves` that `stamp` knows of.
  @exclusivity(unchecked) private var knownMoves: UInt64 = 0
  /// The transaction's `removals` that `steadyStamp` knows of.
  @exclusivity(unchecked) var knownRemovals: UInt64 = 0
  /// The first operation of the present write that failed: the write cannot be committed.
  @exclusivity(unchecked) var failure: (any Error)?
  private let closed = Atomic<Bool>(false)
  /// Whether it advances by itself when it hears of a new version.
  @exclusivity(unchecked) var autorefresh: Bool
  /// Where a frozen session was live.
  @exclusivity(unchecked) var origin: Confinement?
  /// The frozen session that was given out last.
  var latestFrozen: WeakReference<Session>?
  /// What asymmetric objects of `transaction` say, to be handed over when it is committed; gone with it otherwise.
  @exclusivity(unchecked) var documents: [IngestDocument] = []
  /// The class that was looked up last; the store holds it.
  @exclusivity(unchecked) var latestBinding: Unmanaged<ClassBinding>?
  /// What plans the next operation that brings something in; nil before the first, and while one is under way.
  @exclusivity(unchecked) var sparePlanner: Planner?
  /// Who wants to hear of changes.
  let observers = SessionObservers()
  /// The writes and commits that were asked for and are not done.
  @exclusivity(unchecked) var operations: [AsyncTransactionId: AsyncOperation] = [:]
  @exclusivity(unchecked) var lastOperation: AsyncTransactionId = 0

  init(_ store: Store, _ confinement: Confinement, _ configuration: SharedConfiguration, frozenAt graph: Graph? = nil) {
    self.store = store
    self.confinement = confinement
    sharedConfiguration = configuration
    bell = Doorbell(confinement)
    pinned = graph ?? .empty
    isPinned = graph != nil
    isFrozen = graph != nil
    autorefresh = graph == nil
    if let graph {
      store.pins?.add(graph.version)
      store.frozenPins.add(graph.version)
    }
    switch confinement {
    case .thread:
      thread = currentThread()
      ThreadLife.current.adopt(self)
    case .main where Thread.isMainThread: thread = currentThread()
    default: break
    }
    bell.belong(to: self)
  }

  var configuration: Realm.Configuration { sharedConfiguration.value }

  deinit {
    let wasWriting = dropTransaction()
    if isPinned { store.pins?.remove(pinned.version) }
    if isFrozen { store.frozenPins.remove(pinned.version) }
    store.forget(self)
    // The logger is the application's, so it comes last.
    if wasWriting {
      Logger.tell(.warn, "A realm was released inside a write transaction, which was rolled back.")
    }
  }

  /// Its thread has ended: nobody may use it any more. Runs on that thread, at its end.
  func threadEnded() {
    let wasWriting = dropTransaction()
    thread = 0
    if wasWriting { Logger.tell(.warn, "A thread ended inside a write transaction, which was rolled back.") }
  }

  /// Lets the write go without a trace, but for the keys that it gave out, and others write. Every write that is not
  /// committed ends here.
  ///
  /// - Returns: whether one was under way.
  @discardableResult
  func dropTransaction() -> Bool {
    guard let transaction else { return false }
    store.keepKeys(of: transaction)
    self.transaction = nil
    heldByWrite = nil
    failure = nil
    touch()
    loseRows()
    store.lock.leave()
    return true
  }

  /// Traps unless the running code is where the session belongs.
  @usableFromInline
  @inline(__always)
  func checkConfinement() {
    // A frozen one has no thread.
    if thread != currentThread() { checkPlace() }
  }

  /// The same for what may also be asked of a frozen one that is closed.
  @inline(__always)
  func checkPlaceOfUse() {
    if thread != currentThread() && !isFrozen { checkPlace() }
  }

  /// Whether the running code is known to be where the session belongs; everywhere is, of a frozen one. Never traps.
  var isHere: Bool { thread == currentThread() || confinement.isRunning }

  /// The same where the place is no thread, or none of its own.
  private func checkPlace() {
    if isFrozen {
      if isClosed { fatalError("The frozen realm has been closed by invalidate() and cannot be used any more.") }
      return
    }
    if !confinement.isHere() { Misuse.wrongThread(confinement) }
  }

  /// Whether it was closed for good by `invalidate()` (of a frozen one).
  var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Closes a frozen one for good.
  func close() { closed.store(true, ordering: .relaxed) }

  /// Whether what was made under a stamp is still good, or was invalidated with everything else.
  @usableFromInline
  func isCurrent(_ stamp: UInt64) -> Bool { stamp >= epoch }

  /// Whether both see one and the same: the same session, or frozen ones of one version.
  func sees(sameAs other: Session) -> Bool {
    self === other
      || isFrozen && other.isFrozen && store === other.store && graph.version == other.graph.version
        && graph.isIdentical(to: other.graph)
  }

  // MARK: Seeing

  /// The version that is seen while no write is under way. Looking for the first time pins the latest.
  var graph: Graph {
    if !isPinned { pin(store.published.current) }
    return pinned
  }

  /// A version to bind queries to, whichever: the tables of a store keep their layout while it is open. Looks at
  /// nothing, so that nothing is pinned.
  var layout: Graph {
    checkPlaceOfUse()
    return isPinned ? pinned : store.published.current
  }

  /// Sees another version from now on.
  ///
  /// - Parameter isOwn: whether it is what this session has just written, so that nothing that was seen is missing in
  ///   it.
  func pin(_ graph: Graph, isOwn: Bool = false) {
    if isPinned && graph.version == pinned.version { return }
    if let pins = store.pins {
      pins.add(graph.version)
      if isPinned { pins.remove(pinned.version) }
    }
    pinned = graph
    isPinned = true
    bell.note(graph.version)
    touch()
    if !isOwn { loseRows() }
  }

  /// Sees nothing until it is asked again, and makes everything that was given out invalid for good.
  func unpin() {
    if isPinned { store.pins?.remove(pinned.version) }
    pinned = .empty
    isPinned = false
    bell.note(nil)
    touch()
    loseRows()
    epoch = stamp
    era.store(era.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  /// The cluster of a chunk of keys as seen now; it stays where it is while the stamp stays.
  func cluster(_ table: TableKey, _ chunk: Int64) -> Unmanaged<Cluster>? {
    if let writing { return writing._withUnsafeGuaranteedRef { $0.peekCluster(table, chunk) } }
    if !isPinned { pin(store.published.current) }
    return pinned.peekCluster(table, chunk)
  }

  /// The table as seen now, without a reference counted; it stays where it is until the next change.
  func peekTable(_ table: TableKey) -> Unmanaged<Table>? {
    if let writing { return writing._withUnsafeGuaranteedRef { $0.read { $0.peekTable(Int(table.rawValue)) } } }
    if !isPinned { pin(store.published.current) }
    return pinned.peekTable(Int(table.rawValue))
  }

  /// The row with a number for a key, as seen while no write is under way.
  func peekRow(primaryKey number: Int64, in table: TableKey) -> PeekedRow? {
    if !isPinned { pin(store.published.current) }
    return pinned.peekRow(primaryKey: number, in: table)
  }

  /// Whether the row is there now.
  func hasRow(_ link: ObjectLink) -> Bool {
    cluster(link.table, link.key.chunk)?._withUnsafeGuaranteedRef { $0.slot(ofBit: link.key.bit) != nil } ?? false
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
      let removals = writing._withUnsafeGuaranteedRef { $0.removals }
      if removals != knownRemovals {
        knownRemovals = removals
        steadyStamp = stamp &+ 2
      }
    } else {
      // Never a transaction's number: the next write begins with a change of the stamp.
      knownMoves = .max
    }
    stamp &+= 2
  }

  /// Takes note that rows that were seen may have gone.
  func loseRows() { steadyStamp = stamp }

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
