import FiefGraph

/// The links that were read, for comparison with the backlinks of the file.
///
/// For each column and each table that it links to there is one number: the sum of a hash of each link. Equal sums mean
/// equal backlinks, but for an accident of one in 2^64. So the comparison takes no memory for links and objects.
final class LinkTally {
  /// A column that links, and a table that it links to: positions among the imported tables.
  struct Path: Hashable {
    let table: Int
    let column: UInt64
    let target: Int
  }

  private var sums: [Path: UInt64] = [:]
  // Most links come through the path of the last one.
  private var path: Path?
  private var sum: UInt64 = 0
  /// How many links were read.
  private(set) var count = 0

  /// Notes a link between two rows, by their keys in the file.
  func add(_ path: Path, from origin: Int64, to target: Int64) {
    count += 1
    if path != self.path {
      settle()
      self.path = path
    }
    sum &+= Self.hash(from: origin, to: target)
  }

  /// The sum of the hashes of the links of each path.
  func settled() -> [Path: UInt64] {
    settle()
    return sums
  }

  private func settle() {
    guard let path else { return }
    sums[path, default: 0] &+= sum
    sum = 0
  }

  /// A number for a link that looks random.
  static func hash(from origin: Int64, to target: Int64) -> UInt64 {
    mixed(mixed(UInt64(bitPattern: origin)) &+ UInt64(bitPattern: target))
  }

  /// The finaliser of SplitMix64.
  private static func mixed(_ number: UInt64) -> UInt64 {
    var bits = number &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
