import FiefQueries
import FiefTestSupport
import FiefValues
import Foundation

/// The text forms of identifiers, decimals and dates, both ways.
///
///     first byte    0 object identifiers, 1 decimals, 2 UUIDs, 3 dates: the rest is a text
///                   4 decimals, 5 dates, 6 object identifiers: the rest is the bits of a value
///                   7 two decimals, separated by a space, which are added and multiplied
///
/// A text is accepted when it fits the grammar, with the value that Foundation gives it. Printing and parsing a value
/// gives the value.
struct TextTarget: FuzzTarget {
  enum Program {
    case text(kind: Int, String)
    case bits(kind: Int, UInt64, UInt64)
  }

  let name = "texts"
  let purpose = "text forms of ObjectId, Decimal128, UUID and dates"
  let words = [
    "507f1f77bcf86cd799439011", "1.50", "-0", "1E+6111", "9999999999999999999999999999999999", "inf", "NaN", "sNaN",
    "2024-02-29T12:34:56.789Z", "+05:30", "-23:59", "T", "Z", "123e4567-e89b-12d3-a456-426614174000", "e-6176", ".",
    "0000", "1970-01-01T00:00:00Z", "+292277026596-12-04T15:30:07Z",
  ]

  func layout(of input: [UInt8]) -> InputLayout { InputLayout(header: 1, step: 1, limit: 64) }

  func decode(_ input: [UInt8]) -> Program {
    let kind = Int(input.first ?? 0) % 8
    let rest = input.dropFirst()
    guard (4...6).contains(kind) else { return .text(kind: kind, String(decoding: rest, as: UTF8.self)) }
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    return .bits(kind: kind, number(rest.prefix(8)), number(rest.dropFirst(8).prefix(8)))
  }

  func steps(_ program: Program) -> [String] {
    switch program {
    case .text(0, let text): ["try ObjectId(string: \(text.debugDescription))"]
    case .text(1, let text): ["try Decimal128(validating: \(text.debugDescription))"]
    case .text(2, let text): ["UUID(uuidString: \(text.debugDescription))"]
    case .text(3, let text): ["Timestamp(\(text.debugDescription))"]
    case .text(_, let text): ["let text = \(text.debugDescription)  // two decimals, added and multiplied"]
    case .bits(4, let high, let low): ["Decimal128(bitPatternHigh: \(high), low: \(low)).description"]
    case .bits(5, let high, let low):
      ["Timestamp(seconds: \(Int64(bitPattern: high)), nanoseconds: \(low % 1_000_000_000)).description"]
    case .bits(_, let high, let low):
      ["ObjectId(words: \(high >> 32), \(high & 0xFFFF_FFFF), \(low >> 32)).description"]
    }
  }

  func sample(_ random: inout SeededRandom) -> [UInt8] {
    let kind = random.below(8)
    if (4...6).contains(kind) { return [UInt8(kind)] + random.bytes(count: 16) }
    func number(_ random: inout SeededRandom) -> String {
      var text = random.element(of: ["", "", "-", "+"]) + random.text(count: random.below(20), of: "0123456789")
      if random.bool() { text += "." + random.text(count: random.below(20), of: "0012345") }
      if random.bool() { text += random.element(of: ["e", "E"]) + String(random.int(in: -40...40)) }
      return text
    }
    func date(_ random: inout SeededRandom) -> String {
      func two(_ bound: Int, _ random: inout SeededRandom) -> String { Timestamp.digits(random.below(bound), 2) }
      // Centuries and the ends of months are frequent, as their rules are special.
      let year = random.bool() ? random.below(100) * 100 : random.below(10_000)
      let month = random.bool() ? "02" : two(14, &random)
      let day = random.bool() ? random.element(of: ["28", "29", "30", "31"]) : two(33, &random)
      var text = random.element(of: ["", "", "", "-", "+"]) + Timestamp.digits(year, 4)
      text += "-\(month)-\(day)T\(two(26, &random)):\(two(62, &random)):\(two(62, &random))"
      if random.bool() { text += "." + random.text(count: random.below(11), of: "0123456789") }
      return text + random.element(of: ["Z", "+01:00", "-05:30", "", "+24:00"])
    }
    let text =
      switch kind {
      case 0: random.text(count: 22 + random.below(5), of: "0123456789abcdefABCDEF")
      case 1: number(&random)
      case 2: UUID(uuid: random.uuidBytes).uuidString
      case 3: date(&random)
      default: number(&random) + " " + number(&random)
      }
    return [UInt8(kind)] + Array(text.utf8).changed(random.below(3) / 2, &random)
  }

