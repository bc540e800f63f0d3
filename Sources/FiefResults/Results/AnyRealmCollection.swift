import FiefGraph
import FiefObjects

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
  /// The wrapped collection. Copies share it, and equal each other by it.
  private final class Box {
    let base: any RealmCollection<Element>

    init(_ base: any RealmCollection<Element>) { self.base = base }
  }

  private let box: Box

  /// Wraps the collection `base`; nothing is copied.
  ///
  ///     let sources = [AnyRealmCollection(person.dogs), AnyRealmCollection(realm.objects(Dog.self))]
  public init<C: RealmCollection>(_ base: C) where C.Element == Element { box = Box(base) }

  private init(erased base: any RealmCollection<Element>) { box = Box(base) }

  /// The realm that the collection belongs to; nil when it is unmanaged.
  public var realm: Realm? { box.base.realm }

  /// Whether the collection can no longer be used.
  public var isInvalidated: Bool { box.base.isInvalidated }

  /// Whether the collection is frozen: it shows one version for good, on any thread.
  public var isFrozen: Bool { box.base.isFrozen }

  /// Returns a frozen counterpart at the current version, readable from any thread. Traps when the collection is
  /// unmanaged.
  ///
  ///     let before = AnyRealmCollection(person.dogs).freeze()
  public func freeze() -> AnyRealmCollection { AnyRealmCollection(erased: box.base.freeze()) }

  /// Returns the live counterpart in the realm of the current thread; nil when it does not exist there. Traps when the
  /// collection is unmanaged.
  ///
  ///     let frozen = AnyRealmCollection(person.dogs.freeze())
  ///     if let dogs = frozen.thaw() { print(dogs.count) }
  public func thaw() -> AnyRealmCollection? { box.base.thaw().map { AnyRealmCollection(erased: $0) } }

  /// Returns the counterpart in another realm of its store; nil when it does not exist there.
  public func _resolved(in realm: Realm) -> AnyRealmCollection? {
    box.base._resolved(in: realm).map { AnyRealmCollection(erased: $0) }
  }

  /// The position of the first element, always 0.
  public var startIndex: Int { 0 }

  /// The position after the last element: the number of elements.
  public var endIndex: Int { box.base.count }

  /// The number of elements.
  public var count: Int { box.base.count }

  /// The element at a position, 0..<count. Traps when the position is out of range.
  public subscript(position: Int) -> Element { box.base[position] }

  /// Iterates over the elements with the iterator of the wrapped collection.
  public func makeIterator() -> RLMIterator<Element> { box.base.makeIterator() }

  /// The position of the first element that equals `object`, or nil. Takes the time that the wrapped collection takes.
  ///
  ///     let position = AnyRealmCollection(person.dogs).index(of: dog)
  public func index(of object: Element) -> Int? { box.base.index(of: object) }

  /// A description of the collection and its elements.
  public var description: String { CollectionDescription.of(self, "AnyRealmCollection", box) }

  /// Whether one is a copy of the other.
  public static func == (a: AnyRealmCollection, b: AnyRealmCollection) -> Bool { a.box === b.box }

  /// The elements as results, on which queries are based. Traps when the collection is unmanaged.
  public func _asResults() -> Results<Element> { box.base._asResults() }
}
