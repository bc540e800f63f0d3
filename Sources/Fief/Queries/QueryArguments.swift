import FiefGraph
import FiefQueries
import Foundation

/// Turns the arguments of formats, and the constants of typed queries, into what the kernel compares with.
enum QueryArguments {
  /// One argument: null, a value, an object, a collection of those, or a shape.
  ///
  /// - Throws: `QueryError` for what no property can be compared with.
  static func constant(_ argument: Any?) throws(QueryError) -> QueryConstant {
    guard let value = argument.flatMap(flattened), !Untyped.isNull(value) else { return .null }
    if let single = single(value) { return .value(single) }
    if let shape = shape(value) { return .shape(shape) }
    guard let sequence = value as? any Sequence, !(value is [AnyHashable: Any]) else {
      throw QueryError(.argument, "A query cannot compare with a value of type '\(type(of: value))'.")
    }
    var values: [StoredValue] = []
    for element in elements(of: sequence) {
      guard let inner = flattened(element), !Untyped.isNull(inner) else {
        values.append(.null)
        continue
      }
      guard let single = single(inner) else {
        throw QueryError(.argument, "A query cannot compare with elements of type '\(type(of: inner))'.")
      }
      values.append(single)
    }
    return .list(values)
  }

  /// The arguments of a format.
  static func constants(_ arguments: [Any?]) throws(QueryError) -> [QueryConstant] {
    var constants: [QueryConstant] = []
    for argument in arguments { constants.append(try constant(argument)) }
    return constants
  }

  private static func elements<S: Sequence>(of sequence: S) -> [Any] { sequence.map { $0 as Any } }

  /// A shape to lie within; nil for anything else.
  private static func shape(_ value: Any) -> GeoShape? {
    switch value {
    case let box as GeoBox: .box(box)
    case let circle as GeoCircle: .circle(circle)
    case let polygon as GeoPolygon: .polygon(polygon)
    case let shape as GeoShape: shape
    default: nil
    }
  }

  /// A value that is no collection, as it would be stored; nil for anything else.
  private static func single(_ value: Any) -> StoredValue? {
    func content<Value: RealmCollectionValue>(_ value: Value) -> _Content { Value._content(value) }
    switch value {
    case let object as ObjectBase: return link(object)
    case let value as any RealmCollectionValue: return stored(content(value))
    case is NSNumber, is any BinaryInteger:
      if let number = Untyped.integer(value) { return .int(number) }
      return Untyped.double(value).map { .double($0) }
    default: return nil
    }
  }

  /// What is stored for a content; nil for collections.
  static func stored(_ content: _Content) -> StoredValue? {
    switch content {
    case .value(let value): value
    case .object(let object): link(object)
    default: nil
    }
  }

  /// The row of an object. One that is unmanaged is equal to none.
  private static func link(_ object: ObjectBase) -> StoredValue {
    object.link.map { .link($0) } ?? .link(ObjectLink(.nestedLists, ObjectKey(.max)))
  }
}
