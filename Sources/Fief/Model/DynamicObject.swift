import FiefGraph

/// An object that is known by the names of its properties alone.
///
///     let dog = realm.dynamicObject(ofType: "Dog", forPrimaryKey: 3)
///     dog?["name"] = "Rex"
///     print(dog?.age as? Int)
///
/// It can show rows of every class of a realm's file, also of those that the program does not have. Values are what is
/// stored: an enum reads as its raw value, a list of links as `List<DynamicObject>`, an any-value as what it holds, a
/// link as an object of its class, or as a `DynamicObject` when the program does not have that. Values that are set are
/// converted as `create` does. A name that is no property traps.
@dynamicMemberLookup
public final class DynamicObject: Object {
  /// The unmanaged object that is shown by names, when it is none of a realm.
  private(set) var shown: ObjectBase?

  /// The value of a property by its name; nil for null.
  public subscript(dynamicMember member: String) -> Any? {
    get { value(named: member) }
    set { setValue(newValue, named: member) }
  }

  /// An object by names alone: of a managed one another accessor of its row.
  static func of(_ object: ObjectBase) -> DynamicObject? {
    if let object = object as? DynamicObject { return object }
    if let session = object.heldSession { return object.link.flatMap(session.dynamicAccessor) }
    let made = DynamicObject()
    made.shown = object
    return made
  }
}
