import FiefGraph

/// A type-erased collection of a realm.
///
///     func show(_ dogs: AnyRealmCollection<Dog>) {
///       for dog in dogs { print(dog.name) }
///     }
///     show(AnyRealmCollection(person.dogs))
///     show(AnyRealmCollection(realm.objects(Dog.self)))
///
/// Each operation costs as much as with the wrapped collection.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  private let box: AnyCollectionBox<Element>

  /// Wraps the collection `base`; nothing is copied.
  ///
  ///     let sources = [AnyRealmCollection(person.dogs), AnyRealmCollection(realm.objects(Dog.self))]
  public init<C: RealmCollection>(_ base: C) where C.Element == Element { box = CollectionBox(base) }

  private init(_ box: AnyCollectionBox<Element>) { self.box = box }

  /// The realm that the collection belongs to; nil when it is unmanaged.
  public var realm: Realm? { box.realm }

  /// Whether the collection can no longer be used.
  public var isInvalidated: Bool { box.isInvalidated }

  /// Whether the collection is frozen: it shows one version for good, on any thread.
  public var isFrozen: Bool { box.isFrozen }

  /// Returns a frozen counterpart at the current version, readable from any thread. Traps when the collection is
  /// unmanaged.
  ///
  ///     let before = AnyRealmCollection(person.dogs).freeze()
  public func freeze() -> AnyRealmCollection { AnyRealmCollection(box.freeze()) }

  /// Returns the live counterpart in the realm of the current thread; nil when it does not exist there. Traps when the
  /// collection is unmanaged.
  ///
  ///     let frozen = AnyRealmCollection(person.dogs.freeze())
  ///     if let dogs = frozen.thaw() { print(dogs.count) }
  public func thaw() -> AnyRealmCollection? { box.thaw().map { AnyRealmCollection($0) } }

  /// Returns the counterpart in another realm of its store; nil when it does not exist there.
  public func _resolved(in realm: Realm) -> AnyRealmCollection? { box.seen(in: realm).map { AnyRealmCollection($0) } }

  /// The position of the first element, always 0.
  public var startIndex: Int { 0 }

  /// The position after the last element: the number of elements.
  public var endIndex: Int { box.count }

  /// The number of elements.
  public var count: Int { box.count }

  /// The element at a position, 0..<count. Traps when the position is out of range.
  public subscript(position: Int) -> Element { box.element(at: position) }

  /// Iterates over the elements with the iterator of the wrapped collection.
  public func makeIterator() -> RLMIterator<Element> { box.makeIterator() }

  /// The position of the first element that equals `object`, or nil. Takes the time that the wrapped collection takes.
  ///
  ///     let position = AnyRealmCollection(person.dogs).index(of: dog)
  public func index(of object: Element) -> Int? { box.index(of: object) }

  /// A description of the collection and its elements.
  public var description: String { CollectionDescription.of(self, "AnyRealmCollection", box) }

  /// Whether one is a copy of the other.
  public static func == (a: AnyRealmCollection, b: AnyRealmCollection) -> Bool { a.box === b.box }

  /// The elements as results, on which queries are based. Traps when the collection is unmanaged.
  public func _asResults() -> Results<Element> { box.asResults() }
}

/// A collection of unknown type.
private class AnyCollectionBox<Element: RealmCollectionValue> {
  var realm: Realm? { abstract() }
  var isInvalidated: Bool { abstract() }
  var isFrozen: Bool { abstract() }
  var count: Int { abstract() }
  func freeze() -> AnyCollectionBox { abstract() }
  func thaw() -> AnyCollectionBox? { abstract() }
  func seen(in realm: Realm) -> AnyCollectionBox? { abstract() }
  func element(at position: Int) -> Element { abstract() }
  func makeIterator() -> RLMIterator<Element> { abstract() }
  func index(of object: Element) -> Int? { abstract() }
  func asResults() -> Results<Element> { abstract() }

  private func abstract() -> Never { fatalError("A box without a collection was used.") }
}

private final class CollectionBox<Base: RealmCollection>: AnyCollectionBox<Base.Element> {
  let base: Base

  init(_ base: Base) { self.base = base }

  override var realm: Realm? { base.realm }
  override var isInvalidated: Bool { base.isInvalidated }
  override var isFrozen: Bool { base.isFrozen }
  override var count: Int { base.count }
  override func freeze() -> AnyCollectionBox<Base.Element> { CollectionBox(base.freeze()) }
  override func thaw() -> AnyCollectionBox<Base.Element>? { base.thaw().map { CollectionBox($0) } }
  override func seen(in realm: Realm) -> AnyCollectionBox<Base.Element>? {
    base._resolved(in: realm).map { CollectionBox($0) }
  }
  override func element(at position: Int) -> Base.Element { base[position] }
  override func makeIterator() -> RLMIterator<Base.Element> { base.makeIterator() }
  override func index(of object: Base.Element) -> Int? { base.index(of: object) }
  override func asResults() -> Results<Base.Element> { base._asResults() }
}
