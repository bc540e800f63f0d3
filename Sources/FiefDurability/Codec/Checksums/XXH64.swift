/// The digest of a whole snapshot: XXH64 with seed 0 (Yann Collet, "xxHash fast digest algorithm", specification
/// 0.1.1).
///
/// It takes bytes in portions of any length, and depends on the bytes alone. It guarantees nothing about small damage,
/// unlike `CRC32C`, and misses damage of any size once in 2^64.
package struct XXH64: Sendable {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  private var lane0: UInt64 = prime1 &+ prime2
  private var lane1: UInt64 = prime2
  private var lane2: UInt64 = 0
  private var lane3: UInt64 = 0 &- prime1
  private var total: UInt64 = 0
  /// Bytes that do not fill a stripe of 32.
  private var pending: [UInt8] = []

  /// Creates the digest of zero bytes.
  package init() {}

  /// Appends bytes. Linear.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    total &+= UInt64(truncatingIfNeeded: bytes.count)
    var rest = unsafe bytes
    if !pending.isEmpty {
      let missing = min(32 - pending.count, rest.count)
      unsafe pending.append(contentsOf: rest.prefix(missing))
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(missing))
      if pending.count < 32 { return }
      let stripe = pending
      unsafe stripe.withUnsafeBytes { unsafe consume($0, stripes: 1) }
      pending.removeAll(keepingCapacity: true)
    }
    let stripes = rest.count / 32
    unsafe consume(rest, stripes: stripes)
    unsafe pending.append(contentsOf: rest.dropFirst(stripes * 32))
  }

  /// Processes whole stripes; `bytes` has that many.
  private mutating func consume(_ bytes: UnsafeRawBufferPointer, stripes: Int) {
    guard stripes > 0, var next = bytes.baseAddress else { return }
    var (a, b, c, d) = (lane0, lane1, lane2, lane3)
    for _ in 0..<stripes {
      a = unsafe Self.round(a, UInt64(littleEndian: next.loadUnaligned(as: UInt64.self)))
      b = unsafe Self.round(b, UInt64(littleEndian: next.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
      c = unsafe Self.round(c, UInt64(littleEndian: next.loadUnaligned(fromByteOffset: 16, as: UInt64.self)))
      d = unsafe Self.round(d, UInt64(littleEndian: next.loadUnaligned(fromByteOffset: 24, as: UInt64.self)))
      unsafe next += 32
    }
    (lane0, lane1, lane2, lane3) = (a, b, c, d)
  }

  /// The digest of all bytes so far; more bytes may follow.
  package var digest: UInt64 {
    var hash: UInt64
    if total >= 32 {
      hash = Self.rotated(lane0, 1) &+ Self.rotated(lane1, 7) &+ Self.rotated(lane2, 12) &+ Self.rotated(lane3, 18)
      for lane in [lane0, lane1, lane2, lane3] {
        hash = (hash ^ Self.round(0, lane)) &* Self.prime1 &+ Self.prime4
      }
    } else {
      hash = Self.prime5
    }
    hash &+= total
    var rest = pending[...]
    while rest.count >= 8 {
      hash = Self.rotated(hash ^ Self.round(0, Self.number(rest.prefix(8))), 27) &* Self.prime1 &+ Self.prime4
      rest = rest.dropFirst(8)
    }
    if rest.count >= 4 {
      hash = Self.rotated(hash ^ Self.number(rest.prefix(4)) &* Self.prime1, 23) &* Self.prime2 &+ Self.prime3
      rest = rest.dropFirst(4)
    }
    for byte in rest { hash = Self.rotated(hash ^ UInt64(byte) &* Self.prime5, 11) &* Self.prime1 }
    hash = (hash ^ hash &>> 33) &* Self.prime2
    hash = (hash ^ hash &>> 29) &* Self.prime3
    return hash ^ hash &>> 32
  }

  /// The digest of `bytes` alone. Linear.
  package static func digest(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = XXH64()
    unsafe hash.update(bytes)
    return hash.digest
  }

  @inline(__always)
  private static func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 { value &<< bits | value &>> (64 &- bits) }

  @inline(__always)
  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotated(lane &+ input &* prime2, 31) &* prime1
  }

  /// Up to eight bytes as a little-endian number.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 &<< 8 | UInt64($1) }
  }
}
