import FiefTestSupport

extension RecordedDisk {
  /// The fate of changes that are not safe.
  enum Ending {
    /// All are kept: the process died, and the power did not fail.
    case kept
    /// All are lost.
    case lost
    /// Each is kept or lost at random.
    case random

    /// One of the cases, most often `random`.
    static func any(_ random: inout SeededRandom) -> Ending {
      switch random.below(6) {
      case 0: .kept
      case 1: .lost
      default: .random
      }
    }

    fileprivate func keeps(_ random: inout SeededRandom) -> Bool {
      switch self {
      case .kept: true
      case .lost: false
      case .random: random.bool()
      }
    }
  }

  /// The names and bytes that are found when the power is back.
  func image(_ ending: Ending, _ random: inout SeededRandom) -> [String: [UInt8]] {
    var names: [String: Int] = [:]
    for (naming, safety) in namings where safety == .safe || ending.keeps(&random) {
      for (name, file) in naming { names[name] = file }
    }
    return Dictionary(
      uniqueKeysWithValues: names.sorted { $0.key < $1.key }.map { ($0, content(of: files[$1], ending, &random)) })
  }

  private func content(of file: File, _ ending: Ending, _ random: inout SeededRandom) -> [UInt8] {
    var bytes: [UInt8] = []
    for (change, safety) in file.changes {
      switch (change, ending) {
      case (.resize(let size), _):
        guard safety == .safe || ending.keeps(&random) else { continue }
        bytes = Array(bytes.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - bytes.count))
      case (.write(let offset, let new), _) where safety == .safe: Self.put(new, at: offset, into: &bytes)
      case (.write(let offset, let new), .kept): Self.put(new, at: offset, into: &bytes)
      case (.write, .lost): break
      case (.write(let offset, let new), .random): Self.tear(new, at: offset, into: &bytes, &random)
      }
    }
    return bytes
  }

  private static func put(_ new: [UInt8], at offset: Int, into bytes: inout [UInt8]) {
    if bytes.count < offset + new.count {
      bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count)
    }
    bytes.replaceSubrange(offset..<(offset + new.count), with: new)
  }

  /// A write during which the power failed.
  private static func tear(
    _ new: [UInt8], at offset: Int, into bytes: inout [UInt8], _ random: inout SeededRandom
  ) {
    switch random.below(7) {
    case 0: break
    case 1: put(new, at: offset, into: &bytes)
    case 2: put(Array(new.prefix(random.below(new.count + 1))), at: offset, into: &bytes)
    // The length changed, but the bytes were not written.
    case 3: put([UInt8](repeating: 0, count: new.count), at: offset, into: &bytes)
    case 4: put(new.map { _ in UInt8(truncatingIfNeeded: random.next()) }, at: offset, into: &bytes)
    default:
      // Some sectors were written, and others were not.
      let sector = random.bool() ? 512 : 4096
      var position = 0
      while position < new.count {
        let end = min(new.count, ((offset + position) / sector + 1) * sector - offset)
        if random.bool() { put(Array(new[position..<end]), at: offset + position, into: &bytes) }
        position = end
      }
    }
  }
}
