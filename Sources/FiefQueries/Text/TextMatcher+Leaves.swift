import FiefGraph
import FiefRuntime

extension TextMatcher {
  /// The slots among `wanted` whose strings stand in the relation.
  ///
  /// Strings in the short form are looked at where they lie, in the leaf's own memory; the others are asked for their
  /// bytes. Of many, those that can be right are told first, without a branch.
  func slots(of strings: UnsafeBufferPointer<String>, among wanted: Bitmap256) -> Bitmap256 {
    var result = Bitmap256()
    guard SmallString.isAvailable, let short else {
      wanted.forEach { slot in if matches(strings[slot]) { result[slot] = true } }
      return result
    }
    let foldsCase = folding?.options.contains(.caseInsensitive) ?? false
    // Where folding looks at more than bytes, only plain letters are short enough.
    let form: UInt64 = folding == nil ? 0x2 : 0xE
    // Unsafe: a string's own sixteen bytes are read as two numbers, while its array is held.
    let memory = UnsafeRawBufferPointer(strings)
    var candidates = wanted
    // The array is asked for before its strings are looked at. A leaf of long strings has nothing to be told apart by.
    if wanted.count >= 32, RawStrings.shortForm(of: memory) & SmallString.flag != 0 {
      candidates = candidates & short.candidates(in: memory, foldsCase: foldsCase, form: form)
    }
    candidates.forEach { slot in
      var low = memory.loadUnaligned(fromByteOffset: slot &* 16, as: UInt64.self)
      let second = memory.loadUnaligned(fromByteOffset: slot &* 16 &+ 8, as: UInt64.self)
      guard (second >> 60) & form == form else {
        if matches(strings[slot]) { result[slot] = true }
        return
      }
      var high = second & (UInt64.max >> 8)
      if foldsCase { (low, high) = (ShortNeedle.lower(low), ShortNeedle.lower(high)) }
      if short.matches(low, high, Int(truncatingIfNeeded: second >> 56) & 0xF) { result[slot] = true }
    }
    return result
  }
}
