import FiefValues
import Foundation

extension LeafValues {
  /// The slots at which this leaf differs from `old`, a leaf of the same column over the same rows.
  ///
  /// Collections are compared by identity, so the result may contain a slot whose contents are equal.
  func slotsDiffering(from old: LeafValues) -> Bitmap256 {
    differing(from: old, SlotComparison(start: 0, end: .max, isFirstEnough: false))
  }

  /// The first slot from `start` on at which this leaf differs from `old`; nil if they are equal from there on.
  func firstSlotDiffering(from old: LeafValues, at start: Int) -> Int? {
    differing(from: old, SlotComparison(start: start, end: .max, isFirstEnough: true)).next(from: start)
  }

  /// Whether a slot differs from that of `old`, a leaf of the same column over the same rows. Collections are compared
  /// by identity.
  func differs(from old: LeafValues, at slot: Int) -> Bool {
    !differing(from: old, SlotComparison(start: slot, end: slot + 1, isFirstEnough: true)).isEmpty
  }

  /// Not inlined: one copy of the loops, of which there is one for each type.
  @inline(never)
  private func differing(from old: LeafValues, _ slots: SlotComparison) -> Bitmap256 {
    if isSameStorage(as: old) { return Bitmap256() }
    switch (old, self) {
    case (.int8(let a), .int8(let b)): return slots.differing(a, b, by: ==)
    case (.int16(let a), .int16(let b)): return slots.differing(a, b, by: ==)
    case (.int32(let a), .int32(let b)): return slots.differing(a, b, by: ==)
    case (.int64(let a), .int64(let b)): return slots.differing(a, b, by: ==)
    case (.float(let a), .float(let b)): return slots.differing(a, b, by: Float.isIdentical)
    case (.double(let a), .double(let b)): return slots.differing(a, b, by: Double.isIdentical)
    case (.string(.small(let a)), .string(.small(let b))): return slots.differing(a, b, by: ==)
    case (.string(let a), .string(let b)): return slots.differing(a.strings, b.strings, by: String.isIdentical)
    case (.data(let a), .data(let b)): return slots.differing(a, b, by: ==)
    case (.date(let a), .date(let b)): return slots.differing(a, b, by: ==)
    case (.objectId(let a), .objectId(let b)): return slots.differing(a, b, by: ==)
    case (.uuid(let a), .uuid(let b)): return slots.differing(a, b, by: ==)
    case (.decimal(let a), .decimal(let b)): return slots.differing(a, b, by: Decimal128.isIdentical)
    case (.any(let a), .any(let b)): return slots.differing(a, b, by: ==)
    case (.collection(let a), .collection(let b)): return slots.differing(a, b, by: ===)
    default:
      // Integers of different widths are compared as `Int64`.
      return slots.differing(Int64.buffer(of: old), Int64.buffer(of: self), by: ==)
    }
  }
}

/// The slots of two leaves to compare.
private struct SlotComparison {
  let start: Int
  /// The end of the slots; those that the leaves do not have are not compared.
  let end: Int
  let isFirstEnough: Bool

  @inline(__always)
  func differing<Element>(
    _ a: ContiguousArray<Element>, _ b: ContiguousArray<Element>, by areIdentical: (Element, Element) -> Bool
  ) -> Bitmap256 {
    var slots = Bitmap256()
    var slot = start
    assert(start >= 0 && start <= end, "Slots are compared in their order.")
    let end = min(a.count, b.count, end)
    while slot < end {
      slot += Self.equalBytes(a, b, from: slot, to: end)
      if slot == end { break }
      if !areIdentical(a[slot], b[slot]) {
        slots[slot] = true
        if isFirstEnough { break }
      }
      slot += 1
    }
    return slots
  }

  /// The number of elements from `slot` on that have the same bytes in both arrays, in blocks of 32. Such elements are
  /// identical, whatever their type; elements with other bytes may be identical, too.
  @inline(__always)
  private static func equalBytes<Element>(
    _ a: ContiguousArray<Element>, _ b: ContiguousArray<Element>, from slot: Int, to end: Int
  ) -> Int {
    guard slot & 31 == 0 else { return 0 }
    assert(slot >= 0 && end <= min(a.count, b.count), "Only cells are compared.")
    let stride = MemoryLayout<Element>.stride
    return unsafe a.withUnsafeBytes { a in
      unsafe b.withUnsafeBytes { b in
        var count = 0
        while slot &+ count &+ 32 <= end {
          let offset = (slot &+ count) &* stride
          guard let one = a.baseAddress, let other = b.baseAddress,
            unsafe memcmp(one + offset, other + offset, 32 &* stride) == 0
          else { break }
          count &+= 32
        }
        assert(slot + count <= end, "Equal bytes end with the cells.")
        return count
      }
    }
  }
}
