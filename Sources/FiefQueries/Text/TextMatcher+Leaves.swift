import FiefGraph
import FiefRuntime

extension TextMatcher {
  /// The slots among `wanted` whose strings in the column at index `leaf` have the relation.
  @inline(__always)
  func slots(of cluster: Cluster, leaf: Int, among wanted: Bitmap256) -> Bitmap256 {
    unsafe slots(of: cluster.strings(leaf: leaf), among: wanted)
  }

  /// The slots among `wanted` whose strings have the relation.
  ///
  /// Short strings are tested directly in the leaf's memory. The bytes of other strings are read through `String`. If
  /// many strings are wanted, a pass without a branch first selects the candidates.
  func slots(of strings: UnsafeBufferPointer<String>, among wanted: Bitmap256) -> Bitmap256 {
    guard SmallString.isAvailable, let short else { return wanted.filter { unsafe matches(strings[$0]) } }
    ShortCut.shortTexts.taken()
    let foldsCase = options.contains(.caseInsensitive)
    // When folding needs more than bytes, only ASCII strings can be tested in their short form.
    let form: UInt64 = options.isEmpty ? 0x2 : 0xE
    // Unsafe: reads the sixteen bytes of each string as two numbers while the array is kept alive by the caller.
    let memory = UnsafeRawBufferPointer(strings)
    assert((wanted - Bitmap256(prefix: strings.count)).isEmpty, "A leaf has the strings that are wanted.")
    var candidates = wanted
    // The array is asked for before its strings are looked at. A leaf of long strings has no such array.
    if wanted.count >= 32, unsafe RawStrings.shortForm(of: memory) & SmallString.flag != 0 {
      candidates = unsafe candidates & short.candidates(in: memory, foldsCase: foldsCase, form: form)
    }
    return candidates.filter { slot in
      var low = unsafe memory.loadUnaligned(fromByteOffset: slot &* 16, as: UInt64.self)
      let second = unsafe memory.loadUnaligned(fromByteOffset: slot &* 16 &+ 8, as: UInt64.self)
      guard (second >> 60) & form == form else { return unsafe matches(strings[slot]) }
      var high = second & (UInt64.max >> 8)
      if foldsCase { (low, high) = (ShortNeedle.lower(low), ShortNeedle.lower(high)) }
      return short.matches(low, high, length: Int(truncatingIfNeeded: second >> 56) & 0xF)
    }
  }
}
