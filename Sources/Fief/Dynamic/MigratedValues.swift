import FiefCopying
import FiefGraph
import FiefSessions
import Foundation

/// Values that the code of a migration sets: old objects in them stand for the new objects in the same rows.
enum MigratedValues {
  /// Returns a value with the new objects of `session` in place of old ones. An old object without a new one stays, and
  /// is copied when it is stored.
  static func of(_ value: Any, _ session: Session) -> Any {
    if let object = DynamicValue.cast(value, to: DynamicObject.self) { return new(object, session) }
    if let list = DynamicValue.cast(value, to: List<DynamicObject>.self) { return list.map { new($0, session) } }
    if let set = DynamicValue.cast(value, to: MutableSet<DynamicObject>.self) { return set.map { new($0, session) } }
    if let map = DynamicValue.cast(value, to: Map<String, DynamicObject?>.self) {
      var values: [String: Any] = [:]
      for entry in map { values[entry.key] = entry.value.map { new($0, session) as Any } ?? NSNull() }
      return values
    }
    if let results = DynamicValue.cast(value, to: Results<DynamicObject>.self) {
      return results.map { new($0, session) }
    }
    switch flattened(value).flatMap(DynamicContainer.of) {
    case .array(let values, let identity) where identity?.isObject != true:
      return values.map { element($0, session) }
    case .dictionary(let values, let identity) where identity?.isObject != true:
      return values.mapValues { element($0, session) }
    default: return value
    }
  }

  private static func element(_ value: Any, _ session: Session) -> Any {
    DynamicValue.cast(value, to: DynamicObject.self).map { new($0, session) } ?? value
  }

  private static func new(_ object: DynamicObject, _ session: Session) -> DynamicObject {
    link(of: object, session).flatMap(session.dynamicAccessor) ?? object
  }

  /// The row of the new object for which an old one stands; nil for any other object, and when the row was deleted.
  static func link(of object: ObjectBase, _ session: Session) -> ObjectLink? {
    guard let other = object.retainedSession, other !== session, other.isFrozen, other.store.classes.migration != nil,
      let link = object.link, session.hasRow(link)
    else { return nil }
    return link
  }

  /// Returns a collection with the new objects in place of the old ones; the collection itself when it has none.
  static func collection(_ collection: CollectionBase, _ session: Session) -> CollectionBase {
    guard let other = collection.location?.session, other !== session else { return collection }
    switch collection {
    case let list as List<DynamicObject>:
      let made = List<DynamicObject>()
      made.append(objectsIn: list.map { new($0, session) })
      return made
    case let set as MutableSet<DynamicObject>:
      let made = MutableSet<DynamicObject>()
      made.insert(objectsIn: set.map { new($0, session) })
      return made
    case let map as Map<String, DynamicObject?>:
      let made = Map<String, DynamicObject?>()
      for entry in map { made[entry.key] = .some(entry.value.map { new($0, session) }) }
      return made
    default: return collection
    }
  }
}
