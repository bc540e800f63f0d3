import FiefTestSupport

/// What becomes of one pending write when the power fails.
enum Fate: Hashable, Sendable {
  /// It reached the disk.
  case kept
  /// It did not.
  case dropped
  /// So many of its bytes did, from its beginning.
  case cut(Int)
  /// Those of its 512-byte sectors did whose bits are set (the bits repeat after 64 sectors).
  case sectors(UInt64)
  /// Its place was taken, and holds zeros.
  case zeros
  /// Its place was taken, and holds anything.
  case noise(UInt64)
  /// Its place was taken, and holds what stood there in an older file.
  case older(Int)

  /// A fate of any kind for a write of `count` bytes.
  static func any(count: Int, using random: inout SeededRandom) -> Fate {
    switch random.below(10) {
    case 0, 1: .kept
    case 2: .dropped
    case 3, 4: .cut(random.below(count + 1))
    case 5, 6: .sectors(random.next())
    case 7: .zeros
    case 8: .noise(random.next())
    default: .older(random.below(8))
    }
  }
}

extension Fate {
  /// Lets a write of `new` bytes at `offset` end this way.
  func apply(_ new: [UInt8], at offset: Int, to bytes: inout [UInt8], formerBytes: [[UInt8]]) {
    switch self {
    case .kept: bytes.place(new, at: offset)
    case .dropped: break
    case .cut(let count): if count > 0 { bytes.place(new.prefix(count), at: offset) }
    case .sectors(let mask):
      let end = offset + new.count
      // The length follows the last sector that arrived, or may be ahead of all of them.
      if mask & (1 << 63) != 0, bytes.count < end { bytes.resize(to: end) }
      for sector in offset / 512...max(offset, end - 1) / 512 where mask >> UInt64(sector % 64) & 1 == 1 {
        let part = max(offset, sector * 512)..<min(end, (sector + 1) * 512)
        if !part.isEmpty { bytes.place(new[part.lowerBound - offset..<part.upperBound - offset], at: part.lowerBound) }
      }
    case .zeros: bytes.place(repeatElement(0, count: new.count), at: offset)
    case .noise(let seed):
      var random = SeededRandom(seed: seed)
      bytes.place(random.bytes(count: new.count), at: offset)
    case .older(let which):
      guard !formerBytes.isEmpty else { return }
      let former = formerBytes[which % formerBytes.count].dropFirst(offset).prefix(new.count)
      bytes.place(Array(former) + Array(repeating: 0, count: new.count - former.count), at: offset)
    }
  }
}
