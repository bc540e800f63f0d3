import FiefGraph
import Foundation
import Synchronization

/// One body of data: a file or an in-memory identifier, shared by all sessions of the process that look at it.
///
///     Store ─┬─ published    the latest version
///            ├─ lock         the one writer
///            ├─ bindings     how each class is kept
///            └─ sessions     who looks at it (not kept alive)
///
/// It lives as long as a session does. Protected: `published` and `lock` by themselves, the bindings by never changing,
/// the rest by `state`.
final class Store: @unchecked Sendable {
  let identity: Identity
  let published: PublishedGraph
  let lock = WriterLock()
  let models: [ModelClass]
  let configuration: Realm.Configuration
  /// Classes that were left out, and why: the sentence for whoever uses them.
  let leftOut: [ObjectIdentifier: String]
  private let bindings: [ObjectIdentifier: ClassBinding]
  private let bindingsOfTables: [TableKey: ClassBinding]
  private let state = Mutex(State())

  /// What names a store in the process.
  enum Identity: Hashable, Sendable {
    case memory(String)
    case file(String)
  }

  private struct State {
    var sessions: [Confinement.Identity: Entry] = [:]
    var keptKeys = KeyMarks()
  }

  private struct Entry {
    let session: FaintReference<Session>
    let bell: Doorbell
  }

  /// How many sessions see which version; counted only when their number is limited.
  let pins: VersionPins?

  /// Opens an empty in-memory store.
  init(_ identity: Identity, _ configuration: Realm.Configuration, _ schema: ModelSelection) throws {
    self.identity = identity
    self.configuration = configuration
    pins = configuration.maximumNumberOfActiveVersions.map { VersionPins(limit: $0) }
    models = schema.models
    leftOut = schema.leftOut
    let published = PublishedGraph()
    let transaction = published.begin()
    var layout = SchemaLayout(schema.models)
    if try layout.apply(to: transaction) { try published.publish(transaction) }
    if !layout.differences.isEmpty {
      throw Realm.Error(
        .schemaMismatch,
        "Migration is required due to the following errors:\n"
          + layout.differences.map { "- \($0)" }.joined(separator: "\n"))
    }
    self.published = published
    let graph = published.current
    var bindings: [ObjectIdentifier: ClassBinding] = [:]
    var tables: [TableKey: ClassBinding] = [:]
    for model in schema.models {
      guard let table = graph.table(named: model.name) else { continue }
      let binding = try ClassBinding(model, table.schema)
      bindings[ObjectIdentifier(model.type)] = binding
      // Of classes over one table, the one that has the table's name for its own speaks for rows found by link.
      if tables[table.schema.key] == nil || model.type._realmObjectName() == nil {
        tables[table.schema.key] = binding
      }
    }
    ClassBinding.connect(bindings)
    self.bindings = bindings
    bindingsOfTables = tables
  }

  /// The class as it is kept here; nil when it is not.
  func binding(of type: ObjectBase.Type) -> ClassBinding? { bindings[ObjectIdentifier(type)] }

  /// The class whose rows a table holds.
  func binding(of table: TableKey) -> ClassBinding? { bindingsOfTables[table] }

  /// Every class that is kept here.
  var allBindings: [ClassBinding] { models.compactMap { bindings[ObjectIdentifier($0.type)] } }

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

  /// The session of a place, made when there is none.
  func session(_ confinement: Confinement, _ configuration: Realm.Configuration) -> Session {
    guard let identity = confinement.identity else { return Session(self, confinement, configuration) }
    if let known = presentSession(identity), known.isAlive(for: confinement) { return known }
    // No other place makes a session of this identity.
    let made = Session(self, confinement, configuration)
    let entry = Entry(session: FaintReference(made), bell: made.bell)
    state.withLock { $0.sessions[identity] = entry }
    return made
  }

  /// The session of a place, if there is one.
  func presentSession(_ identity: Confinement.Identity) -> Session? {
    // Sessions are confined; the reference alone is what is shared here. It leaves the lock before it can be the last.
    state.withLock { UncheckedBox($0.sessions[identity]?.session.object) }.value
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
  func keepKeys(of transaction: Transaction?) {
    guard let marks = transaction?.keyMarks else { return }
    state.withLock { $0.keptKeys.merge(marks) }
  }

  /// Makes a transaction the latest version.
  func commit(_ transaction: Transaction) throws -> Graph { try published.publish(transaction) }

  /// Tells all other sessions that there is a new version.
  func announce(by writer: Session) {
    let bells = state.withLock { $0.sessions.values.map(\.bell) }
    for bell in bells where bell !== writer.bell { bell.ring() }
  }
}

/// Carries a reference out of a lock that protects nothing but the table it was found in.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
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
