import Dispatch
public import FiefGraph
import FiefRuntime
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
package final class Session {
  package let store: Store
  package let confinement: Confinement
  @usableFromInline package let isFrozen: Bool
  /// How the store was opened for this session.
  package let options: any SessionOptions
  /// Wakes the session when there are new versions or undelivered changes.
  package let signal: WakeUpSignal

  /// Passes on the session's executor. Any thread may ask `isInvalidated` of an object, and so read it while the
  /// session's thread ends.
  @usableFromInline package let confinementCheck: ConfinementCheck

  // These properties skip run-time exclusivity checks: only the executor accesses them, and no access spans other code.
  // The attribute is lost at the border of the module, so others read the first ones through inlined accessors.

  /// The version that the session sees outside a write; meaningful when `isPinned`.
  @safe @exclusivity(unchecked) @usableFromInline var pinned: Graph
  @safe @exclusivity(unchecked) @usableFromInline var isPinnedStorage: Bool
  /// The write in progress.
  @safe @exclusivity(unchecked) @usableFromInline var transactionStorage: Transaction? {
    didSet {
      // Held by `transaction`.
      writingStorage = transactionStorage.map { unsafe Borrowed($0) }
      if transactionStorage == nil { sends = false }
    }
  }
  /// The write in progress, for code that avoids reference counting.
  @safe @exclusivity(unchecked) @usableFromInline var writingStorage: Borrowed<Transaction>?
  /// A reference to itself during a write that no other reference may keep alive.
  @safe @exclusivity(unchecked) var retainedByWrite: Session?
  /// How long results that the session has found or returned remain valid.
  @safe @exclusivity(unchecked) @usableFromInline var validityStorage: Validity
  /// Counts the calls of `invalidate()`. Changed on the session's executor, read on any thread.
  @usableFromInline let epochs = Atomic<UInt32>(0)
  /// The error of the first operation that failed in the current write. Such a write cannot be committed.
  @safe @exclusivity(unchecked) package internal(set) var failure: (any Error)?
  /// Whether the session advances automatically when its signal is raised.
  @safe @exclusivity(unchecked) package var autorefresh: Bool {
    didSet {
      if autorefresh != oldValue { signal.note(reason: autorefresh) }
    }
  }
  /// Whether the session is of code that computes a value, and so must not write.
  @safe @exclusivity(unchecked) package var onlyReads = false
  /// The executor on which a frozen session was live.
  @safe @exclusivity(unchecked) var origin: Confinement?
  /// The frozen session that was given out last.
  var latestFrozen: WeakReference<Session>?
  /// Whether a document was added to the write in progress.
  @safe @exclusivity(unchecked) var sends = false
  /// A cache of the store's client: the class that the session used most recently. The client retains it.
  @safe @exclusivity(unchecked) @usableFromInline var recentClassStorage: Borrowed<AnyObject>?
  /// A cache of the store's client: an object that its next operation uses again.
  @safe @exclusivity(unchecked) @usableFromInline var spareStorage: AnyObject?
  /// The observations of this session.
  package let observers: SessionObservers
  /// The reads of the tracking scopes of the application; nil when none ever read.
  @safe @exclusivity(unchecked) var tracked: TrackedReads? {
    didSet {
      if (oldValue == nil) != (tracked == nil) { signal.note(reason: tracked != nil) }
      // Held by `tracked`.
      borrowedTracked = tracked.map { unsafe Borrowed($0) }
    }
  }
  /// The same, for code that avoids reference counting.
  @safe @exclusivity(unchecked) var borrowedTracked: Borrowed<TrackedReads>?
  /// The requested writes and commits that are not done.
  @safe @exclusivity(unchecked) package var operations: [OperationNumber: AsyncOperation] = [:]
  @safe @exclusivity(unchecked) var lastOperation: OperationNumber = 0
  /// The commits whose completions wait for the disk, in the order of their versions.
  var awaited: ArraySlice<(number: OperationNumber, version: UInt64)> = []
  /// Whether the session writes again at once after a commit.
  @safe @exclusivity(unchecked) var turns = TurnPrediction()
  /// The writes that can be undone, and those that were.
  lazy var undoLog = UndoLog()

  /// Whether the session sees a version.
  @inlinable
  package var isPinned: Bool { isPinnedStorage }
  /// The write in progress.
  @inlinable
  package var transaction: Transaction? { transactionStorage }
  /// The write in progress, for code that avoids reference counting.
  @inlinable
  package var writing: Borrowed<Transaction>? { writingStorage }
  /// How long results that the session has found or returned remain valid.
  @inlinable
  package var validity: Validity { validityStorage }
  /// A cache of the store's client: the class that the session used most recently. The client retains it.
  @inlinable
  package var recentClass: Borrowed<AnyObject>? {
    get { recentClassStorage }
    set { recentClassStorage = newValue }
  }
  /// A cache of the store's client: an object that its next operation uses again.
  @inlinable
  package var spare: AnyObject? {
    get { spareStorage }
    // In place, so that the object can be taken out without counting references.
    @inline(__always) _modify { yield &spareStorage }
  }

  package init(_ store: Store, _ confinement: Confinement, options: any SessionOptions, frozenAt graph: Graph? = nil) {
    self.store = store
    self.confinement = confinement
    self.options = options
    signal = WakeUpSignal(confinement, store.attentionChanges)
    observers = SessionObservers(signal)
    confinementCheck = ConfinementCheck(confinement)
    pinned = graph ?? .empty
    isPinnedStorage = graph != nil
    isFrozen = graph != nil
    validityStorage = Validity(isFrozen: graph != nil)
    autorefresh = graph == nil
    if autorefresh { signal.note(reason: true) }
    if let graph {
      store.pins?.add(graph.version)
      store.frozenPins.add(graph.version)
    }
    switch confinement {
    case .thread: ThreadLifetime.current.adopt(self) { ($0 as? Session)?.threadEnded() }
    case .main: MainWork.prepare()
    case .queue(let queue, _):
      // Traps on a concurrent queue, whose blocks would use the session at the same time.
      dispatchPrecondition(condition: .onQueueAsBarrier(queue))
    case .actor, .frozen: break
    }
    signal.belong(to: self) { ($0 as? Session)?.answerSignal() }
    assertSound()
  }

  deinit {
    let wasWriting = dropTransaction()
    // The blocks of a run loop are released with it, maybe before its thread is known to have ended.
    if !operations.isEmpty { abandonOperations() }
    if isPinned { store.pins?.remove(pinned.version) }
    if isFrozen { store.frozenPins.remove(pinned.version) }
    store.remove(signal)
    // Logging runs application code, so it comes last.
    if wasWriting {
      Logger.log(.warn, "A realm was released inside a write transaction, which was rolled back.")
    }
  }

  /// Ends the use of the session when its thread ends. Runs on that thread.
  func threadEnded() {
    let wasWriting = dropTransaction()
    confinementCheck.close()
    abandonOperations()
    if wasWriting { Logger.log(.warn, "A thread ended inside a write transaction, which was rolled back.") }
  }

  /// Rolls back the write in progress and releases the writer lock. Only the keys that the write assigned are kept.
  /// Every write that is not committed ends here.
  ///
  /// - Returns: whether a write was in progress.
  @discardableResult
  func dropTransaction() -> Bool {
    guard let transaction else { return false }
    store.keepKeys(of: transaction)
    transactionStorage = nil
    retainedByWrite = nil
    failure = nil
    validityStorage.cancel()
    assert(store.lock.isHeld, "A write holds the writer's lock until its end.")
    turns.end()
    store.endTurn()
    store.lock.leave()
    assertSound()
    return true
  }

  /// Whether the running code is known at once to be on the session's executor, which is open to it, and in no tracking
  /// scope. False proves nothing. For a frozen session it means that the session was not closed.
  @inlinable
  @inline(__always)
  package var isOnExecutor: Bool { confinementCheck.passes }

  /// Whether the running code is known at once to be on the session's executor, in a tracking scope or not.
  @inlinable
  @inline(__always)
  package var isKnownToBeHere: Bool { confinementCheck.passesInScope }

  /// Traps unless the running code is on the session's executor.
  @inlinable
  @inline(__always)
  package func checkConfinement() {
    if !isOnExecutor { checkExecutor() }
  }

  /// Like `checkConfinement()`, for code that comes after the quick check has failed: a tracking scope is likely.
  @inlinable
  @inline(__always)
  package func checkConfinementInScope() {
    if !confinementCheck.passesInScope { checkExecutor() }
  }

  /// Like `checkConfinement()`, for operations that a closed frozen session still allows.
  @inlinable
  @inline(__always)
  package func checkConfinementOfUse() {
    if !isOnExecutor && !isFrozen { checkExecutor() }
  }

  /// Whether the running code is known to be on the session's executor; always true for a frozen session. Never traps.
  package var isHere: Bool {
    if isOnExecutor || !isFrozen && confinementCheck.passesInScope { return true }
    if !confinement.isRunning { return false }
    confinementCheck.bindToQueue()
    return true
  }

  /// The slow path of the checks.
  @usableFromInline
  func checkExecutor() {
    if isFrozen {
      if isClosed { fatalError("The frozen realm has been closed by invalidate() and cannot be used any more.") }
      return
    }
    if confinementCheck.passesInScope { return }
    if !confinement.isHere() { Misuse.wrongThread(confinement) }
    confinementCheck.bindToQueue()
  }

  /// Whether a frozen session was closed by `invalidate()`.
  @inlinable
  package var isClosed: Bool { isFrozen && confinementCheck.isClosed }

  /// Closes a frozen session permanently.
  func close() {
    assert(isFrozen, "Only a frozen session is closed.")
    confinementCheck.close()
  }

  /// The present epoch, for any thread. Everything from another epoch is permanently invalid.
  @inlinable
  package var epoch: Epoch { Epoch(epochs.load(ordering: .relaxed)) }

  /// Whether both show one state: the same session, or frozen sessions of one version.
  package func sees(sameAs other: Session) -> Bool {
    self === other
      || isFrozen && other.isFrozen && store === other.store && graph.version == other.graph.version
        && graph.isIdentical(to: other.graph)
  }

  // MARK: Seeing

  /// The version that the session sees outside a write. The first access pins the latest version.
  @inlinable
  package var graph: Graph {
    if !isPinned { pinLatest() }
    return pinned
  }

  /// Pins a version if none is pinned. Pinning counts as a change, so it precedes a look whose result is kept.
  @inlinable
  package func pinIfNeeded() { if !isPinned { pinLatest() } }

  @usableFromInline
  func pinLatest() {
    assert(!isPinned && !isFrozen, "A live session pins its first version.")
    pin(store.published.current)
  }

  /// Any version to which queries can be bound: the tables of a store keep their layout while it is open. The access
  /// pins nothing.
  package var layout: Graph {
    checkConfinementOfUse()
    return isPinned ? pinned : store.published.current
  }

  /// Switches to another version.
  ///
  /// - Parameter isOwn: whether this session has just written the version, so that no row in view is missing in it.
  func pin(_ graph: Graph, isOwn: Bool = false) {
    assert(!isFrozen, "A frozen session sees one version.")
    assert(transaction == nil, "A session that writes sees its transaction.")
    if isPinned && graph.version == pinned.version { return }
    if let pins = store.pins {
      pins.add(graph.version)
      if isPinned { pins.remove(pinned.version) }
    }
    pinned = graph
    isPinnedStorage = true
    signal.note(graph.version)
    if isOwn { validityStorage.adopt() } else { validityStorage.refresh() }
    assertSound()
  }

  /// Unpins the version, and makes all objects and collections of the session permanently invalid. The next access pins
  /// the latest version.
  func unpin() {
    assert(!isFrozen && transaction == nil, "Only a live session that does not write looks away.")
    if isPinned { store.pins?.remove(pinned.version) }
    pinned = .empty
    isPinnedStorage = false
    signal.note(nil)
    validityStorage.invalidate()
    epochs.wrappingAdd(1, ordering: .relaxed)
    assertSound()
    tracked?.endAll()
  }

  /// Returns the current cluster of a chunk of keys. It stays valid while `validity.present` does not change.
  @inlinable
  package func cluster(_ table: TableKey, _ chunk: Int64) -> Borrowed<Cluster>? {
    assert(chunk >= 0, "The number of a chunk is not negative.")
    if let writing { return writing.with { $0.borrowedCluster(table, chunk) } }
    if !isPinned { pinLatest() }
    return pinned.borrowedCluster(table, chunk)
  }

  /// Returns the current table without retaining it. It stays valid until the next change.
  @inlinable
  package func borrowedTable(_ table: TableKey) -> Borrowed<Table>? {
    if let writing { return writing.with { $0.read { $0.borrowedTable(Int(table.rawValue)) } } }
    if !isPinned { pinLatest() }
    return pinned.borrowedTable(Int(table.rawValue))
  }

  /// Returns the row with a primary key. It stays valid until the next change.
  package func borrowedRow(primaryKey value: Value, in table: TableKey) -> BorrowedRow? {
    borrowedTable(table)?.with { $0.borrowedRow(primaryKey: value) }
  }

  /// Whether the row currently exists.
  @inlinable
  package func hasRow(_ link: ObjectLink) -> Bool {
    cluster(link.table, link.key.chunk)?.with { $0.slot(ofBit: link.key.bit) != nil } ?? false
  }

  /// Calls `body` with the current graph, which must not escape.
  @inlinable
  package func read<Result>(_ body: (borrowing Graph) throws -> Result) rethrows -> Result {
    if let transaction { return try transaction.read(body) }
    return try body(graph)
  }

  /// The current graph, which may be kept. During a write its retained parts are copied on their next change.
  package var snapshot: Graph { transaction?.graph ?? graph }

  /// Records changes of the write. Does nothing when the write has ended, as its end has recorded them.
  @inlinable
  package func noteChanges() {
    if let writing { validityStorage.note(writing.with { $0.motion }) }
    assert(hasNotedRemovals, "What was removed is known.")
  }

  /// Whether every removal of rows was recorded: for assertions.
  @usableFromInline
  package var hasNotedRemovals: Bool {
    writing.map { validity.hasNoted($0.with { $0.motion }) } ?? true
  }
}

/// The time between two calls of a session's `invalidate()`: their number modulo 2^24, in the three bytes that an
/// accessor has left for it.
@frozen
@usableFromInline
package struct Epoch: Equatable {
  @usableFromInline let low: UInt16
  @usableFromInline let high: UInt8

  @inlinable
  package init(_ number: UInt32) {
    low = UInt16(truncatingIfNeeded: number)
    high = UInt8(truncatingIfNeeded: number >> 16)
  }
}
