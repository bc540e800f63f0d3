import FiefGraph
import FiefValues
import Foundation

extension LeafValues {
  /// Integers in the narrowest width that holds all of them.
  static func narrowed(_ values: ContiguousArray<Int64>) -> LeafValues {
    let (least, most) = values.reduce((Int64(0), Int64(0))) { (min($0.0, $1), max($0.1, $1)) }
    func holds<Number: FixedWidthInteger>(_ type: Number.Type) -> Bool {
      Number(exactly: least) != nil && Number(exactly: most) != nil
    }
    func copy<Number: FixedWidthInteger>() -> ContiguousArray<Number> {
      var copy: ContiguousArray<Number> = []
      copy.reserveCapacity(values.count)
      for value in values { copy.append(Number(truncatingIfNeeded: value)) }
      return copy
    }
    if holds(Int8.self) { return .int8(copy()) }
    if holds(Int16.self) { return .int16(copy()) }
    return holds(Int32.self) ? .int32(copy()) : .int64(values)
  }

  /// A list of the values of some leaves of one type, in their order, or a set of them, each once; and how many equal
  /// ones that left out. There is at least one leaf. Linear; O(n log n) for sets.
  static func collection(_ parts: [LeafValues], _ shape: ColumnShape) -> (collection: StoredCollection, merged: Int) {
    switch parts[0] {
    case .int8, .int16, .int32, .int64: collection(parts, shape) { Int64.buffer(of: $0) }
    case .float, .double: collection(parts, shape) { $0.doubles }
    case .string: collection(parts, shape) { String.buffer(of: $0) }
    default: collection(parts, shape) { $0.values }
    }
  }

  private static func collection<Element: Storable>(
    _ parts: [LeafValues], _ shape: ColumnShape, _ elements: (LeafValues) -> ContiguousArray<Element>
  ) -> (collection: StoredCollection, merged: Int) {
    let kind = parts[0].kind ?? .any
    let values = parts.map(elements).joined()
    guard shape == .set else { return (StoredElements(shape, OrderedTree(values), kind: kind), 0) }
    var distinct: ContiguousArray<Element> = []
    var merged = 0
    for value in values.sorted(by: { Element.compare($0, $1) < 0 }) {
      if let last = distinct.last, Element.compare(last, value) == 0 {
        merged += 1
      } else {
        distinct.append(value)
      }
    }
    return (StoredElements(shape, OrderedTree(distinct), kind: kind), merged)
  }

  /// How many bytes an element of these takes in a collection.
  var elementSize: Int {
    switch self {
    case .int8, .int16, .int32, .int64: MemoryLayout<Int64>.stride
    case .float, .double: MemoryLayout<Double>.stride
    case .string: MemoryLayout<String>.stride
    default: MemoryLayout<Value>.stride
    }
  }
}
