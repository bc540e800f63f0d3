import FiefCopying
import FiefGraph
import FiefValues
import Foundation
import Testing

@Suite struct DocumentPrinterTests {
  private func pretty(_ text: String) throws -> String {
    String(decoding: DocumentPrinter.print(try parse(text), [.prettyPrinted, .sortedKeys]), as: UTF8.self)
  }

  @Test func aPrettyTextHasALineForEachValue() throws {
    #expect(
      try pretty(#"{"a":[1,2],"b":{"c":null}}"#)
        == "{\n  \"a\" : [\n    1,\n    2\n  ],\n  \"b\" : {\n    \"c\" : null\n  }\n}")
  }

  @Test(arguments: ["[]", "{}", "[{}]"]) func emptyContainersLookAsFoundationPrintsThem(_ text: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8), options: [.fragmentsAllowed])
    let expected = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
    #expect(try pretty(text) == String(decoding: expected, as: UTF8.self))
  }

  @Test func controlCharactersAndQuotesAreEscaped() throws {
    #expect(try print(parse(#""\"\\\b\f\n\r\t\u0001\u001f""#)) == #""\"\\\b\f\n\r\t\u0001\u001f""#)
  }

  @Test func slashesAreEscapedUnlessToldOtherwise() throws {
    let tree = try parse(#""a/b""#)
    #expect(String(decoding: DocumentPrinter.print(tree, []), as: UTF8.self) == #""a\/b""#)
    #expect(print(tree) == #""a/b""#)
  }

  @Test func otherCharactersAreNotEscaped() throws { #expect(try print(parse("\"é😀\u{7F}\"")) == "\"é😀\u{7F}\"") }

  @Test(arguments: ["1.5", "-0.0", "1e+300", "100", "0.12345678901234567890"])
  func numbersKeepTheirValue(_ text: String) throws { #expect(try parse(print(parse(text))) == parse(text)) }

  @Test(arguments: [false, true]) func typesArePrintedForAnyValuesOnly(_ isAny: Bool) {
    let values: [(Value, plain: String, any: String)] = [
      (.null, "null", "null"), (.bool(true), "true", "true"), (.int(1), "1", "1"), (.string("a"), "\"a\"", "\"a\""),
      (.data(Data([1, 2])), "\"AQI=\"", "{\"$data\":\"AQI=\"}"), (.double(1), "1", "{\"$double\":\"1.0\"}"),
      (.double(1.5), "1.5", "1.5"), (.double(.nan), "\"nan\"", "{\"$double\":\"nan\"}"),
      (.float(1.5), "1.5", "{\"$float\":\"1.5\"}"), (.decimal(2), "\"2\"", "{\"$decimal\":\"2\"}"),
    ]
    for (value, plain, any) in values {
      var builder = DocumentBuilder()
      builder.scalar(value, isAny: isAny)
      #expect(print(builder.finish()) == (isAny ? any : plain))
    }
  }
}

@Suite struct DocumentTreeTests {
  private func roundTrip(_ text: String) throws -> DocumentTree {
    try JSONDecoder().decode(DocumentTree.self, from: JSONEncoder().encode(parse(text)))
  }

  @Test(arguments: ["[1,2.5,\"a\",true,null]", "{\"a\":{\"b\":[]}}", "[12345678901234567890]"])
  func aTreeIsCodedByAnyCoder(_ text: String) throws { #expect(try roundTrip(text) == parse(text)) }

  @Test func aTreeThatIsTooDeepIsNotCoded() throws {
    let deep = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
    let tree = try parse(deep)
    #expect(throws: EncodingError.self) { _ = try JSONEncoder().encode(tree) }
  }

  @Test(
    arguments: [
      ("1", "1.5"), ("[1]", "[1,1]"), ("{\"a\":1}", "{\"b\":1}"), ("{\"a\":1}", "{\"a\":2}"), ("null", "false"),
      ("\"é\"", "\"e\u{301}\""), ("[[1]]", "[[2]]"), ("[]", "{}"),
    ])
  func differentTreesAreNotEqual(_ a: String, _ b: String) throws {
    #expect(try parse(a) != parse(b) && parse(a) == parse(a) && parse(b) == parse(b))
  }

  @Test func deepTreesAreComparedWithoutRecursion() throws {
    let (open, close) = (String(repeating: "[", count: 50_000), String(repeating: "]", count: 50_000))
    #expect(try parse(open + "1" + close) == parse(open + "1" + close))
    #expect(try parse(open + "1" + close) != parse(open + "2" + close))
  }

  @Test func aMemberIsFoundByTheBytesOfItsName() throws {
    let tree = try parse(#"{"a":1,"ab":2,"b":3}"#)
    guard case .object(let span) = tree.root else { return }
    #expect(tree.member("ab", of: span) != nil && tree.member("", of: span) == nil && tree.member("c", of: span) == nil)
    #expect(tree.members(span).map(\.name) == ["a", "ab", "b"])
  }

  @Test func nestingCountsContainers() throws {
    #expect(try ["1", "[]", "[1,[2]]", "{\"a\":{\"b\":[]}}"].map { try parse($0).nesting } == [0, 1, 2, 3])
  }

  @Test func aPartIsReadOneLevelAtATime() throws {
    let tree = try parse(#"{"a":[1,{"b":2}]}"#)
    guard case .members(let same, let span)? = DynamicContainer.of(tree.untyped(tree.root)),
      let value = same.member("a", of: span), case .array(let values, nil)? = DynamicContainer.of(same.untyped(value))
    else {
      Issue.record("A part of a document is no container.")
      return
    }
    #expect(values[0] as? Int == 1 && values[1] is DocumentPart)
    #expect(
      DynamicValue.description(of: values[1]) == "a dictionary"
        && DynamicValue.description(of: same.untyped(value)).contains("2"))
  }

  @Test func aBuilderSortsAndReportsNamesThatOccurTwice() {
    var builder = DocumentBuilder()
    builder.beginObject()
    for name in ["b", "a", "b"] {
      builder.name(name)
      builder.add(.null)
    }
    #expect(builder.depth == 1 && builder.isInObject && builder.endObject() == "b")
    #expect(print(builder.finish()) == #"{"a":null,"b":null,"b":null}"#)
  }

  @Test func aBuilderKnowsThePathOfTheNextValue() {
    var builder = DocumentBuilder()
    builder.beginObject()
    builder.name("a")
    builder.beginArray()
    builder.add(.null)
    #expect(PlanPath.join(builder.path) == ".a[1]")
  }

  @Test func anUnknownNameIsTold() {
    let names = (0..<40).map { "p\($0)" }
    let unknown = UnknownName(
      at: 3, name: String(repeating: "x", count: 90), path: "Dog", className: "Dog", known: names)
    #expect(unknown.position == 3 && unknown.message.contains("…' for class 'Dog' at 'Dog.x"))
    #expect(unknown.message.contains("'p31'") && !unknown.message.contains("'p32'"))
    let other = UnknownName(at: 0, name: "$x", path: "Dog.note", className: nil, known: ["$id", "$list"])
    #expect(other.message == "Invalid name '$x' at 'Dog.note': it has '$id', '$list'.")
  }
}
