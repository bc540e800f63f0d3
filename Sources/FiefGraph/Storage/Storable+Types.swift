public import FiefRuntime
import FiefValues
import Foundation

// The types that are stored without conversion. `Storable` documents the members, and its defaults supply all others.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Float: Storable {
  @inlinable public static var storedKind: ValueKind { .float }

  @inlinable
  public init?(_ value: Value) {
    guard case .float(let value) = value else { return nil }
    self = value
  }

  @inlinable public func value(as type: ColumnType) -> Value { .float(self) }
  @inlinable public static func compare(_ a: Float, _ b: Float) -> Int { StoredOrder.compare(Double(a), Double(b)) }

  @inlinable
  public static func buffer(of values: consuming LeafValues) -> ContiguousArray<Float> {
    guard case .float(let array) = values else { wrongLeaf() }
    return array
  }

  @inlinable public static func leaf(_ buffer: consuming ContiguousArray<Float>) -> LeafValues { .float(buffer) }

  /// Not inlined, for the reason given at `Int64.read`.
  @inline(never)
  public static func read(_ cluster: Cluster, leaf: Int, slot: Int) -> Float {
    load(from: cluster.leaves[leaf].values, at: slot)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Double: Storable {
  @inlinable public static var storedKind: ValueKind { .double }

  @inlinable
  public init?(_ value: Value) {
    switch value {
    case .double(let value): self = value
    case .float(let value): self.init(exactBits: value)
    default: return nil
    }
  }

  @inlinable
  public func value(as type: ColumnType) -> Value {
    type.kind == .float ? .float(Float(exactBits: self)) : .double(self)
  }
  @inlinable public static func compare(_ a: Double, _ b: Double) -> Int { StoredOrder.compare(a, b) }

  @inlinable
  public static func buffer(of values: consuming LeafValues) -> ContiguousArray<Double> {
    guard case .double(let array) = values else { wrongLeaf() }
    return array
  }

  @inlinable public static func leaf(_ buffer: consuming ContiguousArray<Double>) -> LeafValues { .double(buffer) }

  /// Not inlined, for the reason given at `Int64.read`.
  @inline(never)
  public static func read(_ cluster: Cluster, leaf: Int, slot: Int) -> Double {
    load(from: cluster.leaves[leaf].values, at: slot)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension String: Storable {
  @inlinable public static var storedKind: ValueKind { .string }
  @inlinable public static var zero: String { "" }

  @inlinable
  public init?(_ value: Value) {
    guard case .string(let value) = value else { return nil }
    self = value
  }

  @inlinable public func value(as type: ColumnType) -> Value { .string(self) }
  @inlinable public static func compare(_ a: String, _ b: String) -> Int { StoredOrder.compare(a, b) }

  public static func buffer(of values: consuming LeafValues) -> ContiguousArray<String> { texts(of: values).strings }
  public static func leaf(_ buffer: consuming ContiguousArray<String>) -> LeafValues { .string(CompactStrings(buffer)) }
  @inlinable public static func load(from values: LeafValues, at slot: Int) -> String { texts(of: values)[slot] }

  @inlinable
  public static func store(_ value: String, into values: inout LeafValues, at slot: Int) {
    var texts = texts(of: consume values)
    texts.set(value, at: slot)
    values = .string(texts)
  }

  @inlinable
  @inline(__always)
  static func texts(of values: consuming LeafValues) -> CompactStrings {
    guard case .string(let texts) = values else { wrongLeaf() }
    return texts
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Data: Storable {
  @inlinable public static var storedKind: ValueKind { .data }
  @inlinable public static var zero: Data { Data() }

  @inlinable
  public init?(_ value: Value) {
    guard case .data(let value) = value else { return nil }
    self = value
  }

  @inlinable public func value(as type: ColumnType) -> Value { .data(self) }
  @inlinable public static func compare(_ a: Data, _ b: Data) -> Int { StoredOrder.compare(a, b) }

  @inlinable
  public static func buffer(of values: consuming LeafValues) -> ContiguousArray<Data> {
    guard case .data(let array) = values else { wrongLeaf() }
    return array
  }

  @inlinable public static func leaf(_ buffer: consuming ContiguousArray<Data>) -> LeafValues { .data(buffer) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Timestamp: Storable {
  @inlinable public static var storedKind: ValueKind { .date }
  @inlinable public static var zero: Timestamp { Timestamp(seconds: 0, nanoseconds: 0) }

  @inlinable
  public init?(_ value: Value) {
    guard case .date(let value) = value else { return nil }
    self = value
  }

  @inlinable public func value(as type: ColumnType) -> Value { .date(self) }

  @inlinable
  public static func isStored(as type: ColumnType, _ value: Timestamp?) -> Bool {
    type.kind == .date && type.shape == .single && (value?.isMoment ?? type.isOptional)
  }

  @inlinable
  public static func buffer(of values: consuming LeafValues) -> ContiguousArray<Timestamp> {
    guard case .date(let array) = values else { wrongLeaf() }
    return array
  }

  @inlinable public static func leaf(_ buffer: consuming ContiguousArray<Timestamp>) -> LeafValues { .date(buffer) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ObjectId: Storable {
  @inlinable public static var storedKind: ValueKind { .objectId }
  @inlinable public static var zero: ObjectId { ObjectId() }

  @inlinable
  public init?(_ value: Value) {
    guard case .objectId(let value) = value else { return nil }
    self = value
  }

  @inlinable public func value(as type: ColumnType) -> Value { .objectId(self) }

  @inlinable
  public static func buffer(of values: consuming LeafValues) -> ContiguousArray<ObjectId> {
    guard case .objectId(let array) = values else { wrongLeaf() }
    return array
  }

  @inlinable public static func leaf(_ buffer: consuming ContiguousArray<ObjectId>) -> LeafValues { .objectId(buffer) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UUID: Storable {
  @inlinable public static var storedKind: ValueKind { .uuid }
  @inlinable public static var zero: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

  @inlinable
  public init?(_ value: Value) {
    guard case .uuid(let value) = value else { return nil }
    self = value
  }

  @inlinable public func value(as type: ColumnType) -> Value { .uuid(self) }
  @inlinable public static func compare(_ a: UUID, _ b: UUID) -> Int { StoredOrder.compare(a, b) }

  @inlinable
  public static func buffer(of values: consuming LeafValues) -> ContiguousArray<UUID> {
    guard case .uuid(let array) = values else { wrongLeaf() }
    return array
  }

  @inlinable public static func leaf(_ buffer: consuming ContiguousArray<UUID>) -> LeafValues { .uuid(buffer) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Decimal128: Storable {
  @inlinable public static var storedKind: ValueKind { .decimal }
  @inlinable public static var zero: Decimal128 { Decimal128() }

  @inlinable
  public init?(_ value: Value) {
    guard case .decimal(let value) = value else { return nil }
    self = value
  }

  @inlinable public func value(as type: ColumnType) -> Value { .decimal(self) }

  @inlinable
  public static func buffer(of values: consuming LeafValues) -> ContiguousArray<Decimal128> {
    guard case .decimal(let array) = values else { wrongLeaf() }
    return array
  }

  @inlinable public static func leaf(_ buffer: consuming ContiguousArray<Decimal128>) -> LeafValues { .decimal(buffer) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Value: Storable {
  @inlinable public static var storedKind: ValueKind { .any }
  @inlinable public static var zero: Value { .null }
  @inlinable public init?(_ value: Value) { self = value }
  @inlinable public func value(as type: ColumnType) -> Value { self }
  @inlinable public static func isStored(as type: ColumnType, _ value: Value?) -> Bool { false }
  @inlinable public static func compare(_ a: Value, _ b: Value) -> Int { StoredOrder.compare(a, b) }

  @inlinable
  public static func buffer(of values: consuming LeafValues) -> ContiguousArray<Value> {
    guard case .any(let array) = values else { wrongLeaf() }
    return array
  }

  @inlinable public static func leaf(_ buffer: consuming ContiguousArray<Value>) -> LeafValues { .any(buffer) }
}
