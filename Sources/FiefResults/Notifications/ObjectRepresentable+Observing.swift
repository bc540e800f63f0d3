import Dispatch
import FiefGraph
import FiefObjects
import FiefRuntime
import FiefSessions

extension ThreadConfined where Self: _ObjectRepresentable {
  /// Calls a block whenever properties of the object change, and when it is deleted.
  ///
  ///     token = dog.observe { change in
  ///       switch change {
  ///       case .change(let dog, let properties): for property in properties { print(dog.name, property.name) }
  ///       case .deleted: print("The dog is gone.")
  ///       case .error: break
  ///       }
  ///     }
  ///
  /// The block is never called during this call or inside `write`. It runs soon afterwards on the realm's thread, queue
  /// or actor. `refresh()` and the beginning of a write call it before they return. One call may cover several commits.
  ///
  /// A projection reports its own properties, under their names.
  ///
  /// Traps when the object is unmanaged, frozen or deleted, when its realm is read-only and in memory, and for unknown
  /// names. Also traps in a write that has already changed something, and, without a queue, on a thread whose run loop
  /// is not running.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or dotted paths of names. A change on a path is reported under the first name
  ///     of the path. Nil or an empty array stands for all stored properties of the object. For a projection they are
  ///     paths of its *root*, exactly as they are projected; other names are ignored, and nil stands for all of them.
  ///   - queue: a serial queue for the calls. The block then gets the object from a realm of that queue. Changes
  ///     between this call and the beginning of the observation there are reported, too; so is a deletion.
  ///   - block: called with each change.
  /// - Returns: a token that keeps the observation alive.
  /// - Complexity: after a commit, proportional to its changes.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observing(keyPaths, on: queue) { object, changes in block(ObjectChange(object, changes)) }
  }

  /// Calls a block whenever a value on one of the key paths changes, and when the object is deleted.
  ///
  ///     token = person.observe(keyPaths: [\.name, \.dog?.age]) { change in print(change) }
  ///
  /// Otherwise as `observe(keyPaths:on:_:)` with names. Traps for a key path that passes no persisted property.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor whenever properties of the object change, and when it is deleted. The observation has
  /// begun when this returns.
  ///
  ///     actor Kennel {
  ///       var token: NotificationToken?
  ///       var changes = 0
  ///       func note() { changes += 1 }
  ///       func watch(_ id: Int) async throws {
  ///         let realm = try await Realm.open()
  ///         guard let person = realm.object(ofType: Person.self, forPrimaryKey: id) else { return }
  ///         token = await person.observe(on: self) { kennel, change in
  ///           if case .deleted = change { kennel.note() }
  ///         }
  ///       }
  ///     }
  ///
  /// Traps as `observe(keyPaths:on:_:)` with a queue does.
  ///
  /// - Parameters:
  ///   - keyPaths: as for `observe(keyPaths:on:_:)`.
  ///   - actor: the actor on which the block runs. The block gets the object from a realm of that actor.
  ///   - block: called with each change.
  /// - Returns: a token that keeps the observation alive. When the task was cancelled, the token has already ended.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await Registration.begin(
      of: self, in: observedSession(), on: actor, isolation: isolation, deletion: .deleted, block
    ) { call in
      Self.observation(keyPaths) { call(ObjectChange($0, $1)) }
    }
  }

  /// Calls a block on an actor whenever a value on one of the key paths changes, and when the object is deleted. The
  /// observation has begun when this returns.
  ///
  ///     token = await dog.observe(keyPaths: [\.name], on: MainActor.shared) { _, change in print(change) }
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: isolation, block)
  }

  /// Begins the observation here, or on a queue if one is given.
  func observing(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ call: @escaping (Self, [PropertyChange]?) -> Void
  ) -> NotificationToken {
    Registration.begin(Self.observation(keyPaths, call), of: self, in: observedSession(), on: queue) { call($0, nil) }
  }

  /// Returns the session in which the object is observed. Traps when the object cannot be observed.
  func observedSession() -> Session {
    let object = _object
    guard let session = object.retainedSession else { Misuse.unmanaged("observe()") }
    session.checkObservable(self is ObjectBase ? "An object" : "A projection")
    if !object.hasRow { Misuse.invalidated(object) }
    return session
  }

  /// Returns a maker of observations that pass the changes of an object or a projection to `call`.
  static func observation(
    _ keyPaths: [String]?, _ call: @escaping (Self, [PropertyChange]?) -> Void
  ) -> ObservationMaker<Self> {
    { thing, from in
      let object = thing._object
      guard let binding = object.binding?.counted, let row = object.rowLink else { return nil }
      let paths = keyPaths.flatMap { $0.isEmpty ? nil : $0 }
      let changes: ObjectObservation.Changes
      if thing is ObjectBase {
        changes = object.changes(of: row, binding, on: paths)
      } else {
        let members = ProjectedMember.all(of: thing)
        changes = object.changes(of: row, binding, in: members.filter { paths?.contains($0.path) ?? true })
      }
      return ObjectObservation(row, from: from, finding: changes) { call(thing, $0) }
    }
  }
}
