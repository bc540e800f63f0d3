import FiefCopying
import FiefValues
import Foundation
import Testing

/// The tree of a text; records an issue when it is refused.
func parse(_ text: String) throws -> DocumentTree { try DocumentParser.parse(Array(text.utf8)) }

/// The text of a tree, in one line.
func print(_ tree: DocumentTree) -> String {
  String(decoding: DocumentPrinter.print(tree, [.sortedKeys, .withoutEscapingSlashes]), as: UTF8.self)
}

/// The message of the error that a body throws.
func message(_ body: () throws -> Void) -> String {
  let error = #expect(throws: CopyError.self) { try body() }
  return error?.message ?? ""
}

@Suite struct DocumentParserTests {
  @Test(arguments: ["null", "true", "false", "0", "-7", "2.5", "\"\"", "[]", "{}", "[[],{}]", "{\"a\":[1,null]}"])
  func whatIsPrintedAsItIsReadIsUnchanged(_ text: String) throws { #expect(try print(parse(text)) == text) }

  @Test func spaceBetweenTokensIsSkipped() throws {
    #expect(try print(parse(" \t\r\n{ \"a\" : [ 1 , 2 ] } \n")) == #"{"a":[1,2]}"#)
  }

  @Test func aByteOrderMarkIsSkipped() throws {
    #expect(try print(DocumentParser.parse([0xEF, 0xBB, 0xBF] + Array("[1]".utf8))) == "[1]")
  }

  @Test func membersAreOrderedByTheBytesOfTheirNames() throws {
    #expect(try print(parse(#"{"b":1,"a":2,"é":3,"B":4}"#)) == #"{"B":4,"a":2,"b":1,"é":3}"#)
  }

  @Test func namesThatAreOnlyEquivalentAreDifferent() throws {
    let tree = try parse(#"{"é":1,"e\u0301":2}"#)
    guard case .object(let span) = tree.root else {
      Issue.record("An object was read as something else.")
      return
    }
    #expect(span.count == 2 && tree.member("é", of: span) != nil && tree.member("e\u{301}", of: span) != nil)
  }

  @Test func aNameThatStandsTwiceIsRefused() {
    #expect(message { _ = try parse(#"{"a":1,"b":2,"a":3}"#) }.contains("the name 'a' stands twice"))
  }

  @Test(
    arguments: [
      ("", "expected a value, found the end"), ("[1", "expected ',' or ']', found the end"),
      ("[1,]", "expected a value, found ']'"), ("{\"a\"}", "expected ':', found '}'"),
      ("{1:2}", "expected a name in quotes, found '1'"), ("{\"a\":1,}", "expected a name in quotes, found '}'"),
      ("[1}", "expected ',' or ']', found '}'"), ("{\"a\":1]", "expected ',' or '}', found ']'"),
      ("1 2", "expected nothing behind the document, found '2'"), ("tru", "expected 'true', found the end"),
      ("nil", "expected 'null', found 'i'"), ("'a'", "expected a value, found '''"),
    ])
  func aWrongTokenIsNamed(_ text: String, _ words: String) {
    #expect(message { _ = try parse(text) }.contains(words))
  }

  @Test(arguments: ["01", "-", "1.", ".5", "1e", "1e+", "+1", "0x10", "NaN", "-Infinity", "1_000"])
  func aWrongNumberIsRefused(_ text: String) { #expect(message { _ = try parse(text) }.contains("Invalid JSON")) }

  @Test(arguments: ["\"a", "\"\u{1}\"", "\"\\x\"", "\"\\u12\"", "\"\\uD800\"", "\"\\uD800\\u0041\"", "\"\\uDC00\""])
  func aWrongTextIsRefused(_ text: String) { #expect(message { _ = try parse(text) }.contains("Invalid JSON")) }

  @Test func escapesAreRead() throws {
    let tree = try parse(#""\"\\\/\b\f\n\r\tA\uD83D\uDE00""#)
    #expect(tree.root.text == "\"\\/\u{8}\u{C}\n\r\tA😀")
  }

  @Test(arguments: [
    [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0x5C, 0x6E, 0x80, 0x22],
  ])
  func bytesThatAreNoTextAreRefused(_ bytes: [UInt8]) {
    #expect(message { _ = try DocumentParser.parse(bytes) }.contains("not UTF-8"))
  }

  @Test func anErrorHasLineByteAndPath() {
    let text = message { _ = try parse("{\n\"a\": [1,\n{\"b\": x}]}") }
    #expect(text.contains("line 3, byte 17 ('.a[1].b')"), "\(text)")
  }

  @Test func aLongPathIsShortened() {
    let text = message { _ = try parse(String(repeating: "[", count: 100) + "x") }
    #expect(text.contains("more) …") && text.utf8.count < 400)
  }

  @Test func depthIsBoundedByMemoryAlone() throws {
    let text = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let tree = try parse(text)
    #expect(tree.nesting == 100_000 && print(tree).utf8.count == 200_000)
  }

  @Test func theNameAtAPositionIsFoundAgain() throws {
    let text = #"{"b":{"x":1},"a":2}"#
    let tree = try parse(text)
    guard case .object(let span) = tree.root else { return }
    #expect(tree.name(0, of: span) == "a")
    #expect(DocumentParser.place(ofValue: span.first, in: Array(text.utf8)) == "line 1, byte 13")
    #expect(DocumentParser.place(ofValue: span.first + 2, in: Array(text.utf8)) == "line 1, byte 1")
  }

  @Test func thePlaceInABrokenTextIsUnknown() {
    #expect(DocumentParser.place(ofValue: 0, in: Array("{".utf8)) == nil)
  }
}

@Suite struct DocumentNumberTests {
  private func value(_ text: String) -> DocumentTree.Value? { DocumentNumber.value(of: Array(text.utf8)[...]) }

  private func text(_ number: String) -> String {
    switch value(number) {
    case .int(let value): "int \(value)"
    case .double(let value): "double \(value)"
    case .decimal(let value): "decimal \(value)"
    default: "nothing"
    }
  }

  @Test(
    arguments: [
      ("0", "int 0"), ("-0", "int 0"), ("-0.0", "double -0.0"), ("0.0", "int 0"), ("1e2", "int 100"),
      ("12.50e1", "int 125"), ("9223372036854775807", "int 9223372036854775807"),
      ("-9223372036854775808", "int -9223372036854775808"), ("0.5", "double 0.5"), ("1e300", "double 1e+300"),
      ("0.1", "double 0.1"), ("1e-400", "decimal 1E-400"), ("1e9999", "nothing"),
    ])
  func aNumberHasTheNarrowestExactType(_ number: String, _ expected: String) { #expect(text(number) == expected) }

  @Test func moreDigitsThanADoubleHasMakeADecimal() {
    #expect(text("0.12345678901234567891") == "decimal 0.12345678901234567891")
    #expect(text("9223372036854775808").hasPrefix("d"))
  }

  @Test func digitsBeyondADecimalGoToTheNearestDouble() {
    #expect(text("0." + String(repeating: "1", count: 900)).hasPrefix("d"))
  }

  @Test(arguments: [0.1, 1.0 / 3, 3e-308, 1.7976931348623157e308, 123_456_789.125])
  func theShortestDigitsOfADoubleAreReadBack(_ number: Double) {
    guard case .double(let read)? = value("\(number)") else {
      Issue.record("\(number) was read as \(text("\(number)")).")
      return
    }
    #expect(read == number)
  }

  @Test func aDoubleWithoutAFractionIsAnInteger() {
    guard case .int(3)? = DocumentNumber.value(of: 3.0), case .double(-0.0)? = DocumentNumber.value(of: -0.0) else {
      Issue.record("A whole double is no integer.")
      return
    }
    #expect(DocumentNumber.value(of: Double.nan) == nil && DocumentNumber.value(of: -Double.infinity) == nil)
  }

  @Test func aDecimalIsReadAsItsDigits() {
    guard case .int(12)? = DocumentNumber.value(of: Decimal128(12)) else {
      Issue.record("A whole decimal is no integer.")
      return
    }
    #expect(DocumentNumber.value(of: Decimal128.nan) == nil)
  }
}
