import FiefCopying
import FiefGraph

extension _FieldAccess {
  /// The wrapper at an address.
  @inline(__always)
  static func wrapper<Value: _Persistable>(
    _ type: Value.Type, _ field: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<Persisted<Value>> {
    // Sound because the address comes from the class's own layout, where a field of exactly this type lies.
    unsafe field.assumingMemoryBound(to: Persisted<Value>.self)
  }

  /// The unmanaged value of a wrapper. An unset wrapper gets its default, which stays in the wrapper.
  @inline(__always)
  static func value<Value: _Persistable>(_ type: Value.Type, _ field: UnsafeMutableRawPointer) -> Value {
    let wrapper = unsafe wrapper(type, field)
    if let storage = unsafe wrapper.pointee.storage { return Value._unwrap(storage) }
    let made = Value._makeDefault()
    unsafe wrapper.pointee.header.isSet = true
    unsafe Value._assign(
      made, to: &wrapper.pointee.storage, wrapper.pointee.header.owner?.counted, wrapper.pointee.header.number)
    return unsafe wrapper.pointee.storage.map(Value._unwrap) ?? made
  }

  /// Access to wrappers of any type, through the type's own typed reads and writes.
  static func general<Value: _Persistable>(_ type: Value.Type) -> _FieldAccess {
    unsafe _FieldAccess(
      content: { field, _, _ in unsafe Value._content(value(type, field)) },
      fill: nil,
      bind: { field, _, _ in
        let wrapper = unsafe wrapper(type, field)
        unsafe wrapper.pointee.storage = nil
        unsafe wrapper.pointee.header.isSet = false
      },
      declaration: { unsafe wrapper(type, $0).pointee.header.declaration },
      look: { unsafe Value._content(wrapper(type, $0).pointee.wrappedValue) },
      carry: { unsafe wrapper(type, $1).pointee.wrappedValue = unsafe wrapper(type, $0).pointee.wrappedValue },
      convert: { value in
        guard let value = Value._fromAny(value), case .value(let stored) = Value._content(value) else { return nil }
        return stored
      },
      take: { Value._fromAny($0).map(Value._content) },
      isUnset: { unsafe !_WrapperHeader.isSet(at: $0) },
      get: { owner, index in
        let field = unsafe owner.address + owner.layout.fields[index].offset
        let value: Any = unsafe wrapper(type, field).pointee.wrappedValue
        return flattened(value)
      },
      getPlain: { owner, index in
        let field = unsafe owner.address + owner.layout.fields[index].offset
        return unsafe Value._plain(wrapper(type, field).pointee.wrappedValue)
      },
      set: { owner, index, value in
        guard let value = Value._fromAny(value as Any) else { return false }
        let field = unsafe owner.address + owner.layout.fields[index].offset
        unsafe wrapper(type, field).pointee.wrappedValue = value
        return true
      })
  }

  /// Access to wrappers of scalars.
  static func scalar<Value: _PersistableScalar>(_ type: Value.Type) -> _FieldAccess {
    var access = general(type)
    unsafe access.fill = { field, row, column in unsafe try row.set(Optional(value(type, field)._stored), column) }
    return access
  }

  /// Access to scalars whose stored form is computed by application code.
  static func foreignScalar(_ access: _FieldAccess) -> _FieldAccess {
    var access = access
    access.isForeign = true
    return access
  }

  /// Access to wrappers of optional scalars.
  static func optionalScalar<Value: _PersistableScalar>(_ type: Value.Type) -> _FieldAccess {
    var access = general(Value?.self)
    unsafe access.fill = { field, row, column in unsafe try row.set(value(Value?.self, field)?._stored, column) }
    return access
  }
}

/// The value in an `Any` as code that reads by name sees it, without the optionals around it: see `_plain`. Nil for
/// null.
func plain(_ value: Any) -> Any? {
  func open<Value: _Persistable>(_ value: Value) -> Any? { Value._plain(value) }
  guard let inner = flattened(value) else { return nil }
  guard let inner = inner as? any _Persistable else { return inner }
  return open(inner)
}
