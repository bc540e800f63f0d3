/// The first few places of an order, found without sorting the rest.
///
/// A heap of the best so far (Williams, "Algorithm 232: Heapsort", 1964) whose root is the worst of them: what comes
/// after the root, as nearly everything does, costs one comparison. Linear in the places, and logarithmic in the number
/// wanted for each that is kept a while.
enum FirstPlaces {
  /// - Parameters:
  ///   - wanted: how many places are wanted.
  ///   - count: how many there are.
  ///   - isBefore: a strict total order of places.
  /// - Returns: the first places, in their order.
  @inline(__always)
  static func of(_ count: Int, wanted: Int, _ isBefore: (Int, Int) -> Bool) -> [Int] {
    if wanted <= 0 { return [] }
    var heap: [Int] = []
    heap.reserveCapacity(min(wanted, count))
    for place in 0..<count {
      if heap.count < wanted {
        heap.append(place)
        var child = heap.count - 1
        while child > 0, isBefore(heap[(child - 1) / 2], heap[child]) {
          heap.swapAt((child - 1) / 2, child)
          child = (child - 1) / 2
        }
      } else if isBefore(place, heap[0]) {
        heap[0] = place
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
    return heap.sorted(by: isBefore)
  }
}
