/// A set of rows of one table: a bitmap for each chunk of keys.
struct KeySet {
  private(set) var chunks: [Int64: Bitmap256] = [:]
  private(set) var count = 0
  // The chunk that was asked for last: rows come in runs.
  private var lastChunk: Int64 = -1
  private var last = Bitmap256()

  /// - Returns: whether the row was not there yet.
  mutating func insert(_ key: ObjectKey) -> Bool {
    select(key.chunk)
    if last[key.bit] { return false }
    last[key.bit] = true
    chunks[lastChunk] = last
    count += 1
    return true
  }

  /// Adds all the rows of a chunk.
  mutating func insert(_ bits: Bitmap256, ofChunk chunk: Int64) {
    let all = (chunks[chunk] ?? Bitmap256()) | bits
    count += all.count - (chunks[chunk]?.count ?? 0)
    chunks[chunk] = all
    lastChunk = -1
  }

  func contains(_ key: ObjectKey) -> Bool {
    if key.chunk == lastChunk { return last[key.bit] }
    return chunks[key.chunk]?[key.bit] ?? false
  }

  private mutating func select(_ chunk: Int64) {
    if chunk == lastChunk { return }
    lastChunk = chunk
    last = chunks[chunk] ?? Bitmap256()
  }
}
