/// A source of the bytes of a snapshot, from front to back.
protocol SnapshotSource {
  /// Returns the next `count` bytes, or all that are left if there are fewer; valid until the next call. If fewer than
  /// `count` and `reserve` bytes together are left, up to `reserve` of them are kept for the next call.
  mutating func next(_ count: Int, butLast reserve: Int) throws -> UnsafeRawBufferPointer
}

extension SnapshotSource {
  mutating func next(_ count: Int) throws -> UnsafeRawBufferPointer { try unsafe next(count, butLast: 0) }
}

/// A source of bytes in memory.
@safe  // `init` takes the buffer, so its callers are marked.
struct BytesSource: SnapshotSource {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { unsafe rest = bytes }

  mutating func next(_ count: Int, butLast reserve: Int) -> UnsafeRawBufferPointer {
    let part = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(min(count, max(0, rest.count - reserve))))
    unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
    return unsafe part
  }
}

/// A source of bytes that a function supplies.
@safe  // `pull` fills room in the source's own buffer, and its count is checked.
struct PullSource: SnapshotSource {
  private let pull: (UnsafeMutableRawBufferPointer) throws -> Int
  private let buffer = ByteWriter()
  private var used = 0
  private var isAtEnd = false

  init(_ pull: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) { unsafe self.pull = pull }

  mutating func next(_ count: Int, butLast reserve: Int) throws -> UnsafeRawBufferPointer {
    buffer.removeFirst(used)
    used = 0
    while buffer.count < count + reserve && !isAtEnd {
      let more = try unsafe buffer.fill(upTo: count + reserve - buffer.count, pull)
      if more == 0 { isAtEnd = true }
    }
    used = min(count, max(0, buffer.count - reserve))
    return unsafe UnsafeRawBufferPointer(rebasing: buffer.bytes.prefix(used))
  }
}
