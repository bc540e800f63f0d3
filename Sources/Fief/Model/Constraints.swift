import FiefValues
import Foundation

// Names that applications use as generic constraints. They ask for nothing; the library's own types have them.

/// A type that can be a primary key.
public protocol _PrimaryKey {}
/// A type that can be indexed.
public protocol _Indexable {}
/// A type that can be the key of a `Map`.
public protocol _MapKey: Hashable {}

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

/// A type whose values have a smallest and a largest.
public protocol MinMaxType {}
/// A type whose values can be added up.
public protocol AddableType {}
/// A type by whose values objects can be sorted.
public protocol SortableType {}
/// A type that `RealmOptional` can hold, and `RealmProperty` when it is optional.
public protocol RealmOptionalType: _PersistableInsideOptional {}
/// A type that `RealmProperty` can hold: optionals and `AnyRealmValue`.
public protocol RealmPropertyType: _Persistable {}

extension Int: MinMaxType, AddableType, SortableType, RealmOptionalType {}
extension Int8: MinMaxType, AddableType, SortableType, RealmOptionalType {}
extension Int16: MinMaxType, AddableType, SortableType, RealmOptionalType {}
extension Int32: MinMaxType, AddableType, SortableType, RealmOptionalType {}
extension Int64: MinMaxType, AddableType, SortableType, RealmOptionalType {}
extension Float: MinMaxType, AddableType, SortableType, RealmOptionalType {}
extension Double: MinMaxType, AddableType, SortableType, RealmOptionalType {}
extension Decimal128: MinMaxType, AddableType, SortableType, RealmOptionalType {}
extension Bool: SortableType, RealmOptionalType {}
extension String: SortableType, RealmOptionalType {}
extension Data: SortableType, RealmOptionalType {}
extension Date: MinMaxType, SortableType, RealmOptionalType {}
extension ObjectId: SortableType, RealmOptionalType {}
extension UUID: SortableType, RealmOptionalType {}
extension AnyRealmValue: MinMaxType, AddableType, SortableType, RealmPropertyType {}
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: SortableType where Wrapped: SortableType {}
extension Optional: RealmPropertyType where Wrapped: RealmOptionalType {}
