import FiefCopying
import FiefGraph
import FiefRuntime

/// The values of a dictionary for the properties of a class, when all of them are scalars or embedded objects of
/// scalars. An object can be made from them without a plan.
///
///     ["id": 7, "name": "Ann", "address": ["city": "Rome"]]
///        │
///        ▼
///     slots    7 ↗, "Ann" ↗, –, –, …     one for each stored property of the class: its address in the dictionary
///     owned    address ─▶ its own stretch of slots
///
/// Reading changes nothing. A value with exactly the type of its column stays in the dictionary; others are converted,
/// by the planner's rules. Anything unusual is left to the planner: a list, a link, an invalid value, a missing value
/// of an embedded object, a dictionary that cannot be read in place.
///
/// Slots are addresses in the dictionaries. The caller retains the dictionaries for as long as it uses the slots.
struct ScalarValues {
  /// For each property: 0 when the dictionary has no value for it, the value's address, or an odd number that encodes
  /// an index in `converted`.
  private var slots: ContiguousArray<UInt> = []
  private(set) var converted: ContiguousArray<StoredValue> = []
  /// In the order of the class, so that the result does not depend on the dictionary's hash seed.
  private(set) var owned: ContiguousArray<Owned> = []
  /// The number of slots in use.
  private var used = 0

  /// An embedded object to be made.
  struct Owned {
    /// The index of the property in the owner's class.
    let number: Int
    let cell: ColumnKey
    let binding: Borrowed<ClassBinding>
    /// The index of its first slot.
    let first: Int
  }

  /// The location of a property's value.
  @safe  // The values are read while the dictionary that holds them is retained.
  enum Given {
    case nothing
    case plain(ExistentialPointer)
    case converted(Int)
  }

  /// The value for the property at an index.
  @inline(__always)
  subscript(number: Int) -> Given {
    let slot = slots[number]
    if slot == 0 { return .nothing }
    if slot & 1 != 0 { return .converted(Int(slot >> 1)) }
    return unsafe .plain(ExistentialPointer(address: UnsafeRawPointer(bitPattern: slot).unsafelyUnwrapped))
  }

  /// Removes all values, and keeps the capacity.
  @inline(__always)
  mutating func removeAll() {
    used = 0
    if !converted.isEmpty { converted.removeAll(keepingCapacity: true) }
    if !owned.isEmpty { owned.removeAll(keepingCapacity: true) }
  }

  /// Reads a dictionary.
  ///
  /// - Returns: false when it contains anything unusual.
  mutating func read(_ dictionary: [String: Any], _ target: ScalarLayout) -> Bool {
    guard let entries = unsafe DictionaryStorage(dictionary) else { return dictionary.isEmpty && makeRoom(target) == 0 }
    _ = makeRoom(target)
    return unsafe entries.forEach { key, address in
      // Unknown keys are ignored.
      guard let number = unsafe target.number(of: key) else { return true }
      let property = target.properties[number]
      let value = unsafe ExistentialPointer(address: address)
      if unsafe convert(value, property, number) { return true }
      guard let owned = property.owned else { return false }
      return unsafe readOwned(value, owned, property.column, number)
    }
  }

  /// Stores a value in a slot, if the property is a scalar.
  @inline(__always)
  private mutating func convert(_ value: ExistentialPointer, _ property: ScalarProperty, _ slot: Int) -> Bool {
    if unsafe value.type == property.plain {
      slots[slot] = unsafe UInt(bitPattern: value.address)
      return true
    }
    return unsafe property.isScalar && convert(value.value, property.type, slot)
  }

  private mutating func convert(_ value: Any, _ type: ColumnType, _ slot: Int) -> Bool {
    if let stored = DynamicValue.stored(value, type) {
      converted.append(stored)
    } else {
      guard type.isOptional, DynamicValue.isNull(value) else { return false }
      converted.append(.null)
    }
    slots[slot] = UInt(converted.count - 1) << 1 | 1
    return true
  }

  /// Adds the defaults that application code converts, for properties without a value.
  @inline(__always)
  mutating func convertForeignDefaults(of target: ScalarLayout, _ object: ObjectBase) {
    if target.foreignFillers.isEmpty { return }
    for (number, filler) in target.foreignFillers where slots[number] == 0 {
      unsafe converted.append(filler.value(object.address + filler.offset, object))
      slots[number] = UInt(converted.count - 1) << 1 | 1
    }
  }

  /// Adds slots for one more object.
  ///
  /// - Returns: the index of the first slot.
  @inline(__always)
  private mutating func makeRoom(_ target: ScalarLayout) -> Int {
    let first = used
    used += target.properties.count
    while slots.count < used { slots.append(0) }
    for slot in first..<used { slots[slot] = 0 }
    return first
  }

  // MARK: Embedded objects

  /// Reads an embedded object, of which no value may be missing: its defaults are not known here.
  private mutating func readOwned(
    _ value: ExistentialPointer, _ target: Borrowed<ClassBinding>, _ cell: ColumnKey, _ number: Int
  ) -> Bool {
    let flat = target.with { $0.scalarLayout }
    let first = makeRoom(flat)
    var index = owned.count
    while index > 0, owned[index - 1].number > number { index -= 1 }
    owned.insert(Owned(number: number, cell: cell, binding: target, first: first), at: index)
    if unsafe value.type == Self.texts {
      let texts = unsafe value.load(as: [String: String].self)
      guard texts.count == flat.properties.count, let entries = unsafe DictionaryStorage(texts) else { return false }
      return unsafe entries.forEach { key, address in
        guard let number = unsafe flat.number(of: key) else { return false }
        let property = flat.properties[number]
        guard property.plain == Self.text else {
          return unsafe property.isScalar && convert(address.load(as: String.self), property.type, first + number)
        }
        slots[first + number] = UInt(bitPattern: address)
        return true
      }
    }
    guard unsafe value.type == Self.anys else { return false }
    let anys = unsafe value.load(as: [String: Any].self)
    guard anys.count == flat.properties.count, let entries = unsafe DictionaryStorage(anys) else { return false }
    return unsafe entries.forEach { key, address in
      guard let number = unsafe flat.number(of: key) else { return false }
      return unsafe convert(ExistentialPointer(address: address), flat.properties[number], first + number)
    }
  }

  private static let text = unsafe ExistentialPointer.identity(of: String.self)
  private static let texts = unsafe ExistentialPointer.identity(of: [String: String].self)
  private static let anys = unsafe ExistentialPointer.identity(of: [String: Any].self)
}
