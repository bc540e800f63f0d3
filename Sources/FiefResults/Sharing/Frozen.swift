import FiefGraph
public import FiefObjects
import FiefSessions

/// A managed object, or a collection of objects, as it was in one version: a value for any thread, task and view.
///
///     let dog = try await store.read { realm in
///       realm.object(ofType: Dog.self, forPrimaryKey: 1).map { Frozen($0) }
///     }
///     print(dog?.name ?? "", dog?.owner?.name ?? "")
///
/// The properties of the class are members of the value: `@Persisted` and computed ones. Links are `Frozen` objects,
/// collections of objects are `Frozen` collections, and other collections are `FrozenValues`. Maps are dictionaries.
/// Everything that is reached is of the same version, and is never gone.
///
/// It costs a reference, and keeps its version in memory as long as it lives. `realm.thaw(_:)` returns the live object
/// or collection.
///
/// Classes need no declaration for it. If a class has stored properties without `@Persisted`, each access makes a new
/// object, so that no two threads share what is not stored.
@dynamicMemberLookup
public struct Frozen<Wrapped: ThreadConfined>: @unchecked Sendable {
  // Sendable, because any thread may read a frozen thing, and an object that holds more than its row is never shared.

  let reference: FrozenReference<Wrapped>
  /// The object, or that of a projection; nil for a collection.
  let object: ObjectBase?
  /// Whether every access makes another object, because the class has more than persisted properties.
  private let copies: Bool

  private init(_ reference: FrozenReference<Wrapped>) {
    self.reference = reference
    object = (reference.thing as? any _ObjectRepresentable)?._object
    copies = object.map { !$0.holdsRowAlone || !(reference.thing is ObjectBase) } ?? false
    assert(object?.hasRow ?? true, "What is frozen exists.")
  }

  /// Freezes an object, results or another collection at the version that its realm shows. Inside a write, the value
  /// includes the changes so far.
  ///
  ///     let (before, old) = (Frozen(dog), Frozen(realm.objects(Dog.self).where { $0.age > 9 }))
  ///     try realm.write { dog.age += 1 }
  ///     print(before.age, dog.age)                          // 3 4
  ///     Task.detached { print(old.map(\.name)) }
  ///
  /// Results are evaluated when they are read first, and keep what was found. For lists and sets of values there is
  /// `FrozenValues`.
  ///
  /// - Parameter thing: an object, a projection or a collection, managed, live or frozen.
  ///
  /// Traps for something that is unmanaged or was deleted, and outside its thread, queue or actor.
  public init(_ thing: Wrapped) {
    if let session = thing.realm?.session, session.isHere, session.mayBeTracked, !thing.isInvalidated {
      Self.noteRead(thing)
    }
    self.init(FrozenReference(thing, "Frozen(_:)"))
  }

  /// Notes for the running tracking scope that the properties of an object are read, or those of all elements.
  private static func noteRead(_ thing: Wrapped) {
    if let object = thing as? any _ObjectRepresentable { return object._object.noteReadOfCells() }
    func noteElements(_ elements: some _QueriedCollection) { elements._asResults().core.noteRead(isDeep: true) }
    (thing as? any _QueriedCollection).map { noteElements($0) }
    (thing as? any DerivedView)?.source.noteRead(isDeep: true)
    // The keys of a map are compared, too.
    (thing as? CollectionBase)?.location.map { $0.session.noteRead($0.cell) }
  }

  /// The frozen object or collection.
  @inline(__always)
  var content: Wrapped { copies ? another : reference.thing }

  private var another: Wrapped {
    let thing = reference.thing
    if thing is ObjectBase { return object?.anotherAccessor() as? Wrapped ?? thing }
    // A projection is made anew for an object, which shows persisted properties alone.
    return thing._resolved(in: Realm(reference.ticket.frozen)) ?? thing
  }

  /// Another thing of the same version.
  func reaching<Thing: ThreadConfined>(_ thing: Thing) -> Frozen<Thing> {
    assert(thing.realm?.session.sees(sameAs: reference.ticket.frozen) ?? false, "Links lead within a version.")
    return Frozen<Thing>(FrozenReference(thing, reference.ticket))
  }

  /// Calls a closure with the frozen object or collection, and returns its result: for methods, queries, and code that
  /// takes the class itself.
  ///
  ///     let text = dog.withContent { dog in dog.fullDescription() }
  ///     let old = dogs.withContent { dogs in Frozen(dogs.where { $0.age > 9 }) }
  ///
  /// - Throws: the error of the closure.
  @_disfavoredOverload
  public func withContent<Result>(_ body: (Wrapped) throws -> Result) rethrows -> Result { try body(content) }
}

// MARK: - Equality and identity

