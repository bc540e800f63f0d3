import FiefGraph
import FiefValues

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

  /// The values of several leaves of one type, of which there is at least one. Linear.
  static func joined(_ parts: [LeafValues]) -> LeafValues {
    if parts.count == 1 { return parts[0] }
    return switch parts[0] {
    case .vacant, .collection: fatalError("Collections hold no collections.")
    case .int8, .int16, .int32, .int64: .int64(joined(parts))
    case .float: .float(joined(parts))
    case .double: .double(joined(parts))
    case .string: .string(joined(parts))
    case .data: .data(joined(parts))
    case .date: .date(joined(parts))
    case .objectId: .objectId(joined(parts))
    case .uuid: .uuid(joined(parts))
    case .decimal: .decimal(joined(parts))
    case .any: .any(joined(parts))
    }
  }

  private static func joined<Element: Storable>(_ parts: [LeafValues]) -> ContiguousArray<Element> {
    var values: ContiguousArray<Element> = []
    values.reserveCapacity(parts.reduce(0) { $0 + $1.count })
    for part in parts { values.append(contentsOf: Element.buffer(of: part)) }
    return values
  }

  /// A list of the values in their order, or a set of them, each once; and how many equal ones that left out.
  func collection(_ shape: ColumnShape) -> (collection: StoredCollection, merged: Int) {
    switch self {
    case .int8, .int16, .int32, .int64: Self.collection(Int64.buffer(of: self), shape)
    case .float(let values): Self.collection(values, shape)
    case .double(let values): Self.collection(values, shape)
    case .string(let values): Self.collection(values, shape)
    case .data(let values): Self.collection(values, shape)
    case .date(let values): Self.collection(values, shape)
    case .objectId(let values): Self.collection(values, shape)
    case .uuid(let values): Self.collection(values, shape)
    case .decimal(let values): Self.collection(values, shape)
    case .any(let values): Self.collection(values, shape)
    case .vacant, .collection: fatalError("Collections hold no collections.")
    }
  }

  private static func collection<Element: Storable>(
    _ values: ContiguousArray<Element>, _ shape: ColumnShape
  ) -> (collection: StoredCollection, merged: Int) {
    guard shape == .set else { return (StoredElements(shape, OrderedTree(values)), 0) }
    var distinct: ContiguousArray<Element> = []
    distinct.reserveCapacity(values.count)
    for value in values.sorted(by: { Element.compare($0, $1) < 0 }) {
      if let last = distinct.last, Element.compare(last, value) == 0 { continue }
      distinct.append(value)
    }
    return (StoredElements(shape, OrderedTree(distinct)), values.count - distinct.count)
  }
}
