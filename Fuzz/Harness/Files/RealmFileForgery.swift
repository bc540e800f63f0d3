/// Changes of a file of Realm where it hurts: the headers of nodes, refs, counts, and the header of the file.
struct RealmFileForgery {
  private(set) var bytes: ContiguousArray<UInt8>
  /// The places where nodes begin.
  private let nodes: [Int]

  init(_ bytes: ContiguousArray<UInt8>) {
    self.bytes = bytes
    nodes = stride(from: 24, to: bytes.count - 8, by: 8).filter { start in
      bytes[start..<start + 4].allSatisfy { $0 == 0x41 }
    }
  }

  /// The codes of steps, and how frequent they are.
  static let kinds: [InputLayout.Kind] = [(1, 2), (2, 2), (3, 2), (4, 6), (5, 1), (6, 3), (7, 1), (8, 1)]

  /// The work of a step.
  static func line(_ step: StepBytes) -> String {
    let node = "node: \(step.wide(1))"
    return switch step.code {
    case 1: "file.flipBit(byte: \(step.wide(1)), \(step[3] & 7))"
    case 2: "file.setFlags(\(node), \(step[3]))"
    case 3: "file.setCount(\(node), \(step[3] << (step[4] % 17)))"
    case 4: "file.setRef(\(node), element: \(step[3]), \(Target(step)), \(step[5]))"
    case 5: "file.copyNode(\(node), from: \(step.wide(3)))"
    case 6: "file.setElement(\(node), element: \(step[3]), \(extremes[step[4] % extremes.count]))"
    case 7: "file.cut(\(step.wide(1)))"
    case 8: "file.setHeader(\(step[1] % 24), \(step[2]))"
    default: "()"
    }
  }

  /// The target of a forged ref.
  private enum Target: Int {
    case other, itself, inside, unaligned, outside, end, none

    init(_ step: StepBytes) { self = Target(rawValue: step[4] % 10) ?? .other }
  }

  private static let extremes: [Int64] = [0, 1, -1, 3, 255, 256, 0x7FFF, 1 << 24, 1 << 31, 1 << 47, .max, .min]

  /// Carries out a step.
  mutating func apply(_ step: StepBytes) {
    guard !nodes.isEmpty, !bytes.isEmpty else { return }
    let node = nodes[step.wide(1) % nodes.count]
    switch step.code {
    case 1: set(step.wide(1) % bytes.count) { $0 ^ 1 << UInt8(step[3] & 7) }
    case 2: set(node + 4) { _ in UInt8(step[3]) }
    case 3:
      let count = step[3] << (step[4] % 17)
      for (index, shift) in [16, 8, 0].enumerated() { set(node + 5 + index) { _ in UInt8(count >> shift & 255) } }
    case 4:
      let target =
        switch Target(step) {
        case .other: nodes[(step[5] * 7 + step[3]) % nodes.count]
        case .itself: node
        case .inside: node + 8
        case .unaligned: node + 3
        case .outside: bytes.count + 8 * step[5]
        case .end: bytes.count - 8
        case .none: 0
        }
      setElement(node, step[3], Int64(target))
    case 5:
      let source = nodes[step.wide(3) % nodes.count]
      let copied = Array(bytes.dropFirst(source).prefix(8 + step[5]))
      for (index, byte) in copied.enumerated() { set(node + index) { _ in byte } }
    case 6: setElement(node, step[3], Self.extremes[step[4] % Self.extremes.count])
    case 7: bytes.removeLast(min(bytes.count, step.wide(1)))
    case 8: set(step[1] % 24) { _ in UInt8(step[2]) }
    default: break
    }
  }

  private mutating func set(_ index: Int, _ change: (UInt8) -> UInt8) {
    if bytes.indices.contains(index) { bytes[index] = change(bytes[index]) }
  }

  /// Sets an element in the width of its node.
  private mutating func setElement(_ node: Int, _ element: Int, _ value: Int64) {
    guard bytes.indices.contains(node + 7) else { return }
    let (width, count) = ((1 << Int(bytes[node + 4] & 7)) >> 1, Int(bytes[node + 6]) << 8 | Int(bytes[node + 7]))
    let element = element % max(1, min(count, 256))
    guard width >= 8 else {
      if width > 0 { set(node + 8 + element * width / 8) { _ in UInt8(truncatingIfNeeded: value) } }
      return
    }
    for byte in 0..<width / 8 {
      set(node + 8 + element * width / 8 + byte) { _ in UInt8(truncatingIfNeeded: value >> Int64(8 * byte)) }
    }
  }
}
