import FiefDurability
import FiefGraph
import FiefRuntime
import Foundation
import Synchronization

/// One body of data: a file or an in-memory identifier, shared by all sessions of the process that look at it.
///
///     Store ─┬─ published    the latest version that may be seen
///            ├─ tip          the latest that was written, on which the next write stands
///            ├─ files        what keeps it beyond the process; nil in memory
///            ├─ lock         the one writer
///            ├─ bindings     how each class is kept
///            └─ sessions     who looks at it (not kept alive)
///
/// It lives as long as a session does, or something of `StoreHolds` keeps it. Protected: `published` and `lock` by
/// themselves, the bindings by never changing, the rest by `state`.
final class Store: @unchecked Sendable {
  let identity: Identity
  /// Tells it from all other stores of the process.
  let number = Store.numbers.add(1, ordering: .relaxed).newValue
  let published: PublishedGraph
  let lock = WriterLock()
  let models: [ModelClass]
  let configuration: Realm.Configuration
  /// Classes that were left out, and why: the sentence for whoever uses them.
  let leftOut: [ObjectIdentifier: String]
  /// The classes as dynamic objects see them.
  let dynamicClasses = DynamicClasses()
  /// The documents of asymmetric objects on their way to the application.
  let outbox = Outbox()
  private let bindings: StoreBindings
  private let state: Mutex<State>
  let files: StoreFile?

  /// What names a store in the process.
  enum Identity: Hashable, Sendable {
    case memory(String)
    case file(String)
  }

  private struct State {
    var tip: Graph
    var sessions: [Confinement.Identity: Entry] = [:]
    var keptKeys = KeyMarks()
  }

  private struct Entry {
    let session: WeakReference<Session>
    let bell: Doorbell
  }

  private static let numbers = Atomic<UInt64>(0)

  /// How many sessions see which version; counted only when their number is limited.
  let pins: VersionPins?
  /// How many frozen sessions see which version.
  let frozenPins = VersionPins()
  /// How many configurations keep it alive.
  let configurationHolds = Atomic<Int>(0)

  /// Opens a store: an empty one in memory, or what a file holds.
  init(_ identity: Identity, _ configuration: Realm.Configuration, _ schema: ModelSelection) throws {
    self.identity = identity
    self.configuration = configuration.withoutHold
    pins = configuration.maximumNumberOfActiveVersions.map { VersionPins(limit: $0) }
    models = schema.models
    leftOut = schema.leftOut
    var opened = OpenedFiles()
    if case .file(let path) = identity { opened = try OpenedFiles(path, configuration) }
    files = opened.file
    let graph = try opened.bring(schema, configuration)
    published = PublishedGraph(graph)
    state = Mutex(State(tip: graph))
    bindings = try schema.bindings(in: graph)
  }

  /// The class as it is kept here; nil when it is not.
  func binding(of type: ObjectBase.Type) -> ClassBinding? { bindings.ofTypes[ObjectIdentifier(type)] }

  /// The class, when it is kept here, and those that inherit from it, each table once, in the order of their tables.
  func bindings(of type: Object.Type) -> [ClassBinding] {
    bindings.ofTables.values.filter { binding in
      var superclass: AnyClass? = binding.type
      while let present = superclass, present != type { superclass = _getSuperclass(present) }
      return superclass != nil
    }.sorted { $0.table < $1.table }
  }

  /// The class whose rows a table holds.
  func binding(of table: TableKey) -> ClassBinding? { bindings.ofTables[table] }

  /// Every class that is kept here.
  var allBindings: [ClassBinding] { models.compactMap { bindings.ofTypes[ObjectIdentifier($0.type)] } }

  /// The class, or a trap that says why it is not there.
  func requireBinding(of type: ObjectBase.Type) -> ClassBinding {
    if let binding = binding(of: type) { return binding }
    fatalError(missing(type))
  }

  /// Why a class is not kept here.
  func missing(_ type: ObjectBase.Type) -> String {
    leftOut[ObjectIdentifier(type)]
      ?? "Object type '\(type.className())' is not managed by the Realm: it is not in the realm's schema; add it to objectTypes, "
      + "or see that shouldIncludeInDefaultSchema() is true."
  }

  // MARK: Sessions

  /// The session of a place, made with the configuration when there is none.
  func session(_ confinement: Confinement, _ configuration: Realm.Configuration) -> Session {
    session(confinement, sharing: SharedConfiguration(configuration))
  }

  /// The session of a place, made with the configuration of another session when there is none.
  func session(_ confinement: Confinement, sharing configuration: @autoclosure () -> SharedConfiguration) -> Session {
    guard let identity = confinement.identity else { return Session(self, confinement, configuration()) }
    if let known = presentSession(identity), known.isAlive(for: confinement) { return known }
    // No other place makes a session of this identity.
    let made = Session(self, confinement, configuration())
    Logger.tell(.debug, "Opened a realm of \(words) on \(confinement.words).")
    let entry = Entry(session: WeakReference(made), bell: made.bell)
    state.withLock { $0.sessions[identity] = entry }
    return made
  }

