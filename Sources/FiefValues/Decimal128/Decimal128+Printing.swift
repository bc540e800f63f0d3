extension Decimal128: CustomStringConvertible {
  /// The number as a string: the scientific string of IEEE 754-2008 and of Cowlishaw's General Decimal Arithmetic
  /// ("to-scientific-string"), such as `1.5`, `1E3` or `1.23E-10`, but without the plus sign before an exponent, and
  /// without zeros at the end of the digits behind the point: `1.10` prints as `1.1`, and `2.00` as `2`.
  ///
  ///     print(Decimal128("1.10").stringValue, Decimal128("1E+3").stringValue)          // 1.1 1E3
  ///
  /// An exponent is printed only if the number's own exponent is above zero, or if the printed one is below -6. Parsing
  /// a finite number's string gives an equal number. Other strings are `Infinity`, `-Infinity`, `NaN` and `sNaN`.
  public var stringValue: String {
    guard isFinite else {
      if isNaN { return hasSignallingBits ? "sNaN" : "NaN" }
      return sign == .minus ? "-Infinity" : "Infinity"
    }
    let parts = parts
    // The digits are written first, at the end of the bytes, because only then is their number known; there are at most
    // 34. Then the string is written from the beginning: a sign, "0.", at most five zeros and the digits, or the digits
    // with a point and six more bytes for the exponent. Both forms take at most 42 bytes, so the two areas never
    // overlap.
    var writer = DecimalWriter()
    let start = writer.writeDigits(parts.coefficient, endingAt: 96)
    writer.write(parts, digits: start..<96)
    return String(decoding: writer.bytes[..<writer.count], as: UTF8.self)
  }

  /// The number as a string; see `stringValue`.
  public var description: String { stringValue }
}

/// Writes a finite number's string from the beginning of 96 bytes whose end holds the digits.
private struct DecimalWriter {
  private(set) var bytes = [UInt8](repeating: 0, count: 96)
  private(set) var count = 0

  /// Writes the digits of `value`, at least one, so that they end before `end`; returns the index of the first.
  mutating func writeDigits(_ value: UInt128, endingAt end: Int) -> Int {
    // One division makes two words of 17 digits, which divide cheaply by a constant.
    let (upper, lower) = PowersOfTen.divide(value, by: 100_000_000_000_000_000)
    var position = end
    var word = lower
    if upper != 0 {
      for _ in 0..<17 {
        position -= 1
        bytes[position] = UInt8(truncatingIfNeeded: word % 10) + 0x30
        word /= 10
      }
      word = UInt64(truncatingIfNeeded: upper)
    }
    repeat {
      position -= 1
      bytes[position] = UInt8(truncatingIfNeeded: word % 10) + 0x30
      word /= 10
    } while word != 0
    return position
  }

  mutating func write(_ parts: DecimalParts, digits: Range<Int>) {
    if parts.isNegative { append(UInt8(ascii: "-")) }
    let adjusted = parts.exponent + digits.count - 1
    if parts.exponent <= 0, adjusted >= -6 {
      let whole = digits.count + parts.exponent
      if whole > 0 {
        append(digits.prefix(whole))
        appendFraction(digits.dropFirst(whole), zeros: 0)
      } else {
        append(UInt8(ascii: "0"))
        appendFraction(digits, zeros: -whole)
      }
      return
    }
    append(digits.prefix(1))
    appendFraction(digits.dropFirst(), zeros: 0)
    append(UInt8(ascii: "E"))
    if adjusted < 0 { append(UInt8(ascii: "-")) }
    // Between the string, which ends before 42, and the digits, which begin at 62 or later.
    let start = writeDigits(UInt128(adjusted.magnitude), endingAt: 60)
    append(start..<60)
  }

  /// Writes a point, zeros and the digits behind them, without the zeros at the end; nothing if no digit is left.
  private mutating func appendFraction(_ digits: Range<Int>, zeros: Int) {
    guard let last = digits.last(where: { bytes[$0] != UInt8(ascii: "0") }) else { return }
    append(UInt8(ascii: "."))
    for _ in 0..<zeros { append(UInt8(ascii: "0")) }
    append(digits.lowerBound..<last + 1)
  }

  private mutating func append(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  private mutating func append(_ range: Range<Int>) {
    for index in range { append(bytes[index]) }
  }
}
