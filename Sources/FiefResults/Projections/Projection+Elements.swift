import FiefCopying
public import FiefGraph
import FiefObjects

// Projections as elements of results. They are made on every read and never stored. `_Persistable` documents the
// requirements.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Projection: RealmCollectionValue {
  public typealias PersistedType = ObjectBase
  public typealias _Storage = _LinkBox

  public static var _facts: _TypeFacts {
    var facts = _TypeFacts(.link, target: Root.self)
    facts.isMapped = true
    facts.problem = "is a projection, which is shown and never kept: declare it as '\(Root.className())?'"
    return facts
  }

  public static func _encode(_ value: Projection) -> _PropertyContent { .object(value.rootObject) }

  public static func _decode(_ value: _StoredValue, _ context: _StoreContext) -> Self? {
    Root._decode(value, context).map { Self(projecting: $0) }
  }

  public static func _absent() -> Self? { Root._absent().map { Self(projecting: $0) } }

  public static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> Self? {
    Root._loadOrNil(object, index).map { Self(projecting: $0) }
  }

  public static func _save(_ value: Projection?, to object: ObjectBase, _ index: Int) {
    Root._save(value?.rootObject, to: object, index)
  }

  public static func _wrap(_ value: Projection) -> _LinkBox { _LinkBox(value.rootObject) }
  public static func _unwrap(_ storage: _LinkBox) -> Self { Self(projecting: Root._unwrap(storage)) }
  public static func _makeDefault() -> Self { Self(projecting: Root()) }
  public static func _standIn() -> Self? { Root._standIn().map { Self(projecting: $0) } }
  public static func _fromAny(_ value: Any) -> Self? { DynamicValue.cast(value, to: Self.self) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Projection: RealmFetchable where Root: Object {
  public static var _fetchedClass: ObjectBase.Type { Root.self }
}
