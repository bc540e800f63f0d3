/// A set of rows of one table: a bitmap for each chunk of keys.
struct KeySet {
  private(set) var count = 0
  private var stored: [Int64: Bitmap256] = [:]
  // The chunk of the last insertion, kept out of the dictionary while rows come in runs; -1 before the first.
  private var openChunk: Int64 = -1
  private var open = Bitmap256()

  /// The chunks that have rows in the set, in no order.
  var chunks: [Int64: Bitmap256] {
    var chunks = stored
    if openChunk >= 0 { chunks[openChunk] = open }
    return chunks
  }

  /// - Returns: Whether the row was not in the set before.
  mutating func insert(_ key: ObjectKey) -> Bool {
    assert(key.rawValue >= 0, "A key counts from 0.")
    select(key.chunk)
    if open[key.bit] { return false }
    open[key.bit] = true
    count += 1
    return true
  }

  /// Adds rows of a chunk.
  mutating func insert(_ bits: Bitmap256, ofChunk chunk: Int64) {
    select(chunk)
    count += (bits - open).count
    open = open | bits
    assert((bits - open).isEmpty, "A set contains what was inserted.")
  }

  func contains(_ key: ObjectKey) -> Bool {
    key.chunk == openChunk ? open[key.bit] : stored[key.chunk]?[key.bit] ?? false
  }

  private mutating func select(_ chunk: Int64) {
    assert(chunk >= 0, "The number of a chunk is not negative.")
    if chunk == openChunk { return }
    if openChunk >= 0 { stored[openChunk] = open }
    openChunk = chunk
    open = stored[chunk] ?? Bitmap256()
  }
}
