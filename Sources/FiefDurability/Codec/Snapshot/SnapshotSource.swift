/// A source of the bytes of a snapshot, from front to back.
protocol SnapshotSource {
  /// Returns the next `count` bytes, or all that are left if there are fewer; valid until the next call. If fewer than
  /// `count` and `reserve` bytes together are left, up to `reserve` of them are kept for the next call.
  mutating func next(_ count: Int, butLast reserve: Int) throws -> UnsafeRawBufferPointer
}

extension SnapshotSource {
  mutating func next(_ count: Int) throws -> UnsafeRawBufferPointer { try next(count, butLast: 0) }
}

/// A source of bytes in memory.
struct BytesSource: SnapshotSource {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  mutating func next(_ count: Int, butLast reserve: Int) -> UnsafeRawBufferPointer {
    let part = UnsafeRawBufferPointer(rebasing: rest.prefix(min(count, max(0, rest.count - reserve))))
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
    return part
  }
}

/// A source of bytes that a function supplies.
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
