@_spi(Reflection) import Swift
import Synchronization

/// Where the wrappers (`@Persisted`) and the older property objects of a class lie in its instances.
///
///     instance ─┬─ ObjectBase's own
///               ├─ offset 72: Persisted<String>      ── field 0 "name"
///               └─ offset 120: Persisted<List<Dog>>  ── field 1 "dogs"
///
/// The standard library tells names, types and offsets once for each class; a layout lives for ever after. Superclass
/// first, then in the order of declaration.
@usableFromInline
final class FieldLayout: @unchecked Sendable {
  /// One stored property that is kept in a store.
  struct Field {
    let name: String
    let offset: Int
    let type: any AnyPersistedField.Type
  }

  let fields: [Field]
  /// Offsets of the wrappers; the place in this array is the property's number.
  @usableFromInline let offsets: UnsafeBufferPointer<Int32>
  /// The numbers of the fields that are objects (`let dogs = List<Dog>()`), not wrappers.
  let older: [Int]
  /// Wrappers that the class names in `ignoredProperties()`: plain properties, which hold their values whatever becomes
  /// of the object.
  let ignored: [Field]
  /// Whether there is anything but wrappers that are kept.
  let isMixed: Bool
  /// Whether every stored property that the subclasses of `ObjectBase` declare is a wrapper, so that an instance holds
  /// nothing but what its store holds.
  @usableFromInline let isPure: Bool
  /// Whether the class overrides `isEqual(_:)` or `hash`.
  let overridesEquality: Bool
  /// Properties that are declared in a way that cannot be kept, and why.
  let problems: [(name: String, problem: String)]

  private init(_ type: ObjectBase.Type) {
    var fields: [Field] = []
    var others = 0
    var lazyNames: [String] = []
    var older: [Int] = []
    _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, offset, fieldType, _ in
      let name = String(cString: name)
      guard offset >= ObjectBase.end else { return true }
      if let kept = fieldType as? any AnyPersistedField.Type {
        if !kept.isWrapper { older.append(fields.count) }
        // A wrapper's storage is called as the property with an underscore before it.
        let property = kept.isWrapper && name.hasPrefix("_") ? String(name.dropFirst()) : name
        fields.append(Field(name: property, offset: offset, type: kept))
      } else {
        others += 1
        // A lazy property is stored as an optional, under a name of the compiler's.
        if name.hasPrefix(lazyPrefix), let optional = fieldType as? any AnyOptionalField.Type, optional.isKept {
          lazyNames.append(String(name.dropFirst(lazyPrefix.count)))
        }
      }
      return true
    }
    let ignored = Set(type.ignoredProperties())
    // A class with wrappers manages those and its older declarations; what is ignored is neither.
    let plain = fields.filter { ignored.contains($0.name) }
    self.ignored = plain.filter { $0.type.isWrapper }
    fields.removeAll { ignored.contains($0.name) }
    older = fields.indices.filter { !fields[$0].type.isWrapper }
    self.fields = fields
    self.older = older
    problems = lazyNames.filter { !ignored.contains($0) }.map {
      (name: $0, problem: "cannot be lazy: its object must be there from the start")
    }
    isPure = others == 0 && older.isEmpty && plain.isEmpty
    isMixed = !older.isEmpty || !self.ignored.isEmpty
    overridesEquality = EqualityOverrides.exist(in: type)
    let offsets = UnsafeMutableBufferPointer<Int32>.allocate(capacity: fields.count)
    for (index, field) in fields.enumerated() {
      offsets[index] = field.type.isWrapper ? Int32(field.offset) : -1
    }
    self.offsets = UnsafeBufferPointer(offsets)
  }

  /// The first byte behind the stored properties of a class; what its subclasses declare may begin there.
  static func end(of type: AnyClass) -> Int {
    func size<Field>(_: Field.Type) -> Int { MemoryLayout<Field>.size }
    var end = 0
    _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { _, offset, fieldType, _ in
      end = max(end, offset + _openExistential(fieldType, do: size))
      return true
    }
    return end
  }

  /// The layout of a class. A few nanoseconds after the first time.
  static func of(_ type: ObjectBase.Type) -> FieldLayout { peek(type)._withUnsafeGuaranteedRef { $0 } }

  /// The layout of a class, without a reference counted: it lives for ever.
  @usableFromInline
  static func peek(_ type: ObjectBase.Type) -> Unmanaged<FieldLayout> {
    let key = UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))
    if let known = LayoutTable.shared.find(key) { return known }
    return LayoutTable.shared.insert(FieldLayout(type), for: key)
  }
}

