import FiefGraph
import Testing

struct SchemaNamesTests {
  @Test func plainNamesAndOtherScriptsAreValid() {
    for name in ["a", "Dog", "a b", "größe", "犬", "🐕‍🦺", String(repeating: "n", count: 255)] {
      #expect(SchemaNames.problem(of: name) == nil, "\(name)")
    }
  }

  @Test func emptyLongAndControllingNamesAreInvalid() {
    #expect(SchemaNames.problem(of: "") == "is empty")
    #expect(SchemaNames.problem(of: String(repeating: "n", count: 256)) == "has 256 bytes, and at most 255 are allowed")
    for scalar in [
      "\u{0}", "\n", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}",
    ] {
      #expect(SchemaNames.problem(of: "a\(scalar)b")?.hasPrefix("contains the control character") ?? false)
    }
  }

  @Test func namesInMessagesAreShortAndEscaped() {
    #expect(SchemaNames.printed("Dog") == "Dog" && SchemaNames.printed("a\u{1B}b") == "a\\u{1B}b")
    #expect(SchemaNames.printed(String(repeating: "ö", count: 65)) == String(repeating: "ö", count: 64) + "…")
    #expect(SchemaNames.printed(String(repeating: "n", count: 64)) == String(repeating: "n", count: 64))
    #expect(SchemaNames.printed("\u{0}").unicodeScalars.allSatisfy { $0.value >= 32 })
  }
}
