import FiefValues
import Foundation

/// A type that can be an element of a collection. Applications do not conform to it themselves.
public protocol RealmCollectionValue: Hashable, _Persistable {}

/// A type of which `realm.objects(_:)` gives all. Applications do not conform to it themselves.
public protocol RealmFetchable: RealmCollectionValue {
  /// The class whose rows are fetched.
  static var _fetchedClass: ObjectBase.Type { get }
}

/// Elements that have properties to sort by: objects and projections.
public protocol KeypathSortable {}

extension Int: RealmCollectionValue {}
extension Int8: RealmCollectionValue {}
extension Int16: RealmCollectionValue {}
extension Int32: RealmCollectionValue {}
extension Int64: RealmCollectionValue {}
extension Bool: RealmCollectionValue {}
extension Float: RealmCollectionValue {}
extension Double: RealmCollectionValue {}
extension Decimal128: RealmCollectionValue {}
extension String: RealmCollectionValue {}
extension Data: RealmCollectionValue {}
extension Date: RealmCollectionValue {}
extension UUID: RealmCollectionValue {}
extension ObjectId: RealmCollectionValue {}
extension AnyRealmValue: RealmCollectionValue {}
extension ObjectBase: RealmCollectionValue {}
extension Optional: RealmCollectionValue where Wrapped: RealmCollectionValue & _PersistableInsideOptional {}

extension ObjectBase: KeypathSortable {}
extension Optional: KeypathSortable where Wrapped: KeypathSortable {}

extension Object: RealmFetchable {
  /// The class itself.
  @inlinable
  public static var _fetchedClass: ObjectBase.Type { self }
}
