import FiefDurability
import FiefGraph
import FiefRuntime
import Foundation
import Synchronization

/// The data of a file or an in-memory identifier, shared by all sessions of the process.
///
///     Store ─┬─ published    the latest version that sessions may see
///            ├─ tip          the latest version that was written; the next write is based on it
///            ├─ files        the durable form; nil in memory
///            ├─ lock         admits one writer
///            ├─ bindings     how each class is stored
///            └─ sessions     the sessions, by executor (not retained)
///
/// A store lives as long as one of its sessions, or as long as `StoreHolds` retains it. `published` and `lock`
/// synchronize themselves, the bindings are immutable, and `state` protects the rest.
final class Store: @unchecked Sendable {
  let identity: Identity
  /// Identifies the store among all stores of the process.
  let number = Store.numbers.add(1, ordering: .relaxed).newValue
  let published: PublishedGraph
  let lock = WriterLock()
  let models: [ModelClass]
  let configuration: Realm.Configuration
  /// The classes that were left out of the schema, with an error message for their use.
  let leftOut: [ObjectIdentifier: String]
  /// The bindings of dynamic objects.
  let dynamicClasses: DynamicClasses
  /// Adds what properties and collections cannot store themselves.
  let importer: any Importer
  /// The documents of asymmetric objects that are to be delivered.
  let outbox = Outbox()
  private let bindings: StoreBindings
  private let state: Mutex<State>
  let files: StoreFile?

  /// The name of a store in the process.
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

  /// The number of sessions per version. Nil unless the number of versions is limited.
  let pins: VersionPins?
  /// The number of frozen sessions per version.
  let frozenPins = VersionPins()
  /// The number of configurations that keep the store alive.
  let configurationHolds = Atomic<Int>(0)

  /// Opens a store: in memory, or with the contents of a file.
  init(
    _ identity: Identity, _ configuration: Realm.Configuration, _ schema: ModelSelection,
    _ dynamicClasses: DynamicClasses, _ importer: any Importer
  ) throws {
    self.dynamicClasses = dynamicClasses
    self.importer = importer
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

  /// Returns the binding of a class; nil when the class is not in the schema.
  func binding(of type: ObjectBase.Type) -> ClassBinding? { bindings.ofTypes[ObjectIdentifier(type)] }

  /// Returns the bindings of a class and its subclasses in the schema, one for each table, in the order of the tables.
  func bindings(of type: Object.Type) -> [ClassBinding] {
    bindings.ofTables.values.filter { binding in
      var superclass: AnyClass? = binding.type
      while let present = superclass, present != type { superclass = _getSuperclass(present) }
      return superclass != nil
    }.sorted { $0.table < $1.table }
  }

  /// Returns the binding of the class whose rows are in a table.
  func binding(of table: TableKey) -> ClassBinding? { bindings.ofTables[table] }

  /// The bindings of all classes in the schema.
  var allBindings: [ClassBinding] { models.compactMap { bindings.ofTypes[ObjectIdentifier($0.type)] } }

  /// Returns the binding of a class. Traps with an explanation when the class is not in the schema.
  func requireBinding(of type: ObjectBase.Type) -> ClassBinding {
    if let binding = binding(of: type) { return binding }
    fatalError(missing(type))
  }

  /// Explains why a class is not in the schema.
  func missing(_ type: ObjectBase.Type) -> String {
    leftOut[ObjectIdentifier(type)]
      ?? "Object type '\(type.className())' is not managed by the Realm: it is not in the realm's schema; add it to objectTypes, "
      + "or see that shouldIncludeInDefaultSchema() is true."
  }

  // MARK: Sessions

  /// Returns the session of an executor. If there is none, it is created with the configuration.
  func session(_ confinement: Confinement, _ configuration: Realm.Configuration) -> Session {
    session(confinement, sharing: SharedConfiguration(configuration))
  }

  /// Returns the session of an executor. If there is none, it is created with another session's configuration.
  func session(_ confinement: Confinement, sharing configuration: @autoclosure () -> SharedConfiguration) -> Session {
    guard let identity = confinement.identity else { return Session(self, confinement, configuration()) }
    if let known = presentSession(identity), known.isAlive(for: confinement) { return known }
    // No race: only the executor itself creates the session of its identity.
    let made = Session(self, confinement, configuration())
    Logger.tell(.debug, "Opened a realm of \(words) on \(confinement.words).")
    let entry = Entry(session: WeakReference(made), bell: made.bell)
    state.withLock { $0.sessions[identity] = entry }
    return made
  }

  /// Returns the session of an executor, if there is one.
  func presentSession(_ identity: Confinement.Identity) -> Session? {
    // Only the reference is shared here, not the confined session. A last reference is released outside the lock.
    state.withLock { UncheckedBox($0.sessions[identity]?.session.object) }.value
  }

  /// The running actor or queue, if it has a session here. An actor takes precedence over the queue that serves it.
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

  /// The keys that were assigned by writes that were rolled back.
  var keptKeys: KeyMarks { state.withLock { $0.keptKeys } }

  /// Keeps the keys that a write has assigned, before the write is dropped.
  func keepKeys(of transaction: Transaction) {
    let marks = transaction.keyMarks
    state.withLock { $0.keptKeys.merge(marks) }
  }

  /// Whether a row was deleted, as far as any thread can determine. A row of the write in progress is not: its key was
  /// never assigned by an earlier write.
  func isGone(_ link: ObjectLink) -> Bool {
    if published.current.contains(link) { return false }
    let (tip, kept) = state.withLock { ($0.tip, $0.keptKeys) }
    if tip.contains(link) { return false }
    return link.key.rawValue < max(tip[link.table]?.nextKey ?? .max, kept.nextKey(of: link.table))
  }

  /// Returns a transaction on the version that was written last. The caller holds the lock.
  func begin() -> Transaction {
    let (tip, kept) = state.withLock { ($0.tip, $0.keptKeys) }
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
      // The transaction began above the kept keys, so the new version includes them.
      state.keptKeys = KeyMarks()
    }
    return next
  }

  private func dropKeepingKeys(_ transaction: Transaction) -> Graph {
    keepKeys(of: transaction)
    return transaction.base
  }

  /// Makes a written version visible, after it is as durable as the configuration requires.
  ///
  /// - Throws: `commitOutcomeUnknown`. The store accepts no further writes then.
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

  /// Writes a snapshot of the latest version and starts an empty journal.
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
    // Last, because the logger is application code that may open the store again.
    if let failure {
      Logger.tell(.error, "The realm could not be closed in order; no commit is lost by that: \(failure)")
    }
    Logger.tell(.debug, "Closed \(words).")
  }

  /// Rings the bells of all other sessions after a commit.
  func announce(by writer: Session) {
    for bell in bells where bell !== writer.bell { bell.ring() }
  }

  /// The bells of all sessions except frozen ones.
  var bells: [Doorbell] { state.withLock { $0.sessions.values.map(\.bell) } }
}

extension Session {
  /// Whether a registered session still belongs to the executor. The address of a deallocated actor may be reused.
  func isAlive(for confinement: Confinement) -> Bool {
    switch (self.confinement, confinement) {
    case (.actor(let a), .actor(let b)): a.actor != nil && a.actor === b.actor
    default: true
    }
  }
}
