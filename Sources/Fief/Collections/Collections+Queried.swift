import FiefGraph

extension List {
  /// The elements, as what queries go out from. Traps when it is unmanaged.
  public func _asResults() -> Results<Element> { Results(storedCore(of: Element.self)) }
}

extension MutableSet {
  /// The elements, as what queries go out from. Traps when it is unmanaged.
  public func _asResults() -> Results<Element> { Results(storedCore(of: Element.self)) }
}

extension Map {
  /// The values, as what queries go out from. Traps when it is unmanaged.
  func asResults() -> Results<Value> { Results(storedCore(of: Value.self)) }
}

extension CollectionBase {
  /// What queries of the managed collection go out from.
  final func storedCore<Element>(of type: Element.Type) -> ResultsCore {
    guard let place else { Misuse.unmanaged("A query") }
    return ResultsCore(place.session, .collection(place), isMapped: !(Element.self is ObjectBase.Type))
  }
}
