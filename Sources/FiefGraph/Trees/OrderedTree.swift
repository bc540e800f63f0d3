/// A copy-on-write B+tree: a long sequence with value semantics that finds, inserts and removes elements by position.
///
///     OrderedTree            ┌──────────────┬──────────────┐
///     root, count  ───────►  │ count  first │ count  first │  children
///                            └──────┬───────┴──────┬───────┘
///                                   ▼              ▼
///                              [a, b, c, d]   [e, f, g]        leaves
///
/// Elements lie in leaves, contiguous arrays of about a kibibyte. An inner node holds up to 16 children. For each child
/// it stores the number of its elements, which makes positions cheap, and the first of them, which makes ordered search
/// cheap. A tree of a few elements is a single leaf and costs as much as an array.
///
/// Copying a tree is one retain. Two versions share every node that neither has changed since. A change copies the
/// nodes on one path, or nothing at all when no other tree shares them. ``changes(from:to:areIdentical:)`` uses this in
/// reverse: it finds the differences of two versions without looking at shared nodes.
///
/// The tree does not sort: an element stays where it was inserted. A sorted collection calls ``partitionPoint(where:)``
/// for the position first. The tree compares, hashes and copies no elements on its own, except that each parent node
/// holds a copy of a child's first element.
@frozen
public struct OrderedTree<Element> {
  /// The topmost node: a leaf, or an inner node with at least two children.
  @usableFromInline var root: Node

  /// How many elements the tree holds; see ``count``.
  @usableFromInline var total: Int

  @inlinable
  init(root: Node, count: Int) {
    assert(count >= 0, "A tree counts its elements.")
    self.root = root
    self.total = count
  }

  /// Makes an empty tree. Allocates nothing.
  @inlinable
  public init() { self.init(root: Node.empty, count: 0) }

  /// How many elements the tree holds. Constant time.
  @inlinable public var count: Int { total }

  /// Whether the tree holds no element.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// Whether both trees share one storage, and so hold the same elements. Constant time.
  ///
  /// The reverse does not hold: equal trees that were built separately are not identical, except empty ones.
  ///
  /// - Parameter other: The tree to compare with.
  @inlinable
  public func isIdentical(to other: OrderedTree) -> Bool {
    (count == 0 && other.count == 0) || root.identity == other.root.identity
  }
}

extension OrderedTree: Sendable where Element: Sendable {}

/// A replacement of elements: `new[newRange]` replaces `old[oldRange]`.
///
/// An empty old range is an insertion, an empty new range a removal.
@frozen
public struct OrderedTreeEdit: Hashable, Sendable {
  /// Positions in the older tree.
  public var oldRange: Range<Int>
  /// Positions in the newer tree.
  public var newRange: Range<Int>

  /// Makes an edit.
  ///
  /// - Parameters:
  ///   - oldRange: Positions in the older tree.
  ///   - newRange: Positions in the newer tree.
  @inlinable
  public init(oldRange: Range<Int>, newRange: Range<Int>) {
    assert(oldRange.lowerBound >= 0 && newRange.lowerBound >= 0, "Positions count from 0.")
    self.oldRange = oldRange
    self.newRange = newRange
  }
}
