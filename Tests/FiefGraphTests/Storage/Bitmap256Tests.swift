import FiefGraph
import FiefTestSupport
import Testing

/// `Bitmap256` against an array of 256 booleans.
struct Bitmap256Tests {
  /// The bits as an array.
  static func array(_ bitmap: Bitmap256) -> [Bool] { (0..<256).map { bitmap[$0] } }

  static func bitmap(_ array: [Bool]) -> Bitmap256 {
    var bitmap = Bitmap256()
    for (bit, isSet) in array.enumerated() where isSet { bitmap[bit] = true }
    return bitmap
  }

  /// Patterns with bits at every boundary of words, and random ones of every density.
  static let patterns: [Bitmap256] = {
    var random = SeededRandom(seed: 1)
    var patterns = [
      Bitmap256(), Bitmap256(prefix: 256), Bitmap256(prefix: 64), Bitmap256(prefix: 65), Bitmap256(prefix: 191),
      Bitmap256(words: 0x5555_5555_5555_5555, .max, 0, 1 << 63), Bitmap256(words: 1 << 63, 1, 1 << 63, 1),
      Bitmap256(bit: 0), Bitmap256(bit: 255), Bitmap256(bit: 127),
    ]
    for density in [0.02, 0.5, 0.98] { patterns.append(bitmap((0..<256).map { _ in random.bool(density) })) }
    return patterns
  }()

  @Test func oneBitCanBeSetAndClearedAnywhere() {
    for bit in 0..<256 {
      var bitmap = Bitmap256(bit: bit)
      #expect(bitmap.count == 1 && bitmap[bit] && !bitmap.isEmpty)
      #expect(bitmap.next(from: 0) == bit && bitmap.select(0) == bit)
      bitmap[bit] = false
      #expect(bitmap == Bitmap256() && bitmap.isEmpty)
      var full = Bitmap256(prefix: 256)
      full[bit] = false
      #expect(full.count == 255 && !full[bit])
    }
  }

  @Test func aPrefixHasItsLowestBitsSet() {
    for count in 0...256 {
      #expect(Self.array(Bitmap256(prefix: count)) == (0..<256).map { $0 < count })
      #expect(Bitmap256(prefix: count).count == count)
    }
  }

  @Test func rankCountsTheBitsBelow() {
    for pattern in Self.patterns {
      let array = Self.array(pattern)
      for bit in 0...256 where pattern.rank(bit) != array[..<bit].filter({ $0 }).count {
        Issue.record("rank \(bit) of \(pattern)")
      }
      #expect(pattern.count == pattern.rank(256))
    }
  }

  @Test func selectIsTheInverseOfRank() {
    for pattern in Self.patterns {
      let bits = (0..<256).filter { pattern[$0] }
      #expect(bits.indices.map(pattern.select) == bits)
      #expect(bits.map(pattern.rank) == Array(bits.indices))
    }
  }

  @Test func nextFindsTheFirstSetBitFromThereOn() {
    for pattern in Self.patterns {
      let array = Self.array(pattern)
      for bit in 0...256 where pattern.next(from: bit) != array[bit...].firstIndex(of: true) {
        Issue.record("next from \(bit) of \(pattern)")
      }
    }
  }

  @Test func forEachGoesThroughTheSetBitsAscending() {
    for pattern in Self.patterns {
      var bits: [Int] = []
      pattern.forEach { bits.append($0) }
      #expect(bits == (0..<256).filter { pattern[$0] })
    }
  }

  @Test func aBitCanBeTakenOutAnywhere() {
    for pattern in Self.patterns {
      for bit in 0..<256 {
        var changed = pattern
        changed.removeBit(at: bit)
        var array = Self.array(pattern)
        array.remove(at: bit)
        if Self.array(changed) != array + [false] { Issue.record("bit \(bit) out of \(pattern)") }
      }
    }
  }

  @Test func aBitCanBePutInAnywhere() {
    for pattern in Self.patterns {
      for bit in 0..<256 {
        for isSet in [false, true] {
          var changed = pattern
          changed.insertBit(isSet, at: bit)
          var array = Self.array(pattern)
          array.insert(isSet, at: bit)
          if Self.array(changed) != Array(array.dropLast()) { Issue.record("\(isSet) at \(bit) into \(pattern)") }
        }
      }
    }
  }

  @Test func packingKeepsTheBitsAtTheMaskInTheirOrder() {
    for pattern in Self.patterns {
      for mask in Self.patterns {
        let kept = (0..<256).filter { mask[$0] }.map { pattern[$0] }
        #expect(Self.array(pattern.packed(at: mask)) == kept + Array(repeating: false, count: 256 - kept.count))
      }
    }
  }

  @Test func setsOfBitsCombineBitByBit() {
    for a in Self.patterns {
      for b in Self.patterns {
        #expect(Self.array(a & b) == (0..<256).map { a[$0] && b[$0] })
        #expect(Self.array(a | b) == (0..<256).map { a[$0] || b[$0] })
        #expect(Self.array(a - b) == (0..<256).map { a[$0] && !b[$0] })
      }
    }
  }

  @Test(arguments: Seeds.all) func anyHistoryMatchesTheArray(seed: Seed) {
    var random = seed.random
    var bitmap = Bitmap256()
    var array = [Bool](repeating: false, count: 256)
    for step in 0..<300 {
      let bit = random.below(256)
      switch random.below(4) {
      case 0:
        bitmap[bit].toggle()
        array[bit].toggle()
      case 1:
        bitmap.removeBit(at: bit)
        array.remove(at: bit)
        array.append(false)
      case 2:
        bitmap.insertBit(true, at: bit)
        array.insert(true, at: bit)
        array.removeLast()
      default:
        bitmap.insertBit(false, at: bit)
        array.insert(false, at: bit)
        array.removeLast()
      }
      guard Self.array(bitmap) == array, bitmap.rank(bit) == array[..<bit].filter({ $0 }).count else {
        Issue.record("step \(step)")
        return
      }
    }
  }

  @Test func aRankThatNoBitHasTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Bitmap256(prefix: 3).select(3)
    }
    expectSentence("There is no bit of rank 3", of: result)
  }
}
