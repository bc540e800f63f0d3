import FiefValues
import Foundation

/// A type in which cells and elements are physically kept.
///
/// Ten types carry all kinds: booleans, integers and typed links are `Int64` (a leaf keeps them in the narrowest width
/// that fits); every element that may be null inside a collection, and every any-value, is a `Value`.
public protocol Storable: Sendable {
  /// The name of the type.
  static var elementKind: ElementKind { get }

  /// What a required cell holds before it is set.
  static var zero: Self { get }

  /// The stored form of a value; nil when the value is of another kind.
  init?(_ value: Value)

  /// The value, seen as one of the column type `type`.
  func value(as type: ColumnType) -> Value

  /// Whether single cells of the column type are stored in this type, and `value` is within it. False for links, which
  /// have two ends to keep.
  static func isStored(as type: ColumnType, _ value: Self?) -> Bool

  /// Whether the two are the same stored value, bit for bit.
  static func isIdentical(_ a: Self, _ b: Self) -> Bool

  /// `StoredOrder`: -1, 0 or 1.
  static func compare(_ a: Self, _ b: Self) -> Int

  /// The buffer of a leaf of this type. Traps for a leaf of another type.
  static func buffer(of values: consuming LeafValues) -> ContiguousArray<Self>

  /// The leaf made of a buffer.
  static func leaf(_ buffer: consuming ContiguousArray<Self>) -> LeafValues

  /// The element at `slot` of a leaf of this type. Traps for a leaf of another type.
  static func load(from values: LeafValues, at slot: Int) -> Self

  /// The element at `slot` of the leaf at place `leaf` of a cluster. Traps for a leaf of another type.
  static func read(_ cluster: Cluster, leaf: Int, slot: Int) -> Self

  /// Stores into `slot` of a leaf of this type, in place when the leaf is not shared. Traps for a leaf of another type.
  static func store(_ value: Self, into values: inout LeafValues, at slot: Int)
}

@usableFromInline
func wrongLeaf() -> Never { fatalError("A leaf was read as another type than its column's.") }

extension Storable {
  /// The element at `slot` of a leaf of this type. Traps for a leaf of another type.
  @inlinable
  public static func load(from values: LeafValues, at slot: Int) -> Self { buffer(of: values)[slot] }

  /// The element at `slot` of the leaf at place `leaf` of a cluster. Traps for a leaf of another type.
  @inlinable
  public static func read(_ cluster: Cluster, leaf: Int, slot: Int) -> Self {
    load(from: cluster.leaves[leaf].values, at: slot)
  }

  /// Stores into `slot` of a leaf of this type, in place when the leaf is not shared. Traps for a leaf of another type.
  @inlinable
  public static func store(_ value: Self, into values: inout LeafValues, at slot: Int) {
    var buffer = buffer(of: consume values)
    buffer[slot] = value
    values = leaf(buffer)
  }
}

extension Storable where Self: Equatable {
  /// Whether the two are equal; right for types whose equal values have equal bits.
  @inlinable
  public static func isIdentical(_ a: Self, _ b: Self) -> Bool { a == b }
}

extension Storable where Self: Comparable {
  /// The type's own order; right for types that order totally.
  @inlinable
  public static func compare(_ a: Self, _ b: Self) -> Int { a < b ? -1 : a == b ? 0 : 1 }
}
