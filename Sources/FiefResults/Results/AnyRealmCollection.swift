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
  private let base: any RealmCollection<Element>

  /// Wraps the collection `base`; nothing is copied.
  ///
  ///     let sources = [AnyRealmCollection(person.dogs), AnyRealmCollection(realm.objects(Dog.self))]
  public init<C: RealmCollection>(_ base: C) where C.Element == Element { self.base = base }

  private init(erased base: any RealmCollection<Element>) { self.base = base }

  /// The realm that the collection belongs to; nil when it is unmanaged.
  public var realm: Realm? { base.realm }

  /// Whether the collection can no longer be used.
  public var isInvalidated: Bool { base.isInvalidated }

  /// Returns the counterpart in another realm of its store; nil when it does not exist there.
  public func _resolved(in realm: Realm) -> AnyRealmCollection? {
    base._resolved(in: realm).map { AnyRealmCollection(erased: $0) }
  }

  /// The number of elements.
  public var count: Int { base.count }

  /// The element at a position, 0..<count. Traps when the position is out of range.
  public subscript(position: Int) -> Element { base[position] }

  /// Iterates over the elements with the iterator of the wrapped collection.
  public func makeIterator() -> RLMIterator<Element> { base.makeIterator() }

  /// The position of the first element that equals `object`, or nil. Takes the time that the wrapped collection takes.
  ///
  ///     let position = AnyRealmCollection(person.dogs).index(of: dog)
  public func index(of object: Element) -> Int? { base.index(of: object) }

  /// A description of the collection and its elements.
  public var description: String {
    "\(isInvalidated ? "[invalid " : "")AnyRealmCollection\(base.description.drop { $0 != "<" })"
  }

  /// Whether both wrap collections of one type that are equal.
  public static func == (a: AnyRealmCollection, b: AnyRealmCollection) -> Bool {
    func isEqual<C: RealmCollection>(_ base: C) -> Bool { base == b.base as? C }
    return isEqual(a.base)
  }

  /// The elements as results, on which queries are based. Traps when the collection is unmanaged.
  public func _asResults() -> Results<Element> { base._asResults() }
}
