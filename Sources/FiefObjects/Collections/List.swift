import FiefGraph
import FiefSessions
import Foundation

/// An ordered collection of values or objects as a property of an object.
///
///     class Person: Object {
///       @Persisted var name = ""
///       @Persisted var dogs: List<Dog>
///       @Persisted var lucky: List<Int>
///     }
///     try realm.write {
///       person.dogs.append(dog)
///       person.lucky.append(objectsIn: [3, 7])
///     }
///     for dog in person.dogs { print(dog.name) }
///     let old = person.dogs.where { $0.age > 9 }        // a query, live
///
/// An unmanaged list holds its elements itself. A managed list shows the realm's data: it is live, can be changed only
/// in write transactions, and belongs to the realm's thread, queue or actor. It may contain an object several times.
/// Objects of an `EmbeddedObject` class belong to the list and are deleted when they are removed.
///
/// Changing a managed list traps outside a write transaction, and when the list is frozen or its object was deleted.
/// Positions out of range trap, as in arrays. An element that the realm cannot store (an object of another realm) fails
/// the write, and changes nothing.
///
/// The complexities of the methods are those of a managed list of n elements. An unmanaged list costs as much as an
/// array.
public final class List<Element: RealmCollectionValue>: CollectionBase {
  /// The elements of an unmanaged list.
  @safe @exclusivity(unchecked) @usableFromInline package final var unmanaged: [Element] = [] {
    didSet { checkOwnElements() }
  }

  /// Makes an unmanaged list without elements.
  ///
  ///     let numbers = List<Int>()
  ///     numbers.append(objectsIn: [3, 7])
  public override init() { super.init() }

  /// The managed list of a property.
  public override init(_ location: _CollectionLocation) { super.init(location) }

  deinit {
    isTracing = false
    ReleaseQueue.release(&unmanaged)
  }

  override func contents() -> [(key: String?, content: _PropertyContent)] {
    unmanaged.map { (nil, Element._encode($0)) }
  }

  override func bind(_ location: CollectionLocation) {
    super.bind(location)
    unmanaged = []
  }
}

// MARK: - Reading

extension List {
  /// The position of the first element, always 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The position after the last element: the number of elements.
  public var endIndex: Int { count }

  /// The number of elements. Traps when the list's object was deleted.
  public var count: Int {
    if location == nil { return isTraced ? 1 : unmanaged.count }
    return storedCount
  }

  /// The element at a position, 0..<count; an object gets a new accessor on each read.
  ///
  /// Setting replaces the element, like `replace(index:object:)`; an embedded object at that position is deleted. Traps
  /// when the position is out of range.
  ///
  ///     let first = person.dogs[0]
  ///     try realm.write { person.dogs[0] = dog }
  ///
  /// - Complexity: O(log n).
  @inlinable
  public subscript(position: Int) -> Element {
    get {
      if location == nil { return unmanagedElement(at: position) }
      return Element._fromStored(storedValue(at: position), context)
    }
    set { replace(index: position, object: newValue) }
  }

  @usableFromInline
  final func unmanagedElement(at position: Int) -> Element {
    if isTraced { return Tracing.element(Element.self) }
    if position < 0 || position >= unmanaged.count { Misuse.outOfRange(position, unmanaged.count) }
    return unmanaged[position]
  }

  /// The elements of a range of positions, as a slice of the list, which shows later changes too.
  ///
  ///     for dog in person.dogs[1..<3] { print(dog.name) }
  ///
  /// Setting replaces the elements of the range; the number of elements may differ. Traps when the range is out of
  /// bounds.
  ///
  /// - Complexity: O(1) for reading; that of `replaceSubrange(_:with:)` for setting.
  public subscript(bounds: Range<Int>) -> Slice<List> {
    get {
      checkRange(bounds)
      return Slice(base: self, bounds: bounds)
    }
    set { replaceSubrange(bounds, with: newValue) }
  }

  final func checkRange(_ range: Range<Int>) {
    let count = count
    if range.lowerBound < 0 || range.upperBound > count {
      Misuse.outOfRange(range.lowerBound < 0 ? range.lowerBound : range.upperBound, count)
    }
  }

  /// Iterates over the elements.
  ///
  ///     try realm.write {
  ///       for dog in person.dogs where dog.age > 9 { realm.delete(dog) }
  ///     }
  ///
  /// Objects are those that the list had when the iteration began. Adding and removing elements does not disturb it,
  /// and deleted objects appear as invalidated objects. In a write, other values are read by position from the current
  /// list.
  @inlinable
  public func makeIterator() -> RLMIterator<Element> {
    if location == nil { return RLMIterator(isTraced ? [self[0]] : unmanaged) }
    return RLMIterator(walk: elementWalk(objects: Element.self is ObjectBase.Type), context: context)
  }

  /// The position of the first element that equals `object`, or nil. Objects are compared by row; in an unmanaged list,
  /// elements are compared by `==`, and strings by their bytes.
  ///
  ///     if let position = person.dogs.index(of: dog) { try realm.write { person.dogs.remove(at: position) } }
  ///
  /// An unmanaged object, and an object of another realm, is not in a managed list. Values of types that are mapped to
  /// embedded objects or any-values are compared by `==` there, too. Traps for a deleted object.
  ///
  /// - Complexity: O(n).
  public func index(of object: Element) -> Int? {
    if location == nil { return unmanaged.firstIndex { Element.areEqual($0, object) } }
    if Element._facts.isConvertedToRows { return firstIndex { Element.areEqual($0, object) } }
    return storedIndex(of: Element._encode(object))
  }
}

extension List: RealmCollectionBase, MutableCollection {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension List: _CollectionProperty, AnyPersistedField {
  public typealias PersistedType = List
  public typealias _Storage = List

  public static var _facts: _TypeFacts { .collection(of: Element.self, .list) }

  public func _hasEqualElements(_ other: List) -> Bool {
    unmanaged.elementsEqual(other.unmanaged, by: Element.areEqual)
  }
}

extension List: _LinkHolding where Element: _LinkHolding {}
