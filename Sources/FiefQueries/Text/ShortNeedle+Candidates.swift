import FiefGraph

// Finds the strings of a leaf that may match, in one pass over its memory without a branch. The result contains every
// match, and may contain other strings.
//
//     begins with, is      the words, as far as the needle goes, are its words
//     contains, ends with  somewhere the needle's last byte stands behind its last but one
//
// The pass compares two bytes of the needle at their distance from each other, sixteen positions at a time. See W.
// Mula, "SIMD-friendly algorithms for substring searching" (2016). The last two bytes replace the first and the last,
// because a string of up to fifteen bytes is a single block. To ignore case, the bit that differs between lowercase and
// uppercase letters is set on both sides. This also equates some characters that are not letters, which the later
// comparison distinguishes. Strings that are not in the wanted form are always candidates.

extension ShortNeedle {
  /// The slots of the strings in `memory` that may match: all matches, and some other strings.
  ///
  /// - Parameters:
  ///   - foldsCase: whether case is ignored. The needle is then in lower case.
  ///   - form: the bits that must be set in the upper half of a string's last byte, so that its two words are its
  ///     contents.
  func candidates(in memory: UnsafeRawBufferPointer, foldsCase: Bool, form: UInt64) -> Bitmap256 {
    assert(memory.count % 16 == 0 && memory.count <= 256 * 16, "A leaf has up to 256 strings of two words.")
    let caseBits: UInt64 = foldsCase ? 0x2020_2020_2020_2020 : 0
    switch anchor {
    case .notAll: return Bitmap256(words: .max, .max, .max, .max)
    // No short string contains an impossible needle, so only the other strings are candidates.
    case _ where !isPossible:
      return Self.flagged(memory.count / 16) { slot in
        unsafe memory.loadUnaligned(fromByteOffset: slot &* 16 &+ 8, as: UInt64.self) & form << 60 != form << 60
      }
    case .all, .start: return unsafe atStart(in: memory, caseBits, form << 60)
    case .anywhere, .end: return unsafe inside(in: memory, caseBits, form << 60)
    }
  }

  private func atStart(in memory: UnsafeRawBufferPointer, _ caseBits: UInt64, _ form: UInt64) -> Bitmap256 {
    let (lowMask, highMask) = (UInt64(truncatingIfNeeded: mask), UInt64(truncatingIfNeeded: mask >> 64))
    let lows = (UInt64(truncatingIfNeeded: words) | caseBits) & lowMask
    let highs = (UInt64(truncatingIfNeeded: words >> 64) | caseBits) & highMask
    return Self.flagged(memory.count / 16) { slot in
      let low = unsafe memory.loadUnaligned(fromByteOffset: slot &* 16, as: UInt64.self)
      let high = unsafe memory.loadUnaligned(fromByteOffset: slot &* 16 &+ 8, as: UInt64.self)
      let isOther = ((low | caseBits) & lowMask ^ lows) | ((high | caseBits) & highMask ^ highs)
      return isOther == 0 || high & form != form
    }
  }

  private func inside(in memory: UnsafeRawBufferPointer, _ caseBits: UInt64, _ form: UInt64) -> Bitmap256 {
    typealias Bytes = SIMD16<UInt8>
    let fold = unsafe unsafeBitCast(SIMD2(caseBits, caseBits), to: Bytes.self)
    let last = unsafe unsafeBitCast(SIMD2(lastByte, lastByte), to: Bytes.self) | fold
    // A needle of one byte has no byte before the last, so the last is compared twice.
    let distance = count == 1 ? 0 : 1
    let other = count == 1 ? lastByte : lastButOne
    let before = unsafe unsafeBitCast(SIMD2(other, other), to: Bytes.self) | fold
    let strings = memory.count / 16
    var result = Bitmap256()
    for word in 0..<(strings + 63) / 64 {
      let slots = word * 64..<min(word * 64 + 64, strings)
      var (bits, high) = (UInt64(0), form)
      // In slot 0, the byte before would be read outside the memory. That string is always a candidate.
      for slot in max(slots.lowerBound, 1)..<max(slots.upperBound, 1) {
        let offset = slot &* 16
        let here = unsafe memory.loadUnaligned(fromByteOffset: offset, as: Bytes.self) | fold
        let shifted = unsafe memory.loadUnaligned(fromByteOffset: offset &- distance, as: Bytes.self) | fold
        let both = Self.words(here .== last) & Self.words(shifted .== before)
        bits = bits &>> 1 | (both[0] | both[1] == 0 ? 0 : 1 &<< 63)
        high &= unsafe memory.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
      }
      result[word: word] = bits &>> UInt64(64 &- slots.count)
      if high == form { continue }
      for slot in slots {
        let high = unsafe memory.loadUnaligned(fromByteOffset: slot &* 16 &+ 8, as: UInt64.self)
        if high & form != form { result[slot] = true }
      }
    }
    result[0] = true
    return result
  }

  @inline(__always)
  private static func words(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD2<UInt64> {
    unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
  }

  /// The slots below `count` for which `holds` is true. Each word of the bitmap is written once.
  @inline(__always)
  private static func flagged(_ count: Int, _ holds: (Int) -> Bool) -> Bitmap256 {
    assert(count <= 256, "A bitmap has a bit for each slot.")
    var result = Bitmap256()
    var slot = 0
    while slot < count {
      let end = min(count, slot &+ 64)
      var bits: UInt64 = 0
      for index in slot..<end { bits |= (holds(index) ? 1 : 0) << UInt64(truncatingIfNeeded: index &- slot) }
      result[word: slot >> 6] = bits
      slot = end
    }
    return result
  }
}
