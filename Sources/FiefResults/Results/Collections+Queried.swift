import FiefGraph
import FiefObjects
import FiefSessions

extension List {
  /// The elements as results, on which queries are based. Traps when the list is unmanaged.
  public func _asResults() -> Results<Element> { Results(storedCore(of: Element.self)) }
}

extension MutableSet {
  /// The elements as results, on which queries are based. Traps when the set is unmanaged.
  public func _asResults() -> Results<Element> { Results(storedCore(of: Element.self)) }
}

extension Map {
  /// The values as results, on which queries are based. Traps when the map is unmanaged.
  func asResults() -> Results<Value> { Results(storedCore(of: Value.self)) }
}

extension CollectionBase {
  /// The core of results over the managed collection.
  final func storedCore<Element>(of type: Element.Type) -> ResultsStorage {
    guard let location else { Misuse.unmanaged("A query") }
    return ResultsStorage(location.session, .collection(location), isMapped: !(Element.self is ObjectBase.Type))
  }
}
