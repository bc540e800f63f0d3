import FiefRuntime
import FiefValues
import Foundation

extension LeafValues {
  /// How many cells the leaf has.
  public var count: Int {
    switch self {
    case .vacant: 0
    case .int8(let array): array.count
    case .int16(let array): array.count
    case .int32(let array): array.count
    case .int64(let array): array.count
    case .float(let array): array.count
    case .double(let array): array.count
    case .string(let array): array.count
    case .data(let array): array.count
    case .date(let array): array.count
    case .objectId(let array): array.count
    case .uuid(let array): array.count
    case .decimal(let array): array.count
    case .any(let array): array.count
    case .collection(let array): array.count
    }
  }

  /// The kind of the stored type: `int` for booleans and links, nil for collections.
  public var kind: ValueKind? {
    switch self {
    case .vacant, .collection: nil
    case .int8, .int16, .int32, .int64: .int
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .objectId: .objectId
    case .uuid: .uuid
    case .decimal: .decimal
    case .any: .any
    }
  }

  /// Whether both are one array in memory, and so equal. Their values are not read.
  ///
  /// Constant time. Two leaves with different storage may still be equal.
  public func isSameStorage(as other: LeafValues) -> Bool {
    switch (self, other) {
    case (.int8(let a), .int8(let b)): a.isSameStorage(as: b)
    case (.int16(let a), .int16(let b)): a.isSameStorage(as: b)
    case (.int32(let a), .int32(let b)): a.isSameStorage(as: b)
    case (.int64(let a), .int64(let b)): a.isSameStorage(as: b)
    case (.float(let a), .float(let b)): a.isSameStorage(as: b)
    case (.double(let a), .double(let b)): a.isSameStorage(as: b)
    case (.string(let a), .string(let b)): a.isSameStorage(as: b)
    case (.data(let a), .data(let b)): a.isSameStorage(as: b)
    case (.date(let a), .date(let b)): a.isSameStorage(as: b)
    case (.objectId(let a), .objectId(let b)): a.isSameStorage(as: b)
    case (.uuid(let a), .uuid(let b)): a.isSameStorage(as: b)
    case (.decimal(let a), .decimal(let b)): a.isSameStorage(as: b)
    case (.any(let a), .any(let b)): a.isSameStorage(as: b)
    case (.collection(let a), .collection(let b)): a.isSameStorage(as: b)
    default: false
    }
  }

  /// The single value at `slot`, as a value of the column type `type`. Traps for a leaf of collections.
  public func value(at slot: Int, as type: ColumnType) -> Value {
    switch self {
    case .vacant, .collection: wrongLeaf()
    case .int8, .int16, .int32, .int64: Int64.load(from: self, at: slot).value(as: type)
    case .float(let array): .float(array[slot])
    case .double(let array): .double(array[slot])
    case .string(let array): .string(array[slot])
    case .data(let array): .data(array[slot])
    case .date(let array): .date(array[slot])
    case .objectId(let array): .objectId(array[slot])
    case .uuid(let array): .uuid(array[slot])
    case .decimal(let array): .decimal(array[slot])
    case .any(let array): array[slot]
    }
  }

  /// Stores a value of the leaf's type. Traps for a value of another type.
  mutating func setValue(_ value: Value, at slot: Int) {
    switch self {
    case .vacant, .collection: wrongLeaf()
    case .int8, .int16, .int32, .int64: store(value, as: Int64.self, at: slot)
    case .float: store(value, as: Float.self, at: slot)
    case .double: store(value, as: Double.self, at: slot)
    case .string: store(value, as: String.self, at: slot)
    case .data: store(value, as: Data.self, at: slot)
    case .date: store(value, as: Timestamp.self, at: slot)
    case .objectId: store(value, as: ObjectId.self, at: slot)
    case .uuid: store(value, as: UUID.self, at: slot)
    case .decimal: store(value, as: Decimal128.self, at: slot)
    case .any: store(value, as: Value.self, at: slot)
    }
  }

  private mutating func store<Element: Storable>(_ value: Value, as type: Element.Type, at slot: Int) {
    guard let element = Element(value) else { wrongLeaf() }
    assert(0..<count ~= slot, "A leaf has a cell for each live row.")
    Element.store(element, into: &self, at: slot)
  }

  /// The collection at `slot`; nil if it is empty. Traps for a leaf of single values.
  @inlinable
  public func collection(at slot: Int) -> StoredCollection? {
    guard case .collection(let array) = self else { wrongLeaf() }
    assert(array.indices.contains(slot), "A leaf has a cell for each live row.")
    return array[slot]
  }
}
