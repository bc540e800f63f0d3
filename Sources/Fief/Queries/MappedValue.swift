import FiefGraph
import FiefQueries

/// A value of a custom type that is mapped to an embedded class, as typed queries compare it: by the members that it is stored as.
///
///     where { $0.position == Position(x: 1, y: 2) }        position.x == 1 AND position.y == 2
enum MappedValue {
  /// No value.
  case null
  /// The members. Of a property that is not optional, a link that is null reads as the default of the class.
  case members([(name: String, value: StoredValue)], isReadOfNull: Bool)

  /// A value of a static type; nil for what is no such value. Traps for a class with members that are no values.
  init?<V>(_ value: V, of type: V.Type) {
    guard let custom = flattened(value) as? any _CustomPersistable, let object = Self.object(custom) else { return nil }
    let members = Self.members(of: object, Swift.type(of: custom))
    var isReadOfNull = false
    if type is any _CustomPersistable.Type {
      let defaults = Self.members(of: Swift.type(of: object).init(), Swift.type(of: custom))
      isReadOfNull = zip(members, defaults).allSatisfy { StoredOrder.compare($0.value, $1.value) == 0 }
    }
    self = .members(members, isReadOfNull: isReadOfNull)
  }

  /// Some values of a static type, null among them; nil unless they are such.
  static func all<V>(_ values: [V]) -> [MappedValue]? {
    guard let first = values.lazy.compactMap({ flattened($0) }).first, first is any _CustomPersistable else {
      return nil
    }
    let mapped = values.compactMap { MappedValue($0, of: V.self) }
    return mapped.isEmpty ? nil : mapped + (mapped.count < values.count ? [.null] : [])
  }

  private static func object<Custom: _CustomPersistable>(_ value: Custom) -> EmbeddedObject? {
    guard Custom.PersistedType.self is EmbeddedObject.Type, case .object(let object) = Custom._content(value) else {
      return nil
    }
    return object as? EmbeddedObject
  }

  private static func members(of object: ObjectBase, _ type: Any.Type) -> [(name: String, value: StoredValue)] {
    object.model.properties.filter { !$0.facts.isBacklinks }.map { property in
      guard property.facts.shape == .single, property.facts.kind != .link,
        case .value(let value) = property.access.content(object.address + property.offset, object, property.number)
      else {
        fatalError(
          "A '\(type)' cannot be compared with: property '\(property.name)' of '\(object.model.name)', which it is mapped to, "
            + "is a link or a collection. Compare its members one by one.")
      }
      return (property.name, value)
    }
  }

  /// That all members of the object at the end of a path are those of the value.
  func equality(at path: PropertyPath, _ origins: [UInt64]) -> QueryPredicate {
    switch self {
    case .null: return QueryPredicate(Comparison(.path(path), .equal, .constant(.null)))
    case .members(let members, let isReadOfNull):
      var conditions = members.map { member in
        QueryPredicate(
          Comparison(.path(path.appending(.property(member.name))), .equal, .constant(.value(member.value))))
      }
      // Elements of collections are there; behind a null link all members are null.
      if path.variable != nil && path.components.isEmpty { return .all(of: conditions) }
      if members.allSatisfy(\.value.isNull) {
        conditions.append(QueryPredicate(Comparison(.path(path), .notEqual, .constant(.null))))
      }
      let same = QueryPredicate.all(of: conditions)
      guard isReadOfNull else { return same }
      var isNull = MappedValue.null.equality(at: path, origins)
      // Behind a link that is null itself there is no object, whose default it could be.
      let owner = PropertyPath(Array(path.components.dropLast()), variable: path.variable)
      if !owner.components.isEmpty {
        isNull = isNull && QueryPredicate(Comparison(.path(owner), .notEqual, .constant(.null)))
      }
      return same || isNull
    }
  }
}
