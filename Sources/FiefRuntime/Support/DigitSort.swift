/// Sorts many elements by numbers.
///
/// They are distributed by the digits of their numbers, the lowest first. So elements of equal numbers keep their
/// order. No two numbers are compared, and bits that all numbers share are left out.
@usableFromInline
package enum DigitSort {
  /// Eleven bits: the places of all digits fit the first cache of a processor.
  @inlinable static var bits: UInt64 { 11 }

  /// Sorts elements. Linear for each eleven bits that differ.
  ///
  /// - Parameters:
  ///   - differing: The bits in which numbers may differ; the others are not looked at.
  ///   - number: The number of an element.
  @inlinable
  @inline(__always)
  package static func sort<Element: BitwiseCopyable>(
    _ elements: inout ContiguousArray<Element>, differing: UInt64, by number: (Element) -> UInt64
  ) {
    guard let any = elements.first else { return }
    var other = ContiguousArray(repeating: any, count: elements.count)
    var rest = differing
    while rest != 0 {
      let shift = UInt64(truncatingIfNeeded: rest.trailingZeroBitCount)
      rest &= ~(mask &<< shift)
      unsafe elements.withUnsafeBufferPointer { elements in
        unsafe other.withUnsafeMutableBufferPointer { other in
          unsafe distribute(elements, to: other) { Int(truncatingIfNeeded: number($0) &>> shift & mask) }
        }
      }
      swap(&elements, &other)
    }
  }

  @inlinable static var mask: UInt64 { (1 << bits) - 1 }

  /// Puts elements in the order of a digit.
  @inlinable
  @inline(__always)
  static func distribute<Element: BitwiseCopyable>(
    _ elements: UnsafeBufferPointer<Element>, to sorted: UnsafeMutableBufferPointer<Element>,
    by digit: (Element) -> Int
  ) {
    assert(sorted.count == elements.count, "Each element gets a place.")
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 << Int(bits)) { places in
      unsafe places.initialize(repeating: 0)
      // A digit is below the number of places, and the places of all elements are below their number.
      for index in elements.indices { unsafe places[digit(elements[index])] &+= 1 }
      var next = 0
      for digit in places.indices {
        let count = unsafe places[digit]
        unsafe places[digit] = next
        next += count
      }
      for index in elements.indices {
        let element = unsafe elements[index]
        let digit = digit(element)
        unsafe sorted[places[digit]] = element
        unsafe places[digit] &+= 1
      }
    }
  }
}
