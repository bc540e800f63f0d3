import Fief
import FiefTestSupport
import Foundation

/// Bytes of JSON documents.
///
///     byte 0 even    the rest is JSON
///     byte 0 odd     a nest: its form, its depth in three bytes, the innermost value
///
/// A document is read, or refused with a short error. A document that is read is printed and read as an equal one.
/// One that Foundation refuses is refused. A document that fits a class makes objects whose document is the same.
struct DocumentTarget: FuzzTarget {
  enum Program {
    case json([UInt8])
    case nest(form: Int, depth: Int, [UInt8])
  }

  static let forms = [
    ("[", "]"), ("{\"any\":", "}"), ("{\"link\":", "}"), ("{\"part\":{\"inner\":", "}}"), ("[{\"a\":", "}]"),
  ]

  /// Objects of deeper documents are made, but not compared: in a debug build that takes seconds.
  static let deepestChecked = 2000

  let name = "documents"
  let purpose = "JSON documents, and objects of them"
  let words = [
    "{\"id\":1}", "\"link\":{\"id\":2}", "\"$id\":1", "{\"$ref\":1}", "\"$class\":\"FuzzNode\"", "\"$objects\":[",
    "\"any\":", "{\"$date\":\"2024-02-29T12:34:56Z\"}", "{\"$decimal\":\"1.50\"}", "{\"$list\":[]}", "{\"$map\":{}}",
    "null", "true", "1e400", "-0", "0.1", "12345678901234567890", "\"\\u0000\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\"",
    "\"links\":[{\"id\":3}]", "\"parts\":[{\"size\":1}]", "\"words\":[\"a\",\"a\"]", "\"named\":{\"k\":{\"id\":4}}",
    "\"data\":\"AAEC\"", "\"double\":\"nan\"", ",", ":", "[", "]", "{", "}", "\u{FEFF}", " ", "\"small\":300",
  ]

  func layout(of input: [UInt8]) -> InputLayout {
    (input.first ?? 0) % 2 == 0
      ? InputLayout(header: 1, step: 1, limit: 2048) : InputLayout(header: 5, step: 1)
  }

  func decode(_ input: [UInt8]) -> Program {
    guard (input.first ?? 0) % 2 == 1 else { return .json(Array(input.dropFirst())) }
    let head = StepBytes(input.prefix(5))
    let form = head[1] % Self.forms.count
    // A node for each level has many properties.
    let deepest = form == 2 ? 10_000 : 100_000
    return .nest(form: form, depth: min(deepest, head.wide(2) | head[4] << 16), Array(input.dropFirst(5)))
  }

  func isSlow(_ input: [UInt8]) -> Bool {
    if case .nest(_, let depth, _) = decode(input) { depth > 1000 } else { false }
  }

