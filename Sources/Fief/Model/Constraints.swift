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
