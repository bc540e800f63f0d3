import Foundation

/// The elements of Foundation's arrays, dictionaries and sets, one level deep.
///
/// Off Apple's platforms their own methods convert containers inside of them to arrays and dictionaries, recursively: a
/// container that contains itself ends the process. So containers are read from the field in which Foundation stores
/// them; everything else is asked for by the methods.
///
/// Why this is right: the offset of the field is what the standard library's reflection returns, and it counts only if
/// the field has the name and the very type that is read. Only objects of Foundation's own classes are read, since
/// others may keep their elements elsewhere. Where no such field is found, Foundation's methods are used.
package enum FoundationContents {
  /// The elements of an array.
  package static func of(_ array: NSArray) -> [Any] {
    let kept: [AnyObject]? = storage(of: array, at: arrayOffset, [NSArray.self, NSMutableArray.self])
    var elements: [Any] = []
    elements.reserveCapacity(array.count)
    for index in 0..<array.count {
      if let kept, isContainer(kept[index]) {
        elements.append(kept[index])
      } else {
        elements.append(array.object(at: index))
      }
    }
    return elements
  }

  /// The entries of a dictionary.
  ///
  /// - Parameter name: the string that a key stands for; nil for keys of other types.
  /// - Returns: nil when a key stands for no string.
  package static func of(_ dictionary: NSDictionary, name: (Any) -> String?) -> [String: Any]? {
    let kept: [NSObject: AnyObject]? = storage(
      of: dictionary, at: dictionaryOffset, [NSDictionary.self, NSMutableDictionary.self])
    var entries: [String: Any] = [:]
    guard let kept else {
      for key in dictionary.allKeys {
        guard let name = name(key), let value = dictionary.object(forKey: key) else { return nil }
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

  /// The elements of a set, in no particular order.
  package static func of(_ set: NSSet) -> [Any] {
    // A counted set keeps its elements there too; its table has those alone that were added more than once.
    let kept: Set<NSObject>? = storage(of: set, at: setOffset, [NSSet.self, NSMutableSet.self, NSCountedSet.self])
    guard let kept else { return set.allObjects }
    var elements: [Any] = []
    for element in kept {
      if isContainer(element) { elements.append(element) } else { elements += NSArray(object: element).map { $0 } }
    }
    return elements
  }

  /// The elements of an ordered set, which keeps them in an array.
  package static func of(_ set: NSOrderedSet) -> [Any] {
    let kept: NSArray? = storage(of: set, at: orderOffset, [NSOrderedSet.self, NSMutableOrderedSet.self])
    return kept.map { of($0) } ?? (0..<set.count).map { set.object(at: $0) }
  }

  private static func isContainer(_ object: AnyObject) -> Bool {
    object is NSArray || object is NSDictionary || object is NSSet || object is NSOrderedSet
  }

  private static let arrayOffset = offset(in: NSArray.self, of: [AnyObject].self)
  private static let dictionaryOffset = offset(in: NSDictionary.self, of: [NSObject: AnyObject].self)
  private static let setOffset = offset(in: NSSet.self, of: Set<NSObject>.self)
  private static let orderOffset = offset(in: NSOrderedSet.self, of: NSArray.self, "_orderedStorage")

  private static func offset(in type: AnyClass, of wanted: Any.Type, _ name: String = "_storage") -> Int? {
    StoredFields.field(name, of: type).flatMap { $0.type == wanted ? $0.offset : nil }
  }

  private static func storage<Kept>(of object: AnyObject, at offset: Int?, _ classes: [AnyClass]) -> Kept? {
    guard let offset, classes.contains(where: { type(of: object) == $0 }) else { return nil }
    return withExtendedLifetime(object) {
      unsafe (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: Kept.self).pointee
    }
  }
}
