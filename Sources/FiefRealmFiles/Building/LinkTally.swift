import FiefGraph

/// The links that were read, for comparison with the backlinks of the file, and with the embedded objects.
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

  /// The sums of links by their paths. In a file with very many paths, those after the first share one sum.
  struct Sums {
    /// How many paths have a sum of their own. Columns of any-values may have one for each table.
    private static let limit = 1 << 14

    private var sums: [Path: UInt64] = [:]
    private var rest: UInt64 = 0

    /// Adds a number to the sum of a path.
    mutating func add(_ number: UInt64, to path: Path) {
      if sums.count < Self.limit || sums[path] != nil {
        sums[path, default: 0] &+= number
      } else {
        rest &+= number
      }
    }

    /// How many sums are not zero.
    var count: Int { sums.values.reduce(rest == 0 ? 0 : 1) { $0 + ($1 == 0 ? 0 : 1) } }
  }

  private var sums = Sums()
  // Most links come through the path of the last one.
  private var path: Path?
  private var sum: UInt64 = 0
  private var owned: [Int: (count: Int, sum: UInt64)] = [:]
  private let seed = UInt64.random(in: 0 ... .max)
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
  func settled() -> Sums {
    settle()
    return sums
  }

  private func settle() {
    guard let path else { return }
    sums.add(sum, to: path)
    sum = 0
  }

  /// A number for a link that looks random.
  static func hash(from origin: Int64, to target: Int64) -> UInt64 {
    mixed(mixed(UInt64(bitPattern: origin)) &+ UInt64(bitPattern: target))
  }

  // MARK: Owners

  /// Notes a link to an embedded row.
  func own(_ row: ObjectKey, inTable table: Int) {
    let (count, sum) = owned(table: table)
    owned[table] = (count + 1, sum &+ hash(ofOwned: row))
  }

  /// How many links lead to the rows of a table of embedded ones, and the sum of the hashes of these rows.
  func owned(table: Int) -> (count: Int, sum: UInt64) { owned[table] ?? (0, 0) }

  /// A number for an embedded row. It differs among readings, so no file can be made for it.
  func hash(ofOwned row: ObjectKey) -> UInt64 { Self.mixed(Self.mixed(UInt64(bitPattern: row.rawValue) ^ seed)) }

  /// The finaliser of SplitMix64.
  static func mixed(_ number: UInt64) -> UInt64 {
    var bits = number &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
