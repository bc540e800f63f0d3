import FiefObjects
import FiefSessions
public import Foundation

/// A collection of a realm: `List`, `MutableSet`, `Results`, `LinkingObjects` or `AnyRealmCollection`.
///
///     func names<C: RealmCollection>(_ dogs: C) -> [String] where C.Element == Dog { dogs.map { $0.name } }
///
/// Queries (`where`, `filter`, `sorted`), `freeze` and `observe` trap for an unmanaged collection. Sums and
/// `index(matching:)` work for it too. Queries of the `LinkingObjects` of an unmanaged object find nothing.
public protocol RealmCollection<Element>: RealmCollectionBase, RealmSubscribable, _QueriedCollection
where
  Iterator == RLMIterator<Element>, Index == Int, Indices == Range<Int>, _Change == RealmCollectionChange<Self>,
  _ObservedElement == Element
{
  /// The position of the first element that equals `object`, or nil. Managed objects are compared by row. Linear,
  /// unless the collection states otherwise.
  func index(of object: Element) -> Int?
}

extension RealmCollection {
  /// The position of the first element, always 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The position after the last element: the number of elements.
  @inlinable
  public var endIndex: Int { count }

  /// The elements at the given positions, in ascending order.
  ///
  ///     let chosen = dogs.objects(at: IndexSet([0, 2]))
  ///
  /// - Parameter indexes: positions in 0..<count; traps when one is out of range.
  public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }

  /// All elements.
  public var _elements: [Element] { Array(self) }
}

extension RealmCollectionBase {
  /// Traps when the collection was deleted and no write is in progress. The deletion is reported before the missing
  /// write.
  func checkPresence(in session: Session) {
    // Reading a deleted collection traps with a message about the collection.
    if session.transaction == nil && !session.isFrozen { _ = startIndex == endIndex }
  }
}

/// What queries select, order and sum up: the elements of a `RealmCollection`, or the values of a `Map`. Applications
/// do not conform to it.
public protocol _QueriedCollection: _Observed where _ObservedElement: RealmCollectionValue {
  /// All elements, in order. Linear.
  var _elements: [_ObservedElement] { get }

  /// The elements as results, on which queries are based. Traps when the collection is unmanaged.
  func _asResults() -> Results<_ObservedElement>
}

extension List: RealmCollection {}
extension MutableSet: RealmCollection {}

// The results of a map of objects never contain its entries with null.
extension Map: _QueriedCollection {
  /// All values.
  public var _elements: [Value] { values }
}

extension _QueriedCollection where Self: CollectionBase {
  /// The elements as results, on which queries are based. Traps when the collection is unmanaged.
  public func _asResults() -> Results<_ObservedElement> {
    guard let location else { Misuse.unmanaged("A query") }
    let isMapped = !(_ObservedElement.self is ObjectBase.Type)
    return Results(ResultsStorage(location.session, of: .collection(location), isMapped: isMapped))
  }
}

/// An optional object: the type of the values in maps of objects.
public protocol _OptionalObject {
  /// The class of the object.
  associatedtype Wrapped: ObjectBase
}

extension Optional: _OptionalObject where Wrapped: ObjectBase {}

extension _Persistable {
  /// The stored form of the value.
  var content: _PropertyContent { Self._encode(self) }
}
