/// Where the bytes of a snapshot come from, from front to back.
protocol SnapshotSource {
  /// The next `count` bytes, or all that are left if there are fewer; valid until the next call. When fewer than
  /// `count` and `reserve` are left, as many as `reserve` of them stay for the next call.
  mutating func next(_ count: Int, butLast reserve: Int) throws -> UnsafeRawBufferPointer
}

extension SnapshotSource {
  mutating func next(_ count: Int) throws -> UnsafeRawBufferPointer { try next(count, butLast: 0) }
}

/// Bytes that lie in memory.
struct BytesSource: SnapshotSource {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  mutating func next(_ count: Int, butLast reserve: Int) -> UnsafeRawBufferPointer {
    let part = UnsafeRawBufferPointer(rebasing: rest.prefix(min(count, max(0, rest.count - reserve))))
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
    return part
  }
}

/// Bytes that somebody hands over when asked.
struct PullSource: SnapshotSource {
  private let pull: (UnsafeMutableRawBufferPointer) throws -> Int
  private let buffer = ByteWriter()
  private var used = 0
  private var isAtEnd = false

  init(_ pull: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) { self.pull = pull }

  mutating func next(_ count: Int, butLast reserve: Int) throws -> UnsafeRawBufferPointer {
    buffer.removeFirst(used)
    used = 0
    while buffer.count < count + reserve && !isAtEnd {
      let more = try buffer.fill(upTo: count + reserve - buffer.count, pull)
      if more == 0 { isAtEnd = true }
    }
    used = min(count, max(0, buffer.count - reserve))
    return UnsafeRawBufferPointer(rebasing: buffer.bytes.prefix(used))
  }
}
