public import FiefGraph
public import FiefRuntime
import Foundation
public import Synchronization

/// The state behind a `Realm`: an executor (thread, queue or actor) sees one version of a store, and may write to it.
///
///     reading ──beginWrite──▶ writing ──commit──▶ reading, the next version
///                                └───roll back──▶ reading, the version from which the write began
///
/// A session is confined to its executor, so nothing here is locked. A frozen session never changes, so any thread may
/// use it.
@usableFromInline
final class Session {
  let store: Store
  let confinement: Confinement
  @usableFromInline let isFrozen: Bool
  let sharedConfiguration: SharedConfiguration
  /// Wakes the session when there are new versions or undelivered changes.
  let bell: Doorbell

  // These properties skip run-time exclusivity checks: only the executor accesses them, and no access spans other code.

  /// The thread that the session is confined to. 0 for other confinements, for none, and after the thread has ended.
  /// Any thread may ask `isInvalidated` of an object, and so read this while the session's thread ends.
  @usableFromInline let thread = Atomic<UInt>(0)
  /// The version that the session sees outside a write; meaningful when `isPinned`.
  @exclusivity(unchecked) private var pinned: Graph
  @exclusivity(unchecked) private(set) var isPinned: Bool
  /// The write in progress.
  @exclusivity(unchecked) @usableFromInline var transaction: Transaction? {
    didSet {
      writing = transaction.map { .passUnretained($0) }
      // The end of a write drops its documents. A commit has taken them out before.
      if !documents.isEmpty { documents = [] }
    }
  }
  /// The write in progress, for code that avoids reference counting.
  @exclusivity(unchecked) @usableFromInline private(set) var writing: Unmanaged<Transaction>?
  /// A reference to itself during a write that no other reference may keep alive.
  @exclusivity(unchecked) var heldByWrite: Session?
  /// How long results that the session has found or returned remain valid.
  @exclusivity(unchecked) @usableFromInline var validity: Validity
  /// Counts the calls of `invalidate()`. Changed on the session's executor, read on any thread.
  private let eras = Atomic<UInt32>(0)
  /// The error of the first operation that failed in the current write. Such a write cannot be committed.
  @exclusivity(unchecked) var failure: (any Error)?
  private let closed = Atomic<Bool>(false)
  /// Whether the session advances automatically when its bell rings.
  @exclusivity(unchecked) var autorefresh: Bool
  /// The executor on which a frozen session was live.
  @exclusivity(unchecked) var origin: Confinement?
  /// The frozen session that was given out last.
  var latestFrozen: WeakReference<Session>?
  /// What asymmetric objects of `transaction` say, to be handed over when it is committed; gone with it otherwise.
  @exclusivity(unchecked) var documents: [IngestDocument] = []
  /// The most recently used class binding. The store retains it.
  @exclusivity(unchecked) var latestBinding: Unmanaged<ClassBinding>?
  /// A planner for the next insertion; nil before the first one, and during one.
  @exclusivity(unchecked) var sparePlanner: Planner?
  /// The observations of this session.
  let observers = SessionObservers()
  /// The requested writes and commits that are not done.
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
    validity = Validity(isFrozen: graph != nil)
    autorefresh = graph == nil
    if let graph {
      store.pins?.add(graph.version)
      store.frozenPins.add(graph.version)
    }
    switch confinement {
    case .thread:
      thread.store(currentThread(), ordering: .relaxed)
      ThreadLife.current.adopt(self)
    case .main where Thread.isMainThread: thread.store(currentThread(), ordering: .relaxed)
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
    // Logging runs application code, so it comes last.
    if wasWriting {
      Logger.tell(.warn, "A realm was released inside a write transaction, which was rolled back.")
    }
  }

  /// Ends the use of the session when its thread ends. Runs on that thread.
  func threadEnded() {
    let wasWriting = dropTransaction()
    thread.store(0, ordering: .relaxed)
    if wasWriting { Logger.tell(.warn, "A thread ended inside a write transaction, which was rolled back.") }
  }

  /// Rolls back the write in progress and releases the writer lock. Only the keys that the write assigned are kept.
  /// Every write that is not committed ends here.
  ///
  /// - Returns: whether a write was in progress.
  @discardableResult
  func dropTransaction() -> Bool {
    guard let transaction else { return false }
    store.keepKeys(of: transaction)
    self.transaction = nil
    heldByWrite = nil
    failure = nil
    validity.cancel()
    store.lock.leave()
    return true
  }

  /// Whether the session is confined to a thread, and the running code is on it.
  @inlinable
  @inline(__always)
  var isOnThread: Bool { thread.load(ordering: .relaxed) == currentThread() }

  /// Traps unless the running code is on the session's executor.
  @usableFromInline
  @inline(__always)
  func checkConfinement() {
    // A frozen session has no thread.
    if !isOnThread { checkPlace() }
  }

  /// Like `checkConfinement()`, for operations that a closed frozen session still allows.
  @inline(__always)
  func checkPlaceOfUse() {
    if !isOnThread && !isFrozen { checkPlace() }
  }

  /// Whether the running code is known to be on the session's executor; always true for a frozen session. Never traps.
  var isHere: Bool { isOnThread || confinement.isRunning }

  /// The slow path of the checks, for sessions that are not on their own thread.
  private func checkPlace() {
    if isFrozen {
      if isClosed { fatalError("The frozen realm has been closed by invalidate() and cannot be used any more.") }
      return
    }
    if !confinement.isHere() { Misuse.wrongThread(confinement) }
  }

