public import FiefRuntime

/// The persistent map from the number of a chunk (a cluster, a block of backlinks, a posting of an index) to the chunk.
///
///     levels 2            inner [8]             bits 3...5 of the number
///                        ╱   │    ╲
///     levels 1     inner  inner  empty          bits 0...2
///                  ╱ │ ╲
///     levels 0   chunk …                        the chunks themselves
///
/// An inner node is an array of eight nodes, eight bytes each. Eight, because copying a node retains its children, most
/// of them cold in the cache. With sixteen children, a transaction of one row was a tenth slower, and reads were no
/// faster. The height of the tree depends on its largest number, and every node has a chunk below it. Copies share all
/// nodes. A change copies the path to it, unless this tree holds the only reference; then it changes the nodes in
/// place.
///
/// Lookup and change of a chunk are O(log number), base 8.
@frozen
public struct RadixTree<Chunk: RadixChunk>: Sendable {
  @usableFromInline var root: RadixNode
  /// How many levels of inner nodes are above the chunks.
  @usableFromInline var levels: Int

  /// A tree without chunks.
  @inlinable
  public init() {
    root = .empty
    levels = 0
  }

  /// A tree of chunks whose numbers ascend. Linear.
  init(ascending chunks: some Collection<(number: Int64, chunk: Chunk)>) {
    self.init()
    var level = ContiguousArray(chunks.lazy.map { (number: $0.number, node: RadixNode.chunk($0.chunk)) })
    assert(zip(level, level.dropFirst()).allSatisfy { $0.number < $1.number }, "The numbers of chunks ascend.")
    guard let last = level.last?.number else { return }
    while last >= Self.capacity(levels) {
      var above: ContiguousArray<(number: Int64, node: RadixNode)> = []
      var next = 0
      while next < level.count {
        let number = level[next].number >> Int64(RadixNode.bits)
        var nodes = RadixNode.none
        while next < level.count, level[next].number >> Int64(RadixNode.bits) == number {
          nodes[RadixNode.digit(level[next].number, 0)] = level[next].node
          next += 1
        }
        above.append((number, .inner(nodes)))
      }
      level = above
      levels += 1
    }
    root = level[0].node
  }

  /// Whether the tree has no chunks.
  @inlinable public var isEmpty: Bool { root.isEmpty }

  /// One more than the largest number that the tree can hold at its present height.
  @inlinable
  static func capacity(_ levels: Int) -> Int64 {
    assert(levels >= 0, "A tree counts its levels.")
    return levels * RadixNode.bits >= 62 ? .max : 1 << Int64(levels * RadixNode.bits)
  }

  /// The chunk with its actual type: a tree of `Chunk`s contains no other chunks.
  @inlinable
  @inline(__always)
  static func typed(_ chunk: RadixChunk) -> Chunk { unsafe unsafeDowncast(chunk, to: Chunk.self) }

  /// The chunk of a number, or nil.
  @inlinable
  public subscript(number: Int64) -> Chunk? {
    guard number >= 0 && number < Self.capacity(levels) else { return nil }
    return root.find(number, levels).map { Self.typed($0.counted) }
  }

  /// The chunk of a number, without counting a reference. It lives as long as this tree holds it.
  @inlinable
  @inline(__always)
  func borrowed(_ number: Int64) -> Borrowed<Chunk>? {
    guard number >= 0 && number < Self.capacity(levels) else { return nil }
    return root.find(number, levels).map(Self.typed)
  }

  @inlinable
  @inline(__always)
  static func typed(_ chunk: Borrowed<RadixChunk>) -> Borrowed<Chunk> {
    chunk.with { unsafe Borrowed(typed($0)) }
  }

  /// Makes the chunk of a number, and the path to it, uniquely owned by this tree. Copies the parts that are shared.
  ///
  /// - Returns: The chunk, which stays valid as long as it is in the tree, or nil if the number has no chunk.
  mutating func makeUnique(_ number: Int64) -> Borrowed<Chunk>? {
    guard number >= 0 && number < Self.capacity(levels) else { return nil }
    return root.makeUnique(number, levels).map(Self.typed)
  }

  /// Calls `body` with the chunk of a number, without counting a reference: this tree holds the chunk for the duration
  /// of the call.
  ///
  /// - Returns: The result of `body`; nil if the number has no chunk.
  @inlinable
  @inline(__always)
  func read<Result>(_ number: Int64, _ body: (Chunk) throws -> Result) rethrows -> Result? {
    try borrowed(number)?.with(body)
  }

  /// Calls `body` with the chunk of a number, which this tree alone owns then; see `own(_:)`.
  ///
  /// - Returns: The result of `body`; nil if the number has no chunk.
  @inline(__always)
  mutating func change<Result>(_ number: Int64, _ body: (Chunk) throws -> Result) rethrows -> Result? {
    try makeUnique(number)?.with(body)
  }

  /// Sets or removes (nil) the chunk of a number.
  mutating func set(_ chunk: Chunk?, at number: Int64) {
    assert(number >= 0, "The number of a chunk is not negative.")
    defer { assert(self[number] === chunk, "A tree has the chunk that was stored last.") }
    while number >= Self.capacity(levels) { grow() }
    root.set(chunk, at: number, level: levels)
    if chunk == nil { shrink() }
  }

  @inlinable
  mutating func grow() {
    assert(levels * RadixNode.bits < 62, "A tree is at most high enough for all numbers.")
    defer { assert(levels > 0, "A tree that grew has an inner level.") }
    if !isEmpty {
      var nodes = RadixNode.none
      swap(&nodes[0], &root)
      root = .inner(nodes)
    }
    levels += 1
  }

  /// Removes the top levels that have only their first child.
  private mutating func shrink() {
    if isEmpty { levels = 0 }
    while levels > 0, case .inner(let nodes) = root, nodes[1...].allSatisfy(\.isEmpty) {
      root = nodes[0]
      levels -= 1
    }
  }
}
