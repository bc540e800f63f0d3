import FiefValues
import Testing

/// Results of another implementation, to compare this one with.
///
/// The tables in this folder were made with CPython 3.11's `decimal` module, which is an independent implementation of
/// Cowlishaw's General Decimal Arithmetic. The context was decimal128's: `prec=34, Emin=-6143, Emax=6144, clamp=1`,
/// `ROUND_HALF_EVEN`, no traps.
///
/// Operands were drawn at random (seed 20240229) from coefficients of 1 to 34 digits (single digits, powers of ten, all
/// nines, a five and zeros, many trailing zeros, any) and from exponents near zero, up to ±40, near half the range (so
/// that products and quotients reach both ends) and at the ends. Further operands are addends exactly at, just above
/// and just below half a unit of the last place, near-cancellations, products and quotients among the subnormals and
/// around overflow, and all pairs of ten special values.
///
/// Columns are separated by one space, and all NaNs are written `NaN`. Bits of doubles are in hexadecimal; `Decimal(x)`
/// and `float(d)` gave exact and nearest values.
enum DecimalTable {
  /// The rows of a table, each split into its columns.
  static func rows(_ table: String) -> [[String]] {
    table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  }

  /// The number of a string without trailing zeros in its fraction, as arithmetic returns it.
  ///
  /// Computed on the characters, because the tables have the exponents that the standard prefers.
  static func reduced(_ text: String) -> String {
    let parts = text.split(separator: "E", omittingEmptySubsequences: false)
    var digits = parts[0]
    guard digits.last?.isNumber ?? false else { return text }
    var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    if let point = digits.firstIndex(of: ".") {
      exponent -= digits.distance(from: point, to: digits.endIndex) - 1
      digits.remove(at: point)
    }
    if digits.allSatisfy({ $0 == "0" || $0 == "-" }) && exponent < 0 { return digits.hasPrefix("-") ? "-0" : "0" }
    while exponent < 0, digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
    return "\(digits)E\(exponent)"
  }

  /// Checks an operation against a table: the number and its exponent must be those of the table, except for trailing
  /// zeros in a fraction.
  static func check(
    _ table: String, rows count: Int, operation: (Decimal128, Decimal128) -> Decimal128,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let rows = rows(table)
    #expect(rows.count >= count, sourceLocation: sourceLocation)
    for row in rows {
      try #require(row.count == 3, sourceLocation: sourceLocation)
      let left = try Decimal128(validating: row[0])
      let right = try Decimal128(validating: row[1])
      let result = operation(left, right)
      let expected = try Decimal128(validating: reduced(row[2]))
      #expect(result.stringValue == expected.stringValue, "\(row[0]) and \(row[1])", sourceLocation: sourceLocation)
      #expect(result.isIdentical(to: expected), "\(row[0]) and \(row[1])", sourceLocation: sourceLocation)
    }
  }
}
