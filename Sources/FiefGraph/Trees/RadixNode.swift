/// What stands in a radix tree: a cluster, a block of backlinks or a posting of an index. It can be copied, so that it
/// can be changed while the original is shared.
///
/// A class of its own, and not a protocol, so that a node need not know what stands in its tree: a node is then a
/// pointer with its case in spare bits, and copying an array of them is no matter of run-time types.
public class RadixChunk: @unchecked Sendable {
  init() {}

  /// An equal one of its own.
  func copy() -> RadixChunk { fatalError("A chunk is a cluster, a block of backlinks or a posting.") }
}

/// A node of a radix tree.
@frozen
@usableFromInline
enum RadixNode: Sendable {
  case empty
  case chunk(RadixChunk)
  /// `fanOut` nodes, one for each digit of this level; never all empty.
  case inner(ContiguousArray<RadixNode>)

  /// How many bits of a number each level decides.
  @inlinable
  static var bits: Int { 3 }

  /// How many places an inner node has.
  @inlinable
  static var fanOut: Int { 1 << bits }

  @inlinable
  @inline(__always)
  static func digit(_ number: Int64, _ level: Int) -> Int {
    Int(truncatingIfNeeded: number &>> Int64(truncatingIfNeeded: level &* bits)) & (fanOut &- 1)
  }

  /// The lowest number below the child at `digit` of a node that begins at `base` and stands on `level`.
  @inlinable
  static func base(_ base: Int64, _ digit: Int, _ level: Int) -> Int64 {
    base | Int64(digit) << Int64((level - 1) * bits)
  }

  @inlinable
  var isEmpty: Bool {
    if case .empty = self { return true }
    return false
  }

  /// The chunk of that number below this node, which stands on `level`; without a reference counted.
  ///
  /// A loop over bare pointers, for the reasons that `HashIndex+Finding.swift` gives: who calls holds this node, every
  /// node holds those below it, and no pointer but the result leaves.
  @inlinable
  @inline(__always)
  borrowing func find(_ number: Int64, _ level: Int) -> Unmanaged<RadixChunk>? {
    var level = level
    var step = below
    while case .inner(let nodes) = step {
      level -= 1
      step = nodes[Self.digit(number, level)].below
    }
    guard case .chunk(let chunk) = step else { return nil }
    return chunk
  }

  /// What stands here, without holding it.
  @inlinable
  @inline(__always)
  var below: Borrowed {
    switch self {
    case .empty: .empty
    case .chunk(let chunk): .chunk(.passUnretained(chunk))
    case .inner(let nodes): .inner(nodes.withUnsafeBufferPointer { $0 })
    }
  }

  /// A node that someone else holds.
  @frozen
  @usableFromInline
  enum Borrowed {
    case empty
    case chunk(Unmanaged<RadixChunk>)
    case inner(UnsafeBufferPointer<RadixNode>)
  }

  /// Whether the two are one node in memory, or both empty. Constant time.
  @inlinable
  func isSame(as other: RadixNode) -> Bool {
    switch (self, other) {
    case (.empty, .empty): true
    case (.chunk(let a), .chunk(let b)): a === b
    case (.inner(let a), .inner(let b)): a.isSameStorage(as: b)
    default: false
    }
  }

  // The arrays below are taken out of the node while they are changed: a second reference would make the change copy
  // them.

  /// Makes the chunk of that number, and the path to it, this node's own.
  ///
  /// - Returns: the chunk, which stays valid as long as it stands in the tree; nil when there is none.
  mutating func own(_ number: Int64, _ level: Int) -> Unmanaged<RadixChunk>? {
    switch consume self {
    case .empty:
      self = .empty
      return nil
    case .chunk(var chunk):
      if !isKnownUniquelyReferenced(&chunk) { chunk = chunk.copy() }
      let reference = Unmanaged.passUnretained(chunk)
      self = .chunk(chunk)
      return reference
    case .inner(var nodes):
      let reference = nodes[Self.digit(number, level - 1)].own(number, level - 1)
      self = .inner(nodes)
      return reference
    }
  }

  /// Puts a chunk, or nothing, at that number.
  mutating func set(_ chunk: RadixChunk?, _ number: Int64, _ level: Int) {
    if level == 0 {
      self = chunk.map(RadixNode.chunk) ?? .empty
      return
    }
    var nodes: ContiguousArray<RadixNode>
    if case .inner(let present) = consume self {
      nodes = present
    } else {
      nodes = ContiguousArray(repeating: .empty, count: Self.fanOut)
    }
    let digit = Self.digit(number, level - 1)
    nodes[digit].set(chunk, number, level - 1)
    self = nodes[digit].isEmpty && nodes.allSatisfy(\.isEmpty) ? .empty : .inner(nodes)
  }
}
