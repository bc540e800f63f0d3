import FiefGraph
import FiefSessions

/// An object that is accessed by the names of its properties.
///
///     if let dog = realm.dynamicObject(ofType: "Dog", forPrimaryKey: 3) {
///       try realm.write { dog["name"] = "Rex" }
///       print(dog.age as? Int ?? 0)
///     }
///
/// It can show rows of every class in a realm's file, including classes that the program does not define. Values have
/// their stored form: an enum reads as its raw value, a list of links as `List<DynamicObject>`, an any-value as its
/// content. A link reads as an object of its class, or as a `DynamicObject` when the program does not define that
/// class. Setting converts as `create` does. An unknown name traps.
@dynamicMemberLookup
public final class DynamicObject: Object {
  /// The unmanaged object that this one shows; nil when it is managed.
  private(set) var shown: ObjectBase?

  /// Returns a dynamic accessor of the row of a managed object, or a wrapper of an unmanaged one.
  static func of(_ object: ObjectBase) -> DynamicObject? {
    if let object = object as? DynamicObject { return object }
    if let session = object.retainedSession { return object.rowLink.flatMap(session.dynamicAccessor) }
    let made = DynamicObject()
    made.shown = object
    return made
  }

  /// Returns what stands for an object that could not be created, in a write that has failed: all its properties are
  /// null, and what is set is dropped.
  package static func uncreated(in session: Session) -> DynamicObject {
    let made = DynamicObject()
    made.note(session.failure ?? Realm.Error(.invalidValue, "The object could not be created."))
    return made
  }

  /// Whether it stands for an object that could not be created.
  package var isUncreated: Bool { flags.contains(.faulty) && shown == nil && !isManaged }

  /// The object of its class for the same row, or the unmanaged object that this one shows; itself when the program has
  /// no class for the row.
  var typed: ObjectBase {
    guard let session = retainedSession, let link = rowLink else { return shown ?? self }
    return session.store.binding(of: link.table).map { session.accessor($0, link.key) } ?? self
  }
}

extension ObjectBase {
  /// The object for which this one stands: what a dynamic object shows that is not managed, or else this one.
  final var represented: ObjectBase {
    type(of: self) == DynamicObject.self ? (self as? DynamicObject)?.shown ?? self : self
  }
}
