import FiefRuntime
import FiefTestSupport
import Testing

@Suite struct KeyHashTests {
  @Test func equalValuesHaveEqualHashes() {
    Seeds.run { _, random in
      let (number, other, text) = (random.int64(), random.next(), random.string())
      #expect(KeyHash.of(number) == KeyHash.of(number))
      #expect(KeyHash.of(other, other &+ 1) == KeyHash.of(other, other &+ 1))
      // Equal bytes in another storage, which grew by appending.
      var copy = ""
      for scalar in text.unicodeScalars { copy.unicodeScalars.append(scalar) }
      #expect(KeyHash.of(text) == KeyHash.of(copy))
      // A slice of a longer string, which shares that string's storage.
      #expect(KeyHash.of(String(("<" + text).unicodeScalars.dropFirst())) == KeyHash.of(text))
    }
  }

  @Test func differentIntegersHaveDifferentHashes() {
    var hashes = Set((Int64(-50_000)..<50_000).map { KeyHash.of($0) })
    #expect(hashes.count == 100_000)
    hashes = Set((0..<63).map { KeyHash.of(1 << Int64($0)) })
    #expect(hashes.count == 63)
  }

  /// A collision of two of these has a probability of about one in 10^14.
  @Test func edgesOfStringsAreDistinguishedByTheirBytes() {
    let texts =
      SeededRandom.stringEdges + (0...40).map { String(repeating: "a", count: $0) }
      + (1...40).map { String(repeating: "\u{0}", count: $0) }
    let bytes = Set(texts.map { Array($0.utf8) })
    #expect(Set(texts.map { KeyHash.of($0) }).count == bytes.count)
  }

  @Test func textThatIsOnlyCanonicallyEqualIsAnotherKey() {
    #expect("caf\u{E9}" == "cafe\u{301}")
    #expect(KeyHash.of("caf\u{E9}") != KeyHash.of("cafe\u{301}"))
  }

  @Test func everyByteOfALongTextCounts() {
    withEvery("length", in: [1, 7, 8, 9, 15, 16, 17, 31, 64]) { length in
      var seen: Set<UInt64> = [KeyHash.of(String(repeating: "a", count: length))]
      for position in 0..<length {
        var bytes = Array(repeating: UInt8(ascii: "a"), count: length)
        bytes[position] = UInt8(ascii: "b")
        seen.insert(KeyHash.of(String(decoding: bytes, as: UTF8.self)))
      }
      #expect(seen.count == length + 1)
    }
  }

  @Test func shortTextHasOneHashInBothForms() {
    for count in 0...15 {
      let text = String(decoding: (0..<count).map { UInt8(97 + $0) }, as: UTF8.self)
      // Room for more bytes than the words have.
      var stored = ""
      stored.reserveCapacity(100)
      stored += text
      #expect(stored == text && KeyHash.of(stored) == KeyHash.of(text), "\(count)")
      if SmallString.isAvailable {
        #expect(SmallString(text, isAvailable: true) != nil && SmallString(stored, isAvailable: true) == nil)
      }
    }
  }

  @Test func theTwoPartsOfAnIdentifierAreNotInterchangeable() {
    #expect(KeyHash.of(1, 2) != KeyHash.of(2, 1))
    #expect(KeyHash.of(0, 0) != KeyHash.of(0, 1))
    #expect(Set((0..<1000).map { KeyHash.of(7, UInt64($0) << 32) }).count == 1000)
  }

  /// Runs of keys, multiples of a power of two, and counters in strings, as real primary keys are. If 4096 of them are
  /// divided sixteen ways, each way gets about 256; half of that is eight standard deviations away. The last level of
  /// integers is their lowest four bits, which the test after this one covers.
  @Test func ordinaryKeysSpreadOverTheChildrenOfEveryLevel() {
    let kinds: [(name: String, levels: Int, hash: (Int) -> UInt64)] = [
      ("one of each sixteen integers", 15, { KeyHash.of(Int64($0) << 4) }),
      ("multiples of 2^32", 15, { KeyHash.of(Int64($0) << 32) }),
      ("text", 16, { KeyHash.of("user-\($0)") }),
      ("identifiers", 16, { KeyHash.of(0x6543_2100_ABCD_EF01, UInt64($0)) }),
    ]
    withEvery("kind", in: kinds.indices) { kind in
      withEvery("level", in: 0..<kinds[kind].levels) { level in
        var ways = Array(repeating: 0, count: 16)
        for number in 0..<4096 { ways[Int((kinds[kind].hash(number) >> UInt64(level * 4)) & 15)] += 1 }
        #expect(ways.allSatisfy { (128...512).contains($0) }, "\(kinds[kind].name): \(ways)")
      }
    }
  }

  /// Because of this, consecutive keys are found in the same few cache lines.
  @Test func sixteenNeighboursDifferInTheLastLevelAlone() {
    for first in [Int64(0), 16, 4096, -16, .max - 15, .min] {
      let hashes = (0..<16).map { KeyHash.of(first + $0) }
      #expect(Set(hashes.map { $0 & (.max >> 4) }).count == 1)
      #expect(Set(hashes.map { $0 >> 60 }).count == 16)
    }
  }

  @Test func anotherProcessHasOtherHashes() async throws {
    let here = KeyHash.of(42)
    let text = KeyHash.of("answer")
    await #expect(processExitsWith: .success) { [here = here as UInt64, text = text as UInt64] in
      #expect(KeyHash.of(42) != here)
      #expect(KeyHash.of("answer") != text)
    }
  }
}
