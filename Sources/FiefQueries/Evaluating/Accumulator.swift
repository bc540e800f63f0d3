import FiefGraph
import FiefValues

/// Adds up values, or keeps their minimum or maximum. Nulls are ignored. Sums and averages also ignore values that are
/// not numbers.
///
/// Integers add exactly in 128 bits, so an average is correct even when the sum exceeds 64 bits. A sum beyond 64 bits
/// wraps around, as in Realm. Doubles add in the order in which they arrive. Numbers among any-values add as decimals.
package struct Accumulator {
  let operation: PropertyPath.Component
  let kind: ValueKind
  private(set) var count = 0
  private var whole: Int128 = 0
  private var number = 0.0
  private var decimal = Decimal128()
  private var extreme = Value.null

  /// - Parameters:
  ///   - operation: `sum`, `average`, `minimum`, `maximum` or `count`.
  ///   - kind: the kind of the values.
  package init(_ operation: PropertyPath.Component, _ kind: ValueKind) {
    self.operation = operation
    self.kind = kind
  }

  package mutating func add(_ value: Value) {
    if value.isNull { return }
    switch operation {
    case .minimum, .maximum:
      let order = extreme.isNull ? 0 : StoredOrder.compare(value, extreme)
      if extreme.isNull || (operation == .minimum ? order < 0 : order > 0) { extreme = value }
      count += 1
    case .count: count += 1
    default:
      if kind == .any {
        guard case .decimal(let addend)? = value.asNumber else { return }
        decimal += addend
      } else {
        switch value {
        case .int(let value): whole += Int128(value)
        case .float(let value): number += Double(value)
        case .double(let value): number += value
        case .decimal(let value): decimal += value
        default: return
        }
      }
      count += 1
    }
  }

  /// Adds `count` integers whose sum is `sum`.
  mutating func add(sum: Int128, count: Int) {
    whole += sum
    self.count += count
  }

  /// Adds the state of an accumulator that covers other rows.
  mutating func add(_ other: Accumulator) {
    whole += other.whole
    number += other.number
    decimal += other.decimal
    let count = count + other.count
    if operation == .minimum || operation == .maximum { add(other.extreme) }
    self.count = count
  }

  /// The aggregate of the values so far.
  package var result: Value {
    switch operation {
    case .count: return .int(Int64(count))
    case .minimum, .maximum: return extreme
    case .sum:
      switch kind {
      case .int: return .int(Int64(truncatingIfNeeded: whole))
      case .decimal, .any: return .decimal(decimal)
      default: return .double(number)
      }
    default:
      if count == 0 { return .null }
      switch kind {
      case .int: return .double(Double(whole) / Double(count))
      case .decimal, .any: return .decimal(decimal / Decimal128(count))
      default: return .double(number / Double(count))
      }
    }
  }
}

extension Value {
  /// The value as a decimal, if it is a number; nil for all others, booleans included.
  fileprivate var asNumber: Value? {
    switch self {
    case .int, .float, .double, .decimal: converted(to: .decimal)
    default: nil
    }
  }
}
