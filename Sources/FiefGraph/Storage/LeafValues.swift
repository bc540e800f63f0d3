public import FiefRuntime
import FiefValues
import Foundation

/// The values of one column in one cluster: a contiguous array of the narrowest type that holds them.
///
///     LeafValues (8 bytes: the case sits in spare bits of the pointer)
///        │
///        ▼
///     ┌────────┬────┬────┬────┬──┄
///     │ header │ v0 │ v1 │ v2 │        slot i = the i-th live row of the cluster
///     └────────┴────┴────┴────┴──┄
///
/// Integers start with one byte a value. The leaf widens when a value does not fit, and never narrows. Strings start as
/// plain words (`CompactStrings`), and change their form at the first long one. A leaf is a plain Swift value: copying
/// one is a retain, and changing a shared one copies the array.
@frozen
public enum LeafValues: Sendable {
  /// The placeholder while a leaf's array is being changed; it never occurs otherwise.
  case vacant
  case int8(ContiguousArray<Int8>)
  case int16(ContiguousArray<Int16>)
  case int32(ContiguousArray<Int32>)
  case int64(ContiguousArray<Int64>)
  case float(ContiguousArray<Float>)
  case double(ContiguousArray<Double>)
  case string(CompactStrings)
  case data(ContiguousArray<Data>)
  case date(ContiguousArray<Timestamp>)
  case objectId(ContiguousArray<ObjectId>)
  case uuid(ContiguousArray<UUID>)
  case decimal(ContiguousArray<Decimal128>)
  case any(ContiguousArray<Value>)
  /// Lists, sets and dictionaries; nil stands for an empty one.
  case collection(ContiguousArray<StoredCollection?>)
}

extension LeafValues {
  /// An empty leaf for a column of the given type.
  public init(for type: ColumnType) {
    if type.isCollection {
      self = .collection([])
      return
    }
    self =
      switch type.kind {
      case .bool, .int, .link: .int8([])
      case .float: .float([])
      case .double: .double([])
      case .string: .string(CompactStrings())
      case .data: .data([])
      case .date: .date([])
      case .objectId: .objectId([])
      case .uuid: .uuid([])
      case .decimal: .decimal([])
      case .any: .any([])
      }
  }

  /// Widens a leaf of integers until `value` fits.
  @inlinable
  mutating func widen(for value: Int64) {
    switch self {
    case .int8: if Int8(exactly: value) == nil { widened(for: value) }
    case .int16: if Int16(exactly: value) == nil { widened(for: value) }
    case .int32: if Int32(exactly: value) == nil { widened(for: value) }
    default: break
    }
  }

  @usableFromInline
  mutating func widened(for value: Int64) {
    switch self {
    case .int8(let array): self = Self.widened(array, for: value)
    case .int16(let array): self = Self.widened(array, for: value)
    case .int32(let array): self = Self.widened(array, for: value)
    default: break
    }
  }

  private static func widened<Narrow: FixedWidthInteger>(_ array: ContiguousArray<Narrow>, for value: Int64)
    -> LeafValues
  {
    if Int16(exactly: value) != nil { return .int16(copy(array)) }
    if Int32(exactly: value) != nil { return .int32(copy(array)) }
    return .int64(copy(array))
  }

  private static func copy<Narrow: FixedWidthInteger, Wide: FixedWidthInteger>(
    _ array: ContiguousArray<Narrow>
  ) -> ContiguousArray<Wide> {
    var wide = ContiguousArray<Wide>()
    assert(Wide.bitWidth > Narrow.bitWidth, "A leaf only becomes wider.")
    wide.reserveCapacity(array.capacity)
    for element in array { wide.append(Wide(truncatingIfNeeded: element)) }
    return wide
  }
}

/// An operation that changes the array of a leaf of any type.
protocol LeafEdit {
  /// Performs the operation; `zero` is the content of an unset cell.
  func callAsFunction<Element>(_ array: inout ContiguousArray<Element>, zero: Element)
}

extension LeafValues {
  /// Changes the array, in place if it is not shared.
  @inline(__always)
  mutating func apply<Edit: LeafEdit>(_ edit: Edit) {
    switch consume self {
    case .vacant: wrongLeaf()
    case .int8(var array):
      edit(&array, zero: 0)
      self = .int8(array)
    case .int16(var array):
      edit(&array, zero: 0)
      self = .int16(array)
    case .int32(var array):
      edit(&array, zero: 0)
      self = .int32(array)
    case .int64(var array):
      edit(&array, zero: 0)
      self = .int64(array)
    case .float(var array):
      edit(&array, zero: .zero)
      self = .float(array)
    case .double(var array):
      edit(&array, zero: .zero)
      self = .double(array)
    case .string(.small(var array)):
      edit(&array, zero: .empty)
      self = .string(.small(array))
    case .string(.any(var array)):
      edit(&array, zero: .zero)
      self = .string(.any(array))
    case .data(var array):
      edit(&array, zero: .zero)
      self = .data(array)
    case .date(var array):
      edit(&array, zero: .zero)
      self = .date(array)
    case .objectId(var array):
      edit(&array, zero: .zero)
      self = .objectId(array)
    case .uuid(var array):
      edit(&array, zero: .zero)
      self = .uuid(array)
    case .decimal(var array):
      edit(&array, zero: .zero)
      self = .decimal(array)
    case .any(var array):
      edit(&array, zero: .zero)
      self = .any(array)
    case .collection(var array):
      edit(&array, zero: nil)
      self = .collection(array)
    }
  }

  /// Appends an unset cell.
  mutating func appendZero() { apply(AppendZero()) }

  /// Changes the slots.
  mutating func change(_ change: SlotEdit) { apply(change) }
}

private struct AppendZero: LeafEdit {
  @inline(__always)
  func callAsFunction<Element>(_ array: inout ContiguousArray<Element>, zero: Element) {
    // The array's own growth could reserve twice the cluster's rows. This growth stops at 256 and gets there in few
    // steps: a cluster of 64 rows will most likely be filled.
    if array.count == array.capacity { array.reserveCapacity(array.count < 8 ? 8 : array.count < 64 ? 64 : 256) }
    array.append(zero)
    assert(array.count <= 256, "A leaf has a cell for each of at most 256 rows.")
  }
}

/// A change of the slots of a leaf.
enum SlotEdit: LeafEdit {
  /// Appends a number of unset cells.
  case append(Int)
  /// Inserts an unset cell.
  case insert(at: Int)
  case remove(at: Int)
  /// Keeps only the cells at the set bits.
  case keep(Bitmap256)
  /// Stores the zero of the type, so that a null cell retains nothing.
  case clear(at: Int)

  func callAsFunction<Element>(_ array: inout ContiguousArray<Element>, zero: Element) {
    switch self {
    case .append(let count):
      array.reserveCapacity(array.count + count)
      array.append(contentsOf: repeatElement(zero, count: count))
    case .insert(let slot): array.insert(zero, at: slot)
    case .remove(let slot): array.remove(at: slot)
    case .keep(let slots):
      assert((slots - Bitmap256(prefix: array.count)).isEmpty, "Only cells are kept.")
      var kept = ContiguousArray<Element>()
      kept.reserveCapacity(slots.count)
      slots.forEach { kept.append(array[$0]) }
      array = kept
    case .clear(let slot): array[slot] = zero
    }
    assert(array.count <= 256, "A leaf has a cell for each of at most 256 rows.")
  }
}
