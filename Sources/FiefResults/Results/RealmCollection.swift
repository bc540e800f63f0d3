import FiefObjects
import FiefSessions
public import Foundation

/// A collection of a realm: `List`, `MutableSet`, `Results`, `LinkingObjects` or `AnyRealmCollection`.
///
///     func names<C: RealmCollection>(_ dogs: C) -> [String] where C.Element == Dog { dogs.map { $0.name } }
///
/// Queries (`where`, `filter`, `sorted`), `freeze` and `observe` trap for an unmanaged collection. Sums and
/// `index(matching:)` work for it too.
public protocol RealmCollection<Element>: RealmCollectionBase, RealmSubscribable, _Observed
where
  Iterator == RLMIterator<Element>, Index == Int, Indices == Range<Int>, _Change == RealmCollectionChange<Self>,
  _ObservedElement == Element
{
  /// The position of the first element that equals `object`, or nil. Managed objects are compared by row. Linear,
  /// unless the collection states otherwise.
  func index(of object: Element) -> Int?

  /// The elements as results, on which queries are based. Traps when the collection is unmanaged.
  func _asResults() -> Results<Element>
}

extension RealmCollection {
  /// The elements at the given positions, in ascending order.
  ///
  ///     let chosen = dogs.objects(at: IndexSet([0, 2]))
  ///
  /// - Parameter indexes: positions in 0..<count; traps when one is out of range.
  public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }
}

extension RealmCollectionBase {
  /// Traps when the collection was deleted and no write is in progress. The deletion is reported before the missing
  /// write.
  func checkPresence(in session: Session) {
    // Reading a deleted collection traps with a message about the collection.
    if session.transaction == nil && !session.isFrozen { _ = startIndex == endIndex }
  }
}
