import Fief
import FiefTestSupport
import Foundation
import Testing

/// Reading and writing JSON: by the standard, to the last digit, and at any depth.
@Suite struct DocumentTextTests {
  private func document(_ text: String) throws -> ObjectDocument { try ObjectDocument(json: Data(text.utf8)) }

  private func text(_ document: ObjectDocument, _ formatting: JSONEncoder.OutputFormatting = [.sortedKeys]) throws
    -> String
  { String(decoding: try document.json(formatting), as: UTF8.self) }

  // MARK: Depth and size

  /// A parser whose time grows with depth times size would not finish: it took 40 s for a hundredth of the depth and a
  /// four-hundredth of the size.
  @Test func manyNumbersInsideManyArraysAreReadComparedAndWritten() throws {
    let (depth, count) = (Effort.of(debug: 20_000, release: 100_000), Effort.of(debug: 20_000, release: 100_000))
    let numbers = (0..<count).map(String.init).joined(separator: ",")
    let json =
      "{\"a\":" + String(repeating: "[", count: depth) + numbers + String(repeating: "]", count: depth) + "}"
    let a = try document(json)
    let b = try document(json)
    #expect(a == b)
    #expect(try a != document(json.replacingOccurrences(of: "\(count - 1)", with: "\(count - 2)")))
    #expect(try text(a) == json)
  }

