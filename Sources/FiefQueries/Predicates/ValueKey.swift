import FiefGraph
import FiefValues
import Foundation

/// A value as a member of a set. It compares by `StoredOrder`: `1` equals `1.0`, but the two forms of `é` differ.
struct ValueKey: Hashable, Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }

  static func == (a: ValueKey, b: ValueKey) -> Bool { StoredOrder.compare(a.value, b.value) == 0 }

  func hash(into hasher: inout Hasher) {
    switch value {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    // Equal numbers have the same nearest double, which is hashed.
    case .int(let value): hasher.combine(Double(value))
    case .float(let value): hasher.combine(Self.canonical(Double(value)))
    case .double(let value): hasher.combine(Self.canonical(value))
    case .decimal(let value): hasher.combine(Self.canonical(value.doubleValue))
    // Strings of equal bytes have equal hashes. So do some that differ, such as the two forms of `é`.
    case .string(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .link(let value): hasher.combine(value)
    }
  }

  private static func canonical(_ value: Double) -> Double { value.isNaN ? .infinity : value == 0 ? 0 : value }
}
