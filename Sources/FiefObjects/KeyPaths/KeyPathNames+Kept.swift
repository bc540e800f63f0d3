import FiefCopying
import FiefGraph
import FiefValues
import Foundation

// Decides which key paths are persisted properties themselves. Reading `initial` of `var initial: String {
// String(title.prefix(1)) }` passes `title` but returns something else.

/// A root class of key paths. Code that knows the class only at run time gets it as a static type here.
package protocol KeyPathRoot {
  /// The name of the persisted property that a key path refers to; nil for longer paths and for computed properties.
  static func keptName(of keyPath: AnyKeyPath) -> String?
}

extension ObjectBase: KeyPathRoot {
  package static func keptName(of keyPath: AnyKeyPath) -> String? {
    (keyPath as? PartialKeyPath<Self>).flatMap { KeyPathNames.keptName(of: $0) }
  }
}

extension KeyPathNames {
  /// The name of the persisted property that a key path refers to; nil for longer paths and for computed properties.
  ///
  /// Assigns different values to the property of a new object and reads the key path each time. A persisted property
  /// returns every value unchanged.
  static func keptName<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String? {
    guard let name = name(of: keyPath), let number = ModelClass.of(Root.self).number(of: name) else { return nil }
    let property = ModelClass.of(Root.self).properties[number]
    if property.facts.isBacklinks {
      return Swift.type(of: keyPath).valueType is any LinkingObjectsProtocol.Type ? name : nil
    }
    let example = Root.init()
    func comesBack() -> Bool {
      let read: Any = example[keyPath: keyPath]
      return isSame(flattened(read), property.value(in: example))
    }
    if property.facts.shape != .single { return comesBack() ? name : nil }
    var differing = 0
    for sample in samples(property, Swift.type(of: keyPath).valueType) {
      guard property.set(sample, in: example) else { return nil }
      guard comesBack() else { return nil }
      differing += 1
    }
    return differing > 0 ? name : nil
  }

  private static func isSame(_ a: Any?, _ b: Any?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    if DynamicValue.isObject(a) && DynamicValue.isObject(b) {
      return a as AnyObject === b as AnyObject || areEqual(a, b)
    }
    return areEqual(a, b)
  }

  private static func areEqual(_ a: Any, _ b: Any) -> Bool {
    guard let a = a as? AnyHashable, let b = b as? AnyHashable else { return false }
    return a == b
  }

  /// Values of a property's type for which a computed property would return something else.
  private static func samples(_ property: ModelProperty, _ type: Any.Type) -> [Any] {
    func cases<Cases: CaseIterable>(_ type: Cases.Type) -> [Any] { type.allCases.prefix(2).map { $0 as Any } }
    if let type = type as? any PersistableEnum.Type { return cases(type) }
    switch property.facts.kind {
    case .bool: return [true, false]
    case .int: return [83, 101]
    case .float, .double: return [83.5, 101.25]
    case .string: return ["\u{1}one 83", "\u{2}Two 101"]
    case .data: return [Data([1, 83]), Data([2, 101])]
    case .date: return [Date(timeIntervalSince1970: 83), Date(timeIntervalSince1970: 101.5)]
    case .decimal: return [Decimal128(integerLiteral: 83), Decimal128(integerLiteral: 101)]
    case .objectId: return [ObjectId.generate(), ObjectId.generate()]
    case .uuid: return [UUID(), UUID()]
    case .any: return [AnyRealmValue.int(83), AnyRealmValue.string("\u{1}one")]
    case .link: return property.facts.target.map { [$0.init(), $0.init()] } ?? []
    }
  }
}
