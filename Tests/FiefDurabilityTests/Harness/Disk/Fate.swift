import FiefTestSupport

/// The fate of one pending write when the power fails.
enum Fate: Hashable, Sendable {
  /// All of it reached the disk.
  case kept
  /// None of it reached the disk.
  case dropped
  /// This number of bytes from its beginning reached the disk.
  case cut(Int)
  /// The 512-byte sectors whose bits are set reached the disk (the bits repeat after 64 sectors).
  case sectors(UInt64)
  /// Its range was allocated, and holds zeros.
  case zeros
  /// Its range was allocated, and holds random bytes.
  case noise(UInt64)
  /// Its range was allocated, and holds bytes of an older file.
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
  /// Applies this fate to a write of `new` bytes at `offset`.
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
