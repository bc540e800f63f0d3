import FiefGraph

/// The objects of a class, or the elements of a collection, as a query finds them.
///
///     let dogs = realm.objects(Dog.self)
///     for dog in dogs { print(dog.name) }
///
/// It is live: it shows what the realm has at each moment, in a write also what that write has done so far. It is
/// evaluated when it is first read, and again when the realm has changed; in between positions are found in constant
/// time. All objects of a class are counted, and the first and the last of them found, without evaluation.
///
/// It belongs to the realm's thread, queue or actor; `freeze()` gives one that may be used anywhere.
@frozen
public struct Results<Element: RealmCollectionValue>: RealmCollection {
  @usableFromInline let core: ResultsCore

  @inlinable
  init(_ core: ResultsCore) { self.core = core }

  // MARK: State

  /// The realm that it looks at.
  public var realm: Realm? { Realm(core.session) }

  /// Whether its realm was invalidated, or the object whose list it looks at is gone; of such a list it shows nothing.
  public var isInvalidated: Bool { core.isInvalidated }

  /// Whether it is frozen: shows one version for ever, to any thread.
  public var isFrozen: Bool { core.session.isFrozen }

  /// The same as of now, for ever, readable from any thread.
  public func freeze() -> Results { Results(core.seen(by: core.session.frozen())) }

  /// The live counterpart in the realm of the running thread; nil when what it looks at is not there.
  public func thaw() -> Results? {
    let core = core.seen(by: core.session.thawed())
    return core.isInvalidated ? nil : Results(core)
  }

  // MARK: Elements

  /// 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The number of elements.
  @inlinable
  public var endIndex: Int { count }

  /// The number of elements. Constant time for all objects of a class.
  @inlinable
  public var count: Int { core.count }

  /// The element at a position, 0..<count: of an object, a fresh accessor each time.
  @inlinable
  public subscript(position: Int) -> Element {
    if core.givesRows { return unsafeBitCast(core.object(at: position), to: Element.self) }
    return Element._fromStored(core.value(at: position), core.context)
  }

  /// Whether there is no element. What was not evaluated is looked through no further than to the first.
  public var isEmpty: Bool { core.isEmpty }

  /// The first element, or nil. What was not evaluated is looked through no further than to that; of an order the first
  /// is found without sorting the others, in linear time.
  public var first: Element? { core.count(upTo: 1) == 0 ? nil : self[0] }

  /// The first elements, no more than `maxLength`. What was not evaluated is looked through no further than to the last
  /// of them; of an order a few are found without sorting the others, in linear time.
  ///
  ///     for dog in dogs.where({ $0.age > 2 }).prefix(10) { print(dog.name) }
  ///
  /// - Parameter maxLength: how many are wanted; not negative.
  public func prefix(_ maxLength: Int) -> Slice<Results> {
    if maxLength < 0 { fatalError("A prefix of \(maxLength) elements makes no sense: give a number from 0 on.") }
    return Slice(base: self, bounds: 0..<core.count(upTo: maxLength))
  }

  /// The last element, or nil.
  public var last: Element? {
    if core.givesRows { return core.lastObject.map { unsafeBitCast($0, to: Element.self) } }
    return isEmpty ? nil : self[count - 1]
  }

  /// Goes over the elements as they are when the iteration begins.
  ///
  /// Changing the realm does not disturb it; objects that were deleted since come as invalidated ones.
  @inlinable
  public func makeIterator() -> RLMIterator<Element> { RLMIterator(walk: core.walk(), context: core.context) }

  /// The position of the first element that equals `object`, or nil: objects are compared by row. Logarithmic for all
  /// objects of a class, linear otherwise. Traps for an object that was deleted.
  public func index(of object: Element) -> Int? { core.index(of: Element._content(object)) }

  /// The collection with its elements, as text: up to a hundred of them.
  public var description: String { CollectionDescription.of(self, "Results", core) }

  /// Whether both are one and the same view; two equal queries are not.
  public static func == (a: Results, b: Results) -> Bool { a.core === b.core }

  /// The elements, as what queries go out from.
  @inlinable
  public func _asResults() -> Results { self }
}
