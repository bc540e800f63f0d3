import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions

/// The value behind a `RealmProperty` or `RealmOptional`: held here at first, in the row once the object is managed.
///
///     unmanaged   `storage` holds the value
///     managed     `row` is where it is stored; reads and writes go through the object,
///                 or, when that was released, through another accessor of the row
///
/// The slot does not retain the object that contains it.
final class PropertySlot<Value: _Persistable> {
  private var storage: Value._Storage?
  private weak var owner: ObjectBase?
  private var index = 0
  private var row: RowBinding?

  init(_ value: Value) { storage = Value._wrap(value) }

  var value: Value {
    get {
      if let object { return Value._load(object, index) }
      if let owner, owner.flags.contains(.tracing) {
        PropertyTrace.insert(self)
        return Value._trace(owner, index)
      }
      return storage.map(Value._unwrap) ?? Value._makeDefault()
    }
    set {
      if let object {
        Value._save(newValue, object, index)
      } else {
        storage = Value._wrap(newValue)
      }
    }
  }

  /// An accessor of the row; nil while the object is unmanaged.
  private var object: ObjectBase? {
    guard let row else { return nil }
    if let owner, owner.isManaged { return owner }
    // Checked before the accessor is stored in `owner`. Any number of threads may read a frozen slot, so it stores
    // nothing.
    row.session.checkConfinement()
    let made = row.session.accessor(row.binding, row.key)
    if !row.session.isFrozen { owner = made }
    return made
  }

  /// Records that the property was passed, when its object traces and has not recorded it yet.
  func notePassed() {
    guard let owner, owner.flags.contains(.tracing) else { return }
    unsafe PropertyTrace.note(self, of: Borrowed(owner), index)
  }

  func attach(_ owner: ObjectBase, _ index: Int) {
    self.owner = owner
    self.index = index
  }

  func bind(_ row: RowBinding, _ index: Int) {
    self.row = row
    self.index = index
    storage = nil
  }
}

extension _FieldAccess {
  /// Access to fields that hold an object with a slot; `find` reads the slot from the field.
  static func slot<Value: _Persistable>(
    _ type: Value.Type, _ find: @escaping (UnsafeMutableRawPointer) -> PropertySlot<Value>
  ) -> _FieldAccess {
    func slot(of owner: ObjectBase, _ index: Int) -> PropertySlot<Value> {
      unsafe find(owner.address + owner.layout.fields[index].offset)
    }
    // The members of the type's access that do not depend on a field.
    let general = Value._access
    return unsafe _FieldAccess(
      content: { field, _, _ in unsafe Value._content(find(field).value) },
      fill: Value._facts.kind == .any
        ? nil
        : { field, row, column in
          guard case .value(let value) = unsafe Value._content(find(field).value) else { return }
          try row.set(value, column)
        },
      bind: { field, row, index in unsafe find(field).bind(row, index) },
      attach: { field, owner, index in unsafe find(field).attach(owner, index) },
      trace: { field, owner, index in unsafe find(field).attach(owner, index) },
      look: { unsafe Value._content(find($0).value) },
      carry: { unsafe find($1).value = unsafe find($0).value },
      convert: general.convert,
      take: general.take,
      get: { owner, index in flattened(slot(of: owner, index).value) },
      getPlain: { owner, index in Value._plain(slot(of: owner, index).value) },
      set: { owner, index, value in
        guard let value = Value._fromAny(value as Any) else { return false }
        slot(of: owner, index).value = value
        return true
      })
  }
}
