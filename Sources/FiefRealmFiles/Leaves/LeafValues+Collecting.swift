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
    case .int8, .int16, .int32, .int64: collection(of: Int64.self, parts, shape)
    case .float: collection(of: Float.self, parts, shape)
    case .double: collection(of: Double.self, parts, shape)
    case .string: collection(of: String.self, parts, shape)
    case .data: collection(of: Data.self, parts, shape)
    case .date: collection(of: Timestamp.self, parts, shape)
    case .objectId: collection(of: ObjectId.self, parts, shape)
    case .uuid: collection(of: UUID.self, parts, shape)
    case .decimal: collection(of: Decimal128.self, parts, shape)
    case .any: collection(of: Value.self, parts, shape)
    case .vacant, .collection: fatalError("Collections hold no collections.")
    }
  }

  private static func collection<Element: Storable>(
    of type: Element.Type, _ parts: [LeafValues], _ shape: ColumnShape
  ) -> (collection: StoredCollection, merged: Int) {
    let values = parts.lazy.map { Element.buffer(of: $0) }.joined()
    guard shape == .set else { return (StoredElements(shape, OrderedTree(values)), 0) }
    var distinct: ContiguousArray<Element> = []
    var merged = 0
    for value in values.sorted(by: { Element.compare($0, $1) < 0 }) {
      if let last = distinct.last, Element.compare(last, value) == 0 {
        merged += 1
      } else {
        distinct.append(value)
      }
    }
    return (StoredElements(shape, OrderedTree(distinct)), merged)
  }

  /// How many bytes an element of these takes in a collection.
  var elementSize: Int {
    switch self {
    case .int8, .int16, .int32, .int64: MemoryLayout<Int64>.stride
    case .float: MemoryLayout<Float>.stride
    case .double: MemoryLayout<Double>.stride
    case .string: MemoryLayout<String>.stride
    case .data: MemoryLayout<Data>.stride
    case .date: MemoryLayout<Timestamp>.stride
    case .objectId: MemoryLayout<ObjectId>.stride
    case .uuid: MemoryLayout<UUID>.stride
    case .decimal: MemoryLayout<Decimal128>.stride
    case .any: MemoryLayout<Value>.stride
    case .vacant, .collection: 0
    }
  }
}
