import FiefGraph

/// A class as conditions see it: what its properties are called, and what they hold.
package protocol QueriedClass {
  /// The name of the class in messages.
  var name: String { get }
  /// The property with a name; nil when the class has none.
  func property(named name: String) -> QueriedProperty<Self>?
}

/// A property as conditions see it.
package struct QueriedProperty<Class> {
  package let name: String
  package let kind: ValueKind
  /// The class of its objects, if they are objects.
  package let target: Class?
  /// Whether it holds a collection. Backlinks are one.
  package let isCollection: Bool
  /// Whether a value of it may be null.
  package let isNullable: Bool
  /// Whether null is read as a value of a mapped type.
  package let readsNull: Bool

  /// A property from its facts.
  package init(name: String, kind: ValueKind, target: Class?, isCollection: Bool, isNullable: Bool, readsNull: Bool) {
    self.name = name
    self.kind = kind
    self.target = target
    self.isCollection = isCollection
    self.isNullable = isNullable
    self.readsNull = readsNull
  }
}

/// A value outside any store, or an object, as conditions read it.
package protocol QueriedValue {
  associatedtype Class: QueriedClass

  static func value(_ value: Value) -> Self
  static func elements(_ elements: [Self]) -> Self
  /// The single value; nil for objects and collections.
  var single: Value? { get }
  /// The class of an object; nil for all else.
  var objectClass: Class? { get }
  func value(of property: QueriedProperty<Class>) -> Self
  /// The part that a subscript names; null where there is none.
  func part(_ step: PropertyPath.Component) -> Self
  /// The value as a part of nested lists and dictionaries.
  var part: NestedConstant.Part<Self> { get }
  /// The elements of a collection; nil for all else.
  var members: [Self]? { get }
  /// The keys of a dictionary; empty for all else.
  var keys: [String] { get }
  /// The value as it would be stored.
  ///
  /// - Parameter origins: the numbers of the stores whose objects may equal it; empty for all.
  func stored(_ origins: [UInt64]) -> Value
}
