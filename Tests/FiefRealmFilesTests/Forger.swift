import FiefTestSupport

/// Changes files of Realm where it hurts: headers of nodes, refs, counts.
struct Forger {
  private let bytes: ContiguousArray<UInt8>
  /// Where nodes begin, as far as their first bytes show.
  private let nodes: [Int]

  init(_ bytes: ContiguousArray<UInt8>) {
    self.bytes = bytes
    nodes = stride(from: 24, to: bytes.count - 8, by: 8).filter { start in
      bytes[start..<start + 4].allSatisfy { $0 == 0x41 }
    }
  }

  /// A copy of the file with one to four changes.
  func forged(using random: inout SeededRandom) -> ContiguousArray<UInt8> {
    var forged = bytes
    for _ in 0...random.below(4) { change(&forged, &random) }
    return forged
  }

  private func change(_ forged: inout ContiguousArray<UInt8>, _ random: inout SeededRandom) {
    let node = nodes[random.below(nodes.count)]
    switch random.below(9) {
    case 0: forged[random.below(forged.count)] ^= 1 << UInt8(random.below(8))
    case 1: forged[node + 4] ^= 1 << UInt8(random.below(8))
    case 2:
      // Another count, often a great one.
      let count = random.bool() ? random.below(1 << 24) : random.below(300)
      for (index, shift) in [16, 8, 0].enumerated() { forged[node + 5 + index] = UInt8(count >> shift & 255) }
    case 3: forged[node + 4] = UInt8(random.below(256))
    case 4...6:
      // A ref to another node, to itself, into a node, or out of the file.
      let target =
        switch random.below(5) {
        case 0: node
        case 1: random.below(forged.count)
        case 2: forged.count - 8 * random.below(3)
        default: nodes[random.below(nodes.count)] + (random.bool(0.1) ? 8 : 0)
        }
      let width = [2, 4, 8][random.below(3)]
      let start = node + 8 + width * random.below(12)
      for index in 0..<width where start + index < forged.count {
        forged[start + index] = UInt8(truncatingIfNeeded: target >> (8 * index))
      }
    case 7:
      // The bytes of one node over those of another.
      let source = nodes[random.below(nodes.count)]
      for index in 0..<min(8 + random.below(64), forged.count - max(source, node)) {
        forged[node + index] = bytes[source + index]
      }
    default:
      let start = node + 8 + random.below(64)
      for index in start..<min(start + 8, forged.count) { forged[index] = [0, 0xFF, 0x7F, 0x80][random.below(4)] }
    }
  }
}
