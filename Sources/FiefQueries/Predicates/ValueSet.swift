import FiefGraph
import FiefValues
import Foundation

/// A set of values in which two are one when `StoredOrder` says so: `1` and `1.0`, but not the two forms of `é`.
struct ValueSet: Sendable {
  private var members: Set<MeantValue> = []

  init(_ values: some Sequence<Value> = []) { for value in values { members.insert(MeantValue(value)) } }

  func contains(_ value: Value) -> Bool { members.contains(MeantValue(value)) }

  /// - Returns: whether no equal value was there.
  mutating func insert(_ value: Value) -> Bool { members.insert(MeantValue(value)).inserted }
}

/// A value that is equal to another when `StoredOrder` says so, and hashes accordingly.
struct MeantValue: Hashable, Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }

  static func == (a: MeantValue, b: MeantValue) -> Bool { StoredOrder.compare(a.value, b.value) == 0 }

  func hash(into hasher: inout Hasher) {
    switch value {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    // Equal numbers are near enough to one double to hash as one: the nearest to each.
    case .int(let value): hasher.combine(Double(value))
    case .float(let value): hasher.combine(Self.canonical(Double(value)))
    case .double(let value): hasher.combine(Self.canonical(value))
    case .decimal(let value): hasher.combine(Self.canonical(value.doubleValue))
    case .string(let value):
      let isDone: Void? = value.utf8.withContiguousStorageIfAvailable {
        hasher.combine(bytes: UnsafeRawBufferPointer($0))
      }
      if isDone == nil { Array(value.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .link(let value): hasher.combine(value)
    }
  }

  private static func canonical(_ value: Double) -> Double { value.isNaN ? .infinity : value == 0 ? 0 : value }
}
