/// 256 bits: one for each row of a cluster, or for each slot of a leaf.
@frozen
public struct Bitmap256: Hashable, Sendable {
  @usableFromInline var w0: UInt64
  @usableFromInline var w1: UInt64
  @usableFromInline var w2: UInt64
  @usableFromInline var w3: UInt64

  /// Makes a bitmap without set bits.
  @inlinable public init() { (w0, w1, w2, w3) = (0, 0, 0, 0) }

  /// Makes a bitmap of the given words, the lowest bits first.
  @inlinable
  public init(words w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64) {
    (self.w0, self.w1, self.w2, self.w3) = (w0, w1, w2, w3)
  }

  /// Makes a bitmap with only bit `bit` set.
  @inlinable
  public init(bit: Int) {
    assert(0..<256 ~= bit, "A bitmap has the bits 0 ..< 256.")
    self.init()
    self[bit] = true
  }

  /// Makes a bitmap with the lowest `count` bits set, 0...256.
  @inlinable
  public init(prefix count: Int) {
    assert(0...256 ~= count, "A bitmap has 256 bits.")
    self.init()
    for word in 0..<4 {
      let bits = max(0, min(64, count - word * 64))
      self[word: word] = bits == 64 ? .max : (1 << UInt64(bits)) &- 1
    }
  }

  /// One of the four words.
  @inlinable
  public subscript(word word: Int) -> UInt64 {
    get {
      switch word {
      case 0: w0
      case 1: w1
      case 2: w2
      default: w3
      }
    }
    set {
      switch word {
      case 0: w0 = newValue
      case 1: w1 = newValue
      case 2: w2 = newValue
      default: w3 = newValue
      }
    }
  }

  /// Bit `bit`, 0...255.
  @inlinable
  public subscript(bit: Int) -> Bool {
    @inline(__always)
    get { self[word: bit >> 6] & (1 << UInt64(bit & 63)) != 0 }
    @inline(__always)
    set {
      if newValue {
        self[word: bit >> 6] |= 1 << UInt64(bit & 63)
      } else {
        self[word: bit >> 6] &= ~(1 << UInt64(bit & 63))
      }
    }
  }

  /// How many bits are set.
  @inlinable
  public var count: Int { w0.nonzeroBitCount + w1.nonzeroBitCount + w2.nonzeroBitCount + w3.nonzeroBitCount }

  /// Whether no bit is set.
  @inlinable public var isEmpty: Bool { w0 | w1 | w2 | w3 == 0 }

  /// How many bits below `bit` (0...256) are set.
  @inlinable
  public func rank(_ bit: Int) -> Int {
    assert(0...256 ~= bit, "A bitmap has the bits 0 ..< 256.")
    // No branches, as a random bit would take them at random. The bits of the words are counted together where the
    // counts fit: in groups of four bits for two words, of eight for all.
    let pairs: UInt64 = 0x5555_5555_5555_5555
    let quads: UInt64 = 0x3333_3333_3333_3333
    let bytes: UInt64 = 0x0f0f_0f0f_0f0f_0f0f
    let a = w0 & Self.below(bit)
    let b = w1 & Self.below(bit &- 64)
    let c = w2 & Self.below(bit &- 128)
    let d = w3 & Self.below(bit &- 192)
    let (a2, b2) = (a &- (a &>> 1 & pairs), b &- (b &>> 1 & pairs))
    let (c2, d2) = (c &- (c &>> 1 & pairs), d &- (d &>> 1 & pairs))
    let ab = (a2 & quads) &+ (a2 &>> 2 & quads) &+ (b2 & quads) &+ (b2 &>> 2 & quads)
    let cd = (c2 & quads) &+ (c2 &>> 2 & quads) &+ (d2 & quads) &+ (d2 &>> 2 & quads)
    let all = (ab & bytes) &+ (ab &>> 4 & bytes) &+ (cd & bytes) &+ (cd &>> 4 & bytes)
    let halves = (all & 0x00ff_00ff_00ff_00ff) &+ (all &>> 8 & 0x00ff_00ff_00ff_00ff)
    return Int(truncatingIfNeeded: (halves &* 0x0001_0001_0001_0001) &>> 48)
  }

  /// The bits of a word below a number: none below 0 and less, all below 64 and more.
  @inlinable
  @inline(__always)
  static func below(_ bit: Int) -> UInt64 { bit < 64 ? (1 &<< UInt64(truncatingIfNeeded: max(bit, 0))) &- 1 : .max }

