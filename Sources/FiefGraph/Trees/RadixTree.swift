/// What stands in a radix tree: it can be copied, so that it can be changed while the original is shared.
public protocol CopyableChunk: AnyObject {
  /// An equal one of its own.
  func copy() -> Self
}

/// The persistent map from the number of a chunk (a cluster, a block of backlinks) to the chunk.
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
public struct RadixTree<Chunk: CopyableChunk> {
  @frozen
  @usableFromInline
  enum Node {
    case empty
    case chunk(Chunk)
    case inner(ContiguousArray<Node>)
  }

  /// How many bits of a number each level decides.
  @inlinable
  static var bits: Int { 3 }

  /// How many places an inner node has.
  @inlinable
  static var fanOut: Int { 1 << bits }

  @usableFromInline var root: Node
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
  public var isEmpty: Bool {
    if case .empty = root { return true }
    return false
  }

  /// One more than the largest number that the tree can hold at its present height.
  @inlinable
  static func reach(_ levels: Int) -> Int64 { levels * bits >= 62 ? .max : 1 << Int64(levels * bits) }

  @inlinable
  static func digit(_ number: Int64, _ level: Int) -> Int {
    Int(truncatingIfNeeded: number >> Int64(level * bits)) & (fanOut - 1)
  }

  /// The chunk of that number, or nil.
  @inlinable
  public subscript(number: Int64) -> Chunk? {
    guard number >= 0 && number < Self.reach(levels) else { return nil }
    return Self.find(root, number, levels)
  }

  @inlinable
  static func find(_ node: borrowing Node, _ number: Int64, _ level: Int) -> Chunk? {
    switch node {
    case .empty: nil
    case .chunk(let chunk): chunk
    case .inner(let nodes): find(nodes[digit(number, level - 1)], number, level - 1)
    }
  }
}

extension RadixTree {
  /// The chunk of that number, without a reference counted: it lives as long as this tree holds it.
  @inlinable
  func peek(_ number: Int64) -> Unmanaged<Chunk>? {
    guard number >= 0 && number < Self.reach(levels) else { return nil }
    return Self.peek(root, number, levels)
  }

  @inlinable
  static func peek(_ node: borrowing Node, _ number: Int64, _ level: Int) -> Unmanaged<Chunk>? {
    switch node {
    case .empty: nil
    case .chunk(let chunk): .passUnretained(chunk)
    case .inner(let nodes): peek(nodes[digit(number, level - 1)], number, level - 1)
    }
  }
}

extension RadixTree: Sendable where Chunk: Sendable {}
extension RadixTree.Node: Sendable where Chunk: Sendable {}

extension RadixTree {
  /// Changes the chunk of that number, or adds or removes it: `body` gets it, or nil, and leaves what is to stand
  /// there. Nodes on the path that are shared are copied first; the chunk itself is `body`'s to copy if it is shared.
  @inlinable
  mutating func update<Result>(_ number: Int64, _ body: (inout Chunk?) throws -> Result) rethrows -> Result {
    while number >= Self.reach(levels) { grow() }
    var isGone = false
    defer { if isGone { shrink() } }
    return try Self.update(&root, number, levels) { chunk in
      defer { isGone = chunk == nil }
      return try body(&chunk)
    }
  }

  @inlinable
  mutating func grow() {
    if !isEmpty {
      var nodes = ContiguousArray(repeating: Node.empty, count: Self.fanOut)
      swap(&nodes[0], &root)
      root = .inner(nodes)
    }
    levels += 1
  }

  /// Takes off top levels whose one child is the first.
  @inlinable
  mutating func shrink() {
    guard levels > 0 else { return }
    if isEmpty {
      levels = 0
      return
    }
    while levels > 0, case .inner(let nodes) = root,
      nodes[1...].allSatisfy({ if case .empty = $0 { true } else { false } })
    {
      root = nodes[0]
      levels -= 1
    }
  }

  @inlinable
  static func update<Result>(
    _ node: inout Node, _ number: Int64, _ level: Int, _ body: (inout Chunk?) throws -> Result
  ) rethrows -> Result {
    if level == 0 {
      var chunk: Chunk?
      if case .chunk(let present) = consume node { chunk = present }
      node = .empty
      defer { node = chunk.map { .chunk($0) } ?? .empty }
      return try body(&chunk)
    }
    var nodes: ContiguousArray<Node>
    if case .inner(let present) = consume node {
      nodes = present
    } else {
      nodes = ContiguousArray(repeating: .empty, count: fanOut)
    }
    node = .empty
    let digit = digit(number, level - 1)
    defer {
      var isBare = false
      if case .empty = nodes[digit] { isBare = nodes.allSatisfy { if case .empty = $0 { true } else { false } } }
      node = isBare ? .empty : .inner(nodes)
    }
    return try update(&nodes[digit], number, level - 1, body)
  }
}

extension RadixTree {
  /// Makes the chunk of that number, and the path to it, this tree's own.
  ///
  /// - Returns: the chunk, which stays valid as long as it stands in the tree; nil when there is none.
  mutating func own(_ number: Int64) -> Unmanaged<Chunk>? {
    guard number >= 0 && number < Self.reach(levels) else { return nil }
    return Self.own(&root, number, levels)
  }

  private static func own(_ node: inout Node, _ number: Int64, _ level: Int) -> Unmanaged<Chunk>? {
    switch consume node {
    case .empty:
      node = .empty
      return nil
    case .chunk(var chunk):
      if !isKnownUniquelyReferenced(&chunk) { chunk = chunk.copy() }
      let reference = Unmanaged.passUnretained(chunk)
      node = .chunk(chunk)
      return reference
    case .inner(var nodes):
      let reference = own(&nodes[digit(number, level - 1)], number, level - 1)
      node = .inner(nodes)
      return reference
    }
  }
}
