/// The entries of a dictionary with strings for keys, where they lie: nothing is copied, and no reference counted.
///
///     dictionary ─▶ class · counts │ count … scale … keys values │ bitmap      offsets 0, 16, 32, 48, 56, 64
///                                                     │     │
///                                                     ▼     ▼
///                                                  [String] [Any]     2^scale slots; the bitmap shows the filled ones
///
/// A dictionary's own interface copies each key and each value, and the reader releases both at once. For values that
/// are read and stored that is most of the work.
///
/// Why this is right: the offsets and types of the fields are those that the standard library's reflection gives for
/// the class of the storage (`__RawDictionaryStorage`), and the bitmap follows them, as its source says. Only
/// dictionaries whose one word is, by the same reflection, a reference to that class are read, and only objects of the
/// one class that holds dictionaries of the asked type; the empty dictionary, bridged ones and all others are left to
/// the caller. A trial then compares what is read with the dictionaries' own iterators; if anything differs, nothing is
/// read here. The entries stay where they are while the caller holds the dictionary: a change by another holder is made
/// to a copy.
///
/// Callers promise to hold the dictionary while they use its storage.
@unsafe
@frozen
@usableFromInline
package struct DictionaryStorage {
  /// The keys, one for each place.
  @usableFromInline let keys: UnsafePointer<String>
  @usableFromInline let values: UnsafeRawPointer
  @usableFromInline let stride: Int
  @usableFromInline let bitmap: UnsafePointer<UInt>
  @usableFromInline let words: Int
  /// The bits of the last word that stand for slots.
  @usableFromInline let mask: UInt
  /// The number of entries.
  @usableFromInline package let count: Int

  /// The entries of a dictionary that the caller holds while it uses them; nil when they cannot be read in place.
  @inlinable
  @inline(__always)
  package init?(_ dictionary: [String: Any]) {
    unsafe self.init(Self.word(of: dictionary), Self.layout.classOfAnys, MemoryLayout<Any>.stride)
  }

  /// The entries of a dictionary of strings, under the same conditions.
  @inlinable
  @inline(__always)
  package init?(_ dictionary: [String: String]) {
    unsafe self.init(Self.word(of: dictionary), Self.layout.classOfStrings, MemoryLayout<String>.stride)
  }

  /// The one word of a dictionary: the address of its storage, perhaps with flags.
  @inlinable
  @inline(__always)
  static func word<Value>(of dictionary: [String: Value]) -> UInt {
    unsafe withUnsafeBytes(of: dictionary) { unsafe $0.load(as: UInt.self) }
  }

  @inlinable
  @inline(__always)
  init?(_ word: UInt, _ wanted: UInt, _ stride: Int) {
    // A word with flags is no reference to a storage of the library.
    guard wanted != 0, UInt64(word) & 0xFF00_0000_0000_0007 == 0,
      let storage = unsafe UnsafeRawPointer(bitPattern: word), unsafe storage.load(as: UInt.self) == wanted
    else { return nil }
    unsafe self.init(storage, Self.layout.fields, stride)
  }

  @inlinable
  @inline(__always)
  init(_ storage: UnsafeRawPointer, _ fields: Fields, _ stride: Int) {
    unsafe count = storage.load(fromByteOffset: fields.count, as: Int.self)
    let scale = unsafe Int(storage.load(fromByteOffset: fields.scale, as: Int8.self))
    unsafe keys = storage.load(fromByteOffset: fields.keys, as: UnsafePointer<String>.self)
    unsafe values = storage.load(fromByteOffset: fields.values, as: UnsafeRawPointer.self)
    unsafe bitmap = (storage + fields.bitmap).assumingMemoryBound(to: UInt.self)
    unsafe words = scale < 6 ? 1 : 1 << (scale - 6)
    unsafe mask = scale < 6 ? 1 << UInt(1 << scale) - 1 : .max
    unsafe self.stride = stride
  }

  /// Calls `body` with the addresses of the key and the value of every entry, in the order of the dictionary's
  /// iterator, until it returns false.
  ///
  /// - Returns: false when `body` returned false.
  @inlinable
  @inline(__always)
  package func forEach(_ body: (UnsafePointer<String>, UnsafeRawPointer) throws -> Bool) rethrows -> Bool {
    for word in unsafe 0..<words {
      var bits = unsafe bitmap[word] & mask
      while bits != 0 {
        let slot = word &* 64 &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        if try unsafe !body(keys + slot, values + slot &* stride) { return false }
      }
    }
    return true
  }

  // MARK: The layout

  /// Whether dictionaries of any values can be read in place.
  package static var isAvailable: Bool { unsafe layout.classOfAnys != 0 && layout.classOfStrings != 0 }

  /// Offsets in the storage.
  @frozen
  @usableFromInline
  struct Fields {
    @usableFromInline let count: Int
    @usableFromInline let scale: Int
    @usableFromInline let keys: Int
    @usableFromInline let values: Int
    @usableFromInline let bitmap: Int
  }

  /// What is known of the storage. The classes are 0 when it is not as described.
  @frozen
  @usableFromInline
  struct Layout {
    @usableFromInline let fields: Fields
    @usableFromInline let classOfAnys: UInt
    @usableFromInline let classOfStrings: UInt
  }

  @usableFromInline
  static let layout: Layout = {
    let unknown = Layout(
      fields: Fields(count: 0, scale: 0, keys: 0, values: 0, bitmap: 0), classOfAnys: 0, classOfStrings: 0)
    guard !RuntimeFeature.dictionaryStorage.isSwitchedOff, MemoryLayout<UInt>.size == 8,
      let fields = unsafe Self.fields(of: [String: Any].self), unsafe Self.fields(of: [String: String].self) != nil
    else { return unknown }
    return unsafe Layout(
      fields: fields,
      classOfAnys: classOfStorage([String: Any].self, fields, { $0 }) {
        unsafe $0.assumingMemoryBound(to: Any.self).pointee as? Int == $1 as? Int
      },
      classOfStrings: unsafe classOfStorage([String: String].self, fields, { "text \($0) of more than a few letters" })
      {
        unsafe $0.assumingMemoryBound(to: String.self).pointee == $1
      })
  }()

  /// The offsets, when a dictionary is one reference to a storage whose fields have the names and types of the source;
  /// nil otherwise.
  private static func fields(of type: Any.Type) -> Fields? {
    func only(_ name: String, _ type: Any.Type, in outer: Any.Type) -> Any.Type? {
      var fields: [(String, Int, Any.Type)] = []
      StoredFields.forEach(of: outer) { fields.append(($0, $1, $2)) }
      return fields.count == 1 && fields[0].0 == name && fields[0].1 == 0 ? fields[0].2 : nil
    }
    guard let variant = only("_variant", type, in: type), let bridge = only("object", variant, in: variant),
      let word = only("rawValue", bridge, in: bridge), String(reflecting: word) == "Builtin.BridgeObject",
      String(reflecting: bridge) == "Swift._BridgeStorage<Swift.__RawDictionaryStorage>",
      let storage = _typeByName("s22__RawDictionaryStorageC")
    else { return nil }
    func offset(_ name: String, _ wanted: Any.Type) -> Int? {
      StoredFields.field(name, of: storage).flatMap { $0.type == wanted ? $0.offset : nil }
    }
    guard let count = offset("_count", Int.self), let scale = offset("_scale", Int8.self),
      let keys = unsafe offset("_rawKeys", UnsafeMutableRawPointer.self),
      let values = unsafe offset("_rawValues", UnsafeMutableRawPointer.self)
    else { return nil }
    // The bitmap is allocated behind the fields, at the next word.
    return Fields(
      count: count, scale: scale, keys: keys, values: values, bitmap: (StoredFields.end(of: storage) + 7) & ~7)
  }

  /// The class whose objects hold dictionaries of a type; 0 when they cannot be read as described.
  private static func classOfStorage<Value>(
    _ type: [String: Value].Type, _ fields: Fields, _ value: (Int) -> Value,
    _ isEqual: (UnsafeRawPointer, Value) -> Bool
  ) -> UInt {
    var wanted: UInt = 0
    for count in [1, 5, 40] {
      var dictionary = type.init()
      for index in 0..<count { dictionary["key number \(index)"] = value(index) }
      for index in 0..<count / 3 { dictionary["key number \(index * 2)"] = nil }
      var isRight = false
      withExtendedLifetime(dictionary) {
        let word = unsafe word(of: dictionary)
        guard UInt64(word) & 0xFF00_0000_0000_0007 == 0, let storage = unsafe UnsafeRawPointer(bitPattern: word) else {
          return
        }
        let found = unsafe storage.load(as: UInt.self)
        if wanted == 0 { wanted = found }
        let scale = unsafe storage.load(fromByteOffset: fields.scale, as: Int8.self)
        guard found == wanted, unsafe storage.load(fromByteOffset: fields.count, as: Int.self) == dictionary.count,
          (0..<16).contains(scale), 1 << Int(scale) > dictionary.count
        else { return }
        var iterator = dictionary.makeIterator()
        let entries = unsafe DictionaryStorage(storage, fields, MemoryLayout<Value>.stride)
        let isWalked = unsafe entries.forEach { key, value in
          guard let next = iterator.next() else { return false }
          return unsafe next.key == key.pointee && isEqual(value, next.value)
        }
        isRight = isWalked && iterator.next() == nil
      }
      if !isRight { return 0 }
    }
    return wanted
  }
}
