import FiefValues

// Booleans, integers and typed links: one stored type, four widths of leaf. What each member is for stands in
// `Storable`.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Int64: Storable {
  @inlinable
  public static var elementKind: ElementKind { .int }

  @inlinable
  public static var zero: Int64 { 0 }

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

  @inlinable
  public static func isIdentical(_ a: Int64, _ b: Int64) -> Bool { a == b }

  /// Every integer leaf, copied out at full width.
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

  @inlinable
  public static func leaf(_ buffer: consuming ContiguousArray<Int64>) -> LeafValues { .int64(buffer) }

  @inlinable
  public static func load(from values: LeafValues, at slot: Int) -> Int64 {
    switch values {
    case .int8(let array): Int64(array[slot])
    case .int16(let array): Int64(array[slot])
    case .int32(let array): Int64(array[slot])
    case .int64(let array): array[slot]
    default: wrongLeaf()
    }
  }

  /// Not inlined on purpose. Where the accessor of a row dies right after a read, as in a loop over objects, the
  /// compiler lets go of it as early as it can: before the element is read, and so it retains the leaf until then. A
  /// call stands in the way of both, and costs a tenth of them.
  @inline(never)
  public static func read(_ cluster: Cluster, leaf: Int, slot: Int) -> Int64 {
    load(from: cluster.leaves[leaf].values, at: slot)
  }

  @inlinable
  public static func store(_ value: Int64, into values: inout LeafValues, at slot: Int) {
    values.widen(for: value)
    // The array is taken out of the enum while it is changed: a second reference would make the change copy it.
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
