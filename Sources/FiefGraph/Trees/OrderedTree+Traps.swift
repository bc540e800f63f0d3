// The messages for positions that do not exist. They are kept out of line, so that each check costs one comparison at
// the call site.

extension OrderedTree {
  /// Traps unless there is an element at `position`.
  @inlinable
  func checkElement(at position: Int) {
    if position < 0 || position >= count { Self.trap(position: position, count: count) }
  }

  /// Traps unless `position` is between two elements, or at an end.
  @inlinable
  func checkGap(at position: Int) {
    if position < 0 || position > count { Self.trap(gap: position, count: count) }
  }

  /// Traps unless there are elements at all positions of `range`.
  @inlinable
  func checkRange(_ range: Range<Int>) {
    if range.lowerBound < 0 || range.upperBound > count { Self.trap(range: range, count: count) }
  }

  @inline(never)
  @usableFromInline
  static func trap(position: Int, count: Int) -> Never {
    fatalError("Position \(position) is out of range: the tree has \(count) elements, at positions from 0.")
  }

  @inline(never)
  @usableFromInline
  static func trap(gap position: Int, count: Int) -> Never {
    fatalError("Position \(position) is out of range: in a tree of \(count) elements it may be 0 ... \(count).")
  }

  @inline(never)
  @usableFromInline
  static func trap(range: Range<Int>, count: Int) -> Never {
    fatalError("Positions \(range) are out of range: the tree has \(count) elements, at positions from 0.")
  }
}