private let lazyPrefix = "$__lazy_storage_$_"

/// An optional of whatever.
private protocol AnyOptionalField {
  /// Whether a field of the wrapped type would be kept in a store.
  static var isKept: Bool { get }
}

extension Optional: AnyOptionalField {
  static var isKept: Bool { Wrapped.self is any AnyPersistedField.Type }
}

/// Classes to layouts, read without a lock.
///
/// An open-addressed table whose entries are written once: value first, then key with release order, so that whoever
/// sees the key sees the value. When it is three quarters full a larger one takes its place; the old one is never
/// freed, as readers may still be in it (tables double, so all old ones together are smaller than the present one).
private final class LayoutTable: Sendable {
  static let shared = LayoutTable()

  private let current = Atomic<UInt>(UInt(bitPattern: Slots.make(capacity: 1024)))
  /// How many classes there are; who holds it may add one.
  private let count = Mutex(0)

  func find(_ key: UInt) -> Unmanaged<FieldLayout>? {
    let slots = UnsafeMutablePointer<Slots>(bitPattern: current.load(ordering: .acquiring)).unsafelyUnwrapped
    return slots.pointee.find(key)
  }

  func insert(_ layout: FieldLayout, for key: UInt) -> Unmanaged<FieldLayout> {
    count.withLock { count in
      let address = current.load(ordering: .relaxed)
      var slots = UnsafeMutablePointer<Slots>(bitPattern: address).unsafelyUnwrapped
      if let known = slots.pointee.find(key) { return known }
      if count * 4 >= slots.pointee.capacity * 3 {
        let larger = Slots.make(capacity: slots.pointee.capacity * 2)
        slots.pointee.forEach { larger.pointee.put($0, $1) }
        slots = larger
      }
      let entry = Unmanaged.passRetained(layout)
      slots.pointee.put(key, entry)
      count += 1
      current.store(UInt(bitPattern: slots), ordering: .releasing)
      return entry
    }
  }
}

/// Never changes in itself, so that reading it while an entry is put in is no access to something that is being
/// changed.
private struct Slots: ~Copyable {
  let capacity: Int
  let keys: UnsafeMutablePointer<Atomic<UInt>>
  let values: UnsafeMutablePointer<Unmanaged<FieldLayout>?>

  static func make(capacity: Int) -> UnsafeMutablePointer<Slots> {
    let place = UnsafeMutablePointer<Slots>.allocate(capacity: 1)
    place.initialize(to: Slots(capacity: capacity))
    return place
  }

  private init(capacity: Int) {
    self.capacity = capacity
    keys = .allocate(capacity: capacity)
    values = .allocate(capacity: capacity)
    for index in 0..<capacity {
      (keys + index).initialize(to: Atomic(0))
      (values + index).initialize(to: nil)
    }
  }

  private func home(_ key: UInt) -> Int {
    // In 64 bits, whatever an address has.
    Int(truncatingIfNeeded: (UInt64(key >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 40) & (capacity - 1)
  }

  func find(_ key: UInt) -> Unmanaged<FieldLayout>? {
    var index = home(key)
    while true {
      let found = keys[index].load(ordering: .acquiring)
      if found == key { return values[index] }
      if found == 0 { return nil }
      index = (index + 1) & (capacity - 1)
    }
  }

  /// Puts a class in that is not there. One thread at a time.
  func put(_ key: UInt, _ value: Unmanaged<FieldLayout>) {
    var index = home(key)
    while keys[index].load(ordering: .relaxed) != 0 { index = (index + 1) & (capacity - 1) }
    values[index] = value
    keys[index].store(key, ordering: .releasing)
  }

  func forEach(_ body: (UInt, Unmanaged<FieldLayout>) -> Void) {
    for index in 0..<capacity {
      let key = keys[index].load(ordering: .relaxed)
      if key != 0, let value = values[index] { body(key, value) }
    }
  }
}
