import FiefValues

// Booleans, integers and typed links: one stored type, four widths of leaf. `Storable` documents the members.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Int64: Storable {
  @inlinable public static var storedKind: ValueKind { .int }
  @inlinable public static var zero: Int64 { 0 }

  @inlinable
  public init?(_ value: Value) {
    switch value {
    case .int(let value): self = value
    case .bool(let value): self = value ? 1 : 0
    case .link(let link): self = link.key.rawValue
    default: return nil
    }
  }

  @inlinable
  public func value(as type: ColumnType) -> Value {
    switch type.kind {
    case .bool: self & ~1 == 0 ? .bool(self != 0) : .int(self)
    case .link: .link(ObjectLink(type.target ?? .nestedLists, ObjectKey(self)))
    default: .int(self)
    }
  }

  @inlinable
  public static func isStored(as type: ColumnType, _ value: Int64?) -> Bool {
    guard type.shape == .single && (type.kind == .int || type.kind == .bool) else { return false }
    guard let value else { return type.isOptional }
    return type.kind == .int ? type.width.range.contains(value) : value & ~1 == 0
  }

  @inlinable public static func isIdentical(_ a: Int64, _ b: Int64) -> Bool { a == b }

  /// The integers of a leaf of any width, as `Int64`. Copies them unless they are stored in 64 bits.
  @inlinable
  public static func buffer(of values: consuming LeafValues) -> ContiguousArray<Int64> {
    switch values {
    case .int8(let array): ContiguousArray(array.lazy.map(Int64.init))
    case .int16(let array): ContiguousArray(array.lazy.map(Int64.init))
    case .int32(let array): ContiguousArray(array.lazy.map(Int64.init))
    case .int64(let array): array
    default: wrongLeaf()
    }
  }

  @inlinable public static func leaf(_ buffer: consuming ContiguousArray<Int64>) -> LeafValues { .int64(buffer) }

  @inlinable
  public static func load(from values: LeafValues, at slot: Int) -> Int64 { element(of: values, at: slot) }

  /// Does what `load` does, inlined in `readInteger` and in `load` alone.
  @inlinable
  @inline(__always)
  static func element(of values: LeafValues, at slot: Int) -> Int64 {
    switch values {
    case .int8(let array): Int64(array[slot])
    case .int16(let array): Int64(array[slot])
    case .int32(let array): Int64(array[slot])
    case .int64(let array): array[slot]
    default: wrongLeaf()
    }
  }

  @inlinable
  public static func read(_ cluster: Cluster, leaf: Int, slot: Int) -> Int64 {
    readInteger(cluster, leaf: leaf, slot: slot)
  }

  @inlinable
  public static func store(_ value: Int64, into values: inout LeafValues, at slot: Int) {
    values.widen(for: value)
    // The array is moved out of the enum while it changes: a second reference would force a copy.
    switch consume values {
    case .int8(var array):
      array[slot] = Int8(truncatingIfNeeded: value)
      values = .int8(array)
    case .int16(var array):
      array[slot] = Int16(truncatingIfNeeded: value)
      values = .int16(array)
    case .int32(var array):
      array[slot] = Int32(truncatingIfNeeded: value)
      values = .int32(array)
    case .int64(var array):
      array[slot] = value
      values = .int64(array)
    default: wrongLeaf()
    }
  }
}

/// The integer at `slot` of the leaf at index `leaf` of a cluster.
///
/// Deliberately not inlined. If the accessor of a row is released right after a read, as in a loop over objects, the
/// compiler releases it before it reads the element, and retains the leaf to make that safe. A call prevents both, at
/// a tenth of their cost.
@usableFromInline
@inline(never)
func readInteger(_ cluster: Cluster, leaf: Int, slot: Int) -> Int64 {
  Int64.element(of: cluster.leaves[leaf].values, at: slot)
}
