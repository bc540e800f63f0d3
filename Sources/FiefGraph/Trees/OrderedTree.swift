/// A long sequence that is a value: a copy-on-write B+tree that finds, inserts and removes by position.
///
///     OrderedTree            ┌──────────────┬──────────────┐
///     root, count  ───────►  │ count  first │ count  first │  children
///                            └──────┬───────┴──────┬───────┘
///                                   ▼              ▼
///                              [a, b, c, d]   [e, f, g]        leaves
///
/// Elements lie in leaves, contiguous arrays of about a kibibyte. Inner nodes hold up to 16 children and know of each
/// how many elements it carries (which makes positions cheap) and the first of them (which makes ordered search cheap).
/// A tree of a few elements is a single leaf, so it costs what an array costs.
///
/// Copying a tree is one retain. Two trees share every node that neither has changed since; a change copies the nodes
/// on one path and nothing else, or nothing at all when no one else holds them. ``changes(from:to:areIdentical:)``
/// turns that around and finds what differs between two versions without looking at what they share.
///
/// The tree keeps no order of its own: it holds elements where they were put. A sorted collection is made by asking
/// ``partitionPoint(where:)`` for the position first. It never compares, hashes or copies elements behind your back,
/// save for the copy of a node's first element in the node above.
@frozen
public struct OrderedTree<Element> {
  /// The topmost node: a leaf, or an inner node with at least two children.
  @usableFromInline var root: Node

  /// How many elements the tree holds; see ``count``.
  @usableFromInline var total: Int

  @inlinable
  init(root: Node, count: Int) {
    self.root = root
    self.total = count
  }

  /// Makes an empty tree. Allocates nothing.
  @inlinable
  public init() {
    self.init(root: Node.empty, count: 0)
  }

  /// How many elements the tree holds. Constant time.
  @inlinable
  public var count: Int { total }

  /// Whether the tree holds no element.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// Whether both trees are the same storage, which means that they hold the same elements. Constant time.
  ///
  /// The reverse does not hold: equal elements that were put together separately are not identical. Empty trees are.
  ///
  /// - Parameter other: The tree to compare with.
  @inlinable
  public func isIdentical(to other: OrderedTree) -> Bool {
    (count == 0 && other.count == 0) || root.identity == other.root.identity
  }
}

extension OrderedTree: Sendable where Element: Sendable {}

/// What an edit replaces and with what: `new[newRange]` stands where `old[oldRange]` stood.
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
    self.oldRange = oldRange
    self.newRange = newRange
  }
}
