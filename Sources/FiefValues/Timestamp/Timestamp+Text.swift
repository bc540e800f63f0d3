// The string form is RFC 3339 in UTC, `2024-02-29T12:34:56.789Z`. The fraction has as many digits as necessary and is
// omitted if it is zero. Years outside 0000...9999 have a sign (ISO 8601's expanded form), so that every moment has a
// string and parsing it gives the same moment. Days and dates: Howard Hinnant, "chrono-Compatible Low-Level Date
// Algorithms" (days_from_civil, civil_from_days), on the proleptic Gregorian calendar.

extension Timestamp: CustomStringConvertible {
  /// The moment in UTC, such as `2024-02-29T12:34:56.789Z`. `init(_:)` parses it exactly.
  public var description: String {
    guard isMoment else { return "a date that is not a number" }
    var days = seconds / 86_400
    var second = seconds % 86_400
    if second < 0 {
      days -= 1
      second += 86_400
    }
    let (year, month, day) = Timestamp.civil(days: days)
    var text = (0...9999).contains(year) ? "" : (year < 0 ? "-" : "+")
    text += Timestamp.padded(year.magnitude, 4)
    text += "-" + Timestamp.padded(UInt64(month), 2) + "-" + Timestamp.padded(UInt64(day), 2)
    text += "T" + Timestamp.padded(UInt64(second / 3600), 2)
    text += ":" + Timestamp.padded(UInt64(second / 60 % 60), 2) + ":" + Timestamp.padded(UInt64(second % 60), 2)
    if nanoseconds != 0 {
      var fraction = Timestamp.padded(UInt64(nanoseconds), 9)
      while fraction.last == "0" { fraction.removeLast() }
      text += "." + fraction
    }
    return text + "Z"
  }

  static func padded(_ value: UInt64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }

  /// The year, month and day of a number of days since 1970.
  static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468  // The years begin on 1 March, so that the leap day comes last.
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// The days since 1970 of a date; the inverse of `civil(days:)`.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Timestamp {
  /// Parses the string form: date, `T`, time, at most nine digits of fraction, and `Z` or an offset such as `+05:30`.
  ///
  /// - Parameter text: the string. The result is nil for any other form, a day that does not exist, a leap second
  ///   (`:60`), more than nine digits of fraction, or a moment out of range.
  public init?(_ text: String) {
    var reader = TimestampReader(text)
    guard let moment = reader.read() else { return nil }
    self = moment
  }
}

extension Timestamp: Codable {
  /// Writes the string form as a single string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Reads a single string in the string form.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for any other string, and the decoder's error for anything but a string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let moment = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: ValueError.invalidTimestamp(text).description)
    }
    self = moment
  }
}
