#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SeededRandom {
  /// Random bytes.
  ///
  /// - Parameter count: The number of bytes, at least 0.
  /// - Complexity: O(`count`).
  public mutating func bytes(count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    for _ in 0..<count {
      result.append(UInt8(truncatingIfNeeded: next() >> 56))
    }
    return result
  }

  /// Data with edge cases: empty, around the 14 bytes that `Data` stores inline, all zeros, all ones, random, sometimes
  /// long. Half of the time it is a slice whose first index is not zero.
  public mutating func data() -> Data {
    let count = weighted([(0, 1), (1 + below(3), 2), (13 + below(5), 2), (below(300), 2), (below(5000), 1)])
    let content: [UInt8]
    switch below(4) {
    case 0: content = Array(repeating: 0, count: count)
    case 1: content = Array(repeating: 0xFF, count: count)
    default: content = bytes(count: count)
    }
    return bool() ? Data(content) : (Data([0xAA, 0xBB]) + Data(content)).dropFirst(2)
  }
}
