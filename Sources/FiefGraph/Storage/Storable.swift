import FiefValues
import Foundation

/// A type in which cells and elements are physically stored.
///
/// Ten types represent all kinds of cells. Booleans, integers and typed links are `Int64`, which a leaf stores in the
/// narrowest width that fits. Any-values are `Value`.
///
/// Four of the ten represent all kinds of elements of lists and sets: `Int64`, `String`, `Double` for floats, too, and
/// `Value` for all others and where null is allowed.
public protocol Storable: Sendable {
  /// The kind of the values that have a stored type of their own; `int` for the three that share one.
  static var storedKind: ValueKind { get }

  /// The content of a required cell before it is set.
  static var zero: Self { get }

  /// The stored form of a value; nil if the type stores no values of its kind.
  init?(_ value: Value)

  /// The value, as a value of the column type `type`.
  func value(as type: ColumnType) -> Value

  /// Whether single cells of the column type are stored in this type, and `value` is within it. False for links,
  /// because setting one also updates backlinks.
  static func isStored(as type: ColumnType, _ value: Self?) -> Bool

  /// Whether both are the same stored value, bit for bit.
  static func isIdentical(_ a: Self, _ b: Self) -> Bool

  /// Compares two values by `StoredOrder`: -1, 0 or 1.
  static func compare(_ a: Self, _ b: Self) -> Int

  /// The buffer of a leaf of this type. Traps for a leaf of another type.
  static func buffer(of values: consuming LeafValues) -> ContiguousArray<Self>

  /// A leaf of this buffer.
  static func leaf(_ buffer: consuming ContiguousArray<Self>) -> LeafValues

  /// The element at `slot` of a leaf of this type. Traps for a leaf of another type.
  static func load(from values: LeafValues, at slot: Int) -> Self

  /// The element at `slot` of the leaf at index `leaf` of a cluster. Traps for a leaf of another type.
  static func read(_ cluster: Cluster, leaf: Int, slot: Int) -> Self

  /// Stores into `slot` of a leaf of this type, in place if the leaf is not shared. Traps for a leaf of another type.
  static func store(_ value: Self, into values: inout LeafValues, at slot: Int)
}

@usableFromInline func wrongLeaf() -> Never { fatalError("A leaf was read as another type than its column's.") }

extension Storable {
  /// Whether single cells of the column type are stored in this type, and `value` is within it: correct for a type of
  /// one kind that holds each of its values.
  @inlinable
  public static func isStored(as type: ColumnType, _ value: Self?) -> Bool {
    type.kind == storedKind && type.shape == .single && (value != nil || type.isOptional)
  }

  /// The element at `slot` of a leaf of this type. Traps for a leaf of another type.
  @inlinable public static func load(from values: LeafValues, at slot: Int) -> Self { buffer(of: values)[slot] }

  /// The element at `slot` of the leaf at index `leaf` of a cluster. Traps for a leaf of another type.
  @inlinable
  public static func read(_ cluster: Cluster, leaf: Int, slot: Int) -> Self {
    load(from: cluster.leaves[leaf].values, at: slot)
  }

  /// Stores into `slot` of a leaf of this type, in place if the leaf is not shared. Traps for a leaf of another type.
  @inlinable
  public static func store(_ value: Self, into values: inout LeafValues, at slot: Int) {
    var buffer = buffer(of: consume values)
    buffer[slot] = value
    values = leaf(buffer)
  }
}

extension Storable where Self: Equatable {
  /// Whether the two are equal. Correct for types whose equal values have equal bits.
  @inlinable public static func isIdentical(_ a: Self, _ b: Self) -> Bool { a == b }
}

extension Storable where Self: Comparable {
  /// Compares by the type's own order. Correct for types with a total order.
  @inlinable public static func compare(_ a: Self, _ b: Self) -> Int { a < b ? -1 : a == b ? 0 : 1 }
}
