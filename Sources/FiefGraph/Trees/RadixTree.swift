/// The persistent map from the number of a chunk (a cluster, a block of backlinks) to the chunk.
///
///     levels 2            inner [16]            bits 4...7 of the number
///                        ╱   │    ╲
///     levels 1     inner  inner  empty          bits 0...3
///                  ╱ │ ╲
///     levels 0   chunk …                        the chunks themselves
///
/// An inner node is a plain array of sixteen nodes, eight bytes each. The tree is as high as its largest number asks,
/// and has no node without a chunk below it. Copies share everything; a change copies the path to it, unless this
/// tree holds the only reference, and then changes in place.
///
/// All operations are O(log number), base 16.
@frozen
public struct RadixTree<Chunk: AnyObject> {
  @frozen
  @usableFromInline
  enum Node {
    case empty
    case chunk(Chunk)
    case inner(ContiguousArray<Node>)
  }

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
  static func reach(_ levels: Int) -> Int64 { levels >= 15 ? .max : 1 << Int64(levels * 4) }

  @inlinable
  static func digit(_ number: Int64, _ level: Int) -> Int { Int(truncatingIfNeeded: number >> Int64(level * 4)) & 15 }

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
      var nodes = ContiguousArray(repeating: Node.empty, count: 16)
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
      nodes = ContiguousArray(repeating: .empty, count: 16)
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
