import FiefGraph
import FiefValues

/// A constant in a query: an argument of a format, or the constant side of a comparison.
package enum QueryConstant: Sendable {
  /// One value, null included.
  case value(Value)
  /// The values of an `IN`, or the two bounds of a `BETWEEN`.
  case list([Value])
  /// A shape for `IN` and `geoWithin`.
  case shape(GeoShape)
  /// The name of a property, or a path: only an argument for `%K`.
  case name(String)
  /// A list or a dictionary, which equals any-values with such contents only.
  case nested(NestedConstant)
  /// Objects or null, which are compared member by member. The comparison holds when one of them matches.
  case members([MemberConstant])
  /// A constant with variables or with texts of numbers. It can be compared only after the variables are substituted.
  case open(OpenConstant)

  /// Null.
  package static var null: QueryConstant { .value(.null) }

  /// A constant of some members, of which there is one unless it is a list in braces.
  init(_ members: [OpenConstant.Member], isList: Bool) {
    assert(isList || members.count == 1, "A constant that is no list is one member.")
    var values: [Value] = []
    for case .value(let value) in members { values.append(value) }
    if values.count < members.count {
      self = .open(OpenConstant(members, isList: isList))
    } else {
      self = isList ? .list(values) : .value(values[0])
    }
  }
}

extension QueryConstant: Equatable {
  /// Whether the two constants are identical. Values are compared bit by bit.
  package static func == (a: QueryConstant, b: QueryConstant) -> Bool {
    switch (a, b) {
    case (.value(let a), .value(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.shape(let a), .shape(let b)): a == b
    case (.name(let a), .name(let b)): a == b
    case (.open(let a), .open(let b)): a == b
    case (.nested(let a), .nested(let b)): a == b
    case (.members(let a), .members(let b)): a == b
    default: false
    }
  }
}

extension QueryConstant: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// A string.
  package init(stringLiteral value: String) { self = .value(.string(value)) }
  /// An integer.
  package init(integerLiteral value: Int64) { self = .value(.int(value)) }
  /// A double.
  package init(floatLiteral value: Double) { self = .value(.double(value)) }
  /// A boolean.
  package init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
  /// Null.
  package init(nilLiteral: ()) { self = .value(.null) }
}
