import FiefRuntime
import Foundation

/// One level of an array or a dictionary of any sort.
///
/// Nothing inside is looked at, so that depth does not matter. What tells it from others comes with it, by which it is
/// known whether it contains itself (`ContainerPaths`). Ordered sets are arrays here.
enum UntypedContainer {
  case array([Any], ContainerIdentity?)
  case dictionary([String: Any], ContainerIdentity?)

  /// The container that something is, which is no optional; nil for anything else, and for a dictionary with other keys
  /// than texts.
  static func of(_ value: Any) -> UntypedContainer? {
    if let array = Existential.value(value, as: [Any].self) { return .array(array, ContainerIdentity(array)) }
    if let dictionary = Existential.value(value, as: [String: Any].self) {
      return .dictionary(dictionary, ContainerIdentity(dictionary))
    }
    if !Untyped.isObject(value) {
      // A search for a conformance costs as much as ten entries: dictionaries are looked for first, as objects are
      // given as such, and an array is the one or other property of theirs.
      if let dictionary = value as? any UntypedDictionary {
        return dictionary.entries.map { .dictionary($0, dictionary.identity) }
      }
      return (value as? any UntypedArray).map { .array($0.anys, $0.identity) }
    }
    switch value as AnyObject {
    case let array as NSArray:
      return .array(FoundationContents.of(array), ContainerIdentity(array, count: array.count))
    case let set as NSOrderedSet:
      return .array(FoundationContents.of(set), ContainerIdentity(set, count: set.count))
    case let dictionary as NSDictionary:
      let identity = ContainerIdentity(dictionary, count: dictionary.count)
      return FoundationContents.of(dictionary, name: Untyped.text).map { .dictionary($0, identity) }
    default: return nil
    }
  }

  /// The elements of something that is no optional, when it is a sequence of elements and not of characters, bytes or
  /// entries.
  static func elements(_ value: Any) -> [Any]? {
    func all<S: Sequence>(_ sequence: S) -> [Any] { sequence.map { $0 as Any } }
    switch of(value) {
    case .array(let elements, _): return elements
    case .dictionary: return nil
    case nil: break
    }
    if Untyped.isObject(value) {
      switch value as AnyObject {
      case let set as NSSet: return FoundationContents.of(set)
      case is NSDictionary, is NSString, is NSData: return nil
      default: break
      }
    } else if value is String || value is Substring || value is Data || value is any UntypedDictionary {
      return nil
    }
    return (value as? any Sequence).map { all($0) }
  }
}

/// What every array is, whatever it holds.
protocol UntypedArray {
  var count: Int { get }
  var anys: [Any] { get }
  var identity: ContainerIdentity? { get }
}

extension Array: UntypedArray {
  var anys: [Any] { map { $0 } }
  var identity: ContainerIdentity? { ContainerIdentity(self) }
}

/// What every dictionary is, whatever it holds.
protocol UntypedDictionary {
  /// The entries, when all keys are texts.
  var entries: [String: Any]? { get }
  var identity: ContainerIdentity? { get }
}

extension Dictionary: UntypedDictionary {
  var identity: ContainerIdentity? { ContainerIdentity(self) }

  var entries: [String: Any]? {
    var entries: [String: Any] = [:]
    for (key, value) in self {
      let key = AnyHashable(key).base
      guard let name = Untyped.text(key) else { return nil }
      entries[name] = value
    }
    return entries
  }
}
