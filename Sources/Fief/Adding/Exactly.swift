/// What an `Any` holds, when that is exactly of one type: as `as?`, without the ten conversions that `as?` knows.
///
/// Why this is right: `Any` is three words for the value and one for its type, and a value of at most three words that can
/// be moved by copying its bits lies in those words. The types that this is called with are such: numbers, booleans,
/// strings, arrays and dictionaries; the two conditions that can be asked are asked (the compiler answers them).
@inline(__always)
func exactly<Wanted>(_ value: Any, _ wanted: Wanted.Type) -> Wanted? {
  guard type(of: value) == wanted, MemoryLayout<Wanted>.size <= 24, MemoryLayout<Wanted>.alignment <= 8 else {
    return nil
  }
  return withUnsafeBytes(of: value) { $0.load(as: Wanted.self) }
}
