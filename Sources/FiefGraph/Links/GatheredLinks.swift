import FiefRuntime

/// Links of many rows through one column, to be added at once.
///
///     leaves of links ──append──▶ [target, origin] … ──sorted by target──▶ blocks of backlinks, each made as a whole
///
/// A link is one number: the lower 32 bits of both keys.
struct GatheredLinks {
  /// The highest key of a row that can be gathered.
  static let highestKey = Int64(UInt32.max)

  private(set) var links: ContiguousArray<UInt64> = []
  private var highest: UInt64 = 0
  private var isAscending = true
  private var hasAscendingOrigins = true
  private var lastOrigin = ObjectKey(0)

  mutating func reserveCapacity(_ count: Int) { links.reserveCapacity(count) }

  mutating func append(from origin: ObjectKey, to target: Int64) {
    assert(0...Self.highestKey ~= origin.rawValue && 0...Self.highestKey ~= target, "Only such keys are gathered.")
    let link = UInt64(target) << 32 | UInt64(origin.rawValue)
    if link >= highest {
      highest = link
    } else {
      isAscending = false
    }
    if origin < lastOrigin { hasAscendingOrigins = false }
    lastOrigin = origin
    links.append(link)
  }

  static func target(_ link: UInt64) -> ObjectKey { ObjectKey(Int64(link >> 32)) }
  static func origin(_ link: UInt64) -> ObjectKey { ObjectKey(Int64(link & 0xFFFF_FFFF)) }

  /// Sorts the links by targets, and links to one target by origins.
  mutating func sort() {
    if isAscending { return }
    isAscending = true
    // Few are sorted by comparing. Many are distributed by the digits of their targets, the lowest first. So the order
    // of the origins stays.
    guard links.count > 256, hasAscendingOrigins else { return links.sort() }
    let targets = UInt64.max << 32
    DigitSort.sort(&links, differing: (.max >> UInt64(highest.leadingZeroBitCount)) & targets) { $0 }
  }

  /// The links to the rows of each chunk. The links are sorted.
  var chunks: [(chunk: Int64, links: Range<Int>)] {
    var chunks: [(chunk: Int64, links: Range<Int>)] = []
    var start = 0
    while start < links.count {
      let chunk = Self.target(links[start]).chunk
      var end = start + 1
      while end < links.count, Self.target(links[end]).chunk == chunk { end += 1 }
      chunks.append((chunk, start..<end))
      start = end
    }
    return chunks
  }
}
