/// Selects the first few positions of an order without sorting the rest.
///
/// A heap keeps the best positions so far, with the worst of them at the root (Williams, "Algorithm 232: Heapsort",
/// 1964). Nearly all positions follow the root and cost one comparison. The time is linear in the number of positions,
/// plus logarithmic in the number wanted for each position that enters the heap.
enum FirstPositions {
  /// - Parameters:
  ///   - wanted: how many positions to return.
  ///   - count: the number of positions.
  ///   - isBefore: a strict total order of positions.
  /// - Returns: the first positions, in order.
  @inline(__always)
  static func of(_ count: Int, wanted: Int, _ isBefore: (Int, Int) -> Bool) -> [Int] {
    if wanted <= 0 { return [] }
    assert(count >= 0, "Positions are counted from 0.")
    var heap: [Int] = []
    heap.reserveCapacity(min(wanted, count))
    for position in 0..<count {
      if heap.count < wanted {
        heap.append(position)
        var child = heap.count - 1
        while child > 0, isBefore(heap[(child - 1) / 2], heap[child]) {
          heap.swapAt((child - 1) / 2, child)
          child = (child - 1) / 2
        }
      } else if isBefore(position, heap[0]) {
        heap[0] = position
        var parent = 0
        while true {
          var worst = 2 * parent + 1
          if worst >= heap.count { break }
          if worst + 1 < heap.count, isBefore(heap[worst], heap[worst + 1]) { worst += 1 }
          if !isBefore(heap[parent], heap[worst]) { break }
          heap.swapAt(parent, worst)
          parent = worst
        }
      }
    }
    assert(heap.count == min(wanted, count), "As many positions are found as are wanted.")
    return heap.sorted(by: isBefore)
  }
}
