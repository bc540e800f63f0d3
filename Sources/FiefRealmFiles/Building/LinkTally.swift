import FiefGraph

/// The links that were read, for comparison with the backlinks of the file.
///
/// For each column and each table that it links to there is a number for each target row: the sum of the hashes of the
/// rows that link to it, once for each link. Equal sums mean equal backlinks, but for an accident of one in 2^64.
final class LinkTally {
  /// A column that links, and a table that it links to: positions among the imported tables.
  struct Path: Hashable {
    let table: Int
    let column: UInt64
    let target: Int
  }

  private var sums: [Path: ContiguousArray<UInt64>] = [:]
  /// How many links were read.
  private(set) var count = 0

  /// Notes a link to the row at `position` of a table with `size` rows from a row that the file gives the key `origin`.
  func add(_ path: Path, _ position: Int, of size: Int, from origin: Int64) {
    count += 1
    sums[path, default: ContiguousArray(repeating: 0, count: size)][position] &+= Self.hash(origin)
  }

  /// Whether `path` was noted for a table yet; the first link takes memory for each row of the target.
  func has(_ path: Path) -> Bool { sums[path] != nil }

  /// The sum of a target row; 0 if nothing links to it.
  func sum(_ path: Path, _ position: Int) -> UInt64 { sums[path]?[position] ?? 0 }

  /// The columns from which links were noted.
  var paths: Dictionary<Path, ContiguousArray<UInt64>>.Keys { sums.keys }

  /// How many rows are the target of a link through `path`.
  func targetCount(_ path: Path) -> Int { sums[path]?.reduce(0) { $0 + ($1 == 0 ? 0 : 1) } ?? 0 }

  /// A number that looks random (the finaliser of SplitMix64).
  static func hash(_ key: Int64) -> UInt64 {
    var bits = UInt64(bitPattern: key) &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
