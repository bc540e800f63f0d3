import FiefGraph

/// Any collection of a realm, without its own type.
///
///     func show(_ dogs: AnyRealmCollection<Dog>) { … }
///     show(AnyRealmCollection(person.dogs))
///     show(AnyRealmCollection(realm.objects(Dog.self)))
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  private let box: AnyCollectionBox<Element>

  /// The collection `base`, as it is: nothing is copied.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element { box = CollectionBox(base) }

  private init(_ box: AnyCollectionBox<Element>) { self.box = box }

  /// The realm that the collection is part of; nil when it is unmanaged.
  public var realm: Realm? { box.realm }

  /// Whether the collection can no longer be used.
  public var isInvalidated: Bool { box.isInvalidated }

  /// Whether the collection is frozen: shows one version for ever, to any thread.
  public var isFrozen: Bool { box.isFrozen }

  /// The same as of now, for ever, readable from any thread. Traps when it is unmanaged.
  public func freeze() -> AnyRealmCollection { AnyRealmCollection(box.freeze()) }

  /// The live counterpart in the realm of the running thread; nil when it is not there. Traps when it is unmanaged.
  public func thaw() -> AnyRealmCollection? { box.thaw().map { AnyRealmCollection($0) } }

  /// The same as another realm of its store sees it; nil when it is not there.
  public func _seen(in realm: Realm) -> AnyRealmCollection? { box.seen(in: realm).map { AnyRealmCollection($0) } }

  /// 0.
  public var startIndex: Int { 0 }

  /// The number of elements.
  public var endIndex: Int { box.count }

  /// The number of elements.
  public var count: Int { box.count }

  /// The element at a position, 0..<count.
  public subscript(position: Int) -> Element { box.element(at: position) }

  /// Goes over the elements, as the collection itself does.
  public func makeIterator() -> RLMIterator<Element> { box.makeIterator() }

  /// The position of the first element that equals `object`, or nil.
  public func index(of object: Element) -> Int? { box.index(of: object) }

  /// The collection with its elements, as text.
  public var description: String { box.description }

  /// Whether both were made together: one is a copy of the other.
  public static func == (a: AnyRealmCollection, b: AnyRealmCollection) -> Bool { a.box === b.box }

  /// The elements, as what queries go out from. Traps when the collection is unmanaged.
  public func _asResults() -> Results<Element> { box.asResults() }
}

/// A collection whose type is not known.
private class AnyCollectionBox<Element: RealmCollectionValue> {
  var realm: Realm? { abstract() }
  var isInvalidated: Bool { abstract() }
  var isFrozen: Bool { abstract() }
  var count: Int { abstract() }
  var description: String { abstract() }
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
  override var description: String { base.description }
  override func freeze() -> AnyCollectionBox<Base.Element> { CollectionBox(base.freeze()) }
  override func thaw() -> AnyCollectionBox<Base.Element>? { base.thaw().map { CollectionBox($0) } }
  override func seen(in realm: Realm) -> AnyCollectionBox<Base.Element>? {
    base._seen(in: realm).map { CollectionBox($0) }
  }
  override func element(at position: Int) -> Base.Element { base[position] }
  override func makeIterator() -> RLMIterator<Base.Element> { base.makeIterator() }
  override func index(of object: Base.Element) -> Int? { base.index(of: object) }
  override func asResults() -> Results<Base.Element> { base._asResults() }
}
