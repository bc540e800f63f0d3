/// What an `Any` holds, when that is exactly of one type: as `as?`, without the ten conversions that `as?` knows.
///
/// Why this is right: `Any` is three words for the value and one for its type, and a value of at most three words that
/// can be moved by copying its bits lies in those words. The types that this is called with are such: numbers,
/// booleans, strings, arrays and dictionaries; the two conditions that can be asked are asked (the compiler answers
/// them).
@inline(__always)
func exactly<Wanted>(_ value: Any, _ wanted: Wanted.Type) -> Wanted? {
  guard MemoryLayout<Wanted>.size <= 3 * MemoryLayout<UInt>.size,
    MemoryLayout<Wanted>.alignment <= MemoryLayout<UInt>.alignment
  else { return nil }
  return withUnsafePointer(to: value) { value in
    let words = UnsafeRawPointer(value)
    // The type that stands there is the value's own: only that of an object may be another.
    guard
      words.load(fromByteOffset: 3 * MemoryLayout<UInt>.size, as: UInt.self) == BoxedValue.identity(of: wanted)
    else { return nil }
    return words.load(as: Wanted.self)
  }
}

/// The object that an `Any` holds, when that is exactly of a class.
///
/// Right for the same reason: a reference is one word, and lies in the first of the three.
@inline(__always)
func exactInstance(_ value: Any, of wanted: ObjectBase.Type) -> ObjectBase? {
  guard type(of: value) == wanted else { return nil }
  return withUnsafeBytes(of: value) { $0.load(as: Unmanaged<ObjectBase>.self).takeUnretainedValue() }
}
