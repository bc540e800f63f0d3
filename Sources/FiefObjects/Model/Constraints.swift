import FiefCopying
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

/// A type with minimum and maximum: numbers and dates. Applications do not conform to it.
public protocol MinMaxType {}
/// A type with sums and averages: numbers. Applications do not conform to it.
public protocol AddableType {}
/// A type whose values can be the elements of sections: those that can be sorted, booleans and identifiers.
/// Applications do not conform to it.
public protocol _SectionableType {}
/// A type whose values can be sorted: numbers, dates, strings and data. Applications do not conform to it.
public protocol SortableType: _SectionableType {}

/// Types that stores keep as strings, which queries ask as they ask bytes. Applications do not conform to it.
public protocol _QueryString: _QueryBinary {}
/// Types that stores keep as bytes. Applications do not conform to it.
public protocol _QueryBinary: SortableType {}
/// Types that stores keep as numbers or times. Applications do not conform to it.
public protocol _QueryNumeric: SortableType {}

/// A type that `RealmOptional` can hold; `RealmProperty` can hold an optional of it.
public protocol RealmOptionalType: _PersistableInsideOptional {}
/// A type that `RealmProperty` can hold: optionals and `AnyRealmValue`.
public protocol RealmPropertyType: _Persistable {}

extension Optional: _PrimaryKey where Wrapped: _PrimaryKey {}
extension Optional: _Indexable where Wrapped: _Indexable {}
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: SortableType where Wrapped: SortableType {}
extension Optional: _SectionableType where Wrapped: _SectionableType {}
extension Optional: _QueryString where Wrapped: _QueryString {}
extension Optional: _QueryBinary where Wrapped: _QueryBinary {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}
extension Optional: RealmPropertyType where Wrapped: RealmOptionalType {}

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
