import FiefRuntime

/// Links of a run of rows through one column, to be added at once.
///
///     leaves of links ──gathered──▶ [target, origin] … ──sorted by target──▶ blocks of backlinks, each made as a whole
///                      a run of rows                   a range of targets      some chunks
///
/// A link is one number: the lower 32 bits of both keys. Several threads gather the links of a run of rows each, all
/// divided into the same ranges of targets. Then each sorts the links to one range after another.
struct GatheredLinks {
  /// The highest key of a row that can be gathered.
  private static let highestKey = UInt64(UInt32.max)

  /// The links to each range of targets, in the order of their origins.
  private let ranges: ContiguousArray<ContiguousArray<UInt64>>
  /// Links that are not gathered, because a key is too high for it, or negative.
  let others: [(origin: ObjectKey, target: ObjectKey)]

  /// Gathers links.
  ///
  /// - Parameters:
  ///   - count: How many links to expect.
  ///   - ranges: Ranges of targets. Targets beyond them are in the last one.
  ///   - body: Receives a closure that adds a link to those before it.
  @inline(__always)
  init(_ count: Int, to ranges: Ranges, _ body: ((_ origin: ObjectKey, _ target: Int64) -> Void) -> Void) {
    var gathered = ContiguousArray<ContiguousArray<UInt64>>(repeating: [], count: ranges.count)
    var others: [(origin: ObjectKey, target: ObjectKey)] = []
    let share = count / ranges.count + 4 * Int(Double(count).squareRoot())
    for range in gathered.indices { gathered[range].reserveCapacity(min(share, count)) }
    // The array of ranges is looked at once, and not for each link. No range is beyond the last one.
    unsafe gathered.withUnsafeMutableBufferPointer { gathered in
      body { origin, target in
        // Negative keys of a damaged delta are the highest ones here.
        let keys = (target: UInt64(bitPattern: target), origin: UInt64(bitPattern: origin.rawValue))
        if max(keys.target, keys.origin) <= Self.highestKey {
          let link = keys.target << 32 | keys.origin
          unsafe gathered[ranges.range(of: target)].append(link)
        } else {
          others.append((origin, ObjectKey(target)))
        }
      }
    }
    (self.ranges, self.others) = (gathered, others)
  }

  /// Up to sixteen ranges of targets, of whole chunks.
  struct Ranges {
    private let last: Int64
    private let shift: Int64

    /// Divides the targets below a key.
    init(below limit: Int64) {
      last = max(0, min(limit - 1, Int64(GatheredLinks.highestKey)))
      shift = Int64(max(8, Int64.bitWidth - last.leadingZeroBitCount - 4))
    }

    var count: Int { range(of: last) + 1 }

    @inline(__always)
    func range(of target: Int64) -> Int { Int(truncatingIfNeeded: min(target, last) >> shift) }
  }

  /// Whether no link was gathered.
  var isEmpty: Bool { ranges.allSatisfy(\.isEmpty) }

  static func target(_ link: UInt64) -> ObjectKey { ObjectKey(Int64(link >> 32)) }
  static func origin(_ link: UInt64) -> ObjectKey { ObjectKey(Int64(link & 0xFFFF_FFFF)) }

  typealias Slice = ContiguousArray<UInt64>.SubSequence

  /// The links to the rows of each chunk, sorted by targets, and those to one target by origins.
  static func chunks(_ runs: consuming [GatheredLinks]) -> [(chunk: Int64, links: Slice)] {
    // Their memory is given back before blocks are made.
    let runs = runs
    return Processors.map(runs[0].ranges.count) { range in
      var links = runs[0].ranges[range]
      links.reserveCapacity(runs.reduce(0) { $0 + $1.ranges[range].count })
      for run in runs.dropFirst() { links += run.ranges[range] }
      sort(&links)
      return chunks(links)
    }.flatMap { $0 }
  }

  private static func sort(_ links: inout ContiguousArray<UInt64>) {
    var (isAscending, hasAscendingOrigins) = (true, true)
    var (highest, lastOrigin): (UInt64, UInt64) = (0, 0)
    for link in links {
      let origin = link & 0xFFFF_FFFF
      if link < highest { isAscending = false }
      if origin < lastOrigin { hasAscendingOrigins = false }
      (highest, lastOrigin) = (max(highest, link), origin)
    }
    if isAscending { return }
    // Few are sorted by comparing. Many are distributed by the digits of their targets, the lowest first. So the order
    // of the origins stays.
    guard links.count > 256, hasAscendingOrigins else { return links.sort() }
    let targets = UInt64.max << 32
    DigitSort.sort(&links, differing: (.max >> UInt64(highest.leadingZeroBitCount)) & targets) { $0 }
  }

  /// The parts of sorted links.
  private static func chunks(_ links: ContiguousArray<UInt64>) -> [(chunk: Int64, links: Slice)] {
    var chunks: [(chunk: Int64, links: Slice)] = []
    var start = 0
    while start < links.count {
      let chunk = target(links[start]).chunk
      var end = start + 1
      while end < links.count, target(links[end]).chunk == chunk { end += 1 }
      chunks.append((chunk, links[start..<end]))
      start = end
    }
    return chunks
  }
}
