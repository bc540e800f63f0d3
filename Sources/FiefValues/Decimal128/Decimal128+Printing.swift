extension Decimal128: CustomStringConvertible {
  /// The number as text: the scientific string of IEEE 754-2008 and of Cowlishaw's General Decimal Arithmetic
  /// ("to-scientific-string"), such as `1.50`, `1E3` or `1.23E-10`; without the plus sign before an exponent.
  ///
  /// All digits are printed, trailing zeros too, and the exponent only when it is above zero or more than six places
  /// follow the point. Reading a finite number's text back gives the same bits. `Infinity`, `-Infinity`, `NaN`, `sNaN`
  /// otherwise.
  public var stringValue: String {
    guard isFinite else {
      if isNaN { return isSignalingNaN ? "sNaN" : "NaN" }
      return sign == .minus ? "-Infinity" : "Infinity"
    }
    let parts = parts
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 96) { buffer in
      // The digits first, at the buffer's end, since only then is their number known; at most 34. Then the text from
      // its beginning: a sign, "0.", at most five zeros and the digits, or the digits with a point and six more
      // for the exponent: at most 42 either way, so that the two never meet.
      let start = DecimalWriter.writeDigits(parts.coefficient, endingAt: 96, in: buffer)
      var writer = DecimalWriter(buffer: buffer)
      writer.write(parts, digits: start..<96)
      return String(decoding: UnsafeBufferPointer(rebasing: buffer[..<writer.count]), as: UTF8.self)
    }
  }

  /// The same as `stringValue`.
  public var description: String { stringValue }
}

/// Writes a finite number's text from the beginning of a buffer, whose end holds the digits.
private struct DecimalWriter {
  let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  /// Writes the digits of `value`, at least one, so that they end before `end`; returns where they begin.
  static func writeDigits(_ value: UInt128, endingAt end: Int, in buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    // Divided once, a coefficient is two words of 17 digits, and those divide cheaply by a constant.
    let (upper, lower) = PowersOfTen.divide(value, by: 100_000_000_000_000_000)
    var position = end
    var word = lower
    if upper != 0 {
      for _ in 0..<17 {
        position -= 1
        buffer[position] = UInt8(truncatingIfNeeded: word % 10) + 0x30
        word /= 10
      }
      word = UInt64(truncatingIfNeeded: upper)
    }
    repeat {
      position -= 1
      buffer[position] = UInt8(truncatingIfNeeded: word % 10) + 0x30
      word /= 10
    } while word != 0
    return position
  }

  mutating func write(_ parts: DecimalParts, digits: Range<Int>) {
    if parts.isNegative { append(UInt8(ascii: "-")) }
    let adjusted = parts.exponent + digits.count - 1
    if parts.exponent <= 0, adjusted >= -6 {
      let whole = digits.count + parts.exponent
      if whole <= 0 {
        append(UInt8(ascii: "0"))
        append(UInt8(ascii: "."))
        for _ in whole..<0 { append(UInt8(ascii: "0")) }
        append(digits)
      } else {
        append(digits.prefix(whole))
        if parts.exponent < 0 {
          append(UInt8(ascii: "."))
          append(digits.dropFirst(whole))
        }
      }
      return
    }
    append(digits.prefix(1))
    if digits.count > 1 {
      append(UInt8(ascii: "."))
      append(digits.dropFirst())
    }
    append(UInt8(ascii: "E"))
    if adjusted < 0 { append(UInt8(ascii: "-")) }
    // Between the text, which ends before 42, and the digits, which begin at 62.
    let start = DecimalWriter.writeDigits(UInt128(adjusted.magnitude), endingAt: 60, in: buffer)
    append(start..<60)
  }

  private mutating func append(_ byte: UInt8) {
    buffer[count] = byte
    count += 1
  }

  private mutating func append(_ range: Range<Int>) {
    for index in range { append(buffer[index]) }
  }
}
