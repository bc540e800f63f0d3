@_spi(Reflection) import Swift
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
    if let array = exactly(value, [Any].self) { return .array(array, ContainerIdentity(array)) }
    if let dictionary = exactly(value, [String: Any].self) {
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
      return .array(FoundationElements.of(array), ContainerIdentity(array, count: array.count))
    case let set as NSOrderedSet:
      return .array(FoundationElements.of(set), ContainerIdentity(set, count: set.count))
    case let dictionary as NSDictionary:
      let identity = ContainerIdentity(dictionary, count: dictionary.count)
      return FoundationElements.of(dictionary).map { .dictionary($0, identity) }
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
      case let set as NSSet: return FoundationElements.of(set)
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

/// What arrays, dictionaries and sets of Foundation hold.
///
/// Off Apple's platforms their own methods make arrays and dictionaries of what they give out, with all that is in
/// those, and by recursion: one that contains itself ends the process. So what is kept is read where it lies, and only
/// what is no container is asked for as ever.
///
/// Why this is right: the place of the field is what the standard library says, and only when the field has the very
/// type that is read. Only objects of Foundation's own classes are read, as others may keep their elements elsewhere.
private enum FoundationElements {
  static func of(_ array: NSArray) -> [Any] {
    let kept: [AnyObject]? = storage(array, arrayOffset, [NSArray.self, NSMutableArray.self])
    var elements: [Any] = []
    elements.reserveCapacity(array.count)
    for place in 0..<array.count {
      if let kept, isContainer(kept[place]) {
        elements.append(kept[place])
      } else {
        elements.append(array.object(at: place))
      }
    }
    return elements
  }

  static func of(_ dictionary: NSDictionary) -> [String: Any]? {
    let kept: [NSObject: AnyObject]? = storage(
      dictionary, dictionaryOffset, [NSDictionary.self, NSMutableDictionary.self])
    var entries: [String: Any] = [:]
    guard let kept else {
      for key in dictionary.allKeys {
        guard let name = Untyped.text(key), let value = dictionary.object(forKey: key) else { return nil }
        entries[name] = value
      }
      return entries
    }
    for (key, value) in kept {
      guard let text = key as? NSString else { return nil }
      if isContainer(value) {
        entries[text as String] = value
      } else {
        entries[text as String] = dictionary.object(forKey: key)
      }
    }
    return entries
  }

  static func of(_ set: NSSet) -> [Any] {
    let counted: [NSObject: Int]? = storage(set, countsOffset, [NSCountedSet.self])
    let kept: Set<NSObject>? =
      counted.map { Set($0.keys) } ?? storage(set, setOffset, [NSSet.self, NSMutableSet.self])
    guard let kept else { return set.allObjects }
    var elements: [Any] = []
    for element in kept {
      if isContainer(element) { elements.append(element) } else { elements += NSArray(object: element).map { $0 } }
    }
    return elements
  }

  /// An ordered set keeps its elements in an array.
  static func of(_ set: NSOrderedSet) -> [Any] {
    let kept: NSArray? = storage(set, orderOffset, [NSOrderedSet.self, NSMutableOrderedSet.self])
    return kept.map { of($0) } ?? (0..<set.count).map { set.object(at: $0) }
  }

  private static func isContainer(_ object: AnyObject) -> Bool {
    object is NSArray || object is NSDictionary || object is NSSet || object is NSOrderedSet
  }

  private static let arrayOffset = offset(NSArray.self, [AnyObject].self)
  private static let dictionaryOffset = offset(NSDictionary.self, [NSObject: AnyObject].self)
  private static let setOffset = offset(NSSet.self, Set<NSObject>.self)
  private static let countsOffset = offset(NSCountedSet.self, [NSObject: Int].self, "_table")
  private static let orderOffset = offset(NSOrderedSet.self, NSArray.self, "_orderedStorage")

  private static func offset(_ type: AnyClass, _ wanted: Any.Type, _ wantedName: String = "_storage") -> Int? {
    var found: Int?
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, offset, fieldType, _ in
      if fieldType == wanted && String(cString: name) == wantedName { found = offset }
      return true
    }
    return found
  }

  private static func storage<Kept>(_ object: AnyObject, _ offset: Int?, _ classes: [AnyClass]) -> Kept? {
    guard let offset, classes.contains(where: { type(of: object) == $0 }) else { return nil }
    return withExtendedLifetime(object) {
      (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: Kept.self).pointee
    }
  }
}
