import FiefCopying
import FiefGraph
import FiefObjects
import FiefQueries
import FiefSessions
import FiefValues
import Foundation

/// A constant, and the numbers of the stores of the objects in it, mostly none.
struct QueryOperand {
  let constant: QueryConstant
  let origins: [UInt64]

  init(_ constant: QueryConstant, _ origins: [UInt64] = []) { (self.constant, self.origins) = (constant, origins) }
}

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
    if let constant = try nested(value, &origins) { return .nested(constant) }
    if let members = try MemberConstant(mapped: value) { return .members([members]) }
    if let shape = shape(value) { return .shape(shape) }
    guard !(value is any RealmKeyedCollection), let elements = DynamicContainer.elements(value) else {
      throw QueryError(.argument, "A query cannot compare with a value of type '\(type(of: value))'.")
    }
    // The first element that is not null decides whether elements are values, or are compared member by member.
    let first = elements.lazy.compactMap { flattened($0) }.first { !DynamicValue.isNull($0) }
    let areMapped = if let first { try MemberConstant(mapped: first) != nil } else { false }
    var (values, members, collections): ([StoredValue], [MemberConstant], [NestedConstant]) = ([], [], [])
    for element in elements {
      if let inner = flattened(element), !DynamicValue.isNull(inner) {
        if areMapped, let member = try MemberConstant(mapped: inner) {
          members.append(member)
        } else if !areMapped, let single = single(inner, &origins) {
          values.append(single)
        } else if !areMapped, let collection = try nested(inner, &origins) {
          collections.append(collection)
        } else {
          throw QueryError(.argument, "A query cannot compare with elements of type '\(type(of: inner))'.")
        }
      } else if areMapped {
        members.append(.null)
      } else {
        values.append(.null)
      }
    }
    if !collections.isEmpty { return .nestedMembers(collections, beside: values) }
    return areMapped ? .members(members) : .list(values)
  }

  /// A list or a dictionary in an any-value; nil for any other value.
  private static func nested(_ value: Any, _ origins: inout [UInt64]) throws(QueryError) -> NestedConstant? {
    guard let value = value as? AnyRealmValue else { return nil }
    return try NestedConstant(value) { link($0, &origins) }
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
    if let object = DynamicValue.cast(value, to: ObjectBase.self) { return link(object, &origins) }
    if let value = value as? any RealmCollectionValue {
      switch value.content {
      case .value(let value): return value
      // The conversion of a custom type makes a new object for each query, which would equal no stored object.
      case .object(let object): return value is any _CustomPersistable ? nil : link(object, &origins)
      default: return nil
      }
    }
    if let number = DynamicNumber(value) { return number.integer.map(StoredValue.int) ?? number.any }
    return DynamicValue.isObject(value) ? DynamicValue.storedAny(value) : nil
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
