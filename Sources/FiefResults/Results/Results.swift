import FiefGraph
import FiefObjects
import FiefSessions

/// A live collection of the objects of a class, or of the elements of another collection, as a query selects and orders
/// them.
///
///     let dogs = realm.objects(Dog.self)
///     let young = dogs.where { $0.age < 3 }.sorted(by: \.name)
///     for dog in young { print(dog.name) }
///     if let first = young.first { print(young.count, first.name) }
///
/// It reflects the realm's current state; during a write, also the changes of that write. It is evaluated on the first
/// read, and again after the realm has changed. In between, finding the element at a position takes constant time.
/// Counting all objects of a class and finding the first and last of them need no evaluation.
///
/// It belongs to the realm's thread, queue or actor; `freeze()` returns results that any thread may use.
///
/// Reading elements traps off that thread, queue or actor, and after the realm was invalidated.
///
/// - Complexity: an evaluation takes O(n) for n objects, or O(log n) and the number of matches if the query can use an
///   index. A sort order adds O(m log m) for m matches.
@frozen
public struct Results<Element: RealmCollectionValue>: RealmCollection {
  @usableFromInline let core: ResultsStorage

  @inlinable
  init(_ core: ResultsStorage) { self.core = core }

  // MARK: State

  /// The realm of the results; nil for a query of the linking objects of an unmanaged object. May be read on any
  /// thread.
  ///
  ///     try dogs.realm?.write { dogs.first?.age += 1 }
  public var realm: Realm? { core.realm }

  /// Whether its realm was invalidated, or the object that owns its list was deleted. The results of such a list are
  /// empty.
  public var isInvalidated: Bool { core.isInvalidated }

  /// Returns the results in another realm of their store; nil when the underlying collection does not exist there.
  public func _resolved(in realm: Realm) -> Results? {
    let core = core.moved(to: realm.session)
    return core.isInvalidated ? nil : Results(core)
  }

  // MARK: Elements

  /// The number of elements.
  ///
  ///     let old = dogs.where { $0.age > 9 }.count
  ///
  /// - Complexity: O(1) for all objects of a class. O(log n) for an index on the compared property; otherwise that of
  ///   an evaluation, whose result is kept until the realm changes.
  @inlinable
  public var count: Int { core.count }

  /// The element at a position, 0..<count; an object gets a new accessor on each read. Traps when the position is out
  /// of range.
  ///
  ///     let youngest = dogs.sorted(by: \.age)[0]
  ///
  /// - Complexity: O(1) after an evaluation.
  @inlinable
  public subscript(position: Int) -> Element {
    if core.givesRows { return unsafe unsafeBitCast(core.object(at: position), to: Element.self) }
    return Element._fromStored(core.value(at: position), core.context)
  }

  /// Whether there are no elements. Before evaluation the search ends at the first match.
  ///
  ///     if dogs.where({ $0.age > 20 }).isEmpty { print("No dog is that old.") }
  ///
  /// - Complexity: O(1) for all objects of a class; otherwise at most that of an evaluation.
  public var isEmpty: Bool { core.isEmpty }

  /// The first element, or nil. Before evaluation the search ends at the first match; a sort order needs an evaluation.
  ///
  ///     if let rex = dogs.where({ $0.name == "Rex" }).first { print(rex.age) }
  public var first: Element? { core.count(upTo: 1) == 0 ? nil : self[0] }

  /// The first elements, at most `maxLength`. Before evaluation the search ends at the last of them; a sort order needs
  /// an evaluation. `limit(_:offset:)` finds a few elements of an order without sorting the others.
  ///
  ///     for dog in dogs.where({ $0.age > 2 }).prefix(10) { print(dog.name) }
  ///
  /// - Parameter maxLength: the maximum number of elements; not negative.
  public func prefix(_ maxLength: Int) -> Slice<Results> {
    if maxLength < 0 { fatalError("A prefix of \(maxLength) elements makes no sense: give a number from 0 on.") }
    return Slice(base: self, bounds: 0..<core.count(upTo: maxLength))
  }

  /// The last element, or nil.
  ///
  ///     let newest = realm.objects(Dog.self).last
  ///
  /// - Complexity: O(1) for all objects of a class; otherwise that of an evaluation.
  public var last: Element? {
    if core.givesRows { return core.lastObject.map { unsafe unsafeBitCast($0, to: Element.self) } }
    return isEmpty ? nil : self[count - 1]
  }

  /// Iterates over the elements that exist when the iteration begins.
  ///
  ///     try realm.write {
  ///       for dog in dogs.where({ $0.age == 3 }) { dog.age = 4 }          // no dog of 3 years is left out
  ///     }
  ///
  /// Changes of the realm do not disturb the iteration. Objects that were deleted in the meantime appear as invalidated
  /// objects.
  @inlinable
  public func makeIterator() -> RLMIterator<Element> { RLMIterator(walk: core.walk(), context: core.context) }

  /// The position of the first element that equals `object`, or nil. Objects are compared by row.
  ///
  ///     let row = dogs.sorted(by: \.name).index(of: dog)
  ///
  /// An unmanaged object, and an object of another realm, has no position. Traps for a deleted object.
  ///
  /// - Complexity: O(log n) for all objects of a class; O(n) otherwise.
  public func index(of object: Element) -> Int? { core.index(of: Element._encode(object)) }

  /// A description of the collection with at most 100 of its elements.
  public var description: String { CollectionDescription.of(self, kind: "Results", identity: core) }

  /// Whether both are the same instance of a view; two equal queries are not equal.
  ///
  ///     print(dogs == dogs, realm.objects(Dog.self) == realm.objects(Dog.self))          // true false
  public static func == (a: Results, b: Results) -> Bool { a.core === b.core }

  /// Returns these results, on which queries are based.
  @inlinable
  public func _asResults() -> Results { self }
}
