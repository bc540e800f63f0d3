import FiefGraph
import Foundation

/// An ordered collection of values or objects, as a property of an object.
///
///     class Person: Object {
///       @Persisted var dogs: List<Dog>
///       @Persisted var lucky: List<Int>
///     }
///     try realm.write {
///       person.dogs.append(dog)
///       person.lucky.append(objectsIn: [3, 7])
///     }
///
/// Unmanaged, it holds its elements itself. Managed, it shows what the realm has: it is live, may be changed in write
/// transactions alone, and belongs to the realm's thread, queue or actor. Objects may be in it several times; objects
/// of an `EmbeddedObject` class belong to it and are deleted when they are removed.
///
/// Positions out of range trap, as those of arrays do. What the realm cannot take (an object of another realm) fails
/// the write, and changes nothing.
public final class List<Element: RealmCollectionValue>: CollectionBase {
  /// The elements of an unmanaged list.
  @exclusivity(unchecked) @usableFromInline final var unmanaged: [Element] = [] {
    didSet { checkOwnElements() }
  }

  /// An unmanaged list without elements.
  public override init() { super.init() }

  /// The managed list at a place.
  public override init(_ place: _CollectionPlace) { super.init(place) }

  deinit {
    isTracing = false
    ReleaseQueue.release(&unmanaged)
  }

  override func contents() -> [(key: String?, content: _Content)] {
    unmanaged.map { (nil, Element._content($0)) }
  }

  override func bind(_ place: CollectionPlace) {
    super.bind(place)
    unmanaged = []
  }
}

// MARK: - Reading

extension List: RealmCollection {
  /// 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The number of elements.
  public var endIndex: Int { count }

  /// The number of elements. Traps when the list's object was deleted.
  public var count: Int {
    if place == nil { return isTraced ? 1 : unmanaged.count }
    return storedCount
  }

  /// The element at a position, 0..<count: of an object, a fresh accessor each time. O(log count).
  ///
  /// Setting it puts a value in the place of another; an embedded object that stood there is deleted.
  @inlinable
  public subscript(position: Int) -> Element {
    get {
      if place == nil { return unmanagedElement(at: position) }
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

  /// The elements of a range of positions, as a window onto the list.
  ///
  /// Setting it replaces the elements of the range; the numbers need not be the same.
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

  /// Goes over the elements.
  ///
  /// Objects are gone over as they were when the iteration began: adding and removing elements does not disturb it, and
  /// deleted objects come as invalidated ones. In a write, other values are read by position as the list is then.
  @inlinable
  public func makeIterator() -> RLMIterator<Element> {
    if place == nil { return RLMIterator(isTraced ? [self[0]] : unmanaged) }
    return RLMIterator(walk: elementWalk(objects: Element.self is ObjectBase.Type), context: context)
  }

  /// The position of the first element that equals `object`, or nil. Objects are compared by row, or, when unmanaged,
  /// as `==` does. Linear.
  public func index(of object: Element) -> Int? {
    if place == nil { return unmanaged.firstIndex(of: object) }
    return storedIndex(of: Element._content(object))
  }
}

extension List: MutableCollection {}

extension List {
  /// The list with its elements, as text: up to a hundred of them.
  public var description: String { ObjectDescription.text(self) }
}

extension List: Hashable {
  /// Whether both are the same managed list (of one object and property, in one realm), or both are unmanaged and have
  /// equal elements in the same order.
  public static func == (a: List, b: List) -> Bool {
    if a === b { return true }
    switch (a.place, b.place) {
    case (nil, nil): return a.unmanaged == b.unmanaged
    case (let a?, let b?): return a.isSame(as: b)
    default: return false
    }
  }

  /// By place, or of an unmanaged list by the number of elements.
  public func hash(into hasher: inout Hasher) {
    if let place { place.hash(into: &hasher) } else { hasher.combine(unmanaged.count) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension List: _CollectionProperty, AnyPersistedField {
  public typealias PersistedType = List
  public typealias _Storage = List

  public static var _facts: _TypeFacts { .collection(of: Element.self, .list) }
}

extension List: _LinkHolding where Element: _LinkHolding {}