  @Test func objectsInsideEachOtherHaveNoLimit() throws {
    let depth = Effort.of(debug: 20_000, release: 100_000)
    let json = String(repeating: "{\"a\":", count: depth) + "null" + String(repeating: "}", count: depth)
    let document = try document(json)
    #expect(try text(document) == json)
    // A document that is too deep for the nested calls of a coder is refused there.
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(document) }
  }

  @Test func anErrorInTheDepthNamesItsPlaceInFewWords() throws {
    let error = #expect(throws: Realm.Error.self) {
      try document(String(repeating: "{\"name\":[", count: 50_000) + "nix")
    }
    #expect(error?.code == .invalidValue)
    #expect("\(error as Any)".utf8.count < 4096)
    #expect("\(error as Any)".contains("byte 450001 ('.name[0].name[0]"), "\(error as Any)")
  }

  @Test func manyMembersInAnyOrderAreOneDocument() throws {
    let names = (0..<20_000).map { "\"k\($0)\":\($0)" }
    let a = try document("{" + names.joined(separator: ",") + "}")
    #expect(try document("{" + names.reversed().joined(separator: ",") + "}") == a)
    #expect(a.dictionary.count == 20_000 && a.dictionary["k777"] as? Int == 777)
  }

  @Test func aNumberOfAMillionDigitsIsReadInPassing() throws {
    let zeros = String(repeating: "0", count: 1_000_000)
    let read = try document("{\"a\": 1.\(zeros)1, \"b\": 1\(zeros)e-1000000, \"c\": 0.\(zeros)5e1000001}").dictionary
    #expect(read["a"] as? Int == 1 && read["b"] as? Int == 1 && read["c"] as? Int == 5)
  }

  // MARK: Refused documents

  private static let malformed: [(String, String)] = [
    ("", "found the end"), ("  ", "found the end"), ("{", "found the end"), ("{\"a\"", "':'"), ("{\"a\":", "a value"),
    ("{\"a\":1", "',' or '}'"), ("{\"a\":1,", "a name in quotes"), ("{\"a\":1,}", "found '}'"), ("{,}", "found ','"),
    ("{\"a\":1 \"b\":2}", "',' or '}'"), ("{\"a\" 1}", "':'"), ("{a:1}", "a name in quotes"), ("{'a':1}", "found '''"),
    ("{\"a\":[1,]}", "found ']'"), ("{\"a\":[1 2]}", "',' or ']'"), ("{\"a\":[}", "found '}'"), ("{\"a\":[1}", "']'"),
    ("{\"a\":1]", "'}'"), ("{\"a\":]}", "a value"), ("{} x", "nothing behind"), ("{}{}", "nothing behind"),
    ("{\"a\":tru}", "'true'"), ("{\"a\":True}", "a value"), ("{\"a\":nul", "'null'"), ("{\"a\":falsy}", "'false'"),
    ("{\"a\":01}", "behind a zero"), ("{\"a\":-}", "a digit"), ("{\"a\":-01}", "behind a zero"),
    ("{\"a\":+1}", "a value"),
    ("{\"a\":.5}", "a value"), ("{\"a\":1.}", "a digit"), ("{\"a\":1.e5}", "a digit"), ("{\"a\":1e}", "a digit"),
    ("{\"a\":1e+}", "a digit"), ("{\"a\":1e5.5}", "',' or '}'"), ("{\"a\":0x10}", "',' or '}'"),
    ("{\"a\":NaN}", "a value"), ("{\"a\":Infinity}", "a value"), ("{\"a\":-Infinity}", "a digit"),
    ("{\"a\":1e7000}", "beyond"), ("{\"a\":-1e99999999999999999999}", "beyond"),
    ("{\"a\":\"x}", "end of a text"), ("{\"a\":\"x\n\"}", "control character"), ("{\"a\":\"x\u{1F}\"}", "control"),
    ("{\"a\":\"\\x\"}", "behind a backslash"), ("{\"a\":\"\\", "an escaped character"),
    ("{\"a\":\"\\u12\"}", "hexadecimal"), ("{\"a\":\"\\u12G4\"}", "hexadecimal"), ("{\"a\":\"\\u12", "hexadecimal"),
    ("{\"a\":\"\\uD800\"}", "surrogate"), ("{\"a\":\"\\uDC00\"}", "surrogate"),
    ("{\"a\":\"\\uD800\\uD800\"}", "surrogate"), ("{\"a\":\"\\uD800x\"}", "surrogate"),
    ("{\"a\":1,\"a\":2}", "'a' stands twice"), ("{\"b\":1,\"a\":2,\"b\":3}", "'b' stands twice"),
    ("{\"a\":1,\"\\u0061\":2}", "'a' stands twice"), ("{// note\n}", "a name"), ("{\"a\":1}\u{0}", "nothing behind"),
    ("[]", "begins with an object"), ("5", "begins with an object"), ("null", "begins with an object"),
    ("\"{}\"", "begins with an object"), ("\u{A0}{}", "a value"),
  ]

  @Test(arguments: malformed) func invalidJSONIsRefusedWithItsReason(text: String, words: String) throws {
    let error = #expect(throws: Realm.Error.self, "\(text)") { try document(text) }
    #expect(error?.code == .invalidValue)
    #expect("\(error as Any)".contains(words), "\(text): \(error as Any)")
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
      [0xF8, 0x88, 0x80, 0x80],
    ] as [[UInt8]])
  func whatIsNotUTF8IsRefusedWhereItStands(bytes: [UInt8]) throws {
    for escape in ["", "\\n"] {
      let begin = Array("{\"ab\":\n\"ö\(escape)".utf8)
      let error = #expect(throws: Realm.Error.self) {
        try ObjectDocument(json: Data(begin + bytes + Array("\"}".utf8)))
      }
      #expect("\(error as Any)".contains("line 2, byte \(begin.count) ('.ab'): the text is not UTF-8"))
    }
    #expect(throws: Realm.Error.self) { try ObjectDocument(json: Data(bytes)) }
    #expect(throws: Realm.Error.self) { try ObjectDocument(json: "{}".data(using: .utf16) ?? Data()) }
  }

  @Test func anErrorSaysLineByteAndPath() throws {
    let error = #expect(throws: Realm.Error.self) { try document("{\"dogs\": [1,\n {\"name\": [true, x]}]}") }
    #expect("\(error as Any)".contains("line 2, byte 30 ('.dogs[1].name[1]'): expected a value, found 'x'"))
  }

  @Test(arguments: Seeds.all) func damagedTextIsRefusedByUsWhereFoundationRefusesIt(seed: Seed) throws {
    var random = seed.random
    let sound = Array(try ObjectDocument(["a": Self.plainValue(&random, 0), "b": Self.plainValue(&random, 0)]).json())
    for _ in 0..<100 {
      var bytes = sound
      for _ in 0..<1 + random.below(2) where !bytes.isEmpty {
        let position = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[position] = random.element(of: Array("{}[]\",:\\u0tn ".utf8))
        case 1: bytes.remove(at: position)
        default: bytes.insert(sound[random.below(sound.count)], at: position)
        }
      }
      guard let ours = try? ObjectDocument(json: Data(bytes)) else { continue }
      let theirs = try JSONDecoder().decode(ObjectDocument.self, from: Data(bytes))
      #expect(theirs == ours, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  /// A random value whose numbers stay in Foundation's range even when a byte or two are changed.
  private static func plainValue(_ random: inout SeededRandom, _ depth: Int) -> Any {
    switch random.below(depth < 4 ? 6 : 4) {
    case 0: return NSNull()
    case 1: return random.bool()
    case 2: return random.below(100)
    case 3: return random.string()
    case 4: return (0..<random.below(4)).map { _ in plainValue(&random, depth + 1) }
    default: return ["x": plainValue(&random, depth + 1), random.string(): plainValue(&random, depth + 1)]
    }
  }

  // MARK: Reading

  @Test func everyEscapeMeansItsCharacter() throws {
    let read = try document(#" {"a":"\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\uD83D\uDE00\u0000é€😀"} "#).dictionary["a"]
    #expect(read as? String == "\"\\/\u{8}\u{c}\n\r\tA\u{E9}€😀\u{0}é€😀")
    #expect(try document("\u{FEFF}{}") == document("{}"))
    #expect(try document("\t{\r\n} ").dictionary.isEmpty)
  }

  @Test func namesThatLookAlikeAreTwoMembers() throws {
    let json = "{\"e\u{301}\":1,\"\u{E9}\":2}"
    #expect(try text(document(json)) == json)
    #expect(try document("{\"a\":\"e\u{301}\"}") != document("{\"a\":\"\u{E9}\"}"))
  }

  private static let numbers: [(String, String)] = [
    ("0", "0"), ("-0", "0"), ("-0.0", "-0.0"), ("0e5", "0"), ("-0e-5", "-0.0"), ("1.0", "1"), ("10e-1", "1"),
    ("1E2", "100"), ("1e18", "1000000000000000000"), ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775808", "-9223372036854775808"), ("9223372036854775807.0", "9223372036854775807"),
    ("922337203685477580.7e1", "9223372036854775807"),
    ("9223372036854775808", "9223372036854775808"), ("-9223372036854775809", "-9223372036854775809"),
    ("1e19", "1e+19"), ("1e300", "1e+300"), ("-1.5e-300", "-1.5e-300"), ("0.1", "0.1"),
    ("123456789.125", "123456789.125"),
    ("1.7976931348623157e308", "1.7976931348623157e+308"), ("5e-324", "5e-324"),
    ("2.2250738585072014e-308", "2.2250738585072014e-308"),
    ("0.12345678901234567890123", "0.12345678901234567890123"), ("1e400", "1E400"), ("-1e-400", "-1E-400"),
    ("9.999999999999999999999999999999999e6144", "9.999999999999999999999999999999999E6144"),
    ("1e-9999", "0"), ("-1e-99999999999999999999", "-0.0"), ("18446744073709551615", "18446744073709551615"),
    ("0.30000000000000004", "0.30000000000000004"), ("4.35", "4.35"), ("9007199254740993", "9007199254740993"),
    // To 34 digits, it ends with a zero.
    ("12345671234567890123456789089012301234567890", "1.23456712345678901234567890890123E43"),
  ]

  @Test(arguments: numbers) func aNumberIsKeptToTheLastDigit(json: String, written: String) throws {
    let read = try document("{\"a\":\(json)}")
    #expect(try text(read) == "{\"a\":\(written)}")
    #expect(try document(text(read)) == read)
  }

  @Test(arguments: Seeds.all) func randomNumbersAreTheNearestDoublesOrAllTheirDigits(seed: Seed) throws {
    var random = seed.random
    for _ in 0..<200 {
      let double = random.double()
      if double.isFinite {
        let read = try document("{\"a\":\(double)}").dictionary["a"]
        #expect(read as? Double ?? Double(read as? Int ?? -1) == double, "\(double)")
      }
      let digits = random.text(count: 1 + random.below(30), of: "0123456789")
      let number = "\(1 + random.below(9)).\(digits)e\(random.below(40) - 20)"
      let json = try text(document("{\"a\":\(number)}"))
      #expect(
        try Decimal128(validating: String(json.dropFirst(5).dropLast())) == Decimal128(validating: number), "\(number)")
    }
  }

  @Test(arguments: Seeds.all) func aRoundedNumberIsWrittenInOneWay(seed: Seed) throws {
    var random = seed.random
    for _ in 0..<200 {
      // Digits behind the 34th that round to zeros, or up to them.
      let rest = random.element(of: ["0000", "000000", "9999", "999999"]) + random.text(count: 20, of: "0123456789")
      let digits = random.text(count: 27 + random.below(7), of: "0123456789") + rest
      let number = "\(1 + random.below(9)).\(digits)e\(random.element(of: [-6180, -6150, -400, -20, 0, 30, 400, 6130]))"
      let written = try text(document("{\"a\":\(number)}"))
      #expect(try text(document(written)) == written, "\(number)")
    }
  }

  // MARK: Round trips

  /// A random JSON value.
  private static func value(_ random: inout SeededRandom, _ depth: Int) -> Any {
    switch random.below(depth < 5 ? 9 : 7) {
    case 0: return NSNull()
    case 1: return random.bool()
    case 2: return Int(random.int64())
    case 3:
      let double = random.double()
      return double.isFinite && double != 0 ? double : 0.5
    case 4, 5: return random.string()
    case 6: return random.below(1000)
    case 7: return (0..<random.below(5)).map { _ in value(&random, depth + 1) }
    default:
      var members: [String: Any] = [:]
      for _ in 0..<random.below(5) { members[random.string()] = value(&random, depth + 1) }
      return members
    }
  }

  @Test(arguments: Seeds.all) func writtenJSONEqualsFoundationsAndIsReadBack(seed: Seed) throws {
    var random = seed.random
    for _ in 0..<20 {
      let document = try ObjectDocument(["a": Self.value(&random, 0), "b": Self.value(&random, 0)])
      #expect(try ObjectDocument(json: document.json()) == document)
      #expect(try ObjectDocument(document.dictionary) == document)
      for formatting in [[], .prettyPrinted, .withoutEscapingSlashes, [.prettyPrinted, .withoutEscapingSlashes]]
        as [JSONEncoder.OutputFormatting]
      {
        let ours = try document.json(formatting)
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union(.sortedKeys)
        let theirs = try encoder.encode(document)
        #expect(try JSONDecoder().decode(ObjectDocument.self, from: theirs) == document)
        #expect(try ObjectDocument(json: theirs) == document)
        // Only the order of members may differ, where names are not ASCII.
        #expect(ours.count == theirs.count)
        if ours.allSatisfy({ $0 < 0x80 }) { #expect(ours == theirs) }
      }
    }
  }

  @Test func numbersOfAProgramAreThoseThatWouldBeRead() throws {
    let made = try ObjectDocument([
      "a": 2.0, "b": Decimal128("1.50"), "c": Decimal128("12345678901234567890"), "d": -0.0, "e": Float(0.5),
      "f": 1e300,
    ])
    #expect(try ObjectDocument(json: made.json()) == made)
    for value in [Double.nan, .infinity, -.infinity] {
      let error = #expect(throws: Realm.Error.self) { try ObjectDocument(["a": [1, ["b": value]]]) }
      #expect("\(error as Any)".contains(".a[1].b"))
    }
    #expect(throws: Realm.Error.self) { try ObjectDocument(["a": Decimal128.nan]) }
  }

  @Test func aNumberBeyondFoundationsStaysWhatItIs() throws {
    let document = try document("{\"a\":1e400,\"b\":0.12345678901234567890123}")
    #expect(try ObjectDocument(document.dictionary) == document)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(document) }
  }
}
