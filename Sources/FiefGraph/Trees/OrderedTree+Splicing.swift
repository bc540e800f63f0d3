extension OrderedTree {
  /// Replaces a range of elements. Linear in the number of new elements, logarithmic in ``count``.
  ///
  /// - Parameters:
  ///   - range: The positions to replace, within 0 ... count; traps otherwise.
  ///   - elements: The new elements, in any number. The nodes of another `OrderedTree` are shared rather than copied.
  public mutating func replaceSubrange<S: Sequence>(_ range: Range<Int>, with elements: S) where S.Element == Element {
    checkRange(range)
    let new = OrderedTree(elements)
    let wanted = count - range.count + new.count
    defer { assert(count == wanted, "Each element of the range gives way to the new ones.") }
    if range.count > Self.fewElements || new.count > Self.fewElements { return splice(range, new) }
    let common = Swift.min(range.count, new.count)
    for (offset, element) in new.enumerated() {
      if offset < common {
        replace(at: range.lowerBound + offset, with: element)
      } else {
        insert(element, at: range.lowerBound + offset)
      }
    }
    for position in (range.lowerBound + common..<range.upperBound).reversed() { remove(at: position) }
  }

  /// Removes all elements that satisfy a condition and keeps the order of the others.
  ///
  /// Linear: the closure is called in one pass. If at most one element in 128 is removed, the nodes of the others stay
  /// shared with other trees. If the closure throws, the tree is unchanged.
  ///
  /// - Parameters:
  ///   - limit: After how many removed elements no more are looked for.
  ///   - shouldBeRemoved: Called once for each element, in order, until so many are found.
  public mutating func removeAll(atMost limit: Int = .max, where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    var doomed: [Int] = []
    var position = 0
    for element in self {
      if doomed.count == limit { break }
      if try shouldBeRemoved(element) { doomed.append(position) }
      position += 1
    }
    // One removal costs about as much as rebuilding the tree from 128 elements.
    if doomed.count <= count / 128 {
      for position in doomed.reversed() { remove(at: position) }
      return
    }
    var builder = Builder()
    var next = 0
    position = 0
    for element in self {
      if next < doomed.count && doomed[next] == position { next += 1 } else { builder.append(element) }
      position += 1
    }
    let wanted = count - doomed.count
    self = builder.finish()
    assert(count == wanted, "Each element that is to go is removed once.")
  }

  /// Up to this many elements are changed one by one, in place; cutting and joining costs about as much.
  static var fewElements: Int { 8 }

  /// Replaces a range by the elements of a tree, in logarithmic time.
  mutating func splice(_ range: Range<Int>, _ middle: OrderedTree) {
    let wanted = count - range.count + middle.count
    defer { assert(count == wanted && root.count == wanted, "A splice has the elements of its parts.") }
    let tail = suffixTree(from: range.upperBound)
    self = prefixTree(range.lowerBound)
    join(middle)
    join(tail)
  }
}
