import FiefGraph

// A bitmap with at least one bit. If the first n bits are set: 0 and n - 1. Otherwise, up to 31 bits: their number and
// each of them, ascending. Otherwise: 32 and the words.

extension ByteWriter {
  func bitmap(_ bitmap: Bitmap256) {
    let count = bitmap.count
    if bitmap == Bitmap256(prefix: count) {
      append(0 as UInt8)
      append(UInt8(truncatingIfNeeded: count - 1))
    } else if count < 32 {
      append(UInt8(truncatingIfNeeded: count))
      bitmap.forEach { append(UInt8(truncatingIfNeeded: $0)) }
    } else {
      append(32 as UInt8)
      for word in 0..<4 { fixed(bitmap[word: word]) }
    }
  }
}

extension ByteReader {
  mutating func bitmap() throws(CodecError) -> Bitmap256 {
    let start = self
    let form = try byte()
    if form == 0 { return Bitmap256(prefix: Int(try byte()) + 1) }
    if form > 32 { throw start.wrong(.malformed, "there is no such form of bitmap") }
    var bitmap = Bitmap256()
    if form < 32 {
      var last = -1
      for _ in 0..<form {
        let bit = Int(try byte())
        guard bit > last else { throw start.wrong(.notCanonical, "the bits of a bitmap do not ascend") }
        bitmap[bit] = true
        last = bit
      }
    } else {
      for word in 0..<4 { bitmap[word: word] = try fixed(UInt64.self) }
    }
    let count = bitmap.count
    if bitmap == Bitmap256(prefix: count) || form == 32 && count < 32 {
      throw start.wrong(.notCanonical, "a bitmap is written in a longer form than it needs")
    }
    return bitmap
  }
}