extension Frozen: Hashable {
  /// Whether both are equal: objects if they are the same object with equal properties, collections if they have equal
  /// objects in the same order, under equal keys. The versions may differ.
  ///
  ///     let before = Frozen(dog)
  ///     try realm.write { cat.age += 1 }
  ///     print(Frozen(dog) == before)          // true
  ///
  /// Embedded objects and nested collections are parts of the object, and compared with it. Other links are equal if
  /// they lead to the same object, whatever its properties.
  ///
  /// - Complexity: linear in the properties of an object and its parts, and linear in the parts alone if nothing near
  ///   it has changed; for collections, that of all their objects.
  public static func == (a: Frozen, b: Frozen) -> Bool {
    let (one, other) = (a.reference.ticket.frozen, b.reference.ticket.frozen)
    guard one.store === other.store else { return false }
    if let a = a.object, let b = b.object { return a.hasEqualContent(b, one.graph, other.graph) }
    /// The keys of a map; none for other collections.
    func keys(_ elements: some _QueriedCollection) -> [String] {
      (elements as? any RealmKeyedCollection).map { $0.keys.map { "\($0)" } } ?? []
    }
    func equalElements<Element: Equatable>(_ a: some Sequence<Element>, _ b: some Sequence<Element>) -> Bool {
      a.elementsEqual(b) { a, b in
        guard let a = a as? any _ObjectRepresentable, let b = b as? any _ObjectRepresentable else { return a == b }
        return a._object.hasEqualContent(b._object, one.graph, other.graph)
      }
    }
    func equal<Elements: _QueriedCollection>(_ a: Elements) -> Bool {
      guard let b = b.reference.thing as? Elements, keys(a) == keys(b) else { return false }
      return equalElements(a._elements, b._elements)
    }
    if let a = a.reference.thing as? any DerivedView, let b = b.reference.thing as? any DerivedView {
      return a.parts.elementsEqual(b.parts) { $0.key == $1.key && equalElements($0.elements, $1.elements) }
    }
    return (a.reference.thing as? any _QueriedCollection).map { equal($0) } ?? false
  }

  /// Hashes the identity of the object, or the number of elements of the collection.
  public func hash(into hasher: inout Hasher) {
    if let object { return hasher.combine(object.rowLink) }
    func count(_ elements: some _QueriedCollection) -> Int { elements._elements.count }
    hasher.combine((reference.thing as? any _QueriedCollection).map { count($0) })
  }
}

extension ObjectBase {
  /// Whether both stand for one row, which has equal cells and parts in two versions.
  fileprivate final func hasEqualContent(_ other: ObjectBase, _ graph: Graph, _ otherGraph: Graph) -> Bool {
    guard let link = rowLink, link == other.rowLink else { return false }
    return graph.hasEqualContent(link, in: otherGraph)
  }
}

extension Frozen where Wrapped: _ObjectRepresentable {
  /// Whether a value shows the object, in whatever version. May be asked on any thread.
  ///
  ///     if dogs.contains(where: { $0 == rex }) { print("Rex is among them.") }
  public static func == (frozen: Frozen, object: Wrapped) -> Bool {
    frozen.object?.standsForRow(of: object._object) ?? false
  }

  /// Whether a value shows the object, in whatever version. May be asked on any thread.
  public static func == (object: Wrapped, frozen: Frozen) -> Bool { frozen == object }

  /// Whether a value does not show the object.
  public static func != (frozen: Frozen, object: Wrapped) -> Bool { !(frozen == object) }

  /// Whether a value does not show the object.
  public static func != (object: Wrapped, frozen: Frozen) -> Bool { !(frozen == object) }
}

extension Frozen: Identifiable where Wrapped: _ObjectRepresentable {
  /// A number that identifies the object among all objects of its realm, in all versions. A property `id` of the class
  /// takes precedence: `dog.id` is that property then, and this number is what views and generic code get.
  @_disfavoredOverload
  public var id: UInt64 { reference.thing._object.rowIdentity }
}

extension Frozen: CustomStringConvertible {
  /// The description of the object or collection.
  @_disfavoredOverload
  public var description: String { "\(content)" }
}

extension Realm {
  /// Returns the live object or collection of a frozen value in this realm; nil when it does not exist any more.
  ///
  ///     if let dog = realm.thaw(frozenDog) { try realm.write { dog.age += 1 } }
  ///
  /// A realm at an earlier version than the value advances first, unless it is in a write or in an observer's block. A
  /// frozen realm gives what is live on the running thread, queue or actor. A value of another file or identifier gives
  /// nil.
  ///
  /// Traps outside the realm's thread, queue or actor.
  public func thaw<Thing: ThreadConfined>(_ frozen: Frozen<Thing>) -> Thing? {
    session.checkConfinementOfUse()
    return frozen.reference.resolve(in: session.isFrozen ? session.thawed() : session)
  }
}
