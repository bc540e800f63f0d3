import FiefGraph
import FiefValues

/// Adds up values, or keeps the least or the greatest of them; nulls, and what is no number to a sum, pass by.
///
/// Integers add exactly in 128 bits, so that an average is right whatever the sum; a sum that leaves 64 bits wraps
/// around, as in the original. Doubles add in the order in which they come. Any-values that are numbers add as
/// decimals.
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

  /// Adds what another has come to over other rows.
  mutating func add(_ other: Accumulator) {
    whole += other.whole
    number += other.number
    decimal += other.decimal
    let count = count + other.count
    if operation == .minimum || operation == .maximum { add(other.extreme) }
    self.count = count
  }

  /// What has come out.
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
  /// A number as a decimal; nil for everything else, booleans included.
  fileprivate var asNumber: Value? {
    switch self {
    case .int, .float, .double, .decimal: converted(to: .decimal)
    default: nil
    }
  }
}
