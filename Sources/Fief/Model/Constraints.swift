import FiefCopying
import FiefValues
import Foundation

// Names that applications use as generic constraints. They have no requirements; the library's own types conform.

/// A type of single values with an initializer without arguments.
public protocol _DefaultConstructible {
  /// Creates the value of a property that was never assigned one.
  init()
}
/// A type that can be a primary key.
public protocol _PrimaryKey {}
/// A type that can be indexed.
public protocol _Indexable {}
/// A type that can be the key of a `Map`.
public protocol _MapKey: Hashable {}

/// The protocol of all optionals: states in a constraint that elements are optional.
///
///     extension Results where Element: OptionalProtocol, Element.Wrapped: Comparable { … }
public protocol OptionalProtocol {
  /// The wrapped type.
  associatedtype Wrapped
  /// The value. Traps for nil; it exists so that its type can be inferred.
  func _rlmInferWrappedType() -> Wrapped
}

extension Optional: OptionalProtocol {
  /// The value. Traps for nil; it exists so that its type can be inferred.
  public func _rlmInferWrappedType() -> Wrapped {
    guard let self else { fatalError("An optional without a value was asked for it.") }
    return self
  }
}

/// A type whose values can be converted from and to `Any`: every property type and element type.
public protocol _ObjcBridgeable {
  /// Converts an untyped value; nil when its type is wrong.
  static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self?
  /// The stored form of the value: an enum's raw value, an any-value's content, `NSNull` for null.
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
    guard let present = DynamicValue.present(value) else { return .some(nil) }
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
extension Optional: _PrimaryKey where Wrapped: _PrimaryKey {}
extension Optional: _Indexable where Wrapped: _Indexable {}

extension Int: _DefaultConstructible {}
extension Int8: _DefaultConstructible {}
extension Int16: _DefaultConstructible {}
extension Int32: _DefaultConstructible {}
extension Int64: _DefaultConstructible {}
extension Bool: _DefaultConstructible {}
extension Float: _DefaultConstructible {}
extension Double: _DefaultConstructible {}
extension String: _DefaultConstructible {}
extension Data: _DefaultConstructible {}
extension Date: _DefaultConstructible {}
extension UUID: _DefaultConstructible {}
extension Decimal128: _DefaultConstructible {}
extension ObjectId: _DefaultConstructible {}

/// A type that `RealmOptional` can hold; `RealmProperty` can hold an optional of it.
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
extension Optional: RealmPropertyType where Wrapped: RealmOptionalType {}

/// Types that stores keep as strings, which queries ask as they ask bytes. Applications do not conform to it.
public protocol _QueryString: _QueryBinary {}
/// Types that stores keep as bytes. Applications do not conform to it.
public protocol _QueryBinary: SortableType {}
/// Types that stores keep as numbers or times. Applications do not conform to it.
public protocol _QueryNumeric: SortableType {}

extension String: _QueryString {}
extension Data: _QueryBinary {}
extension Optional: _QueryString where Wrapped: _QueryString {}
extension Optional: _QueryBinary where Wrapped: _QueryBinary {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}
extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}
extension Float: _QueryNumeric {}
extension Double: _QueryNumeric {}
extension Decimal128: _QueryNumeric {}
extension Date: _QueryNumeric {}
