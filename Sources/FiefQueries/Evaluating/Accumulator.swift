import FiefGraph
import FiefValues

/// Adds up values, or keeps their minimum or maximum. Nulls are ignored. Sums and averages also ignore values that are
/// not numbers.
///
/// Sums are exact or rounded as their type demands, and never wrap around: integers add in 128 bits, doubles in the
/// order in which they arrive, decimals in 34 digits. Numbers among any-values add as integers and decimals.
package struct Accumulator {
  let operation: PropertyPath.Aggregate
  private let kind: ValueKind?
  /// The number of values that were added.
  package private(set) var count = 0
  private var whole: Int128 = 0
  private var number = 0.0
  private var decimal = Decimal128()
  private var hasFractions = false
  private var hasDecimals = false
  private var extreme = Value.null

  /// - Parameters:
  ///   - operation: what is made of the values.
  ///   - kind: the kind of the values; nil when only the values determine it.
  package init(_ operation: PropertyPath.Aggregate, _ kind: ValueKind?) {
    self.operation = operation
    self.kind = kind
  }

  package mutating func add(_ value: Value) {
    if value.isNull { return }
    switch operation {
    case .minimum, .maximum:
      let order = extreme.isNull ? 0 : StoredOrder.compare(value, extreme)
      if extreme.isNull || (operation == .minimum ? order < 0 : order > 0) { extreme = value }
    case .count: break
    case .sum, .average:
      switch value {
      case .int(let value): whole += Int128(value)
      case .float(let value):
        number += Double(value)
        hasFractions = true
        if mayHaveDecimals { decimal += Decimal128(value) }
      case .double(let value):
        number += value
        hasFractions = true
        if mayHaveDecimals { decimal += Decimal128(value) }
      case .decimal(let value):
        decimal += value
        hasDecimals = true
      default: return
      }
    }
    count += 1
  }

  /// Whether decimals may be among the values: fractions are then added as decimals too.
  private var mayHaveDecimals: Bool { kind == nil || kind == .any }

  /// Adds `count` integers whose sum is `sum`.
  mutating func add(sum: Int128, of count: Int) {
    whole += sum
    self.count += count
  }

  mutating func add(extreme value: Value, of count: Int) {
    assert(count > 0 && !value.isNull, "An extreme is that of some values.")
    add(value)
    self.count += count - 1
  }

  /// The aggregate of the values so far, in the type that the values have: a sum of integers beyond 64 bits is a
  /// decimal, and an average of integers a double.
  package var result: Value {
    switch operation {
    case .count: .int(Int64(count))
    case .minimum, .maximum: extreme
    case .sum: sum(as: form)
    case .average: average(as: form == .int ? .double : form)
    }
  }

  /// The aggregate of the values so far as a number of `kind`. A result that is requested as an integer is truncated;
  /// beyond 64 bits it is another kind of number. Any other kind has no effect.
  package func result(as kind: ValueKind) -> Value {
    guard kind.isNumber else { return result }
    switch operation {
    case .count: return .int(Int64(count))
    case .minimum, .maximum:
      // One value is the sum of itself.
      guard extreme.kind?.isNumber == true, extreme.kind != kind else { return extreme }
      var one = Accumulator(.sum, nil)
      one.add(extreme)
      return one.sum(as: kind)
    case .sum: return sum(as: kind)
    case .average: return average(as: kind)
    }
  }

  /// The type that the values have in common.
  private var form: ValueKind {
    switch kind {
    case .any: count == 0 ? .int : .decimal
    case .float: .double
    case let kind?: kind
    case nil: hasDecimals ? .decimal : hasFractions ? .double : .int
    }
  }

  private var wholeDecimal: Decimal128 { decimal + Decimal128(whole) }
  private var wholeNumber: Double { number + Double(whole) }

  private func sum(as wanted: ValueKind) -> Value {
    assert(count > 0 || whole == 0, "The sum of nothing is 0.")
    return switch (wanted, form) {
    case (.int, .int): Int64(exactly: whole).map { .int($0) } ?? .decimal(Decimal128(whole))
    case (.int, .decimal): Self.truncated(wholeDecimal)
    case (.int, _): Self.truncated(wholeNumber)
    case (.decimal, .decimal), (.decimal, .int): .decimal(wholeDecimal)
    case (.decimal, _): .decimal(Decimal128(wholeNumber))
    case (_, .decimal): Self.fraction(wholeDecimal.doubleValue, wanted)
    default: Self.fraction(wholeNumber, wanted)
    }
  }

  private func average(as wanted: ValueKind) -> Value {
    if count == 0 { return .null }
    assert(wanted.isNumber || wanted == .any, "An average is a number.")
    return switch (wanted, form) {
    case (.int, .int): .int(Int64(whole / Int128(count)))
    case (.int, .decimal): Self.truncated(wholeDecimal / Decimal128(count))
    case (.int, _): Self.truncated(wholeNumber / Double(count))
    case (.decimal, .decimal), (.decimal, .int): .decimal(wholeDecimal / Decimal128(count))
    case (.decimal, _): .decimal(Decimal128(wholeNumber / Double(count)))
    case (_, .decimal): Self.fraction((wholeDecimal / Decimal128(count)).doubleValue, wanted)
    default: Self.fraction(wholeNumber / Double(count), wanted)
    }
  }

  private static func fraction(_ value: Double, _ kind: ValueKind) -> Value {
    kind == .float ? .float(Float(value)) : .double(value)
  }

  private static func truncated(_ value: Double) -> Value {
    Int64(exactly: value.rounded(.towardZero)).map { .int($0) } ?? .double(value)
  }

  private static func truncated(_ value: Decimal128) -> Value {
    Int64(truncating: value).map { .int($0) } ?? .decimal(value)
  }
}
