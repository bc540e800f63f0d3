import FiefGraph
import Foundation

/// A collection in which every element is once, as a property of an object.
///
///     class Person: Object {
///       @Persisted var dogs: MutableSet<Dog>
///       @Persisted var tags: MutableSet<String>
///     }
///
/// Objects of a realm are told apart by row, unmanaged ones as `==` does, values by what they mean. A managed set is in
/// the order of its values (objects in that of their age), so that positions shift when elements come and go; an
/// unmanaged one is in the order of insertion.
///
/// Managed, it is live, may be changed in write transactions alone, and belongs to the realm's thread, queue or actor.
public final class MutableSet<Element: RealmCollectionValue>: CollectionBase {
  /// The elements of an unmanaged set.
  @exclusivity(unchecked) final var unmanaged = UnmanagedSet<Element>() {
    didSet { checkOwnElements() }
  }

  /// An unmanaged set without elements.
  public override init() { super.init() }

  /// The managed set at a place.
  public override init(_ place: _CollectionPlace) { super.init(place) }

  deinit {
    isTracing = false
    var elements = unmanaged.takeElements()
    ReleaseQueue.release(&elements)
  }

  override func contents() -> [(key: String?, content: _Content)] {
    unmanaged.elements.map { (nil, Element._content($0)) }
  }

  override func bind(_ place: CollectionPlace) {
    super.bind(place)
    unmanaged = UnmanagedSet()
  }
}

extension MutableSet: RealmCollection {
  /// 0.
  public var startIndex: Int { 0 }

  /// The number of elements.
  public var endIndex: Int { count }

  /// The number of elements. Traps when the set's object was deleted.
  public var count: Int {
    if place == nil { return isTraced ? 1 : unmanaged.elements.count }
    return storedCount
  }

  /// The element at a position, 0..<count: of an object, a fresh accessor each time. O(log count).
  public subscript(position: Int) -> Element {
    if place != nil { return Element._fromStored(storedValue(at: position), context) }
    if isTraced { return Tracing.element(Element.self) }
    let elements = unmanaged.elements
    if position < 0 || position >= elements.count { Misuse.outOfRange(position, elements.count) }
    return elements[position]
  }

  /// Goes over the elements.
  ///
  /// Objects are gone over as they were when the iteration began: adding and removing elements does not disturb it, and
  /// deleted objects come as invalidated ones. In a write, other values are read by position as the set is then.
  public func makeIterator() -> RLMIterator<Element> {
    if place == nil { return RLMIterator(isTraced ? [self[0]] : unmanaged.elements) }
    return RLMIterator(walk: elementWalk(objects: Element.self is ObjectBase.Type), context: context)
  }

  /// The position of an element, or nil; it changes with what else is in the set. O(log count) in a managed set.
  public func index(of object: Element) -> Int? {
    if place == nil { return unmanaged.contains(object) ? unmanaged.elements.firstIndex(of: object) : nil }
    return storedIndex(of: Element._content(object))
  }

  /// Whether the set has the element. O(log count).
  public func contains(_ element: Element) -> Bool {
    if place == nil { return unmanaged.contains(element) }
    return storedIndex(of: Element._content(element)) != nil
  }
}

extension MutableSet {
  /// The set with its elements, as text: up to a hundred of them.
  public var description: String { ObjectDescription.text(self) }
}

extension MutableSet: Hashable {
  /// Whether both are the same managed set (of one object and property, in one realm), or both are unmanaged and have
  /// the same elements.
  public static func == (a: MutableSet, b: MutableSet) -> Bool {
    if a === b { return true }
    switch (a.place, b.place) {
    case (nil, nil): return a.unmanaged.hasSameElements(as: b.unmanaged)
    case (let a?, let b?): return a.isSame(as: b)
    default: return false
    }
  }

  /// By place, or of an unmanaged set by the number of elements.
  public func hash(into hasher: inout Hasher) {
    if let place { place.hash(into: &hasher) } else { hasher.combine(unmanaged.elements.count) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MutableSet: _CollectionProperty, AnyPersistedField {
  public typealias PersistedType = MutableSet
  public typealias _Storage = MutableSet

  public static var _facts: _TypeFacts {
    var facts = _TypeFacts.collection(of: Element.self, .set)
    if facts.problem == nil, facts.target is EmbeddedObject.Type {
      facts.problem = "cannot be a set of embedded objects: use a list"
    }
    return facts
  }
}

extension MutableSet: _LinkHolding where Element: _LinkHolding {}