  func steps(_ program: Program) -> [String] {
    switch program {
    case .json(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      let isText = Array(text.utf8) == bytes
      return [
        isText ? "let json = Data(\(text.debugDescription).utf8)" : "let json = Data(\(bytes) as [UInt8])",
        "try ObjectDocument(json: json).object(as: FuzzNode.self)",
      ]
    case .nest(let form, let depth, let inner):
      let (open, close) = Self.forms[form]
      return [
        "let json = String(repeating: \(open.debugDescription), count: \(depth))",
        "  + \(String(decoding: inner, as: UTF8.self).debugDescription)",
        "  + String(repeating: \(close.debugDescription), count: \(depth))",
        "try ObjectDocument(json: Data(json.utf8)).object(as: FuzzNode.self)",
      ]
    }
  }

  func sample(_ random: inout SeededRandom) -> [UInt8] {
    if random.below(60) == 0 {
      let depth = random.below(30) == 0 ? 100_000 : random.element(of: [3, 400, 600, 5000])
      return [
        1, UInt8(random.below(Self.forms.count)), UInt8(depth & 255), UInt8(depth >> 8 & 255), UInt8(depth >> 16),
      ] + Array(random.element(of: ["1", "{}", "null", "", "]", "\"a\""]).utf8)
    }
    return [0] + Array(node(&random, depth: 0).utf8).changed(random.below(4) / 2, &random)
  }

  private func node(_ random: inout SeededRandom, depth: Int) -> String {
    var members = ["\"id\":\(random.below(20))"]
    for _ in 0..<random.below(5) {
      let name = random.element(of: ValueTarget.names)
      members.append("\"\(name)\":\(value(&random, depth: depth + 1))")
    }
    if random.below(6) == 0 { members.append(random.element(of: words)) }
    return "{\(members.joined(separator: ","))}"
  }

  private func value(_ random: inout SeededRandom, depth: Int) -> String {
    switch random.below(depth > 3 ? 6 : 10) {
    case 0: return "\(random.below(300))"
    case 1: return "\(Double(random.below(99)) / 8)"
    case 2:
      return random.element(of: ["null", "true", "false", "1e400", "-0", "1E-7", "12345678901234567890", "07", "-01"])
    case 3: return "\"\(random.text(count: random.below(5), of: "ab1"))\""
    case 4:
      return random.element(of: [
        "\"\\u00e9\\n\"", "\"a\\\\b\\\"/\"", "\"\\ud83d\\ude00\"", "\"AAEC\"", "{\"$ref\":1}",
        "{\"$date\":\"1970-01-01T00:00:00Z\"}",
      ])
    case 5: return "\"2024-02-29T12:34:56Z\""
    case 6, 7: return node(&random, depth: depth)
    case 8: return "{\"k\":\(value(&random, depth: depth + 1)),\"size\":\(random.below(9))}"
    default:
      let elements = (0..<random.below(4)).map { _ in value(&random, depth: depth + 1) }
      return "[\(elements.joined(separator: ","))]"
    }
  }

  func run(_ program: Program) throws {
    switch program {
    case .json(let bytes): try check(bytes, depth: 0)
    case .nest(let form, let depth, let inner):
      let (open, close) = Self.forms[form]
      try check(
        Array(String(repeating: open, count: depth).utf8) + inner + Array(String(repeating: close, count: depth).utf8),
        depth: depth)
    }
  }

  private func check(_ bytes: [UInt8], depth: Int) throws {
    let data = Data(bytes)
    let document: ObjectDocument
    do { document = try ObjectDocument(json: data) } catch { return try FuzzRealm.checkShort(error) }
    let printed = try document.json()
    let again = try ObjectDocument(json: printed)
    try expect(again == document, "A document is printed as \(Self.text(printed)), which is another.")
    try expect(try again.json() == printed, "A document is printed in two ways: \(Self.text(printed))")
    if bytes.count < 2000, Self.isModest(bytes) {
      let other = try? JSONSerialization.jsonObject(with: data)
      try expect(other != nil, "A document is read that Foundation refuses: \(Self.text(data))")
    }
    if depth <= Self.deepestChecked {
      try makeObjects(document)
    } else {
      _ = try? document.object(as: FuzzNode.self, classes: FuzzRealm.classes)
    }
  }

  /// Whether the brackets are few enough, and the numbers short enough and without exponents, for Foundation.
  private static func isModest(_ bytes: [UInt8]) -> Bool {
    bytes.count { $0 == 0x5B || $0 == 0x7B } < 200 && !bytes.split { !(0x30...0x39 ~= $0) }.contains { $0.count > 15 }
      && !zip(bytes, bytes.dropFirst()).contains { 0x30...0x39 ~= $0 && ($1 == 0x65 || $1 == 0x45) }
  }

  private func makeObjects(_ document: ObjectDocument) throws {
    let node: FuzzNode
    do { node = try document.object(as: FuzzNode.self, classes: FuzzRealm.classes) } catch {
      return try FuzzRealm.checkShort(error)
    }
    let text = try FuzzRealm.text(node)
    let twin = try ObjectDocument(json: Data(text.utf8)).object(as: FuzzNode.self, classes: FuzzRealm.classes)
    let hasSets = text.contains("\"friends\":[{")
    if !hasSets {
      try expect(try FuzzRealm.text(twin) == text, "Objects of a document have another: \(text.prefix(2000))")
    }
    let realm = try FuzzRealm.inMemory()
    do {
      try realm.write { realm.add(node) }
    } catch {
      try FuzzRealm.checkShort(error)
      return try expect(realm.isEmpty, "A refused object has left something.")
    }
    try FuzzRealm.checkInvariants(realm, "After adding the objects of a document")
    if !hasSets {
      try expect(try FuzzRealm.text(node) == text, "Managed objects have another document: \(text.prefix(2000))")
    }
  }

  private static func text(_ data: Data) -> String { String(decoding: data.prefix(2000), as: UTF8.self) }
}
