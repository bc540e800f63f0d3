internal import FiefRuntime
import Foundation

/// One level of an array or a dictionary of any type.
///
/// Nested containers are not read, so depth does not matter. Each container comes with its identity, by which
/// `ContainerPaths` detects that it contains itself. Ordered sets are read as arrays.
package enum DynamicContainer {
  case array([Any], ContainerIdentity?)
  case dictionary([String: Any], ContainerIdentity?)
  /// The members of an object of a document, which may have names that a Swift dictionary takes for equal.
  case members(DocumentTree, DocumentTree.Span)

  /// The identity; nil for one without elements, and for a part of a document, which cannot contain itself.
  package var identity: ContainerIdentity? {
    switch self {
    case .array(_, let identity), .dictionary(_, let identity): identity
    case .members: nil
    }
  }

  /// The entries, in an order that does not depend on a hash seed; nil for an array.
  package var entries: DynamicEntries? {
    switch self {
    case .array: nil
    case .dictionary(let entries, _): entries.sorted { $0.key < $1.key }
    case .members(let tree, let span): tree.members(span).map { ($0, tree.untyped($1)) }
    }
  }

  /// Reads a container, which must not be wrapped in an optional; nil for other values, and for a dictionary with a key
  /// that is not a string.
  package static func of(_ value: Any) -> DynamicContainer? {
    if let array = Existential.value(value, as: [Any].self) { return .array(array, ContainerIdentity(array)) }
    if let dictionary = Existential.value(value, as: [String: Any].self) {
      return .dictionary(dictionary, ContainerIdentity(dictionary))
    }
    if !DynamicValue.isObject(value) {
      if let part = type(of: value) == DocumentPart.self ? value as? DocumentPart : nil { return part.container }
      // A conformance lookup costs as much as reading ten entries. Dictionaries come first, since callers give objects
      // as dictionaries, and few of their properties are arrays.
      if let dictionary = value as? any DynamicDictionary {
        return dictionary.entries.map { .dictionary($0, dictionary.identity) }
      }
      return (value as? any DynamicArray).map { .array($0.anys, $0.identity) }
    }
    switch value as AnyObject {
    case let array as NSArray:
      return .array(FoundationContents.of(array), ContainerIdentity(array, count: array.count))
    case let set as NSOrderedSet:
      return .array(FoundationContents.of(set), ContainerIdentity(set, count: set.count))
    case let dictionary as NSDictionary:
      let identity = ContainerIdentity(dictionary, count: dictionary.count)
      return FoundationContents.of(dictionary, name: DynamicValue.text).map { .dictionary($0, identity) }
    default: return nil
    }
  }

  /// The elements of a sequence, which must not be wrapped in an optional; nil for strings, data and dictionaries, and
  /// for values that are not sequences.
  package static func elements(_ value: Any) -> [Any]? {
    func all<S: Sequence>(_ sequence: S) -> [Any] { sequence.map { $0 as Any } }
    switch of(value) {
    case .array(let elements, _): return elements
    case .dictionary, .members: return nil
    case nil: break
    }
    if DynamicValue.isObject(value) {
      switch value as AnyObject {
      case let set as NSSet: return FoundationContents.of(set)
      case is NSDictionary, is NSString, is NSData: return nil
      default: break
      }
    } else if value is String || value is Substring || value is Data || value is any DynamicDictionary {
      return nil
    }
    return (value as? any Sequence).map { all($0) }
  }
}

/// The entries of a dictionary of which a Swift dictionary would lose some: it has one entry for canonically equivalent
/// keys, which stores distinguish.
package typealias DynamicEntries = [(key: String, value: Any)]

/// The protocol of all arrays, regardless of their element type.
package protocol DynamicArray {
  var count: Int { get }
  var anys: [Any] { get }
  var identity: ContainerIdentity? { get }
}

extension Array: DynamicArray {
  package var anys: [Any] { map { $0 } }
  package var identity: ContainerIdentity? { ContainerIdentity(self) }
}

/// The protocol of all dictionaries, regardless of their key and value types.
package protocol DynamicDictionary {
  /// The entries; nil when a key is not a string.
  var entries: [String: Any]? { get }
  var identity: ContainerIdentity? { get }
}

extension Dictionary: DynamicDictionary {
  package var identity: ContainerIdentity? { ContainerIdentity(self) }

  package var entries: [String: Any]? {
    var entries: [String: Any] = [:]
    for (key, value) in self {
      let key = AnyHashable(key).base
      guard let name = DynamicValue.text(key) else { return nil }
      entries[name] = value
    }
    return entries
  }
}
