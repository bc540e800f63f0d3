extension Decimal128 {
  /// Makes the number of `string`, correctly rounded to 34 digits.
  ///
  ///     let number = try Decimal128(string: "-12.50")
  ///     print(number.isNaN)
  ///
  /// The string is a sign, digits with at most one point, and an exponent, such as `-12.50`, `.5` or `1E+3`; or `inf`,
  /// `infinity`, `nan` or `snan`, in any case. The exponent of the number is that of the string: `1.50` keeps its zero.
  ///
  /// - Parameter string: the string. Any other form, also one with spaces, gives NaN.
  /// - Throws: never at present; programs expect this signature. `init(validating:)` throws.
  /// - Complexity: linear in the length of the string.
  public init(string: String) throws { self = Decimal128.parse(string) ?? .nan }

  /// Makes the number of `string`, correctly rounded to 34 digits, with an error for a string that is not a number.
  ///
  ///     let number = try Decimal128(validating: "1.5E-3")
  ///
  /// - Parameter string: the string, in the forms of `init(string:)`.
  /// - Throws: `ValueError.invalidDecimal128` with the string.
  /// - Complexity: linear in the length of the string.
  public init(validating string: String) throws {
    guard let number = Decimal128.parse(string) else { throw ValueError.invalidDecimal128(string) }
    self = number
  }

  static func parse(_ text: String) -> Decimal128? {
    // Older systems of Apple cannot lend the bytes of a string, so there they are copied.
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return parse(bytes: text.utf8.span) }
    return parse(bytes: Array(text.utf8).span)
  }

  /// Parses the bytes of a string.
  static func parse(bytes: Span<UInt8>) -> Decimal128? {
    guard !bytes.isEmpty else { return nil }
    let negative = bytes[0] == UInt8(ascii: "-")
    var position = negative || bytes[0] == UInt8(ascii: "+") ? 1 : 0
    guard position < bytes.count else { return nil }
    if bytes[position] > UInt8(ascii: "9") { return special(bytes, from: position, negative: negative) }
    var digits = DecimalDigits()
    var pointAt: Int?
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte &- 0x30 < 10 {
        digits.append(byte &- 0x30)
      } else if byte == UInt8(ascii: "."), pointAt == nil {
        pointAt = position
      } else {
        break
      }
      position += 1
    }
    guard position - start > (pointAt == nil ? 0 : 1) else { return nil }
    let decimals = pointAt.map { position - $0 - 1 } ?? 0
    var exponent: Int64 = 0
    if position < bytes.count {
      guard bytes[position] | 0x20 == UInt8(ascii: "e"), let written = readExponent(bytes, from: position + 1)
      else { return nil }
      exponent = written
    }
    return digits.number(negative: negative, exponent: exponent - Int64(decimals))
  }

  /// Parses a sign and at least one digit. An exponent that is too great for any number is limited to 2^56, for which
  /// no length of string can compensate.
  private static func readExponent(_ bytes: Span<UInt8>, from start: Int) -> Int64? {
    guard start < bytes.count else { return nil }
    let negative = bytes[start] == UInt8(ascii: "-")
    let first = negative || bytes[start] == UInt8(ascii: "+") ? start + 1 : start
    guard first < bytes.count else { return nil }
    var value: Int64 = 0
    for position in first..<bytes.count {
      let byte = bytes[position]
      guard byte &- 0x30 < 10 else { return nil }
      value = Swift.min(value * 10 + Int64(byte &- 0x30), 1 << 56)
    }
    return negative ? -value : value
  }

  private static func special(_ bytes: Span<UInt8>, from start: Int, negative: Bool) -> Decimal128? {
    guard bytes.count - start <= 8 else { return nil }
    var letters: [UInt8] = []
    for position in start..<bytes.count { letters.append(bytes[position] | 0x20) }
    switch String(decoding: letters, as: UTF8.self) {
    case "inf", "infinity": return infinity(negative: negative)
    case "nan": return nan
    case "snan": return Decimal128(bitPatternHigh: 0x7E00_0000_0000_0000, low: 0)
    default: return nil
    }
  }
}

/// Collects digits, most significant first: the first 36 after leading zeros, and whether any of the rest is not zero.
///
/// 36 digits and that one bit decide every rounding to 34. They are collected in two words: 128-bit arithmetic for each
/// digit would cost more than the rest of parsing.
struct DecimalDigits {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var kept = 0
  private var dropped: Int64 = 0
  private var sticky = false

  mutating func append(_ digit: UInt8) {
    if kept < 18 {
      first = first &* 10 &+ UInt64(digit)
      // Leading zeros do not count.
      if first != 0 { kept += 1 }
    } else if kept < 36 {
      second = second &* 10 &+ UInt64(digit)
      kept += 1
    } else {
      dropped += 1
      if digit != 0 { sticky = true }
    }
  }

  /// The number ±digits × 10^exponent, rounded.
  func number(negative: Bool, exponent: Int64) -> Decimal128 {
    var coefficient = UInt128(first)
    if kept > 18 { coefficient = coefficient &* PowersOfTen[kept - 18] &+ UInt128(second) }
    // All exponents beyond ±20 000 have the same effect: 36 digits cannot compensate for them.
    let clamped = Int(Swift.min(Swift.max(exponent + dropped, -20_000), 20_000))
    return Decimal128.rounded(negative: negative, coefficient: coefficient, exponent: clamped, sticky: sticky)
  }
}
