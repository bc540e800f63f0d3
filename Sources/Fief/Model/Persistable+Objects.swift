import FiefCopying
public import FiefGraph
import FiefRuntime
import FiefSessions

// Links to objects. `_Persistable` documents the requirements.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ObjectBase: _PersistableInsideOptional, _LinkHolding {
  public typealias PersistedType = ObjectBase
  public typealias _Storage = _LinkBox
  public typealias _OptionalStorage = _LinkBox?

  public static var _facts: _TypeFacts {
    var facts = _TypeFacts(.link, target: self)
    facts.problem = "links to one object and must be optional: declare it as '\(className())?'"
    return facts
  }

  public static var _optionalFacts: _TypeFacts {
    var facts = _TypeFacts(.link, target: self)
    facts.isOptional = true
    return facts
  }

  public static func _wrap(_ value: ObjectBase) -> _LinkBox { _LinkBox(value) }
  public static func _unwrap(_ storage: _LinkBox) -> Self {
    unsafe unsafeDowncast(storage.object.unsafelyUnwrapped, to: self)
  }
  public static func _wrapOptional(_ value: ObjectBase?) -> _LinkBox? { value.map(_LinkBox.init) }
  public static func _unwrapOptional(_ storage: _LinkBox?) -> Self? { storage.map { _unwrap($0) } }
  public static func _makeDefault() -> Self { self.init() }

  public static func _assign(
    _ value: ObjectBase, to storage: inout _LinkBox?, _ owner: ObjectBase?, _ index: Int
  ) {
    storage = _LinkBox(value)
  }

  public static func _load(_ object: ObjectBase, _ index: Int) -> Self {
    _loadOptional(object, index) ?? self.init()
  }

  public static func _save(_ value: ObjectBase, _ object: ObjectBase, _ index: Int) { object.saveLink(value, index) }
  public static func _trace(_ object: ObjectBase, _ index: Int) -> Self { tracing(object, index) }

  public static func _fromStored(_ value: _StoredValue, _ context: _StoreContext) -> Self {
    _fromStoredOptional(value, context) ?? self.init()
  }

  public static func _content(_ value: ObjectBase) -> _PropertyContent { .object(value) }
  public static func _fromAny(_ value: Any) -> Self? {
    Represented.read(value) { DynamicValue.cast($0, to: Self.self) }
  }

  public static func _loadOptional(_ object: ObjectBase, _ index: Int) -> Self? {
    let session = unsafe object.retainedSession.unsafelyUnwrapped
    object.locate(index)
    let binding = unsafe object.binding.unsafelyUnwrapped.counted
    let leaf = binding.leaf(index)
    let slot = Int(object.slot)
    let key = unsafe object.cluster.unsafelyUnwrapped.with { $0[leaf: leaf].load(Int64.self, at: slot) }
    guard let key else { return nil }
    return unsafe unsafeDowncast(session.accessor(binding.target(index), ObjectKey(key)), to: self)
  }

  public static func _saveOptional(_ value: ObjectBase?, _ object: ObjectBase, _ index: Int) {
    object.saveLink(value, index)
  }

  public static func _traceOptional(_ object: ObjectBase, _ index: Int) -> Self? { tracing(object, index) }

  public static func _fromStoredOptional(_ value: _StoredValue, _ context: _StoreContext) -> Self? {
    guard case .link(let link) = value else {
      // A collection of values whose elements are read as objects.
      if !value.isNull { Fief.cannotRead(value, as: Self.self) }
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

  // `.general(self)` would infer the base class, and then every object would pass as a value of every link.
  public static var _access: _FieldAccess { .general(Self.self) }

  public static var _optionalAccess: _FieldAccess { optionalLinkAccess(Self.self) }

  /// `Optional<Self>` is not expressible for a class that can be subclassed; a generic parameter is.
  private static func optionalLinkAccess<Target: ObjectBase>(_ type: Target.Type) -> _FieldAccess {
    .general(Target?.self)
  }

  /// Returns an object of this class that records reads, as the value of a property of another tracing object.
  private static func tracing(_ object: ObjectBase, _ index: Int) -> Self {
    object.notePath(index)
    return tracing()
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
    session.importer.setLink(target, cell, session) {
      "\(binding.model.name).\(binding.model.properties[index].name)"
    }
  }
}