  func run(_ program: Program) throws {
    switch program {
    case .text(0, let text): try objectId(text)
    case .text(1, let text): try decimal(text)
    case .text(2, let text): try uuid(text)
    case .text(3, let text): try date(text)
    case .text(_, let text): try arithmetic(text)
    case .bits(4, let high, let low):
      let number = Decimal128(bitPatternHigh: high, low: low)
      let again = try Decimal128(validating: number.description)
      try expect(
        number.isNaN ? again.isNaN : again == number, "\(number) is printed, and parsed as \(again).")
      try expect(again.description == number.description, "\(number) is printed in two ways.")
    case .bits(5, let high, let low):
      let moment = Timestamp(seconds: Int64(bitPattern: high), nanoseconds: Int64(low % 1_000_000_000))
      try expect(Timestamp(moment.description) == moment, "\(moment) is not parsed as it was printed.")
    case .bits(_, let high, let low):
      let id = ObjectId(
        words: UInt32(truncatingIfNeeded: high >> 32), UInt32(truncatingIfNeeded: high),
        UInt32(truncatingIfNeeded: low >> 32))
      let again = try ObjectId(string: id.stringValue)
      try expect(again == id, "\(id) is not parsed as it was printed.")
    }
  }

  private func objectId(_ text: String) throws {
    let isOne =
      text.utf8.count == 24 && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || isHex($0) }
    let id = try? ObjectId(string: text)
    try expect((id != nil) == isOne, "The object identifier \(text.debugDescription) is accepted: \(id != nil).")
    if let id { try expect(id.stringValue == text.lowercased(), "\(text) is printed as \(id).") }
    try literal("oid(\(text))", isOne && text == text.trimmingCharacters(in: .whitespaces))
  }

  private func isHex(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
  }

  /// A literal of a format is accepted like the text that it holds. Other signs end it, so only plain text is tried.
  private func literal(_ text: String, _ isOne: Bool) throws {
    guard text.dropFirst(4).dropLast().utf8.allSatisfy({ isHex($0) || 0x30...0x39 ~= $0 || $0 == 0x2D }) else { return }
    let isParsed = (try? QueryPredicate("any == \(text)")) != nil
    try expect(isParsed == isOne, "A format with \(text) is accepted: \(isParsed).")
  }

  private func uuid(_ text: String) throws {
    try literal("uuid(\(text))", UUID(uuidString: text) != nil)
  }

  private func decimal(_ text: String) throws {
    let number = try? Decimal128(validating: text)
    let (isOne, digits, exponent) = Self.grammar(text)
    try expect((number != nil) == isOne, "The decimal \(text.debugDescription) is accepted: \(number != nil).")
    guard let number else { return }
    let again = try Decimal128(validating: number.description)
    try expect(
      again == number && again.description == number.description,
      "\(text) is printed as \(number) and is then \(again)")
    if digits <= 30, abs(exponent) <= 60, let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    {
      try expect(number == Decimal128(decimal), "\(text) is \(number), and \(decimal) for Foundation.")
    }
  }

  /// Whether a text is a decimal, the number of its digits and its exponent.
  static func grammar(_ text: String) -> (isOne: Bool, digits: Int, exponent: Int) {
    var rest = text.utf8[...]
    func digits() -> Int {
      let count = rest.prefix { 0x30...0x39 ~= $0 }.count
      rest = rest.dropFirst(count)
      return count
    }
    if let sign = rest.first, [0x2B, 0x2D].contains(sign) { rest = rest.dropFirst() }
    if ["inf", "infinity", "nan", "snan"].contains(String(rest)?.lowercased()) { return (true, 99, 0) }
    var count = digits()
    if rest.first == 0x2E {
      rest = rest.dropFirst()
      count += digits()
    }
    guard count > 0 else { return (false, 0, 0) }
    var exponent = 0
    if let sign = rest.first, sign | 0x20 == 0x65 {
      rest = rest.dropFirst()
      let start = rest
      if let sign = rest.first, [0x2B, 0x2D].contains(sign) { rest = rest.dropFirst() }
      guard digits() > 0 else { return (false, 0, 0) }
      exponent = Int(String(start.prefix(20)) ?? "") ?? Int.max
      if exponent == Int.min { exponent = Int.max }
    }
    return (rest.isEmpty, count, exponent)
  }

  private func arithmetic(_ text: String) throws {
    let parts = text.split(separator: " ").map(String.init)
    guard parts.count == 2 else { return }
    let (a, b) = (Self.grammar(parts[0]), Self.grammar(parts[1]))
    guard a.isOne, b.isOne, let x = try? Decimal128(validating: parts[0]), let y = try? Decimal128(validating: parts[1])
    else { return }
    try expect(x + y == y + x || (x + y).isNaN, "\(x) + \(y) depends on the order.")
    try expect(x * y == y * x || (x * y).isNaN, "\(x) * \(y) depends on the order.")
    guard a.digits <= 14, b.digits <= 14, abs(a.exponent) <= 8, abs(b.exponent) <= 8,
      let p = Decimal(string: parts[0], locale: Locale(identifier: "en_US_POSIX")),
      let q = Decimal(string: parts[1], locale: Locale(identifier: "en_US_POSIX"))
    else { return }
    try expect(x * y == Decimal128(p * q), "\(x) * \(y) is \(x * y), and \(p * q) for Foundation.")
    guard a.digits + b.digits + abs(a.exponent - b.exponent) <= 30 else { return }
    try expect(x + y == Decimal128(p + q), "\(x) + \(y) is \(x + y), and \(p + q) for Foundation.")
    try expect(x - y == Decimal128(p - q), "\(x) - \(y) is \(x - y), and \(p - q) for Foundation.")
    try expect((x < y) == (p < q), "\(x) < \(y) is \(x < y).")
  }

  private func date(_ text: String) throws {
    let moment = Timestamp(text)
    if let moment {
      try expect(Timestamp(moment.description) == moment, "\(text) is \(moment), which is parsed otherwise.")
    }
    guard let expected = Self.moment(text) else { return }
    try expect(
      moment == expected.moment, "The date \(text) is \(moment as Any), expected \(expected.moment as Any).")
  }

  /// The moment of a text of the plain form `yyyy-MM-ddTHH:mm:ss[.f]Z`, counted day by day; nil for other text. The
  /// inner value is nil for a day or a time that does not exist.
  static func moment(_ text: String) -> (moment: Timestamp?, Void)? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      bytes[range].allSatisfy { 0x30...0x39 ~= $0 } ? Int(String(decoding: bytes[range], as: UTF8.self)) : nil
    }
    guard bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A, bytes[16] == 0x3A,
      let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19)
    else { return nil }
    var nanoseconds = 0
    if bytes[19] == 0x2E {
      let fraction = bytes[20..<bytes.count - 1]
      guard (1...9).contains(fraction.count), let digits = number(20..<bytes.count - 1) else { return nil }
      nanoseconds = (fraction.count..<9).reduce(digits) { number, _ in number * 10 }
    } else if bytes.count != 20 {
      return nil
    }
    func isLeap(_ year: Int) -> Bool { year % 4 == 0 && year % 100 != 0 || year % 400 == 0 }
    let months = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), day >= 1, day <= months[month - 1], hour < 24, minute < 60, second < 60 else {
      return (nil, ())
    }
    var days = 0
    for other in min(year, 1970)..<max(year, 1970) { days += isLeap(other) ? 366 : 365 }
    if year < 1970 { days = -days }
    days += months.prefix(month - 1).reduce(0, +) + day - 1
    let seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    return (Timestamp(seconds: seconds, nanoseconds: Int64(nanoseconds)), ())
  }
}

extension Timestamp {
  fileprivate static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: Swift.max(0, width - text.utf8.count)) + text
  }
}

extension SeededRandom {
  fileprivate var uuidBytes: uuid_t {
    mutating get {
      let bytes = bytes(count: 16)
      return bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
    }
  }
}
