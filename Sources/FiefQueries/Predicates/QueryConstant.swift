import FiefGraph
import FiefValues

/// A constant in a query: an argument of a format, or the constant side of a comparison.
package enum QueryConstant: Equatable, Sendable {
  /// One value, null included.
  case value(Value)
  /// The values of an `IN`, or the two bounds of a `BETWEEN`.
  case list([Value])
  case shape(GeoShape)
  /// The name of a property, or a path: only an argument for `%K`.
  case name(String)
  /// A list or a dictionary, which equals any-values with such contents only.
  case nested(NestedConstant)
  /// The values of an `IN` of which some are lists or dictionaries.
  case nestedMembers([NestedConstant], beside: [Value])
  /// Objects or null, which are compared member by member. The comparison holds when one of them matches.
  case members([MemberConstant])
  /// A constant with variables or with numbers as strings. It can be compared only after the variables are substituted.
  case open(OpenConstant)

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

extension QueryConstant: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .value(.string(value)) }
  package init(integerLiteral value: Int64) { self = .value(.int(value)) }
  package init(floatLiteral value: Double) { self = .value(.double(value)) }
  package init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
  package init(nilLiteral: ()) { self = .value(.null) }
}
