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
    case .sum: total(as: form)
    case .average: count == 0 ? .null : total(as: form == .int ? .double : form, dividedBy: count)
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
      return one.total(as: kind)
    case .sum: return total(as: kind)
    case .average: return count == 0 ? .null : total(as: kind, dividedBy: count)
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

  /// The sum as a number of a kind, or a part of it. All sums add as the form of the values demands, so that one rule
  /// of precision holds for sums and averages.
  private func total(as wanted: ValueKind, dividedBy divisor: Int? = nil) -> Value {
    assert(count > 0 || whole == 0, "The sum of nothing is 0.")
    if wanted == .int, form == .int {
      let part = whole / Int128(divisor ?? 1)
      return Int64(exactly: part).map { .int($0) } ?? .decimal(Decimal128(part))
    }
    if form == .decimal || form == .int && wanted == .decimal {
      let sum = decimal + Decimal128(whole)
      let part = divisor.map { sum / Decimal128($0) } ?? sum
      if wanted == .int { return Self.truncated(part) }
      return wanted == .decimal ? .decimal(part) : Self.fraction(part.doubleValue, wanted)
    }
    let sum = number + Double(whole)
    let part = divisor.map { sum / Double($0) } ?? sum
    if wanted == .int { return Self.truncated(part) }
    return wanted == .decimal ? .decimal(Decimal128(part)) : Self.fraction(part, wanted)
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
