import FiefGraph

/// A constant with which an object is compared member by member: null, or the values of its properties.
///
/// It has no row, and a binder does not accept it. The code that knows the class expands it to comparisons of the
/// members before the condition is bound.
package enum MemberConstant: Equatable, Sendable {
  /// A property and its value.
  package struct Member: Equatable, Sendable {
    package let name: String
    package let value: Value

    package init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  case null
  /// An object of a class with these members. `isReadOfNull` is whether a null link may read as this object.
  case object(String, [Member], isReadOfNull: Bool)

  /// The class and its members. Formats have no such constant.
  var spelling: String {
    switch self {
    case .null: "nil"
    case .object(let name, let members, _):
      "\(name)(\(members.map { "\($0.name): \($0.value.spelling)" }.joined(separator: ", ")))"
    }
  }
}
