#if DEBUG
  import FiefTestSupport
  import Testing

  @testable import FiefTool

  @Suite struct LineEditorTests {
    private static let left = "\u{1B}[D"
    private static let up = "\u{1B}[A"
    private static let down = "\u{1B}[B"

    /// An editor after some keys, and what the last one did.
    private func typed(
      _ keys: String..., history: [String] = [], words: [String] = []
    ) -> (editor: LineEditor, event: LineEditor.Event) {
      var editor = LineEditor(history: history) { text in
        let last = text.split(separator: " ", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        return (last.count, words.filter { $0.hasPrefix(last) })
      }
      var event = LineEditor.Event.none
      for byte in keys.joined().utf8 { event = editor.take(byte) }
      return (editor, event)
    }

    @Test func lettersMakeALine() {
      #expect(typed("abc", "\r").event == .submitted("abc"))
      #expect(typed("日本é🐕", "\r").event == .submitted("日本é🐕"))
      // A mark joins its letter.
      #expect(typed("e\u{301}", "\u{7F}").editor.text == "")
    }

    @Test(
      arguments: [
        ("ac\u{1B}[Db", "abc"), ("bc\u{1}a", "abc"), ("bc\u{1B}[Ha\u{1B}[Fd", "abcd"), ("abx\u{7F}c", "abc"),
        ("xabc\u{1}\u{4}", "abc"), ("abxc\u{1B}[D\u{1B}[D\u{1B}[3~", "abc"), ("one two\u{17}", "one "),
        ("one two\u{15}x", "x"), ("one two\u{1}\u{6}\u{B}", "o"), ("one two\u{1B}[1;5Dx", "one xtwo"),
        ("one two\u{1B}b\u{1B}b\u{1B}fx", "onex two"), ("a\u{1B}[99;99ub", "ab"),
        ("a\u{2}\u{2}\u{2}b\u{6}\u{6}c", "bac"),
        ("one two\u{1}\u{1B}d", " two"), ("a\u{0}\u{1F}b", "ab"),
      ])
    func keysMoveAndDelete(_ keys: String, _ line: String) {
      #expect(typed(keys).editor.text == line)
    }

    @Test func earlierLinesComeBack() {
      let history = ["first", "second"]
      #expect(typed(Self.up, history: history).editor.text == "second")
      #expect(typed(Self.up, Self.up, Self.up, history: history).editor.text == "first")
      #expect(typed("new", Self.up, Self.down, history: history).editor.text == "new")
      #expect(typed("new", Self.down, history: history).editor.text == "new")
      #expect(typed(Self.up, "!", "\r", history: history).event == .submitted("second!"))
    }

    @Test func tabCompletes() {
      let words = ["name", "names", "age="]
      #expect(typed("x a\t", words: words).editor.text == "x age=")
      #expect(typed("x n\t", words: words).editor.text == "x name")
      #expect(typed("x name\t", words: words).event == .choices(["name", "names"]))
      #expect(typed("names\t", words: words).editor.text == "names ")
      #expect(typed("z\t", words: words).event == .none)
      #expect(typed("\t", words: []).event == .none)
    }

    @Test func controlKeysDropAndEnd() {
      #expect(typed("abc\u{3}").event == .dropped)
      #expect(typed("abc\u{3}").editor.text == "")
      #expect(typed("\u{4}").event == .ended)
      #expect(typed("a\u{4}").event == .none)
      #expect(typed("\u{C}").event == .clearing)
    }

    @Test func bytesThatAreNoTextDoNoHarm() {
      var editor = LineEditor(history: []) { _ in (0, []) }
      for byte: UInt8 in [0xFF, 0xC3, 0x41, 0xE2, 0x82, 0x0D] { _ = editor.take(byte) }
      #expect(editor.text == "")
      var random = SeededRandom(seed: 5)
      for _ in 0..<20_000 {
        if case .submitted = editor.take(UInt8(random.below(256))) { #expect(editor.text == "") }
        _ = editor.shown(behind: "> ", width: 40)
      }
    }

    @Test func aLongLineIsShownAroundTheCursor() {
      let (editor, _) = typed(String(repeating: "x", count: 100), "end")
      #expect(
        editor.shown(behind: "> ", width: 20) == "\r\u{1B}[K> " + String(repeating: "x", count: 13) + "end\r\u{1B}[18C")
      // What is typed cannot act.
      #expect(typed("\u{9B}2J").editor.shown(behind: "", width: 40) == "\r\u{1B}[K\\u{9B}2J\r\u{1B}[8C")
      #expect(typed("日").editor.shown(behind: "> ", width: 40) == "\r\u{1B}[K> 日\r\u{1B}[4C")
    }
  }

  @Suite struct ShellLineTests {
    @Test(
      arguments: [
        ("", []), ("  a  b ", ["a", "b"]), ("a 'b c' \"d e\"", ["a", "b c", "d e"]), ("a\\ b", ["a b"]),
        ("x=\"a b\"'c'", ["x=a bc"]), ("\"a\\\"b\\\\c\\d\"", ["a\"b\\c\\d"]), ("'a\\b'", ["a\\b"]), ("''", [""]),
      ])
    func wordsAreHeldTogetherByQuotes(_ text: String, _ words: [String]) throws {
      #expect(try ShellLine(text).words == words)
    }

    @Test(arguments: ["'a", "\"a", "a\\"]) func whatIsOpenIsRefused(_ text: String) {
      #expect(throws: UsageError.self) { try ShellLine(text) }
    }

    @Test(
      arguments: [
        ("Dog name == 'a  b' AND age > 3", ["Dog", "name == 'a  b' AND age > 3"]),
        ("Dog \"name == 'a'\" --count", ["Dog", "name == 'a'", "--count"]), ("Dog 'a' = 'b'", ["Dog", "'a' = 'b'"]),
        ("Dog 'it'==name", ["Dog", "'it'==name"]), ("Dog name=='it'", ["Dog", "name=='it'"]),
        ("Dog \"a\"=='b' --count", ["Dog", "\"a\"=='b'", "--count"]), ("Dog 'age>3'", ["Dog", "age>3"]),
        ("Dog -- -5 < age", ["Dog", "--", "-5 < age"]), ("Dog -- '-5 < age'", ["Dog", "--", "-5 < age"]),
        ("Dog --", ["Dog", "--"]),
        ("Dog age > 3 --limit 2", ["Dog", "age > 3", "--limit", "2"]), ("Dog --count", ["Dog", "--count"]),
        ("Dog", ["Dog"]),
      ])
    func aPredicateStandsAsItWasWritten(_ text: String, _ words: [String]) throws {
      #expect(try ShellLine(text).words(withPredicateAt: 1) == words)
    }
  }
#endif
