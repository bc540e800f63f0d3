import FiefCopying
public import FiefGraph
import FiefRuntime
import FiefSessions

// Links to objects. `_Persistable` documents the requirements.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ObjectBase: _PersistableInsideOptional, _LinkHolding {
  public typealias PersistedType = ObjectBase
  public typealias _Storage = _LinkBox

  public static var _facts: _TypeFacts {
    var facts = _TypeFacts(.link, target: self)
    facts.problem = "links to one object and must be optional: declare it as '\(className())?'"
    return facts
  }

  @inlinable public static func _encode(_ value: ObjectBase) -> _PropertyContent { .object(value) }

  public static func _decode(_ value: _StoredValue, _ context: _StoreContext) -> Self? {
    guard case .link(let link) = value else {
      // A collection of values whose elements are read as objects.
      if !value.isNull { FiefObjects.cannotRead(value, as: Self.self) }
      return nil
    }
    let session = context.session
    if let binding = context.target, binding.table == link.table, binding.model.type == self {
      return unsafe unsafeDowncast(session.accessor(binding, link.key), to: self)
    }
    if self == DynamicObject.self {
      return session.dynamicAccessor(link).map { unsafe unsafeDowncast($0, to: self) }
    }
    return session.accessor(link) as? Self
  }

  /// The stored link of a custom type may be null; the property then reads as the default of its type.
  public static func _absent() -> Self? { self.init() }

  public static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> Self? {
    let session = unsafe object.retainedSession.unsafelyUnwrapped
    object.locate(index)
    let binding = unsafe object.binding.unsafelyUnwrapped.counted
    let leaf = binding.leaf(index)
    let slot = Int(object.slot)
    let key = unsafe object.cluster.unsafelyUnwrapped.with { $0[leaf: leaf].load(Int64.self, at: slot) }
    guard let key else { return nil }
    return unsafe unsafeDowncast(session.accessor(binding.targetBinding(index), ObjectKey(key)), to: self)
  }

  public static func _save(_ value: ObjectBase?, to object: ObjectBase, _ index: Int) { object.saveLink(value, index) }

  public static func _wrap(_ value: ObjectBase) -> _LinkBox { _LinkBox(value) }
  public static func _unwrap(_ storage: _LinkBox) -> Self {
    unsafe unsafeDowncast(storage.object.unsafelyUnwrapped, to: self)
  }
  public static func _makeDefault() -> Self { self.init() }
  public static func _standIn() -> Self? { _tracing() }

  public static func _fromAny(_ value: Any) -> Self? {
    Represented.read(value) { DynamicValue.cast($0, to: Self.self) }
  }
}

extension ObjectBase {
  /// Stores a link of a managed object. An unmanaged target is added first; an embedded target gets a new row that the
  /// cell owns.
  final func saveLink(_ target: ObjectBase?, _ index: Int) {
    guard let cell = cellForWriting(index) else { return }
    if unsafe session.unsafelyUnwrapped.with({ $0.setPlainLink(target, cell) }) { return }
    let session = unsafe retainedSession.unsafelyUnwrapped
    let binding = unsafe binding.unsafelyUnwrapped.counted
    session.importer.setLink(target, cell) {
      "\(binding.model.name).\(binding.model.properties[index].name)"
    }
  }
}