  /// Whether a frozen session was closed by `invalidate()`.
  var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Closes a frozen session permanently.
  func close() { closed.store(true, ordering: .relaxed) }

  /// The present era, for any thread. Everything from another era is permanently invalid.
  var era: Era { Era(eras.load(ordering: .relaxed)) }

  /// Whether both show one state: the same session, or frozen sessions of one version.
  func sees(sameAs other: Session) -> Bool {
    self === other
      || isFrozen && other.isFrozen && store === other.store && graph.version == other.graph.version
        && graph.isIdentical(to: other.graph)
  }

  // MARK: Seeing

  /// The version that the session sees outside a write. The first access pins the latest version.
  var graph: Graph {
    if !isPinned { pin(store.published.current) }
    return pinned
  }

  /// Pins a version if none is pinned. Pinning counts as a change, so it precedes a look whose result is kept.
  func beginLooking() { if !isPinned { pin(store.published.current) } }

  /// Any version to which queries can be bound: the tables of a store keep their layout while it is open. The access
  /// pins nothing.
  var layout: Graph {
    checkPlaceOfUse()
    return isPinned ? pinned : store.published.current
  }

  /// Switches to another version.
  ///
  /// - Parameter isOwn: whether this session has just written the version, so that no row in view is missing in it.
  func pin(_ graph: Graph, isOwn: Bool = false) {
    if isPinned && graph.version == pinned.version { return }
    if let pins = store.pins {
      pins.add(graph.version)
      if isPinned { pins.remove(pinned.version) }
    }
    pinned = graph
    isPinned = true
    bell.note(graph.version)
    if isOwn { validity.adopt() } else { validity.refresh() }
  }

  /// Unpins the version, and makes all objects and collections of the session permanently invalid. The next access pins
  /// the latest version.
  func unpin() {
    if isPinned { store.pins?.remove(pinned.version) }
    pinned = .empty
    isPinned = false
    bell.note(nil)
    validity.invalidate()
    eras.wrappingAdd(1, ordering: .relaxed)
  }

  /// Returns the current cluster of a chunk of keys. It stays valid while `validity.present` does not change.
  func cluster(_ table: TableKey, _ chunk: Int64) -> Unmanaged<Cluster>? {
    if let writing { return writing._withUnsafeGuaranteedRef { $0.peekCluster(table, chunk) } }
    if !isPinned { pin(store.published.current) }
    return pinned.peekCluster(table, chunk)
  }

  /// Returns the current table without retaining it. It stays valid until the next change.
  func peekTable(_ table: TableKey) -> Unmanaged<Table>? {
    if let writing { return writing._withUnsafeGuaranteedRef { $0.read { $0.peekTable(Int(table.rawValue)) } } }
    if !isPinned { pin(store.published.current) }
    return pinned.peekTable(Int(table.rawValue))
  }

  /// Returns the row with an integer primary key, outside a write.
  func peekRow(primaryKey number: Int64, in table: TableKey) -> PeekedRow? {
    if !isPinned { pin(store.published.current) }
    return pinned.peekRow(primaryKey: number, in: table)
  }

  /// Whether the row currently exists.
  func hasRow(_ link: ObjectLink) -> Bool {
    cluster(link.table, link.key.chunk)?._withUnsafeGuaranteedRef { $0.slot(ofBit: link.key.bit) != nil } ?? false
  }

  /// Calls `body` with the current graph, which must not escape.
  func read<Result>(_ body: (borrowing Graph) throws -> Result) rethrows -> Result {
    if let transaction { return try transaction.read(body) }
    return try body(graph)
  }

  /// The current graph, which may be kept. During a write its retained parts are copied on their next change.
  var snapshot: Graph { transaction?.graph ?? graph }

  /// Records changes of the write. Does nothing when the write has ended, as its end has recorded them.
  @usableFromInline
  func noteChanges() {
    if let writing { validity.note(writing._withUnsafeGuaranteedRef { $0.motion }) }
  }

  /// Whether every removal of rows was recorded: for assertions.
  @usableFromInline
  var hasNotedRemovals: Bool { writing.map { validity.hasNoted($0._withUnsafeGuaranteedRef { $0.motion }) } ?? true }

  // MARK: Objects

  /// Returns the store's binding of a class; nil when the store does not have the class.
  func binding(of type: ObjectBase.Type) -> ClassBinding? { store.binding(of: type) }

  /// Creates an accessor of a row.
  @usableFromInline
  func accessor(_ binding: ClassBinding, _ key: ObjectKey) -> ObjectBase {
    let object = binding.type.init()
    object.bind(self, binding, key)
    return object
  }

  /// Creates an accessor of a link's target: a `DynamicObject` when its class is not in the schema.
  func accessor(_ link: ObjectLink) -> ObjectBase? {
    store.binding(of: link.table).map { accessor($0, link.key) } ?? dynamicAccessor(link)
  }
}

/// The time between two calls of a session's `invalidate()`: their number modulo 2^24, in the three bytes that an
/// accessor has left for it.
struct Era: Equatable {
  private let low: UInt16
  private let high: UInt8

  init(_ number: UInt32) {
    low = UInt16(truncatingIfNeeded: number)
    high = UInt8(truncatingIfNeeded: number >> 16)
  }
}

extension Graph {
  /// Whether both are identical graphs, rather than only equal. Linear in the number of tables.
  func isIdentical(to other: Graph) -> Bool {
    let a = allTables
    let b = other.allTables
    return a.count == b.count && zip(a, b).allSatisfy { $0 === $1 }
  }
}
