import FiefGraph
import FiefSessions

extension AnyRealmValue {
  /// The list or dictionary, if the value is one.
  var collection: CollectionBase? {
    switch self {
    case .list(let list): list
    case .dictionary(let map): map
    default: nil
    }
  }

  /// The lists and dictionaries among the elements, if the value is one of these.
  fileprivate var nestedCollections: [AnyRealmValue] {
    switch self {
    case .list(let list): list.filter { $0.collection != nil }
    case .dictionary(let map): map.values.filter { $0.collection != nil }
    default: []
    }
  }

  /// The value with every managed list or dictionary in it replaced by an unmanaged deep copy. Returns the value itself
  /// when nothing is managed. Takes time linear in the size of the nest.
  var detached: AnyRealmValue {
    collection != nil && NestCopy.holdsManaged(self) ? NestCopy.copy(self) : self
  }
}

/// Copies nests with a work list: each copy is inserted in its parent while empty, and filled later.
private enum NestCopy {
  static func holdsManaged(_ value: AnyRealmValue) -> Bool {
    var waiting = [value]
    var met: Set<ObjectIdentifier> = []
    while let value = waiting.popLast(), let collection = value.collection {
      if collection.location != nil { return true }
      if met.insert(ObjectIdentifier(collection)).inserted { waiting += value.nestedCollections }
    }
    return false
  }

  static func copy(_ value: AnyRealmValue) -> AnyRealmValue {
    var waiting: [(source: AnyRealmValue, copy: AnyRealmValue)] = []
    // An unmanaged collection may occur in several places, or in itself; so must its copy. `value` retains all of them,
    // so their identifiers stay unique.
    var copies: [ObjectIdentifier: AnyRealmValue] = [:]
    func started(_ value: AnyRealmValue) -> AnyRealmValue {
      guard let collection = value.collection else { return value }
      if let known = copies[ObjectIdentifier(collection)] { return known }
      let copy: AnyRealmValue = if case .list = value { .list(List()) } else { .dictionary(Map()) }
      if collection.location == nil { copies[ObjectIdentifier(collection)] = copy }
      waiting.append((value, copy))
      return copy
    }
    let root = started(value)
    while let (source, copy) = waiting.popLast() {
      switch (source, copy) {
      case (.list(let source), .list(let copy)): copy.unmanaged = source.map(started)
      case (.dictionary(let source), .dictionary(let copy)):
        for (key, value) in source.keyedElements { copy[key] = started(value) }
      default: break
      }
    }
    return root
  }
}
