import FiefGraph
import FiefRuntime

/// The values of a dictionary by the properties of a class, when all of them are scalars, or embedded objects of
/// scalars: what an object can be made of without a plan.
///
///     ["id": 7, "name": "Ann", "address": ["city": "Rome"]]
///        │
///        ▼
///     slots    7 ↗, "Ann" ↗, –, –, …     one for each stored property of the class: where its value lies in the dictionary
///     owned    address ─▶ its own stretch of slots
///
/// Reading changes nothing. A value of just the type that its column has is left where it is; others are converted, by
/// the rules that the planner has. Whatever is unusual (a list, a link, a value that does not fit, a missing value of
/// an embedded object, a dictionary that cannot be read in place) is not read, and the planner does all of it.
///
/// Slots are addresses in the dictionaries: whoever has them read holds those as long as it uses the slots.
struct FlatValues {
  /// For each property: 0 when it is given nothing, an address, or an odd number that stands for a place in
  /// `converted`.
  private var slots: ContiguousArray<UInt> = []
  private(set) var converted: ContiguousArray<StoredValue> = []
  private(set) var owned: ContiguousArray<Owned> = []
  /// How many slots are in use.
  private var used = 0

  /// An embedded object that is to be made.
  struct Owned {
    let cell: ColumnKey
    let binding: Unmanaged<ClassBinding>
    /// Where its slots begin.
    let first: Int
  }

  /// Where the value of a property is.
  enum Given {
    case nothing
    case plain(ExistentialPointer)
    case converted(Int)
  }

  /// What the property at a place is given.
  @inline(__always)
  subscript(place: Int) -> Given {
    let slot = slots[place]
    if slot == 0 { return .nothing }
    if slot & 1 != 0 { return .converted(Int(slot >> 1)) }
    return .plain(ExistentialPointer(address: UnsafeRawPointer(bitPattern: slot).unsafelyUnwrapped))
  }

  /// Forgets everything, and keeps the memory.
  @inline(__always)
  mutating func removeAll() {
    used = 0
    if !converted.isEmpty { converted.removeAll(keepingCapacity: true) }
    if !owned.isEmpty { owned.removeAll(keepingCapacity: true) }
  }

  /// Whether dictionaries can be read in place in this process.
  static let isAvailable = DictionaryStorage.isAvailable && Existential.isAvailable && SmallString.isAvailable

  /// Reads a dictionary.
  ///
  /// - Returns: false when something is unusual.
  mutating func read(_ dictionary: [String: Any], _ target: FlatClass) -> Bool {
    guard let entries = DictionaryStorage(dictionary) else { return dictionary.isEmpty && makeRoom(target) == 0 }
    _ = makeRoom(target)
    return entries.forEach { key, address in
      // A key that is no property is ignored, as ever.
      guard let place = target.place(of: key) else { return true }
      let property = target.properties[place]
      let value = ExistentialPointer(address: address)
      if take(value, property, place) { return true }
      guard let owned = property.owned else { return false }
      return own(value, owned, property.column)
    }
  }

  /// Takes a value for a slot, when it is a scalar's.
  @inline(__always)
  private mutating func take(_ value: ExistentialPointer, _ property: FlatProperty, _ slot: Int) -> Bool {
    if value.type == property.plain {
      slots[slot] = UInt(bitPattern: value.address)
      return true
    }
    return property.isScalar && convert(value.value, property.type, slot)
  }

  private mutating func convert(_ value: Any, _ type: ColumnType, _ slot: Int) -> Bool {
    if let stored = Untyped.stored(value, type) {
      converted.append(stored)
    } else {
      guard type.isOptional, Untyped.isNull(value) else { return false }
      converted.append(.null)
    }
    slots[slot] = UInt(converted.count - 1) << 1 | 1
    return true
  }

  /// Takes the defaults that code of the application converts, of the properties that were given nothing.
  @inline(__always)
  mutating func takeForeignDefaults(of target: FlatClass, _ object: ObjectBase) {
    if target.foreignFillers.isEmpty { return }
    for (place, filler) in target.foreignFillers where slots[place] == 0 {
      converted.append(filler.value(object.address + filler.offset, object))
      slots[place] = UInt(converted.count - 1) << 1 | 1
    }
  }

  /// Makes room for the slots of one more object.
  ///
  /// - Returns: where they begin.
  @inline(__always)
  private mutating func makeRoom(_ target: FlatClass) -> Int {
    let first = used
    used += target.properties.count
    while slots.count < used { slots.append(0) }
    for slot in first..<used { slots[slot] = 0 }
    return first
  }

  // MARK: Embedded objects

  /// Reads an embedded object, of which no value may be missing: its defaults are not known here.
  private mutating func own(_ value: ExistentialPointer, _ target: Unmanaged<ClassBinding>, _ cell: ColumnKey) -> Bool {
    let flat = target._withUnsafeGuaranteedRef { $0.flat }
    let first = makeRoom(flat)
    owned.append(Owned(cell: cell, binding: target, first: first))
    if value.type == Self.texts {
      let texts = value.load(as: [String: String].self)
      guard texts.count == flat.properties.count, let entries = DictionaryStorage(texts) else { return false }
      return entries.forEach { key, address in
        guard let place = flat.place(of: key) else { return false }
        let property = flat.properties[place]
        guard property.plain == Self.text else {
          return property.isScalar && convert(address.load(as: String.self), property.type, first + place)
        }
        slots[first + place] = UInt(bitPattern: address)
        return true
      }
    }
    guard value.type == Self.anys else { return false }
    let anys = value.load(as: [String: Any].self)
    guard anys.count == flat.properties.count, let entries = DictionaryStorage(anys) else { return false }
    return entries.forEach { key, address in
      guard let place = flat.place(of: key) else { return false }
      return take(ExistentialPointer(address: address), flat.properties[place], first + place)
    }
  }

  private static let text = ExistentialPointer.identity(of: String.self)
  private static let texts = ExistentialPointer.identity(of: [String: String].self)
  private static let anys = ExistentialPointer.identity(of: [String: Any].self)
}
