/// Sorts positions by 64-bit keys, least significant byte first (Knuth, "The Art of Computer Programming", volume 3,
/// 5.2.5).
///
/// The sort is stable, so several keys are sorted one after the other, the least significant first. It skips bytes in
/// which all keys agree: ages below 256 take one pass, whatever their number.
enum RadixSort {
  private struct Entry {
    var key: UInt64
    var position: Int
  }

  /// Sorts `order`, a permutation of positions, by keys. `keys[i]` is the key of `order[i]`. The sort is stable.
  static func sort(_ order: inout [Int], by keys: [UInt64]) {
    let count = order.count
    assert(keys.count == count, "Each position has a key.")
    guard count > 1 else { return }
    // If the keys are sorted already, nothing is moved.
    var differing: UInt64 = 0
    var isSorted = true
    for index in 1..<count {
      differing |= keys[index] ^ keys[0]
      if keys[index] < keys[index - 1] { isSorted = false }
    }
    if isSorted { return }
    if count < 64 {
      order = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { order[$0] }
      return
    }
    var from = (0..<count).map { Entry(key: keys[$0], position: order[$0]) }
    var to = [Entry](repeating: Entry(key: 0, position: 0), count: count)
    for byte in 0..<8 where (differing >> UInt64(byte * 8)) & 0xFF != 0 {
      let shift = UInt64(byte * 8)
      pass(from, to: &to, shift: shift)
      swap(&from, &to)
    }
    for index in 0..<count { order[index] = from[index].position }
  }

  private static func pass(_ from: [Entry], to: inout [Entry], shift: UInt64) {
    assert(from.count == to.count, "A pass moves every entry to an index of its own.")
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { starts in
      unsafe starts.initialize(repeating: 0)
      unsafe from.withUnsafeBufferPointer { from in
        for index in from.indices { unsafe starts[Int(truncatingIfNeeded: from[index].key >> shift) & 0xFF] &+= 1 }
        var start = 0
        for digit in 0..<256 {
          let count = unsafe starts[digit]
          unsafe starts[digit] = start
          start &+= count
        }
        unsafe to.withUnsafeMutableBufferPointer { to in
          for index in from.indices {
            let entry = unsafe from[index]
            let digit = Int(truncatingIfNeeded: entry.key >> shift) & 0xFF
            unsafe to[starts[digit]] = entry
            unsafe starts[digit] &+= 1
          }
        }
      }
    }
  }
}
