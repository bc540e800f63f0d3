import FiefGraph

/// What an object is compared with member by member: null, or the values of its properties.
///
/// It has no row, and is no constant that a binder knows: whoever knows the class writes it out as comparisons of the
/// members before a condition is bound.
public enum MemberConstant: Equatable, Sendable {
  /// A property and its value.
  public struct Member: Equatable, Sendable {
    /// The name of the property.
    public let name: String
    /// Its value.
    public let value: Value

    /// A member from its parts.
    public init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// No object.
  case null
  /// An object of a class with these members; and whether a link that is null may read as such.
  case object(String, [Member], isReadOfNull: Bool)

  /// As its parts; formats have no such constant.
  func print(into text: inout String) {
    switch self {
    case .null: text += "nil"
    case .object(let name, let members, _):
      text += "\(name)("
      for (number, member) in members.enumerated() {
        if number > 0 { text += ", " }
        text += "\(member.name): "
        member.value.print(into: &text)
      }
      text += ")"
    }
  }
}
