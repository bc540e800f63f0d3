/// The persistent map from the number of a chunk (a cluster, a block of backlinks, a posting of an index) to the chunk.
///
///     levels 2            inner [8]             bits 3...5 of the number
///                        ╱   │    ╲
///     levels 1     inner  inner  empty          bits 0...2
///                  ╱ │ ╲
///     levels 0   chunk …                        the chunks themselves
///
/// An inner node is a plain array of eight nodes, eight bytes each. (Eight, because copying a node retains its
/// children, most of them cold in the cache: sixteen made a transaction of one row a tenth slower, and reads no
/// faster.) The tree is as high as its largest number asks, and has no node without a chunk below it. Copies share
/// everything; a change copies the path to it, unless this tree holds the only reference, and then changes in place.
///
/// All operations are O(log number), base 8.
@frozen
public struct RadixTree<Chunk: RadixChunk>: Sendable {
  @usableFromInline var root: RadixNode
  /// How many levels of inner nodes stand above the chunks.
  @usableFromInline var levels: Int

  /// A tree without chunks.
  @inlinable
  public init() {
    root = .empty
    levels = 0
  }

  /// Whether there is no chunk.
  @inlinable
  public var isEmpty: Bool { root.isEmpty }

  /// One more than the largest number that the tree can hold at its present height.
  @inlinable
  static func reach(_ levels: Int) -> Int64 {
    levels * RadixNode.bits >= 62 ? .max : 1 << Int64(levels * RadixNode.bits)
  }

  /// The chunk as what it is: nothing but `Chunk`s is ever put into a tree of them.
  @inlinable
  @inline(__always)
  static func typed(_ chunk: RadixChunk) -> Chunk { unsafeDowncast(chunk, to: Chunk.self) }

  /// The chunk of that number, or nil.
  @inlinable
  public subscript(number: Int64) -> Chunk? {
    guard number >= 0 && number < Self.reach(levels) else { return nil }
    return (root.find(number, levels)?.takeUnretainedValue()).map(Self.typed)
  }

  /// The chunk of that number, without a reference counted: it lives as long as this tree holds it.
  @inlinable
  @inline(__always)
  func peek(_ number: Int64) -> Unmanaged<Chunk>? {
    guard number >= 0 && number < Self.reach(levels) else { return nil }
    return root.find(number, levels).map(Self.typed)
  }

  @inlinable
  @inline(__always)
  static func typed(_ chunk: Unmanaged<RadixChunk>) -> Unmanaged<Chunk> {
    chunk._withUnsafeGuaranteedRef { .passUnretained(typed($0)) }
  }

  /// Makes the chunk of that number, and the path to it, this tree's own.
  ///
  /// - Returns: the chunk, which stays valid as long as it stands in the tree; nil when there is none.
  mutating func own(_ number: Int64) -> Unmanaged<Chunk>? {
    guard number >= 0 && number < Self.reach(levels) else { return nil }
    return root.own(number, levels).map(Self.typed)
  }

  /// Puts a chunk at that number, or takes away what is there.
  mutating func set(_ chunk: Chunk?, at number: Int64) {
    while number >= Self.reach(levels) { grow() }
    root.set(chunk, number, levels)
    if chunk == nil { shrink() }
  }

  @inlinable
  mutating func grow() {
    if !isEmpty {
      var nodes = ContiguousArray(repeating: RadixNode.empty, count: RadixNode.fanOut)
      swap(&nodes[0], &root)
      root = .inner(nodes)
    }
    levels += 1
  }

  /// Takes off top levels whose one child is the first.
  private mutating func shrink() {
    if isEmpty { levels = 0 }
    while levels > 0, case .inner(let nodes) = root, nodes[1...].allSatisfy(\.isEmpty) {
      root = nodes[0]
      levels -= 1
    }
  }
}
