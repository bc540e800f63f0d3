import Foundation

/// The order of strings by their UTF-8 bytes, and of bytes: -1, 0 or 1 as `a` comes before, with or after `b`.
@usableFromInline
package enum ByteOrder {
  /// Whether two strings have equal UTF-8 bytes.
  ///
  /// The lengths are compared first, which needs no memory access for strings that are stored inline.
  @inlinable
  package static func areIdentical(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count && compare(a, b) == 0
  }

  /// Compares strings. Linear in their length.
  @usableFromInline
  package static func compare(_ a: String, _ b: String) -> Int {
    // Most strings are short. Two numbers of each order like the bytes, and then like the length.
    if let a = SmallString(a, isAvailable: SmallString.isAvailable), let b = SmallString(b, isAvailable: true) {
      let (first, other) = (a.first.byteSwapped, b.first.byteSwapped)
      if first != other { return first < other ? -1 : 1 }
      let (rest, otherRest) = (SmallString.ordered(a.second), SmallString.ordered(b.second))
      return rest == otherRest ? 0 : rest < otherRest ? -1 : 1
    }
    // Almost every string here is contiguous UTF-8; the slow path is for strings bridged from another runtime.
    let fast = unsafe a.utf8.withContiguousStorageIfAvailable { a in
      unsafe b.utf8.withContiguousStorageIfAvailable { b in
        unsafe compare(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
      }
    }
    if case .some(.some(let order)) = fast { return order }
    return a.utf8.elementsEqual(b.utf8) ? 0 : a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
  }

  /// Compares bytes, and the lengths where one is the beginning of the other.
  package static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let shared = min(a.count, b.count)
    if shared > 0, let first = a.baseAddress, let second = b.baseAddress {
      let order = unsafe memcmp(first, second, shared)
      if order != 0 { return order < 0 ? -1 : 1 }
    }
    return a.count == b.count ? 0 : a.count < b.count ? -1 : 1
  }
}
