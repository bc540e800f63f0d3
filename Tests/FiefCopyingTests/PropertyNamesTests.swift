#if DEBUG  // @testable needs a debug build.
  import FiefTestSupport
  import Testing

  @testable import FiefCopying

  /// The property of a name is that of a dictionary of all names, in whatever form the name comes.
  @Suite struct PropertyNamesTests {
    @Test func `short, long and empty names are found, and others are not`() {
      let names = PropertyNames(["name", "", "aNameOfFifteenB", "aNameOfSixteenBy", "id"])
      #expect(names.number(of: "name") == 0)
      #expect(names.number(of: "") == 1)
      #expect(names.number(of: "aNameOfFifteenB") == 2)
      #expect(names.number(of: "aNameOfSixteenBy") == 3)
      #expect(names.number(of: "id") == 4)
      #expect(names.number(of: "nam") == nil)
      #expect(names.number(of: "names") == nil)
      #expect(names.number(of: "aNameOfSixteenB") == nil)
      #expect(names.number(of: "aNameOfSeventeenB") == nil)
    }

    @Test func `the first of two properties of one name is found`() {
      let names = PropertyNames(["id", "name", "name"])
      #expect(names.number(of: "name") == 1)
    }

    @Test func `letters with accents are found in each of their forms`() {
      let names = PropertyNames(["id", "\u{FC}ber"])
      #expect(names.number(of: "u\u{308}ber") == 1)
      #expect(names.number(of: "\u{FC}ber") == 1)
      #expect(names.number(of: "uber") == nil)
      #expect(names.number(of: "id") == 0)
    }

    @Test func `a name that is a part of another text is found`() {
      let names = PropertyNames(["id", "name"])
      let text = "the name of a dog that is much longer than a short text"
      #expect(names.number(of: String(text.dropFirst(4).prefix(4))) == 1)
      var grown = String(repeating: "x", count: 40)
      grown = "id" + grown
      grown.removeLast(40)
      #expect(names.number(of: grown) == 0)
    }

    @Test func `the names of a class with many properties are found`() {
      let all = (0..<4096).map { "property\($0)" }
      let names = PropertyNames(all)
      for (number, name) in all.enumerated() { #expect(names.number(of: name) == number) }
      #expect(names.number(of: "property4096") == nil)
    }

    @Test func `random names are found as a dictionary finds them`() {
      Seeds.run(count: 300) { _, random in
        let letters = Array(random.bool(0.5) ? "ab" : "ab\u{FC}")
        func text() -> String { String((0..<random.below(19)).map { _ in letters[random.below(letters.count)] }) }
        let all = (0..<random.below(41)).map { _ in text() }
        let names = PropertyNames(all)
        for wanted in all + (0..<20).map({ _ in text() }) {
          #expect(names.number(of: wanted) == all.firstIndex(of: wanted), "\(wanted) among \(all)")
        }
      }
    }
  }
#endif
