extension OrderedTree {
  /// A node: one array, of elements or of children. It takes eight bytes: the case lies in spare bits of the reference.
  @usableFromInline
  @frozen
  enum Node {
    /// The bottom level. Only an empty tree has an empty leaf.
    case leaf(ContiguousArray<Element>)
    /// Any other level. All children have the same height.
    case inner(ContiguousArray<Child>)
  }

  /// An entry of an inner node: a child with its count and its first element.
  @usableFromInline
  @frozen
  struct Child {
    @usableFromInline var node: Node
    /// How many elements all leaves of the node hold together.
    @usableFromInline var count: Int
    /// The first of these elements.
    @usableFromInline var first: Element

    @inlinable
    init(_ node: Node, count: Int, first: Element) {
      assert(count > 0, "A child has elements.")
      self.node = node
      self.count = count
      self.first = first
    }

    /// Makes an entry for a node that is not empty.
    @inlinable
    init(_ node: Node) { self.init(node, count: node.count, first: node.first) }
  }

  /// How many elements a leaf may hold: about a kibibyte of them, in 16 ... 128.
  ///
  /// Copying a leaf retains every reference in its elements. Leaves of such elements therefore hold at most 32.
  @inlinable
  static var leafCapacity: Int {
    let fitting = 1024 / Swift.max(1, MemoryLayout<Element>.stride)
    return Swift.max(16, Swift.min(_isPOD(Element.self) ? 128 : 32, fitting))
  }

  /// How many children an inner node may hold.
  @inlinable static var innerCapacity: Int { 16 }

  /// The child with the element at an offset, or with the gap before it, and the offset in the child.
  @inlinable
  @inline(__always)
  static func locate(
    _ offset: Int, in children: ContiguousArray<Child>, isGap: Bool = false
  ) -> (index: Int, rest: Int) {
    var index = 0
    var rest = offset
    while isGap ? rest > children[index].count : rest >= children[index].count {
      rest -= children[index].count
      index += 1
    }
    return (index, rest)
  }

  /// The fewest entries of a node that is neither the root nor on the trailing edge.
  ///
  /// Less than half of the capacity. Otherwise a removal could merge two halves of a split, and the next insertion
  /// would split the node again.
  @inlinable static func minimum(ofCapacity capacity: Int) -> Int { capacity / 3 }

  /// Two neighbours with at most this many entries together are merged.
  @inlinable static func mergeLimit(ofCapacity capacity: Int) -> Int { capacity / 4 * 3 }
}

extension OrderedTree.Node: Sendable where Element: Sendable {}
extension OrderedTree.Child: Sendable where Element: Sendable {}

extension OrderedTree.Node {
  @usableFromInline typealias Tree = OrderedTree<Element>

  /// A leaf without elements. All of them share the standard library's static empty storage.
  @inlinable static var empty: Self { .leaf([]) }

  /// How many elements the leaves of this node hold.
  @inlinable
  var count: Int {
    switch self {
    case .leaf(let elements): return elements.count
    case .inner(let children): return children.reduce(0) { $0 + $1.count }
    }
  }

  /// The first element. The node must not be empty.
  @inlinable
  var first: Element {
    assert(occupancy > 0, "An empty node has no first element.")
    switch self {
    case .leaf(let elements): return elements[0]
    case .inner(let children): return children[0].first
    }
  }

  /// How many entries the node's own array has: elements of a leaf, children of an inner node.
  @inlinable
  var occupancy: Int {
    switch self {
    case .leaf(let elements): return elements.count
    case .inner(let children): return children.count
    }
  }

  /// How many entries the node's own array may have.
  @inlinable
  var capacity: Int {
    switch self {
    case .leaf: return Tree.leafCapacity
    case .inner: return Tree.innerCapacity
    }
  }

  /// Whether the node may be only the root or a node of the trailing edge.
  @inlinable var isUnderfull: Bool { occupancy < Tree.minimum(ofCapacity: capacity) }

  /// Levels below this node: 0 for a leaf.
  @inlinable
  var height: Int {
    var height = 0
    var node = self
    while case .inner(let children) = node {
      height += 1
      node = children[0].node
    }
    return height
  }

  /// The address of the node's array, which identifies the node while the array is retained.
  ///
  /// The closure converts the pointer into a number. The pointer is never dereferenced.
  @inlinable
  var identity: UInt {
    switch self {
    case .leaf(let elements): return unsafe elements.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    case .inner(let children): return unsafe children.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
  }
}