  /// The session of a place, if there is one.
  func presentSession(_ identity: Confinement.Identity) -> Session? {
    // Sessions are confined; the reference alone is what is shared here. It leaves the lock before it can be the last.
    state.withLock { UncheckedBox($0.sessions[identity]?.session.object) }.value
  }

  /// The actor or queue that runs, when it has a session here. An actor comes before the queue that serves it.
  var runningActorOrQueue: Confinement? {
    if CurrentExecutor.identity == 0 && QueueIdentity.current == nil { return nil }
    let running = bells.map(\.place).filter { $0.isOfActorOrQueue && $0.isRunning }
    return running.first { if case .actor = $0 { true } else { false } } ?? running.first
  }

  func forget(_ session: Session) {
    guard let identity = session.confinement.identity else { return }
    state.withLock { state in
      if state.sessions[identity]?.session.refers(to: session) ?? false { state.sessions[identity] = nil }
    }
  }

  // MARK: Writing

  /// Keys that were given to rows of writes that were rolled back.
  var keptKeys: KeyMarks { state.withLock { $0.keptKeys } }

  /// Remembers the keys that a write has given out, before it is dropped.
  func keepKeys(of transaction: Transaction) {
    let marks = transaction.keyMarks
    state.withLock { $0.keptKeys.merge(marks) }
  }

  /// Whether a row is gone, as far as can be known from anywhere: a row of a write that is under way has a key that no
  /// write was given before.
  func isGone(_ link: ObjectLink) -> Bool {
    if published.current.contains(link) { return false }
    let (tip, kept) = state.withLock { ($0.tip, $0.keptKeys) }
    if tip.contains(link) { return false }
    return link.key.rawValue < max(tip[link.table]?.nextKey ?? .max, kept.nextKey(of: link.table))
  }

  /// A transaction on what was written last. To be called by who holds the lock.
  func begin() -> Transaction {
    let (tip, kept) = state.withLock { ($0.tip, $0.keptKeys) }
    let transaction = Transaction(tip)
    transaction.reserveKeys(kept)
    return transaction
  }

  /// Writes a transaction down; it can be seen when it is published. To be called by who holds the lock.
  ///
  /// - Returns: the version that it makes; its base, when it changes nothing that can be seen. Keys that it gave out
  ///   are kept then.
  /// - Throws: why it could not be written; nothing of it is left then.
  func append(_ transaction: Transaction) throws -> Graph {
    let next = transaction.successor
    if let files {
      let delta = Delta(from: transaction.base, to: next)
      if delta.showsNothing { return dropKeepingKeys(transaction) }
      do {
        try files.append(delta, version: next.version, userVersion: configuration.schemaVersion)
      } catch {
        throw Realm.Error(error)
      }
    } else if !transaction.differs(next) {
      return dropKeepingKeys(transaction)
    }
    state.withLock { state in
      state.tip = next
      // The transaction began above the keys that were kept, so the version that it makes keeps them.
      state.keptKeys = KeyMarks()
    }
    return next
  }

  private func dropKeepingKeys(_ transaction: Transaction) -> Graph {
    keepKeys(of: transaction)
    return transaction.base
  }

  /// Makes a version that was written down the one that is seen, once it is as durable as the configuration asks.
  ///
  /// - Throws: `commitOutcomeUnknown`, and the store takes no writes any more.
  func publish(_ graph: Graph) throws {
    if let files {
      do {
        if configuration.durability == .full { try files.waitUntilDurable(graph.version) }
      } catch {
        throw Realm.Error(error)
      }
      published.advance(to: graph)
      if files.isCheckpointDue { checkpoint(files) }
      return
    }
    published.advance(to: graph)
  }

  private func checkpoint(_ files: StoreFile) {
    let graph = published.current
    files.checkpointInBackground(graph, version: graph.version, userVersion: configuration.schemaVersion) { error in
      if let error { Logger.tell(.error, "A checkpoint failed, and no commit is lost by that: \(error)") }
    }
  }

  /// Writes a snapshot of the latest version and lets the journal begin anew, now.
  func compact() throws {
    guard let files else { return }
    let graph = published.current
    do {
      try files.checkpoint(graph, version: graph.version, userVersion: configuration.schemaVersion)
    } catch {
      throw Realm.Error(error)
    }
  }

  deinit {
    var failure: (any Error)?
    do {
      try files?.close()
    } catch {
      failure = error
    }
    StoreRegistry.forget(self)
    // Last, as the logger is the application's, which may open the store again.
    if let failure {
      Logger.tell(.error, "The realm could not be closed in order; no commit is lost by that: \(failure)")
    }
    Logger.tell(.debug, "Closed \(words).")
  }

  /// Tells all other sessions that there is a new version.
  func announce(by writer: Session) {
    for bell in bells where bell !== writer.bell { bell.ring() }
  }

  /// The bells of all sessions but frozen ones.
  var bells: [Doorbell] { state.withLock { $0.sessions.values.map(\.bell) } }
}

extension Session {
  /// Whether a session that was found for a place still is that place's: addresses of actors come back.
  func isAlive(for confinement: Confinement) -> Bool {
    switch (self.confinement, confinement) {
    case (.actor(let a), .actor(let b)): a.actor != nil && a.actor === b.actor
    default: true
    }
  }
}
