import FiefGraph

/// The entries of a dictionary with texts for keys, where they lie: nothing is copied, and no reference counted.
///
///     dictionary ─▶ class · counts │ count … scale … keys values │ bitmap      offsets 0, 16, 32, 48, 56, 64
///                                                     │     │
///                                                     ▼     ▼
///                                                  [String] [Any]              2^scale places each, taken where the bitmap says so
///
/// A dictionary hands out copies alone: of each key and each value, both of which the reader lets go of at once. For
/// values that are read and stored that is most of the work.
///
/// Why this is right: the layout is that of `__RawDictionaryStorage`, which the standard library promises to keep on
/// Apple's platforms and on no other. So it is not believed but tried out: at the first use dictionaries of many sizes
/// are read in this way and by their own iterators, and when one of them differs in anything, no dictionary is ever
/// read here. Only objects of the very class that those dictionaries were kept by are looked into; the empty
/// dictionary, bridged ones and whatever else there may be are left to the caller. The entries stay where they are
/// while somebody holds the dictionary, for who changes one that is held changes a copy; callers hold it.
struct DictionaryEntries {
  /// The keys, by place.
  private let keys: UnsafePointer<String>
  private let values: UnsafeRawPointer
  private let stride: Int
  private let bitmap: UnsafePointer<UInt>
  private let words: Int
  /// The bits of the last word that stand for places.
  private let mask: UInt
  let count: Int

  /// The entries of a dictionary that the caller holds while it uses them; nil when they cannot be read where they lie.
  @inline(__always)
  init?(_ dictionary: [String: Any]) {
    self.init(Self.storage(dictionary), Self.layout.anys, MemoryLayout<Any>.stride)
  }

  /// The same of a dictionary of texts.
  @inline(__always)
  init?(_ dictionary: [String: String]) {
    self.init(Self.storage(dictionary), Self.layout.texts, MemoryLayout<String>.stride)
  }

  /// What a dictionary consists of: one word, the address of its storage.
  @inline(__always)
  private static func storage<Value>(_ dictionary: [String: Value]) -> UnsafeRawPointer {
    withUnsafeBytes(of: dictionary) { $0.load(as: UnsafeRawPointer.self) }
  }

  @inline(__always)
  private init?(_ storage: UnsafeRawPointer, _ wanted: UInt, _ stride: Int) {
    // An address that carries more than an address is none of a storage that is known.
    guard wanted != 0, UInt64(UInt(bitPattern: storage)) & 0xFF00_0000_0000_0007 == 0,
      storage.load(as: UInt.self) == wanted
    else { return nil }
    self.init(known: storage, stride)
  }

  @inline(__always)
  private init(known storage: UnsafeRawPointer, _ stride: Int) {
    count = storage.load(fromByteOffset: 16, as: Int.self)
    let scale = Int(storage.load(fromByteOffset: 32, as: Int8.self))
    keys = storage.load(fromByteOffset: 48, as: UnsafePointer<String>.self)
    values = storage.load(fromByteOffset: 56, as: UnsafeRawPointer.self)
    bitmap = (storage + 64).assumingMemoryBound(to: UInt.self)
    words = scale < 6 ? 1 : 1 << (scale - 6)
    mask = scale < 6 ? 1 << UInt(1 << scale) - 1 : .max
    self.stride = stride
  }

  /// Calls `body` with the addresses of the key and the value of every entry, in the order of the dictionary's
  /// iterator, until it returns false.
  ///
  /// - Returns: whether it never did.
  @inline(__always)
  func forEach(_ body: (UnsafePointer<String>, UnsafeRawPointer) throws -> Bool) rethrows -> Bool {
    for word in 0..<words {
      var bits = bitmap[word] & mask
      while bits != 0 {
        let place = word &* 64 &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        if try !body(keys + place, values + place &* stride) { return false }
      }
    }
    return true
  }

  // MARK: Trying it out

  /// The classes that keep dictionaries; 0 when they do not lie as described.
  private static let layout: (anys: UInt, texts: UInt) = {
    guard MemoryLayout<[String: Any]>.size == 8, MemoryLayout<UInt>.size == 8, MemoryLayout<Any>.size == 32,
      RawStrings.isAsExpected
    else { return (0, 0) }
    let anys = learn([String: Any].self, { $0 }, { $0.assumingMemoryBound(to: Any.self).pointee as? Int })
    let texts = learn(
      [String: String].self, { "text \($0) of more than a few letters" },
      { Int($0.assumingMemoryBound(to: String.self).pointee.split(separator: " ")[1]) })
    return (anys, texts)
  }()

  private static func learn<Value>(
    _ type: [String: Value].Type, _ made: (Int) -> Value, _ number: (UnsafeRawPointer) -> Int?
  ) -> UInt {
    var wanted: UInt = 0
    for count in [1, 2, 3, 5, 9, 25, 60, 200, 1000] {
      var dictionary = type.init()
      for index in 0..<count { dictionary["key number \(index)"] = made(index) }
      for index in 0..<count / 3 { dictionary["key number \(index * 2)"] = nil }
      let storage = storage(dictionary)
      let found = storage.load(as: UInt.self)
      if wanted == 0 { wanted = found }
      var isRight = found == wanted
      withExtendedLifetime(dictionary) {
        let scale = storage.load(fromByteOffset: 32, as: Int8.self)
        // Before anything is followed: the counts must be what they are said to be.
        guard storage.load(fromByteOffset: 16, as: Int.self) == dictionary.count, (0..<16).contains(scale),
          storage.load(fromByteOffset: 24, as: Int.self) >= dictionary.count,
          1 << Int(scale) > dictionary.count
        else { return isRight = false }
        var iterator = dictionary.makeIterator()
        let entries = DictionaryEntries(known: storage, MemoryLayout<Value>.stride)
        let isWalked = entries.forEach { key, value in
          guard let next = iterator.next() else { return false }
          return withUnsafeBytes(of: next.value) { number($0.baseAddress.unsafelyUnwrapped) } == number(value)
            && next.key == key.pointee
        }
        isRight = isRight && isWalked && iterator.next() == nil
      }
      if !isRight { return 0 }
    }
    return wanted
  }
}
