import FiefCopying
import FiefGraph
import FiefObjects
import FiefQueries

/// Values of custom types that are mapped to embedded classes. Queries compare them by their stored members.
///
///     where { $0.position == Position(x: 1, y: 2) }        position.x == 1 AND position.y == 2
extension MemberConstant {
  /// The members of a value; nil for a value of another type.
  ///
  /// - Throws: `QueryError` for a class with links or collections among its members.
  init?(mapped value: Any) throws(QueryError) {
    guard let custom = flattened(value) as? any _CustomPersistable, let object = Self.object(custom) else { return nil }
    let type = Swift.type(of: custom)
    let members = try Self.members(of: object, type)
    let defaults = try Self.members(of: Swift.type(of: object).init(), type)
    let isDefault = zip(members, defaults).allSatisfy { StoredOrder.compare($0.value, $1.value) == 0 }
    self = .object(object.model.name, members, isReadOfNull: isDefault)
  }

  private static func object<Custom: _CustomPersistable>(_ value: Custom) -> EmbeddedObject? {
    guard Custom.PersistedType.self is EmbeddedObject.Type, case .object(let object) = Custom._encode(value) else {
      return nil
    }
    return object as? EmbeddedObject
  }

  private static func members(of object: ObjectBase, _ type: Any.Type) throws(QueryError) -> [Member] {
    var members: [Member] = []
    for property in object.model.properties where !property.facts.isBacklinks {
      guard property.facts.shape == .single, property.facts.kind != .link,
        let value = property.content(in: object).stored
      else {
        throw QueryError(
          .argument,
          "A '\(type)' cannot be compared with: property '\(property.name)' of '\(object.model.name)', which it is "
            + "mapped to, is a link or a collection. Compare its members one by one.")
      }
      members.append(Member(property.name, value))
    }
    return members
  }
}
