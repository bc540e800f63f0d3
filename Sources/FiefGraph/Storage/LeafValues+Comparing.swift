import FiefValues

extension LeafValues {
  /// The slots at which this leaf differs from `old`, a leaf of the same column over the same rows.
  ///
  /// Collections are compared by identity: a slot may be named whose contents turn out to be equal.
  func slotsDiffering(from old: LeafValues) -> Bitmap256 {
    if isSameStorage(as: old) { return Bitmap256() }
    switch (old, self) {
    case (.int8(let a), .int8(let b)): return Self.slots(a, b, ==)
    case (.int16(let a), .int16(let b)): return Self.slots(a, b, ==)
    case (.int32(let a), .int32(let b)): return Self.slots(a, b, ==)
    case (.int64(let a), .int64(let b)): return Self.slots(a, b, ==)
    case (.float(let a), .float(let b)): return Self.slots(a, b, Float.isIdentical)
    case (.double(let a), .double(let b)): return Self.slots(a, b, Double.isIdentical)
    case (.string(let a), .string(let b)): return Self.slots(a, b, String.isIdentical)
    case (.data(let a), .data(let b)): return Self.slots(a, b, ==)
    case (.date(let a), .date(let b)): return Self.slots(a, b, ==)
    case (.objectId(let a), .objectId(let b)): return Self.slots(a, b, ==)
    case (.uuid(let a), .uuid(let b)): return Self.slots(a, b, ==)
    case (.decimal(let a), .decimal(let b)): return Self.slots(a, b, Decimal128.isIdentical)
    case (.any(let a), .any(let b)): return Self.slots(a, b, ==)
    case (.collection(let a), .collection(let b)): return Self.slots(a, b, ===)
    default:
      // Integers of different widths: as wide as the wider.
      return Self.slots(Int64.buffer(of: old), Int64.buffer(of: self), ==)
    }
  }

  @inline(__always)
  private static func slots<Element>(
    _ a: ContiguousArray<Element>, _ b: ContiguousArray<Element>, _ areIdentical: (Element, Element) -> Bool
  ) -> Bitmap256 {
    var slots = Bitmap256()
    for slot in 0..<min(a.count, b.count) where !areIdentical(a[slot], b[slot]) { slots[slot] = true }
    return slots
  }
}
