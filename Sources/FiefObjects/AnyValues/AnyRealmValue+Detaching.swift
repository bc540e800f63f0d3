import FiefGraph
import FiefSessions

extension AnyRealmValue {
  /// The row that stores the list or dictionary, if the value is a managed one.
  var nestedRow: ObjectLink? {
    switch self {
    case .list(let list): list.location?.cell.object
    case .dictionary(let map): map.location?.cell.object
    default: nil
    }
  }

  /// Whether the value is a managed collection of the given session.
  func isNested(in session: Session) -> Bool {
    switch self {
    case .list(let list): list.location?.session === session
    case .dictionary(let map): map.location?.session === session
    default: false
    }
  }

  /// The value with every managed list or dictionary in it replaced by an unmanaged deep copy. Returns the value itself
  /// when nothing is managed. Takes time linear in the size of the nest.
  var detached: AnyRealmValue {
    switch self {
    case .list, .dictionary: NestCopy.holdsManaged(self) ? NestCopy.copy(self) : self
    default: self
    }
  }
}

/// Copies nests with a work list: each copy is inserted in its parent while empty, and filled later.
private enum NestCopy {
  static func holdsManaged(_ value: AnyRealmValue) -> Bool {
    var waiting = [value]
    var met: Set<ObjectIdentifier> = []
    while let value = waiting.popLast() {
      switch value {
      case .list(let list):
        if list.location != nil { return true }
        guard met.insert(ObjectIdentifier(list)).inserted else { continue }
        for element in list where element.isCollection { waiting.append(element) }
      case .dictionary(let map):
        if map.location != nil { return true }
        guard met.insert(ObjectIdentifier(map)).inserted else { continue }
        for (_, element) in map.keyedElements where element.isCollection { waiting.append(element) }
      default: break
      }
    }
    return false
  }

  static func copy(_ value: AnyRealmValue) -> AnyRealmValue {
    var waiting: [(source: AnyRealmValue, copy: AnyRealmValue)] = []
    // An unmanaged collection may occur in several places, or in itself; so must its copy. `value` retains all of them,
    // so their identifiers stay unique.
    var copies: [ObjectIdentifier: AnyRealmValue] = [:]
    func started(_ value: AnyRealmValue) -> AnyRealmValue {
      let copy: AnyRealmValue
      var unmanaged: ObjectIdentifier?
      switch value {
      case .list(let list):
        if list.location == nil { unmanaged = ObjectIdentifier(list) }
        copy = .list(List())
      case .dictionary(let map):
        if map.location == nil { unmanaged = ObjectIdentifier(map) }
        copy = .dictionary(Map())
      default: return value
      }
      if let unmanaged {
        if let known = copies[unmanaged] { return known }
        copies[unmanaged] = copy
      }
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

extension AnyRealmValue {
  /// Whether the value is a list or dictionary.
  var isCollection: Bool {
    switch self {
    case .list, .dictionary: true
    default: false
    }
  }
}
