extension Bitmap256 {
  /// The bits that are set in exactly one of the two.
  @inlinable
  public static func ^ (a: Bitmap256, b: Bitmap256) -> Bitmap256 {
    Bitmap256(words: a.w0 ^ b.w0, a.w1 ^ b.w1, a.w2 ^ b.w2, a.w3 ^ b.w3)
  }

  /// Makes a bitmap of up to 256 flags, each a byte that is 0 or 1: bit `i` is flag `i`.
  ///
  /// One multiplication turns eight flags into eight bits: it moves flag `i`, at bit `8i` of a word, to bit `56 + i`.
  /// No two partial products overlap, so there are no carries (Warren, "Hacker's Delight", 2nd edition, on gathering
  /// the bits of bytes).
  ///
  /// - Parameter flags: 256 bytes; those from `count` on are not read.
  @inlinable
  @inline(__always)
  public init(flags: UnsafeMutableRawBufferPointer, count: Int) {
    assert(0...256 ~= count && flags.count >= 256, "There are 256 flags.")
    self.init()
    var slot = 0
    // The rest of the last eight flags is set to zero, so that whole words can be read: the buffer has 256 bytes.
    while slot < count {
      if slot &+ 8 > count {
        for rest in count..<(slot &+ 8) { unsafe flags[rest] = 0 }
      }
      let word = unsafe UInt64(littleEndian: flags.load(fromByteOffset: slot, as: UInt64.self))
      let bits = (word &* 0x0102_0408_1020_4080) >> 56
      self[word: slot >> 6] |= bits << UInt64(slot & 63)
      slot &+= 8
    }
  }
}
