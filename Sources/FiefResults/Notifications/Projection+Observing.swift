import Dispatch
import FiefGraph
import FiefObjects
import FiefRuntime
import FiefSessions

/// A change to one property of an observed projection.
public typealias ProjectedPropertyChange = PropertyChange

extension ProjectionObservable {
  /// Calls a block whenever projected properties change, and when the root object is deleted. It works like the
  /// observation of an object, with the names of the projection's properties.
  ///
  ///     token = PersonView(projecting: person).observe { change in
  ///       if case .change(let view, let properties) = change { print(view.name, properties.map { $0.name }) }
  ///     }
  ///
  /// Traps when the root object is unmanaged, frozen or deleted, when its realm is read-only, in a write that has
  /// already changed something, and, without a queue, on a thread whose run loop is not running.
  ///
  /// - Parameters:
  ///   - keyPaths: dotted paths of names of *root* properties, exactly as they are projected. Other names are ignored.
  ///     Nil or an empty array stands for all projected properties.
  ///   - queue: a serial queue for the calls. The block then gets the projection from a realm of that queue.
  ///   - block: called with each change.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    Registration.begin(Self.observation(keyPaths, block), of: self, in: observedSession(), on: queue)
  }

  /// Calls a block whenever a property on one of the key paths changes, and when the root object is deleted.
  ///
  ///     token = PersonView(projecting: person).observe(keyPaths: [\.name]) { change in print(change) }
  ///
  /// - Parameters:
  ///   - keyPaths: projected properties.
  ///   - queue: a serial queue for the calls. The block then gets the projection from a realm of that queue.
  ///   - block: called with each change.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor whenever projected properties change, and when the root object is deleted. The
  /// observation has begun when this returns.
  ///
  ///     token = await PersonView(projecting: person).observe(on: MainActor.shared) { _, change in print(change) }
  ///
  /// - Parameters:
  ///   - keyPaths: as for `observe(keyPaths:on:_:)`.
  ///   - actor: the actor on which the block runs. The block gets the projection from a realm of that actor.
  ///   - block: called with each change.
  /// - Returns: a token that keeps the observation alive. When the task was cancelled, the token has already ended.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await Registration.begin(of: self, in: observedSession(), on: actor, isolation: isolation, block) {
      Self.observation(keyPaths, $0)
    }
  }

  /// Calls a block on an actor whenever a property on one of the key paths changes, and when the root object is
  /// deleted. The observation has begun when this returns.
  ///
  ///     let view = PersonView(projecting: person)
  ///     token = await view.observe(keyPaths: [\.name], on: MainActor.shared) { _, change in print(change) }
  ///
  /// - Parameters:
  ///   - keyPaths: projected properties.
  ///   - actor: the actor on which the block runs. The block gets the projection from a realm of that actor.
  ///   - block: called with each change.
  /// - Returns: a token that keeps the observation alive. When the task was cancelled, the token has already ended.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { _name(for: $0) }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }

  private func observedSession() -> Session {
    guard let session = rootObject.retainedSession else { Misuse.unmanaged("observe()") }
    session.checkObservable("A projection")
    if !rootObject.hasRow { Misuse.invalidated(rootObject) }
    return session
  }

  static func observation(
    _ keyPaths: [String]?, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> _ObservationMaker<Self> {
    _ObservationMaker { projection, _, from in
      let root = projection.rootObject
      guard let binding = root.binding?.counted, let row = root.rowLink else { return nil }
      let paths = keyPaths.flatMap { $0.isEmpty ? nil : Set($0) }
      let members = ProjectedMember.all(of: projection).filter { paths?.contains($0.path) ?? true }
      return ObjectObservation(row, from: from, finding: root.changes(of: row, binding, members: members)) {
        block(ObjectChange(projection, $0))
      }
    }
  }
}

extension ObjectBase {
  /// Returns the closure that finds the changes of projected members of the object.
  fileprivate final func changes(
    of row: ObjectLink, _ binding: ClassBinding, members: [ProjectedMember]
  ) -> ObjectObservation.Changes {
    let members = members.map { (member: $0, path: ObservedPath($0.path, from: binding)) }
    return { difference, session in
      let changed = members.filter { difference.rows(changedOn: $0.path).contains(row.key) }
      if changed.isEmpty { return [] }
      // Old values are read from the root object in the old version.
      let before = type(of: self).init()
      before.bind(Session(session.store, .frozen, session.options, frozenAt: difference.old), binding, row.key)
      return changed.map { member, _ in
        let new = member.value(self)
        let isCollection = new is CollectionBase || new is any RealmCollectionBase
        return PropertyChange(
          name: member.name, oldValue: isCollection || !before.hasRow ? nil : member.value(before), newValue: new)
      }
    }
  }
}

extension ProjectedCollection: _Observed {
  /// The changes of the collection.
  public typealias _Change = RealmCollectionChange<ProjectedCollection<Element>>
  /// The values of the collection.
  public typealias _ObservedElement = Element

  /// Returns a maker of observations. They report insertions, deletions, and changes of the projected property, or of
  /// the given key paths instead.
  public static func _observation(
    _ keyPaths: [String]?, _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) -> _ObservationMaker<ProjectedCollection> {
    _ObservationMaker { collection, _, _ in
      let names = keyPaths.flatMap { $0.isEmpty ? nil : $0 } ?? [collection.name]
      return CollectionObservation(collection.core, keyPaths: names) {
        block(RealmCollectionChange(collection, $0))
      }
    }
  }
}
