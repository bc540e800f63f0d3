import FiefValues

/// JSON numbers. A number becomes an integer, the nearest double, or a decimal if neither reproduces all of its digits.
package enum DocumentNumber {
  /// The value of a number in JSON syntax, such as `-12.50e3`; nil when it is out of range of every type. Linear.
  package static func value(of text: ArraySlice<UInt8>) -> DocumentTree.Value? {
    let number = Digits(text)
    guard !number.digits.isEmpty else { return zero(isNegative: number.isNegative && number.isFraction) }
    if let integer = number.integer { return .int(integer) }
    if let double = number.simpleDouble { return .double(double) }
    let written = number.written
    guard let double = Double(written), let decimal = number.decimal else { return nil }
    guard double.isFinite else { return decimal.isFinite ? .decimal(decimal) : nil }
    // If 34 digits are not enough to decide which double is nearest, the double is used.
    guard decimal == Decimal128(double) || decimal.doubleValue != double else { return .decimal(decimal) }
    return double == 0 ? zero(isNegative: number.isNegative) : value(of: double)
  }

  /// A number in the form in which the parser would read it; nil when JSON cannot represent it.
  package static func value(of number: Double) -> DocumentTree.Value? {
    guard number.isFinite else { return nil }
    if number == 0 { return zero(isNegative: number.sign == .minus) }
    return Int64(exactly: number).map(DocumentTree.Value.int) ?? .double(number)
  }

  /// A decimal in the form in which the parser would read it; nil when JSON cannot represent it.
  package static func value(of number: Decimal128) -> DocumentTree.Value? {
    number.isFinite ? value(of: Array(number.description.utf8)[...]) : nil
  }

  private static func zero(isNegative: Bool) -> DocumentTree.Value { isNegative ? .double(-0.0) : .int(0) }

  /// A number as its digits, without leading and trailing zeros, and a power of ten.
  private struct Digits {
    var isNegative = false
    /// Whether the number has a decimal point or an exponent.
    var isFraction = false
    /// ASCII digits. 800 digits decide every rounding, so the rest counts as one nonzero digit.
    var digits: [UInt8] = []
    var exponent = 0
    private static let most = 800

    init(_ text: ArraySlice<UInt8>) {
      var decimals = 0
      var dropped = 0
      var isInexact = false
      var written = 0
      var position = text.startIndex
      if text.first == UInt8(ascii: "-") { (isNegative, position) = (true, position + 1) }
      while position < text.endIndex {
        let byte = text[position]
        position += 1
        if byte == UInt8(ascii: ".") {
          isFraction = true
          continue
        }
        guard byte &- 0x30 < 10 else {
          isFraction = true
          written = Self.exponent(text[position...])
          break
        }
        if isFraction { decimals += 1 }
        if digits.count < Self.most {
          if byte != 0x30 || !digits.isEmpty { digits.append(byte) }
        } else {
          dropped += 1
          if byte != 0x30 { isInexact = true }
        }
      }
      exponent = written - decimals + dropped
      if isInexact {
        digits.append(0x31)
        exponent -= 1
      }
      while digits.last == 0x30 {
        digits.removeLast()
        exponent += 1
      }
      assert(digits.count <= Self.most + 1 && digits.first != 0x30, "Zeros at either end are no digits.")
    }

    /// The exponent after the `e`. It is clamped to a value that no number of digits can compensate.
    private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
      var value = 0
      for byte in text where byte &- 0x30 < 10 { value = min(value * 10 + Int(byte &- 0x30), 1 << 56) }
      return text.first == UInt8(ascii: "-") ? -value : value
    }

    /// The integer, if it fits in 64 bits.
    var integer: Int64? {
      assert(digits.allSatisfy { 0x30...0x39 ~= $0 }, "Digits are ASCII.")
      guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
      var magnitude: UInt64 = 0
      for digit in digits { magnitude = magnitude * 10 + UInt64(digit - 0x30) }
      for _ in 0..<exponent { magnitude *= 10 }
      return isNegative ? Int64(exactly: -Int128(magnitude)) : Int64(exactly: magnitude)
    }

    /// The double, if one operation on two exact factors rounds correctly, and the digits are few enough that the
    /// double reproduces them.
    var simpleDouble: Double? {
      guard digits.count <= 15, exponent.magnitude <= 22 else { return nil }
      var magnitude: UInt64 = 0
      for digit in digits { magnitude = magnitude * 10 + UInt64(digit - 0x30) }
      assert(magnitude < 1 << 53, "An integer of fifteen digits is exact as a double.")
      let power = Self.powers[Int(exponent.magnitude)]
      let double = exponent < 0 ? Double(magnitude) / power : Double(magnitude) * power
      return isNegative ? -double : double
    }

    private static let powers: [Double] = [
      1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
      1e21, 1e22,
    ]

    /// The nearest decimal, without zeros at its end; nil when it is out of range.
    var decimal: Decimal128? {
      guard let decimal = try? Decimal128(validating: written) else { return nil }
      // Rounding to 34 digits can leave zeros, with which the same number is written in two ways.
      if digits.count <= 34 || !decimal.isFinite || decimal == 0 { return decimal }
      return try? Decimal128(validating: Digits(Array(decimal.description.utf8)[...]).written)
    }

    /// The number as a string of bounded length.
    var written: String {
      // Beyond ±20 000, the exponent decides: the digits cannot compensate it.
      "\(isNegative ? "-" : "")\(String(decoding: digits, as: UTF8.self))e\(min(max(exponent, -20_000), 20_000))"
    }
  }
}
