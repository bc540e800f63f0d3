import FiefGraph

extension TextMatcher {
  /// The slots among `wanted` whose strings stand in the relation.
  ///
  /// Strings in the short form are looked at where they lie, in the leaf's own memory; the others are asked for their bytes.
  func slots(of values: LeafValues, among wanted: Bitmap256) -> Bitmap256 {
    guard case .string(let strings) = values else { return Bitmap256() }
    var result = Bitmap256()
    guard RawStrings.isAsExpected, let short else {
      wanted.forEach { slot in if matches(strings[slot]) { result[slot] = true } }
      return result
    }
    let foldsCase = folding?.options.contains(.caseInsensitive) ?? false
    // Where folding looks at more than bytes, only plain letters are short enough.
    let form: UInt64 = folding == nil ? 0x2 : 0xE
    // Unsafe: a string's own sixteen bytes are read as two numbers, while its array is held.
    strings.withUnsafeBytes { memory in
      @inline(__always)
      func holds(_ slot: Int) -> Bool {
        var low = memory.load(fromByteOffset: slot &* 16, as: UInt64.self)
        let second = memory.load(fromByteOffset: slot &* 16 &+ 8, as: UInt64.self)
        guard (second >> 60) & form == form else { return matches(strings[slot]) }
        var high = second & (UInt64.max >> 8)
        if foldsCase { (low, high) = (ShortNeedle.lower(low), ShortNeedle.lower(high)) }
        return short.matches(low, high, Int(truncatingIfNeeded: second >> 56) & 0xF)
      }
      // Of a whole leaf each slot in turn; the array is asked for before its strings are looked at one by one.
      if wanted == Bitmap256(prefix: strings.count), RawStrings.shortForm(of: memory) != 0 {
        for slot in 0..<strings.count where holds(slot) { result[slot] = true }
      } else {
        wanted.forEach { slot in if holds(slot) { result[slot] = true } }
      }
    }
    return result
  }
}
