import Dispatch
import FiefGraph

/// What happened to one property of an observed projection.
public typealias ProjectedPropertyChange = PropertyChange

extension ProjectionObservable {
  /// Calls a block whenever projected properties change, and when the root object is deleted: as observing an object
  /// does, with the names of the projection's own properties.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of names of *root* properties, as they are projected; others are never told. Nil or none for
  ///     all.
  ///   - queue: a serial queue on which to call instead, with the projection as a realm of that queue sees it.
  ///   - block: what to call.
  /// - Returns: what keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    Registration.on(queue, self, observedSession(), Self.observation(keyPaths, block))
  }

  /// Calls a block whenever the properties change that the key paths name, and when the root object is deleted.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { Fief._name(for: $0) }, on: queue, block)
  }

  /// Calls a block on an actor whenever projected properties change, and when the root object is deleted. The
  /// observation has begun when this returns.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    let held = WeakActor(actor)
    return await Registration.on(
      actor, self, observedSession(), isolation: isolation,
      Self.observation(keyPaths) { Registration.call(held.actor, block, $0) })
  }

  /// Calls a block on an actor whenever the properties change that the key paths name, and when the root object is
  /// deleted.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A, _isolation isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { Fief._name(for: $0) }
    return await observe(keyPaths: names, on: actor, _isolation: isolation, block)
  }

  private func observedSession() -> Session {
    guard let session = rootObject.heldSession else { Misuse.unmanaged("observe()") }
    session.checkObservable("A projection")
    if !rootObject.hasRow { Misuse.invalidated(rootObject) }
    return session
  }

  private static func observation(
    _ keyPaths: [String]?, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> Registration.Make<Self> {
    { projection, _, from in
      projection.rootObject.binding.map { binding in
        let paths = keyPaths.flatMap { $0.isEmpty ? nil : Set($0) }
        let members = ProjectedMember.all(of: projection).filter { paths?.contains($0.path) ?? true }
        return ProjectionObservation(
          projection.rootObject, binding._withUnsafeGuaranteedRef { $0 }, members, seen: from
        ) { block(ObjectChange(projection, $0)) }
      }
    }
  }
}

/// One property of a projection.
struct ProjectedMember {
  /// Its name in the projection.
  let name: String
  /// What it shows, as a path of names from the root.
  let path: String
  /// Reads it off a root object; nil for null.
  let value: (ObjectBase) -> Any?

  /// Those of a projection, in the order of declaration, those of base classes first.
  static func all(of projection: Any) -> [ProjectedMember] {
    wrappers(of: projection).compactMap { name, shown in
      shown.path.map { ProjectedMember(name: name, path: $0, value: shown.value(of:)) }
    }
  }

  /// The name of a property that shows nothing which is kept; nil when there is no such.
  static func unkept(in projection: Any) -> String? { wrappers(of: projection).first { $0.shown.path == nil }?.name }

  private static func wrappers(of projection: Any) -> [(name: String, shown: any AnyProjected)] {
    var wrappers: [(name: String, shown: any AnyProjected)] = []
    var mirror: Mirror? = Mirror(reflecting: projection)
    while let level = mirror {
      wrappers =
        level.children.compactMap { child in
          guard let label = child.label, label.hasPrefix("_"), let shown = child.value as? any AnyProjected else {
            return nil
          }
          return (String(label.dropFirst()), shown)
        } + wrappers
      mirror = level.superclassMirror
    }
    return wrappers
  }
}

/// A `Projected` whose types are not known.
protocol AnyProjected {
  var path: String? { get }
  func value(of root: ObjectBase) -> Any?
}

extension Projected: AnyProjected {
  var path: String? { KeyPathNames.name(of: keyPath as PartialKeyPath<T>) }

  func value(of root: ObjectBase) -> Any? { (root as? T).flatMap { flattened($0[keyPath: keyPath]) } }
}

/// Somebody who wants to hear what changes in a projection.
final class ProjectionObservation: Observation {
  private let call: ([PropertyChange]?) -> Void
  private let binding: ClassBinding
  private let root: ObjectBase
  private let members: [(member: ProjectedMember, path: ObservedPath)]

  init(
    _ root: ObjectBase, _ binding: ClassBinding, _ members: [ProjectedMember], seen: Graph,
    _ call: @escaping ([PropertyChange]?) -> Void
  ) {
    self.root = root
    self.binding = binding
    self.call = call
    self.members = members.map { ($0, ObservedPath($0.path, binding)) }
    super.init(seen: seen)
  }

  override func tell(_ session: Session, _ differences: Differences) {
    let old = seen
    seen = session.graph
    guard seen.contains(ObjectLink(binding.table, root.key)) else {
      end()
      return call(nil)
    }
    let difference = differences.between(old, seen)
    if difference.isEmpty { return }
    let changed = members.filter { difference.rows(changedOn: $0.path).contains(root.key) }
    if changed.isEmpty { return }
    // Old values are read off the root as it was.
    let before = type(of: root).init()
    before.bind(Session(session.store, .frozen, session.sharedConfiguration, frozenAt: old), binding, root.key)
    call(
      changed.map { member, _ in
        let new = member.value(root)
        let isCollection = new is CollectionBase || new is any RealmCollectionBase
        return PropertyChange(
          name: member.name, oldValue: isCollection || !before.hasRow ? nil : member.value(before), newValue: new)
      })
  }
}

extension ProjectedCollection: _Observed {
  /// What an observer is told.
  public typealias _Change = RealmCollectionChange<ProjectedCollection<Element>>
  /// The values.
  public typealias _ObservedElement = Element

  /// How an observation is made: of elements that come and go, and of the projected property, unless key paths name
  /// others.
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