  /// The bit of rank `rank`, 0..<count: the inverse of `rank(_:)`.
  @inlinable
  public func select(_ rank: Int) -> Int {
    assert(rank >= 0, "A rank counts bits.")
    var left = rank
    for word in 0..<4 {
      var bits = self[word: word]
      let count = bits.nonzeroBitCount
      if left >= count {
        left -= count
        continue
      }
      for _ in 0..<left { bits &= bits - 1 }
      return word * 64 + bits.trailingZeroBitCount
    }
    fatalError("There is no bit of rank \(rank).")
  }

  /// The first set bit at or above `bit`, or nil. `bit` may be 256.
  @inlinable
  public func next(from bit: Int) -> Int? {
    assert(bit >= 0, "A bitmap has the bits 0 ..< 256.")
    guard bit < 256 else { return nil }
    var word = bit >> 6
    var bits = self[word: word] & (.max << UInt64(bit & 63))
    while bits == 0 {
      word += 1
      guard word < 4 else { return nil }
      bits = self[word: word]
    }
    return word * 64 + bits.trailingZeroBitCount
  }

  /// Calls `body` with every set bit, ascending.
  @inlinable
  public func forEach(_ body: (Int) throws -> Void) rethrows {
    for word in 0..<4 {
      var bits = self[word: word]
      while bits != 0 {
        try body(word * 64 + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
  }

  /// The set bits for which `isIncluded` returns true, which is called in ascending order.
  ///
  /// The result of a call is a bit and no branch: which rows satisfy a condition cannot be predicted.
  @inlinable
  @inline(__always)
  public func filter(_ isIncluded: (Int) -> Bool) -> Bitmap256 {
    var result = Bitmap256()
    for word in 0..<4 {
      var bits = self[word: word]
      var included: UInt64 = 0
      while bits != 0 {
        let bit = bits.trailingZeroBitCount
        included |= (isIncluded(word * 64 + bit) ? 1 : 0) << UInt64(bit)
        bits &= bits - 1
      }
      result[word: word] = included
    }
    return result
  }

  /// Removes bit `bit`: the bits above it move down by one.
  @inlinable
  public mutating func removeBit(at bit: Int) {
    assert(0..<256 ~= bit, "A bitmap has the bits 0 ..< 256.")
    let word = bit >> 6
    let below: UInt64 = (1 << UInt64(bit & 63)) &- 1
    let bits = self[word: word]
    self[word: word] = bits & below | (bits >> 1) & ~below
    for above in (word + 1)..<max(word + 1, 4) {
      self[word: above - 1] |= self[word: above] << 63
      self[word: above] >>= 1
    }
  }

  /// Inserts a bit at `bit`: the bits from there on move up by one, and the last is dropped.
  @inlinable
  public mutating func insertBit(_ value: Bool, at bit: Int) {
    assert(0..<256 ~= bit, "A bitmap has the bits 0 ..< 256.")
    let word = bit >> 6
    for above in stride(from: 3, to: word, by: -1) {
      self[word: above] = self[word: above] << 1 | self[word: above - 1] >> 63
    }
    let below: UInt64 = (1 << UInt64(bit & 63)) &- 1
    let bits = self[word: word]
    self[word: word] = bits & below | (bits & ~below) << 1
    if value { self[bit] = true }
  }

  /// The bits of `self` at the set bits of `mask`, packed together at the low end.
  @inlinable
  public func packed(at mask: Bitmap256) -> Bitmap256 {
    if isEmpty { return self }
    var result = Bitmap256()
    var position = 0
    mask.forEach {
      if self[$0] { result[position] = true }
      position += 1
    }
    assert(position == mask.count, "A packed bitmap has a bit for each of the mask.")
    return result
  }

  /// The bits set in both.
  @inlinable
  public static func & (a: Bitmap256, b: Bitmap256) -> Bitmap256 {
    Bitmap256(words: a.w0 & b.w0, a.w1 & b.w1, a.w2 & b.w2, a.w3 & b.w3)
  }

  /// The bits set in one or both.
  @inlinable
  public static func | (a: Bitmap256, b: Bitmap256) -> Bitmap256 {
    Bitmap256(words: a.w0 | b.w0, a.w1 | b.w1, a.w2 | b.w2, a.w3 | b.w3)
  }

  /// The bits set in `a` but not in `b`.
  @inlinable
  public static func - (a: Bitmap256, b: Bitmap256) -> Bitmap256 {
    Bitmap256(words: a.w0 & ~b.w0, a.w1 & ~b.w1, a.w2 & ~b.w2, a.w3 & ~b.w3)
  }
}
