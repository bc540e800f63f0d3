/// Parses the bytes of a timestamp's string in one pass, without backtracking. Stops at the first byte that does not
/// fit.
struct TimestampReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    // The longest valid string has a sign, 12 digits of year, time, fraction and offset. The limit refuses a megabyte
    // after its first bytes.
    bytes = Array(text.utf8.prefix(64))
  }

  /// The moment, or nil at the first error.
  mutating func read() -> Timestamp? {
    guard let year = readYear(), take("-"), let month = readNumber(2), (1...12).contains(month),
      take("-"), let day = readNumber(2), day >= 1, day <= TimestampReader.lastDay(year: year, month: month),
      take("T"), let hour = readNumber(2), hour < 24, take(":"), let minute = readNumber(2), minute < 60,
      take(":"), let second = readNumber(2), second < 60, let nanoseconds = readFraction(),
      let offset = readOffset(), position == bytes.count
    else { return nil }
    // Years of 12 digits overflow `Int64` in seconds; 128 bits fit them all.
    let days = Timestamp.days(year: year, month: month, day: day)
    let total = Int128(days) * 86_400 + Int128(hour * 3600 + minute * 60 + second - offset)
    guard let seconds = Int64(exactly: total) else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  private static func lastDay(year: Int64, month: Int64) -> Int64 {
    if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
    return [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func takeDigit() -> Int64? {
    guard position < bytes.count, bytes[position] &- 0x30 < 10 else { return nil }
    position += 1
    return Int64(bytes[position - 1] - 0x30)
  }

  private mutating func readNumber(_ digits: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<digits {
      guard let digit = takeDigit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Reads four digits, or a sign and four to twelve.
  private mutating func readYear() -> Int64? {
    let negative = take("-")
    let signed = negative || take("+")
    guard var year = readNumber(4) else { return nil }
    if signed {
      var digits = 4
      while digits < 12, let digit = takeDigit() {
        year = year * 10 + digit
        digits += 1
      }
    }
    return negative ? -year : year
  }

  /// Reads an optional point with one to nine digits, and returns nanoseconds.
  private mutating func readFraction() -> Int64? {
    guard take(".") else { return 0 }
    var value: Int64 = 0
    var unit: Int64 = 1_000_000_000
    while unit > 1, let digit = takeDigit() {
      unit /= 10
      value += digit * unit
    }
    return unit == 1_000_000_000 ? nil : value
  }

  /// Reads `Z`, or hours and minutes ahead of UTC, and returns seconds.
  private mutating func readOffset() -> Int64? {
    if take("Z") { return 0 }
    let behind = take("-")
    guard behind || take("+"), let hours = readNumber(2), hours < 24, take(":"),
      let minutes = readNumber(2), minutes < 60
    else { return nil }
    let offset = hours * 3600 + minutes * 60
    return behind ? -offset : offset
  }
}
