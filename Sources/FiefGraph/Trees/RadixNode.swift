import FiefRuntime

/// An element of a radix tree: a cluster, a block of backlinks or a posting of an index. It can be copied, so that a
/// copy can change while the original is shared.
///
/// This is a class rather than a protocol, so that a node does not depend on the element type. A node is then a pointer
/// with its case in spare bits, and copying an array of nodes needs no run-time type metadata.
///
/// Any thread may read a chunk, because one that is reachable from a published version never changes; see `Cluster`.
public class RadixChunk: @unchecked Sendable {
  init() {}

  /// An equal chunk that shares no mutable state with this one.
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

  /// How many bits of a number each level uses.
  @inlinable static var bits: Int { 3 }

  /// How many children an inner node has.
  @inlinable static var fanOut: Int { 1 << bits }

  @inlinable
  @inline(__always)
  static func digit(_ number: Int64, _ level: Int) -> Int {
    Int(truncatingIfNeeded: number &>> Int64(truncatingIfNeeded: level &* bits)) & (fanOut &- 1)
  }

  /// The lowest number below the child at `digit` of a node that begins at `base` and is on `level`.
  @inlinable
  static func base(of digit: Int, below base: Int64, level: Int) -> Int64 {
    assert(level > 0 && 0..<fanOut ~= digit, "An inner node has a child for each digit.")
    return base | Int64(digit) << Int64((level - 1) * bits)
  }

  @inlinable
  var isEmpty: Bool {
    if case .empty = self { return true }
    return false
  }

  /// The children of an inner node; of any other, as many empty nodes.
  @inlinable
  var children: ContiguousArray<RadixNode> {
    if case .inner(let nodes) = self { return nodes }
    return Self.none
  }

  @usableFromInline static let none = ContiguousArray(repeating: RadixNode.empty, count: fanOut)

  /// The chunk of a number below this node, which is on `level`. No reference is counted.
  ///
  /// The loop uses bare pointers and is sound for the reasons in `HashIndex+Finding.swift`: the caller holds this node,
  /// every node holds its children, and no pointer except the result escapes.
  @inlinable
  @inline(__always)
  borrowing func find(_ number: Int64, _ level: Int) -> Borrowed<RadixChunk>? {
    var level = level
    var step = unsafe below
    while case .inner(let nodes) = unsafe step {
      level -= 1
      unsafe step = nodes[Self.digit(number, level)].below
    }
    guard case .chunk(let chunk) = unsafe step else { return nil }
    return chunk
  }

  /// The content of this node, without retaining it.
  @inlinable
  @inline(__always)
  var below: View {
    switch self {
    case .empty: unsafe .empty
    case .chunk(let chunk): unsafe .chunk(Borrowed(chunk))
    case .inner(let nodes): unsafe .inner(nodes.withUnsafeBufferPointer { unsafe $0 })
    }
  }

  /// The content of a node that another owner retains.
  @unsafe
  @frozen
  @usableFromInline
  enum View {
    case empty
    case chunk(Borrowed<RadixChunk>)
    case inner(UnsafeBufferPointer<RadixNode>)
  }

  /// Whether both are one node in memory, or both are empty. Constant time.
  @inlinable
  func isSame(as other: RadixNode) -> Bool {
    switch (self, other) {
    case (.empty, .empty): true
    case (.chunk(let a), .chunk(let b)): a === b
    case (.inner(let a), .inner(let b)): a.isSameStorage(as: b)
    default: false
    }
  }

  // The functions below take the arrays out of the node while they change them: a second reference would force a copy.

  /// Makes the chunk of a number, and the path to it, uniquely owned by this node. Copies the parts that are shared.
  ///
  /// The loop goes down by bare pointers, which takes a third of the instructions of a recursion. It is sound because
  /// this node is accessed exclusively: each array on the path is made unique before a pointer into it is taken, is put
  /// back before the next step, and is neither changed nor freed while the loop is below it.
  ///
  /// - Returns: The chunk, which stays valid as long as it is in the tree, or nil if the number has no chunk.
  mutating func makeUnique(_ number: Int64, _ level: Int) -> Borrowed<RadixChunk>? {
    assert(number >= 0 && level >= 0, "A number is looked up from the root down.")
    var level = level
    return unsafe withUnsafeMutablePointer(to: &self) { root in
      var node = unsafe root
      while true {
        switch unsafe node.move() {
        case .empty:
          unsafe node.initialize(to: .empty)
          return nil
        case .chunk(var chunk):
          if !isKnownUniquelyReferenced(&chunk) { chunk = chunk.copy() }
          // Held by the tree from the next line on.
          let reference = unsafe Borrowed(chunk)
          unsafe node.initialize(to: .chunk(chunk))
          return reference
        case .inner(var nodes):
          level -= 1
          assert(level >= 0 && nodes.count == Self.fanOut, "An inner node has a child for each digit.")
          let children = unsafe nodes.withUnsafeMutableBufferPointer { unsafe $0.baseAddress.unsafelyUnwrapped }
          unsafe node.initialize(to: .inner(nodes))
          unsafe node = children + Self.digit(number, level)
        }
      }
    }
  }

  /// Sets or removes (nil) the chunk of a number.
  mutating func set(_ chunk: RadixChunk?, at number: Int64, level: Int) {
    assert(number >= 0 && level >= 0, "A chunk is stored from the root down.")
    if level == 0 {
      self = chunk.map(RadixNode.chunk) ?? .empty
      return
    }
    var nodes: ContiguousArray<RadixNode>
    if case .inner(let present) = consume self { nodes = present } else { nodes = Self.none }
    let digit = Self.digit(number, level - 1)
    nodes[digit].set(chunk, at: number, level: level - 1)
    self = nodes[digit].isEmpty && nodes.allSatisfy(\.isEmpty) ? .empty : .inner(nodes)
  }
}
