/// A type that can be an element of a collection. Applications do not conform to it themselves.
///
///     func ends<Element: RealmCollectionValue>(of list: List<Element>) -> [Element] {
///       [list.first, list.last].compactMap { $0 }
///     }
public protocol RealmCollectionValue: Hashable, _Persistable {}

/// A type whose optional can also be an element of a collection. Applications do not conform to it themselves.
public protocol _RealmCollectionValueInsideOptional: RealmCollectionValue, _PersistableInsideOptional {}

/// A type whose values are neither objects nor collections: scalars, any-values, and values of the application.
/// Applications do not conform to it themselves.
public protocol _RealmFreeValue {}

extension Optional: _RealmFreeValue where Wrapped: _RealmFreeValue {}

/// A type whose objects `realm.objects(_:)` returns. Applications do not conform to it themselves.
///
///     func count<T: RealmFetchable>(_ type: T.Type, in realm: Realm) -> Int { realm.objects(type).count }
public protocol RealmFetchable: RealmCollectionValue {
  /// The class whose rows are fetched.
  static var _fetchedClass: ObjectBase.Type { get }
}

/// Element types with properties to sort by: objects and projections.
///
///     func byName<C: RealmCollection>(_ things: C) -> Results<C.Element> where C.Element: KeypathSortable {
///       things.sorted(byKeyPath: "name")
///     }
public protocol KeypathSortable {}

extension ObjectBase: _RealmCollectionValueInsideOptional {}
extension Optional: RealmCollectionValue where Wrapped: RealmCollectionValue & _PersistableInsideOptional {}

extension Optional: KeypathSortable where Wrapped: KeypathSortable {}

extension Object: RealmFetchable {
  /// The class itself.
  @inlinable
  public static var _fetchedClass: ObjectBase.Type { self }
}
