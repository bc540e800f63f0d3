import FiefGraph
import FiefObjects
import FiefQueries

/// What classes and their collections mean in a `#Predicate`.
struct ModelVocabulary: PredicateVocabulary {
  func constant(_ value: Any?) -> QueryOperand? { try? QueryArguments.operand(value) }

  func meaning(of keyPath: AnyKeyPath, from type: Any.Type) -> KeyPathMeaning? {
    if let type = type as? any KeyPathRoot.Type { return type.keptName(of: keyPath).map { .property($0) } }
    guard let type = type as? any CountedByKeyPath.Type else { return nil }
    return type.isCount(keyPath) ? .count : type.isEmptiness(keyPath) ? .isEmpty : nil
  }

  func isObject(_ type: Any.Type) -> Bool { type is ObjectBase.Type }

  func isCollection(_ type: Any.Type) -> Bool { type is any CountedByKeyPath.Type }

  func isFloating(_ type: Any.Type) -> Bool {
    let kind = (type as? any _Persistable.Type)?._facts.kind
    return kind == .float || kind == .double
  }
}

/// A collection whose `count` and `isEmpty` can be recognised by their key paths.
protocol CountedByKeyPath {
  static func isCount(_ keyPath: AnyKeyPath) -> Bool
  static func isEmptiness(_ keyPath: AnyKeyPath) -> Bool
}

extension List: CountedByKeyPath {
  static func isCount(_ keyPath: AnyKeyPath) -> Bool { keyPath == \List.count }
  static func isEmptiness(_ keyPath: AnyKeyPath) -> Bool { keyPath == \List.isEmpty }
}

extension MutableSet: CountedByKeyPath {
  static func isCount(_ keyPath: AnyKeyPath) -> Bool { keyPath == \MutableSet.count }
  static func isEmptiness(_ keyPath: AnyKeyPath) -> Bool { keyPath == \MutableSet.isEmpty }
}

extension Array: CountedByKeyPath {
  static func isCount(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Array.count }
  static func isEmptiness(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Array.isEmpty }
}

extension LinkingObjects: CountedByKeyPath {
  static func isCount(_ keyPath: AnyKeyPath) -> Bool { keyPath == \LinkingObjects.count }
  static func isEmptiness(_ keyPath: AnyKeyPath) -> Bool { keyPath == \LinkingObjects.isEmpty }
}
