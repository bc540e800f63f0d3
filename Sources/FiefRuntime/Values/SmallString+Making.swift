extension SmallString {
  /// Makes strings of at most 15 bytes of ASCII. The words are made of the bytes without a call, and no reference is
  /// counted.
  @frozen
  @usableFromInline
  @safe  // The table has an entry for each count below 16, is never freed and never changes.
  package struct Maker: @unchecked Sendable {
    /// For each number of bytes, the bits of the words that they fill, and then the bits that are set behind them.
    @usableFromInline let table: UnsafePointer<SIMD2<UInt64>>

    /// The one table: for making many strings, read it once. Nil where strings are laid out otherwise.
    package static let available: Maker? = isAvailable ? shared : nil

    private static let shared = Maker()

    /// Makes the table, which is kept for ever: use `available`.
    init() {
      let table = UnsafeMutablePointer<SIMD2<UInt64>>.allocate(capacity: 32)
      for count in 0..<16 {
        let bits = UInt64(count) * 8
        let words = SIMD2<UInt64>(bits < 64 ? 1 << bits - 1 : .max, bits > 64 ? 1 << (bits - 64) - 1 : 0)
        unsafe (table + count).initialize(to: words)
        unsafe (table + 16 + count).initialize(to: SIMD2(0, asciiFlags | UInt64(count) << 56))
      }
      unsafe self.table = UnsafePointer(table)
    }

    /// Makes a string, or the words of one, in uninitialized memory, of bytes in a buffer.
    ///
    /// - Parameters:
    ///   - place: the memory: sixteen bytes.
    ///   - bytes: a buffer.
    ///   - start: the position of the first byte.
    ///   - count: the number of bytes, which are within the buffer and ASCII.
    /// - Returns: false, without a string, for more than 15 bytes, and where fewer than 16 bytes lie in the buffer from
    ///   the first one on.
    @inlinable
    @inline(__always)
    package func initialize(
      _ place: UnsafeMutableRawPointer, ascii bytes: UnsafeRawBufferPointer, at start: Int, count: Int
    ) -> Bool {
      guard count <= 15, start &+ 16 <= bytes.count else { return false }
      let words = unsafe (bytes.baseAddress.unsafelyUnwrapped + start).loadUnaligned(as: SIMD2<UInt64>.self)
      unsafe place.storeBytes(of: words & table[count] | table[count | 16], as: SIMD2<UInt64>.self)
      return true
    }
  }
}
