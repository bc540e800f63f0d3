import FiefDurability
import FiefGraph
import FiefRuntime
import Foundation
import Synchronization

/// The data of a file or an in-memory identifier, shared by all sessions of the process.
///
///     Store ─┬─ published    the latest version that sessions may see
///            ├─ tip          the version that was written last, on which the next write is based
///            ├─ files        the durable form, which knows what is durable; nil in memory
///            ├─ lock         admits one writer
///            ├─ client       the classes for which it keeps rows
///            └─ signals      wake its sessions, by executor
///
/// A store lives as long as one of its sessions, or as long as `MemoryStores` retains it. `published` and `lock`
/// synchronize themselves, and `state` protects the rest.
package final class Store: @unchecked Sendable {
  package let identity: Identity
  /// Identifies the store among all stores of the process.
  package let number = Store.numbers.add(1, ordering: .relaxed).newValue
  package let published: PublishedGraph
  package let lock = WriterLock()
  package let options: StoreOptions
  package let client: any StoreClient
  /// The messages of committed writes that are to be delivered.
  let outbox = Outbox()
  /// Counts when sessions get a reason to be woken, and when they have none left.
  let attentionChanges = AttentionChanges()
  let state: Mutex<State>
  package let files: StoreFile?
  /// Follows the processes that write the file of a read-only store.
  let reader: StoreReader?
  let readTables: ReadTables
  /// Whether a writer of this process has the turn, and has made visible what others committed before.
  let isCaughtUp = Atomic<Bool>(false)
  /// Whether other processes can change what the store shows.
  package var follows: Bool { reader != nil || files?.isShared ?? false }

  /// The name of a store in the process.
  package enum Identity: Hashable, Sendable {
    case memory(String)
    case file(String)
  }

  struct State {
    /// The version that was written last.
    var tip: Graph
    /// The version of the file that was read last for a read-only store, of which the tip is what it shows.
    var read: Graph
    /// Whether the disk has failed, and what was not durable was rolled back.
    var hasFailed = false
    /// The signals of the sessions that are not frozen.
    var signals: [Confinement.Identity: WakeUpSignal] = [:] {
      didSet { attentive = nil }
    }
    /// The signals of the sessions that had a reason to be woken after so many changes; nil when the sessions changed.
    var attentive: (signals: [WakeUpSignal], changes: UInt64)?
    var keptKeys = KeyMarks()
    /// The number of the turn that is reserved for a write to come, and that of the next one.
    var reservation: UInt64?
    var nextReservation: UInt64 = 0
    /// Whether a thread is going to look for commits of other processes in a moment.
    var isLookDue = false
    /// The key after the last document that is known to be durable. A delivered document has to stay, and its number
    /// must not be given again.
    var durableDocuments: Int64
    /// Whether this process has taken over the delivery of documents, and caught up then.
    var delivers = false
  }

  private static let numbers = Atomic<UInt64>(0)

  /// The number of sessions per version. Nil unless the number of versions is limited.
  let pins: VersionPins?
  /// The number of frozen sessions per version.
  package let frozenPins = VersionPins()
  /// The earlier versions that are kept; nil when none are.
  let history: KeptVersions?
  /// The number of configurations that keep the store alive.
  package let configurationReferences = Atomic<Int>(0)

  /// The number of `RealmStore`s that keep the store alive.
  package let asynchronousReferences = Atomic<Int>(0)

  /// Opens a store: in memory, or with the contents of a file.
  ///
  /// - Parameter prepare: receives the stored contents, and returns the store's client and the first version.
  /// - Throws: a `StoreError` or `SessionError`; the error of `prepare`. The files are unchanged then.
  package init(_ identity: Identity, _ options: StoreOptions, prepare: (StoredState) throws -> PreparedStore) throws {
    self.identity = identity
    self.options = options
    pins = options.versionLimit.map { VersionPins(limit: $0) }
    let (opened, prepared) = try OpenedFiles.open(identity, options, prepare: prepare)
    history = options.history.map { KeptVersions($0, opened, system: options.fileSystem) }
    if let changed = prepared.changed {
      let time = history?.now
      try opened.commit(changed, at: time)
      if let time { history?.add(opened.stored.graph, at: time, replacedBy: changed) }
    }
    let graph = prepared.changed ?? opened.stored.graph
    files = opened.file
    reader = opened.reader
    readTables = ReadTables(prepared.tables)
    client = prepared.client
    published = PublishedGraph(graph)
    // What was read is durable: opening synchronizes it.
    state = Mutex(
      State(
        tip: graph, read: reader == nil ? .empty : opened.stored.graph,
        durableDocuments: graph.table(named: TableSchema.outboxName)?.nextKey ?? 0))
    try files?.share()
    // A class may have been given a narrower form than its table has, in memory.
    if reader != nil, readTables.shown(opened.stored.graph) == nil { endReading(at: graph.version, .info) }
    beginFollowing()
  }

  // MARK: Sessions

  /// The running actor or queue, if it has a session here. An actor takes precedence over the queue that serves it.
  var runningActorOrQueue: Confinement? {
    if CurrentExecutor.identity == 0 && QueueIdentity.current == nil { return nil }
    let running = signals.map(\.confinement).filter { $0.isOfActorOrQueue && $0.isRunning }
    return running.first { if case .actor = $0 { true } else { false } } ?? running.first
  }

  /// The running queue, if it has a session here.
  var runningQueue: Confinement? {
    guard let number = QueueIdentity.current, number != QueueIdentity.main else { return nil }
    return state.withLock { $0.signals[.queue(number)] }?.confinement
  }

  /// Forgets a session that is released.
  func remove(_ signal: WakeUpSignal) {
    guard let identity = signal.confinement.identity else { return }
    state.withLock { if $0.signals[identity] === signal { $0.signals[identity] = nil } }
  }

  // MARK: Writing

  /// The keys that were assigned by writes that were rolled back.
  var keptKeys: KeyMarks { state.withLock { $0.keptKeys } }

  /// Keeps the keys that a write has assigned, before the write is dropped.
  func keepKeys(of transaction: Transaction) {
    assert(lock.isHeld, "Keys are kept before the next write begins.")
    let marks = transaction.keyMarks
    state.withLock { $0.keptKeys.merge(marks) }
  }

  /// Whether a row was deleted, as far as any thread can determine. A row of the write in progress is not: its key was
  /// never assigned by an earlier write.
  package func isGone(_ link: ObjectLink) -> Bool {
    if published.current.contains(link) { return false }
    let (tip, kept) = state.withLock { ($0.tip, $0.keptKeys) }
    if tip.contains(link) { return false }
    return link.key.rawValue < max(tip[link.table]?.nextKey ?? .max, kept.nextKey(of: link.table))
  }

  /// Returns a transaction on the version that was written last. The caller holds the lock.
  func begin() -> Transaction {
    assert(lock.isHeld, "A transaction begins under the writer's lock.")
    let (tip, kept) = state.withLock { state in
      // Asked under the lock: after a failed disk another thread replaces the tip, and publishes the new one, in one
      // step.
      assert(state.tip.version >= published.current.version, "No version is published before it is the tip.")
      return (state.tip, state.keptKeys)
    }
    let transaction = Transaction(tip)
    transaction.reserveKeys(kept)
    return transaction
  }

  /// Writes a transaction to the file. It becomes visible when it is published. The caller holds the lock.
  ///
  /// - Returns: the new version; or the base version, when the transaction has no visible change. The keys that it
  ///   assigned are kept then.
  /// - Throws: the reason why the transaction could not be written. Nothing of it remains.
  func append(_ transaction: Transaction) throws -> Graph {
    let next = transaction.successor
    assert(lock.isHeld, "A commit is appended under the writer's lock.")
    assert(next.version == transaction.base.version + 1, "A commit makes the next version.")
    let time = history?.now
    var hasNewTables = false
    if let files {
      let delta = Delta(from: transaction.base, to: next)
      if delta.showsNothing {
        // After a failure of the disk, the block may have read contents that were rolled back since.
        if let refusal = files.refusal { throw client.explain(refusal) }
        return dropKeepingKeys(transaction)
      }
      hasNewTables = delta.schema != nil
      do {
        // The contents answer a failure of the disk, if versions are published before they are durable.
        try files.append(
          delta, version: next.version, userVersion: options.schemaVersion, time: time,
          contents: waitsForDisk ? next : nil)
      } catch {
        rollBack(files)
        throw client.explain(error)
      }
    } else if !transaction.differs(next) {
      return dropKeepingKeys(transaction)
    }
    let base = transaction.base.version
    let isTip = state.withLock { state in
      // A disk that has failed meanwhile has another tip: whether the commit is durable is found out below.
      if state.hasFailed { return false }
      assert(state.tip.version == base, "A write begins at the tip, and is alone.")
      state.tip = next
      // The transaction began above the kept keys, so the new version includes them.
      state.keptKeys = KeyMarks()
      return true
    }
    if !isTip { keepKeys(of: transaction) }
    if let time { history?.add(transaction.base, at: time, replacedBy: hasNewTables ? next : nil) }
    return next
  }

  private func dropKeepingKeys(_ transaction: Transaction) -> Graph {
    keepKeys(of: transaction)
    return transaction.base
  }

  /// Starts a checkpoint in the background if the journal has grown enough.
  func checkpointIfDue() {
    guard let files, files.isCheckpointDue else { return }
    let graph = published.current
    files.checkpointInBackground(
      graph, version: graph.version, userVersion: options.schemaVersion, earlier: history?.inMemory
    ) { error in
      if let error, error.code != .closed {
        Logger.log(.error, "A checkpoint failed, and no commit is lost by that: \(error)")
      }
      Self.warn(ofLossIn: files)
    }
  }

  /// Logs what a checkpoint has found missing of the history.
  static func warn(ofLossIn files: StoreFile) {
    if let loss = files.takeLoss() { Logger.log(.warn, loss) }
  }

  /// Writes a snapshot of the latest version and starts an empty journal.
  package func compact() throws {
    guard let files else { return }
    let graph = published.current
    do {
      try files.checkpoint(
        graph, version: graph.version, userVersion: options.schemaVersion, earlier: history?.inMemory)
      Self.warn(ofLossIn: files)
    } catch {
      throw client.explain(error)
    }
  }

  deinit {
    var failure: StoreError?
    do throws(StoreError) {
      try files?.close()
    } catch {
      failure = error
    }
    StoreRegistry.remove(self)
    // Last, because the logger is application code that may open the store again.
    if let failure {
      // Its files were overwritten then, and with them commits.
      let isLoss = failure.code == .commitOutcomeUnknown || failure.code == .storeIsReadOnly
      let loss = isLoss ? "" : "; no commit is lost by that"
      Logger.log(.error, "The realm could not be closed in order\(loss): \(failure)")
    }
    Logger.log(.debug, "Closed \(label).")
  }

  /// Wakes all sessions, after a version was published.
  ///
  /// - Parameter writer: the signal of a session that has the version.
  /// - Complexity: linear in the sessions that have a reason to be woken; after a change of them, in all sessions.
  func announce(by writer: WakeUpSignal? = nil) {
    for signal in attentiveSignals where signal !== writer { signal.raise() }
  }

  /// The signals of the sessions that have a reason to be woken.
  private var attentiveSignals: [WakeUpSignal] {
    state.withLock { state in
      // Counted before the signals are looked at, so that a change during the look leads to another one.
      let changes = attentionChanges.count
      if let (signals, count) = state.attentive, count == changes { return signals }
      let signals = state.signals.values.filter(\.isAttentive)
      state.attentive = (signals, changes)
      return signals
    }
  }

  /// Whether a session of it exists, live or frozen.
  var hasSessions: Bool { state.withLock { !$0.signals.isEmpty } || !frozenPins.isEmpty }

  /// The signals of all sessions except frozen ones.
  package var signals: [WakeUpSignal] { state.withLock { Array($0.signals.values) } }
}
