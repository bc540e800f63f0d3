import FiefGraph

// Which strings of a leaf are worth a look: one pass over its memory, without a branch, that is wrong about some and
// misses none.
//
//     begins with, is      the words, as far as the needle goes, are its words
//     contains, ends with  somewhere the needle's last byte stands behind its last but one
//
// Two bytes of the needle at their distance from each other, sixteen places at a time: W. Mula, "SIMD-friendly
// algorithms for substring searching" (2016), with the last two bytes for the first and the last, as a text of fifteen
// bytes is one such block. Without regard to case the bit in which a small and a capital letter differ is set on both
// sides, which mixes up more than letters; who looks closer knows them apart. What is not in the wanted form is worth a
// look.

extension ShortNeedle {
  /// The slots of the strings in `memory` that may be what is looked for: all that are, and some others.
  ///
  /// - Parameters:
  ///   - foldsCase: whether small and capital letters are one; the needle's are small.
  ///   - form: the bits that the upper half of a string's last byte must have, for its words to be all that counts.
  func candidates(in memory: UnsafeRawBufferPointer, foldsCase: Bool, form: UInt64) -> Bitmap256 {
    let caseBits: UInt64 = foldsCase ? 0x2020_2020_2020_2020 : 0
    switch place {
    case .notAll: return Bitmap256(words: .max, .max, .max, .max)
    // Of a needle that nothing short holds, the others.
    case _ where !isPossible:
      return Self.flagged(memory.count / 16) { slot in
        memory.loadUnaligned(fromByteOffset: slot &* 16 &+ 8, as: UInt64.self) & form << 60 != form << 60
      }
    case .all, .beginning: return beginning(in: memory, caseBits, form << 60)
    case .anywhere, .end: return inside(in: memory, caseBits, form << 60)
    }
  }

  private func beginning(in memory: UnsafeRawBufferPointer, _ caseBits: UInt64, _ form: UInt64) -> Bitmap256 {
    let (lowMask, highMask) = (UInt64(truncatingIfNeeded: mask), UInt64(truncatingIfNeeded: mask >> 64))
    let lows = (UInt64(truncatingIfNeeded: words) | caseBits) & lowMask
    let highs = (UInt64(truncatingIfNeeded: words >> 64) | caseBits) & highMask
    return Self.flagged(memory.count / 16) { slot in
      let low = memory.loadUnaligned(fromByteOffset: slot &* 16, as: UInt64.self)
      let high = memory.loadUnaligned(fromByteOffset: slot &* 16 &+ 8, as: UInt64.self)
      let isOther = ((low | caseBits) & lowMask ^ lows) | ((high | caseBits) & highMask ^ highs)
      return isOther == 0 || high & form != form
    }
  }

  private func inside(in memory: UnsafeRawBufferPointer, _ caseBits: UInt64, _ form: UInt64) -> Bitmap256 {
    typealias Bytes = SIMD16<UInt8>
    let fold = unsafeBitCast(SIMD2(caseBits, caseBits), to: Bytes.self)
    let last = unsafeBitCast(SIMD2(lastByte, lastByte), to: Bytes.self) | fold
    let before = unsafeBitCast(SIMD2(lastButOne, lastButOne), to: Bytes.self) | fold
    // A needle of one byte has nothing before it: all is right there.
    let always: UInt64 = count == 1 ? .max : 0
    var result = Self.flagged(memory.count / 16) { slot in
      let offset = slot &* 16
      // The byte before each: of the first string's first that is one of its own, and the string is a candidate anyhow.
      let here = memory.loadUnaligned(fromByteOffset: offset, as: Bytes.self) | fold
      let shifted = memory.loadUnaligned(fromByteOffset: offset &- (slot == 0 ? 0 : 1), as: Bytes.self) | fold
      let ends = Self.words(here .== last)
      let both = ends & (Self.words(shifted .== before) | SIMD2(repeating: always))
      let high = memory.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
      return both[0] | both[1] | (high & form ^ form) != 0
    }
    result[0] = true
    return result
  }

  @inline(__always)
  private static func words(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD2<UInt64> {
    unsafeBitCast(mask, to: SIMD2<UInt64>.self)
  }

  /// The slots below `count` of which `holds` is true, 64 at a time.
  @inline(__always)
  private static func flagged(_ count: Int, _ holds: (Int) -> Bool) -> Bitmap256 {
    var result = Bitmap256()
    var slot = 0
    while slot < count {
      let end = min(count, slot &+ 64)
      var bits: UInt64 = 0
      for place in slot..<end { bits |= (holds(place) ? 1 : 0) << UInt64(truncatingIfNeeded: place &- slot) }
      result[word: slot >> 6] = bits
      slot = end
    }
    return result
  }
}
