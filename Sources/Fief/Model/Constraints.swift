import FiefValues
import Foundation

// Names that applications use as generic constraints. They ask for nothing; the library's own types have them.

/// A type that can be a primary key.
public protocol _PrimaryKey {}
/// A type that can be indexed.
public protocol _Indexable {}
/// A type that can be the key of a `Map`.
public protocol _MapKey: Hashable {}

/// What every optional is: the way to say in a constraint that elements are optionals.
///
///     extension Results where Element: OptionalProtocol, Element.Wrapped: Comparable { … }
public protocol OptionalProtocol {
  /// What is optional.
  associatedtype Wrapped
  /// The value. Traps for nil; it is there for its type.
  func _rlmInferWrappedType() -> Wrapped
}

extension Optional: OptionalProtocol {
  /// The value. Traps for nil; it is there for its type.
  public func _rlmInferWrappedType() -> Wrapped {
    guard let self else { fatalError("An optional without a value was asked for it.") }
    return self
  }
}

/// A type whose values can be seen without their type: every type of a property and of an element.
public protocol _ObjcBridgeable {
  /// The value that something untyped stands for; nil when it is of a wrong type.
  static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self?
  /// What is stored for the value: of an enum its raw value, of an any-value its content, `NSNull` for null.
  var _rlmObjcValue: Any { get }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _ObjcBridgeable where Self: _Persistable {
  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? { Self._fromAny(value) }
  public var _rlmObjcValue: Any { Self._plain(self) ?? NSNull() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: _ObjcBridgeable where Wrapped: _ObjcBridgeable {
  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? {
    guard let present = Untyped.present(value) else { return .some(nil) }
    return Wrapped._rlmFromObjc(present, insideOptional: true).map { .some($0) }
  }

  public var _rlmObjcValue: Any { map(\._rlmObjcValue) ?? NSNull() }
}

extension Int: _PrimaryKey, _Indexable {}
extension Int8: _PrimaryKey, _Indexable {}
extension Int16: _PrimaryKey, _Indexable {}
extension Int32: _PrimaryKey, _Indexable {}
extension Int64: _PrimaryKey, _Indexable {}
extension Bool: _PrimaryKey, _Indexable {}
extension String: _PrimaryKey, _Indexable, _MapKey {}
extension ObjectId: _PrimaryKey, _Indexable {}
extension UUID: _PrimaryKey, _Indexable {}
extension Date: _Indexable {}
extension AnyRealmValue: _Indexable {}
extension Optional: _PrimaryKey where Wrapped: _PrimaryKey {}
extension Optional: _Indexable where Wrapped: _Indexable {}

/// A type that `RealmOptional` can hold, and `RealmProperty` when it is optional.
public protocol RealmOptionalType: _PersistableInsideOptional {}
/// A type that `RealmProperty` can hold: optionals and `AnyRealmValue`.
public protocol RealmPropertyType: _Persistable {}

extension Int: RealmOptionalType {}
extension Int8: RealmOptionalType {}
extension Int16: RealmOptionalType {}
extension Int32: RealmOptionalType {}
extension Int64: RealmOptionalType {}
extension Bool: RealmOptionalType {}
extension Float: RealmOptionalType {}
extension Double: RealmOptionalType {}
extension String: RealmOptionalType {}
extension Data: RealmOptionalType {}
extension Date: RealmOptionalType {}
extension Decimal128: RealmOptionalType {}
extension ObjectId: RealmOptionalType {}
extension UUID: RealmOptionalType {}
extension AnyRealmValue: RealmPropertyType {}
extension Optional: RealmPropertyType where Wrapped: RealmOptionalType {}
