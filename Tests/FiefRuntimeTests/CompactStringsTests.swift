import FiefRuntime
import FiefTestSupport
import Testing

/// An array of strings in its two forms is the same array.
@Suite struct CompactStringsTests {
  /// A string of at most `most` bytes, in the short form or in storage of its own.
  private static func string(_ random: inout SeededRandom, most: Int) -> String {
    var text = random.text(count: random.below(most + 1), of: "ab")
    if random.bool(0.2) && most >= 2 { text = String(text.dropLast(2)) + "\u{FC}" }
    if random.bool(0.3) { text.reserveCapacity(64) }
    return text
  }

  private static func isSmall(_ strings: CompactStrings) -> Bool { if case .small = strings { true } else { false } }

  @Test func `strings are those of an array, and long ones end the short form`() {
    Seeds.run(count: 200) { _, random in
      var expected = (0..<1 + random.below(40)).map { _ in Self.string(&random, most: 15) }
      var strings = CompactStrings(ContiguousArray(expected))
      var isSmall = SmallString.isAvailable
      for _ in 0..<60 {
        let (before, all) = (strings, expected)
        let index = random.below(expected.count)
        expected[index] = Self.string(&random, most: random.bool(0.1) ? 20 : 15)
        if expected[index].utf8.count > 15 { isSmall = false }
        strings.set(expected[index], at: index)
        #expect(Self.isSmall(strings) == isSmall && strings.isValid)
        #expect(strings.count == expected.count && Array(strings.strings) == expected)
        #expect(expected.indices.allSatisfy { strings[$0] == expected[$0] })
        #expect(strings.withUnsafeBufferPointer { Array($0) } == expected)
        // A copy keeps its strings.
        #expect(Array(before.strings) == all)
      }
      #expect(CompactStrings(strings.strings).strings == strings.strings)
    }
  }

  @Test func `strings of sixteen bytes are not short, and those of fifteen are`() {
    #expect(Self.isSmall(CompactStrings(["", "fifteen bytes!!"])) == SmallString.isAvailable)
    #expect(!Self.isSmall(CompactStrings(["", "sixteen bytes!!!"])))
    #expect(Self.isSmall(CompactStrings()) == SmallString.isAvailable)
    #expect(CompactStrings().count == 0)
  }

  @Test func `storage is the same in copies alone`() {
    for all in [["a", "b"], ["a", "a string of more than fifteen bytes"]] {
      let strings = CompactStrings(ContiguousArray(all))
      var copy = strings
      #expect(copy.isSameStorage(as: strings))
      copy.set("a", at: 0)
      #expect(!copy.isSameStorage(as: strings))
    }
    #expect(!CompactStrings(["a"]).isSameStorage(as: .any(["a"])) || !SmallString.isAvailable)
  }
}
