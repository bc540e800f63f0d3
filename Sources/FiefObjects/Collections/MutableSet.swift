import FiefGraph
import FiefSessions
import Foundation

/// A collection of distinct elements as a property of an object.
///
///     class Person: Object {
///       @Persisted var dogs: MutableSet<Dog>
///       @Persisted var tags: MutableSet<String>
///     }
///     try realm.write {
///       person.tags.insert("tall")
///       person.tags.formUnion(other.tags)
///     }
///     print(person.tags.contains("tall"))
///
/// Objects of a realm are compared by row, unmanaged objects by `==`, and values by their meaning. A managed set is
/// ordered by its values (objects by age), so positions shift when elements are inserted or removed. An unmanaged set
/// is in insertion order.
///
/// A managed set is live, can be changed only in write transactions, and belongs to the realm's thread, queue or actor.
/// Changing it traps outside a write transaction, and when the set is frozen or its object was deleted. An element that
/// the realm cannot store (an object of another realm) fails the write, and changes nothing.
///
/// The complexities of the methods are those of a managed set of n elements, unless they name the unmanaged one.
public final class MutableSet<Element: RealmCollectionValue>: CollectionBase {
  /// The elements of an unmanaged set.
  @safe @exclusivity(unchecked) package final var unmanaged = UnmanagedSet<Element>() {
    didSet { checkOwnElements() }
  }

  /// Makes an unmanaged set without elements.
  ///
  ///     let tags = MutableSet<String>()
  ///     tags.insert(objectsIn: ["tall", "shy", "tall"])
  ///     print(tags.count)          // 2
  public override init() { super.init() }

  /// The managed set of a property.
  public override init(_ location: _CollectionLocation) { super.init(location) }

  deinit {
    isTracing = false
    var elements = unmanaged.takeElements()
    ReleaseQueue.release(&elements)
  }

  override func contents() -> [(key: String?, content: _PropertyContent)] {
    unmanaged.elements.map { (nil, Element._encode($0)) }
  }

  override func bind(_ location: CollectionLocation) {
    super.bind(location)
    unmanaged = UnmanagedSet()
  }
}

extension MutableSet {
  /// The position of the first element, always 0.
  public var startIndex: Int { 0 }

  /// The position after the last element: the number of elements.
  public var endIndex: Int { count }

  /// The number of elements. Traps when the set's object was deleted.
  public var count: Int {
    if location == nil { return isTraced ? 1 : unmanaged.elements.count }
    return storedCount
  }

  /// The element at a position, 0..<count; an object gets a new accessor on each read. Traps when the position is out
  /// of range.
  ///
  ///     try realm.write { person.tags.insert(objectsIn: ["tall", "shy"]) }
  ///     print(person.tags[0])          // shy
  ///
  /// - Complexity: O(log n); O(1) in an unmanaged set.
  public subscript(position: Int) -> Element {
    if location != nil { return Element._fromStored(storedValue(at: position), context) }
    if isTraced { return Tracing.element(Element.self) }
    let elements = unmanaged.elements
    if position < 0 || position >= elements.count { Misuse.outOfRange(position, elements.count) }
    return elements[position]
  }

  /// Iterates over the elements.
  ///
  ///     for tag in person.tags { print(tag) }
  ///
  /// Objects are those that the set had when the iteration began. Adding and removing elements does not disturb it, and
  /// deleted objects appear as invalidated objects. In a write, other values are read by position from the current set.
  public func makeIterator() -> RLMIterator<Element> {
    if location == nil { return RLMIterator(isTraced ? [self[0]] : unmanaged.elements) }
    return RLMIterator(walk: elementWalk(objects: Element.self is ObjectBase.Type), context: context)
  }

  /// The position of an element, or nil; it depends on the other elements. Traps for a deleted object.
  ///
  ///     if let position = person.tags.index(of: "tall") { print(position) }
  ///
  /// - Complexity: O(log n).
  public func index(of object: Element) -> Int? {
    if location == nil { return unmanaged.index(of: object) }
    return storedIndex(of: Element._encode(object))
  }

  /// Whether the set has the element. Traps for a deleted object.
  ///
  ///     if person.tags.contains("tall") { print(person.name) }
  ///
  /// - Complexity: O(log n); O(1) in an unmanaged set.
  public func contains(_ element: Element) -> Bool {
    if location == nil { return unmanaged.contains(element) }
    return storedIndex(of: Element._encode(element)) != nil
  }
}

extension MutableSet: RealmCollectionBase {}

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

  public func _hasEqualElements(_ other: MutableSet) -> Bool { unmanaged.hasSameElements(as: other.unmanaged) }
}

extension MutableSet: _LinkHolding where Element: _LinkHolding {}
