import FiefGraph

extension TextMatcher {
  /// The slots among `wanted` whose strings stand in the relation.
  ///
  /// Strings in the short form are looked at where they lie, in the leaf's own memory; the others are asked for their bytes.
  func slots(of values: LeafValues, among wanted: Bitmap256) -> Bitmap256 {
    guard case .string(let strings) = values else { return Bitmap256() }
    var result = Bitmap256()
    guard RawStrings.isAsExpected, !isLike else {
      wanted.forEach { slot in if matches(strings[slot]) { result[slot] = true } }
      return result
    }
    // Unsafe: a string's own sixteen bytes are read as text, as many of them as its short form says, while its array is held.
    strings.withUnsafeBytes { memory in
      guard let base = memory.baseAddress else { return }
      let foldsCase = folding?.options.contains(.caseInsensitive) ?? false
      var lower = SIMD16<UInt8>()
      wanted.forEach { slot in
        let place = base + slot &* 16
        let second = place.load(fromByteOffset: 8, as: UInt64.self)
        // Short, and, where folding looks at more than bytes, of plain letters alone.
        guard second & RawStrings.shortForm != 0, folding == nil || second >> 60 == 0xE else {
          if matches(strings[slot]) { result[slot] = true }
          return
        }
        let count = Int(second >> 56) & 0xF
        if count < shortest { return }
        if foldsCase {
          lower = place.loadUnaligned(as: SIMD16<UInt8>.self)
          let isUpper = (lower &- 0x41) .< 26
          lower.replace(with: lower | 0x20, where: isUpper)
          let isMatch = withUnsafeBytes(of: &lower) { bytes in
            matchesShort(UnsafeBufferPointer(rebasing: bytes.assumingMemoryBound(to: UInt8.self)[..<count]))
          }
          if isMatch { result[slot] = true }
        } else {
          let bytes = UnsafeBufferPointer(start: place.assumingMemoryBound(to: UInt8.self), count: count)
          if matchesShort(bytes) { result[slot] = true }
        }
      }
    }
    return result
  }
}
