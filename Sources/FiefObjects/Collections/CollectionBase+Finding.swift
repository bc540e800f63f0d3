import FiefGraph
import FiefSessions

extension CollectionBase {
  /// The position of the stored form of `content` in a managed list or set, or nil. O(log count) in sets, linear in
  /// lists.
  final func storedIndex(of content: _PropertyContent) -> Int? {
    guard let location else { return nil }
    let contents = borrowedContents(location)
    guard let value = location.presentValue(content), let elements = contents as? AnyStoredElements else { return nil }
    if location.type.shape == .set {
      let (position, isPresent) = elements.find(value, as: location.type)
      return isPresent ? position : nil
    }
    if location.type.kind == .link {
      guard let link = value.linked, link.table == location.type.target else { return nil }
      return elements.rowKeys.firstIndex(of: link.key.rawValue)
    }
    var position = 0
    var found: Int?
    elements.forEach(as: location.type) { element in
      if element.isNull == value.isNull && StoredOrder.compare(element, value) == 0 { found = position }
      position += 1
      return found == nil
    }
    return found
  }
}

extension _CollectionLocation {
  /// The stored form of a content that the collection can contain; nil for an object that is unmanaged or belongs to
  /// another realm, and for such a nested collection. Traps for a deleted object.
  func presentValue(_ content: _PropertyContent) -> StoredValue? {
    switch content {
    case .value(let value): return value
    case .object(let object):
      guard let other = object.retainedSession, let link = object.rowLink else { return nil }
      guard other.sees(sameAs: session) else { return session.counterpart(of: link, in: other).map { .link($0) } }
      if !object.hasRow { Misuse.invalidated(object) }
      return .link(link)
    case .collection(let collection):
      // A nested collection equals itself alone.
      guard let place = (collection as? CollectionBase)?.location, place.property == nil else { return nil }
      return place.session.sees(sameAs: session) ? .link(place.cell.object) : nil
    }
  }
}
