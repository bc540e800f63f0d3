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
    // Few are sorted by comparing. Many are distributed by the digits of their targets, the lowest first, which keeps the
    // order of the origins.
    guard links.count > 256, hasAscendingOrigins else { return links.sort() }
    var other = ContiguousArray(repeating: UInt64(0), count: links.count)
    for shift in stride(from: UInt64(32), to: 64, by: 11) where highest >> shift > 0 {
      unsafe links.withUnsafeBufferPointer { links in
        unsafe other.withUnsafeMutableBufferPointer { unsafe Self.distribute(links, by: shift, to: $0) }
      }
      swap(&links, &other)
    }
  }

  /// Puts links in the order of eleven bits.
  private static func distribute(
    _ links: UnsafeBufferPointer<UInt64>, by shift: UInt64, to sorted: UnsafeMutableBufferPointer<UInt64>
  ) {
    assert(sorted.count == links.count, "Each link gets a place.")
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 << 11) { places in
      unsafe places.initialize(repeating: 0)
      // A digit is below the number of places, and the places of all links are below their number.
      for index in links.indices { unsafe places[Int(truncatingIfNeeded: links[index] &>> shift & 0x7FF)] &+= 1 }
      var next = 0
      for digit in places.indices {
        let count = unsafe places[digit]
        unsafe places[digit] = next
        next += count
      }
      for index in links.indices {
        let link = unsafe links[index]
        let digit = Int(truncatingIfNeeded: link &>> shift & 0x7FF)
        unsafe sorted[places[digit]] = link
        unsafe places[digit] &+= 1
      }
    }
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
