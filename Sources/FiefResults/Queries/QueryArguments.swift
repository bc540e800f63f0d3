import FiefCopying
import FiefGraph
import FiefObjects
import FiefQueries
import FiefSessions
import FiefValues
import Foundation

/// Turns the arguments of formats, and the constants of typed queries, into constants of the kernel.
enum QueryArguments {
  /// One argument: null, a value, an object, a collection of those, or a shape.
  ///
  /// - Throws: `QueryError` for a value that cannot be compared with any property.
  static func operand(_ argument: Any?) throws(QueryError) -> QueryOperand {
    var origins: [UInt64] = []
    return QueryOperand(try constant(argument, &origins), origins)
  }

  private static func constant(_ argument: Any?, _ origins: inout [UInt64]) throws(QueryError) -> QueryConstant {
    guard let value = argument.flatMap(flattened), !DynamicValue.isNull(value) else { return .null }
    if let single = single(value, &origins) { return .value(single) }
    if let nested = value as? AnyRealmValue, let constant = try NestedConstant(nested, { link($0, &origins) }) {
      return .nested(constant)
    }
    if let members = try MemberConstant(mapped: value) { return .members([members]) }
    if let shape = shape(value) { return .shape(shape) }
    guard !(value is any RealmKeyedCollection), let elements = DynamicContainer.elements(value) else {
      throw QueryError(.argument, "A query cannot compare with a value of type '\(type(of: value))'.")
    }
    if let members = try members(elements) { return .members(members) }
    var values: [StoredValue] = []
    for element in elements {
      guard let inner = flattened(element), !DynamicValue.isNull(inner) else {
        values.append(.null)
        continue
      }
      guard let single = single(inner, &origins) else {
        throw QueryError(.argument, "A query cannot compare with elements of type '\(type(of: inner))'.")
      }
      values.append(single)
    }
    return .list(values)
  }

  /// Elements that are compared member by member; nil if the first element that is not null has another type. (The
  /// caller then reports later ones as elements of a wrong type.)
  private static func members(_ elements: [Any]) throws(QueryError) -> [MemberConstant]? {
    guard let first = elements.lazy.compactMap({ flattened($0) }).first(where: { !DynamicValue.isNull($0) }),
      try MemberConstant(mapped: first) != nil
    else { return nil }
    var constants: [MemberConstant] = []
    for element in elements {
      guard let inner = flattened(element), !DynamicValue.isNull(inner) else {
        constants.append(.null)
        continue
      }
      guard let constant = try MemberConstant(mapped: inner) else {
        throw QueryError(.argument, "A query cannot compare with elements of type '\(type(of: inner))'.")
      }
      constants.append(constant)
    }
    return constants
  }

  /// The arguments of a format.
  ///
  /// - Parameter origins: receives the numbers of the stores of the objects among them.
  static func constants(_ arguments: [Any?], _ origins: inout [UInt64]) throws(QueryError) -> [QueryConstant] {
    var constants: [QueryConstant] = []
    for argument in arguments { constants.append(try constant(argument, &origins)) }
    return constants
  }

  /// A shape, for a geographic condition; nil for any other value.
  private static func shape(_ value: Any) -> GeoShape? {
    switch value {
    case let box as GeoBox: .box(box)
    case let circle as GeoCircle: .circle(circle)
    case let polygon as GeoPolygon: .polygon(polygon)
    case let shape as GeoShape: shape
    default: nil
    }
  }

  /// A value that is not a collection, in its stored form; nil for any other.
  private static func single(_ value: Any, _ origins: inout [UInt64]) -> StoredValue? {
    func content<Value: RealmCollectionValue>(_ value: Value) -> _PropertyContent { Value._encode(value) }
    if let object = DynamicValue.cast(value, to: ObjectBase.self) { return link(object, &origins) }
    if let value = value as? any RealmCollectionValue {
      let content = content(value)
      // The conversion of a custom type makes a new object for each query, which would equal no stored object.
      if case .object = content, value is any _CustomPersistable { return nil }
      return stored(content, &origins)
    }
    if let number = DynamicNumber(value) { return number.integer.map(StoredValue.int) ?? number.any }
    return DynamicValue.isObject(value) ? DynamicValue.storedAny(value) : nil
  }

  /// The stored form of a content; nil for collections.
  private static func stored(_ content: _PropertyContent, _ origins: inout [UInt64]) -> StoredValue? {
    switch content {
    case .value(let value): value
    case .object(let object): link(object, &origins)
    default: nil
    }
  }

  /// The row of an object as a link. An unmanaged object equals no row, and only itself among unmanaged objects. Its
  /// link has a key made from its address, which is negative, as no key of a row is.
  static func link(_ object: ObjectBase, _ origins: inout [UInt64]) -> StoredValue {
    guard let link = object.rowLink, let session = object.retainedSession else {
      return .link(ObjectLink(.nestedLists, ObjectKey(-2 - Int64(Int(bitPattern: ObjectIdentifier(object))))))
    }
    if !origins.contains(session.store.number) { origins.append(session.store.number) }
    return .link(link)
  }
}
