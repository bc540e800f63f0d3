import FiefGraph

/// An object that is known by the names of its properties alone.
///
///     let dog = realm.dynamicObject(ofType: "Dog", forPrimaryKey: 3)
///     dog?["name"] = "Rex"
///     print(dog?.age as? Int)
///
/// It can show rows of every class of a realm's file, also of those that the program does not have. Values are what is stored: an enum
/// reads as its raw value, a link as a `DynamicObject`, a list of links as `List<DynamicObject>`, an any-value as what it holds. Values that
/// are set are converted as `create` does. A name that is no property traps.
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

extension ObjectBase {
  /// A collection of links whose targets are known by names alone.
  final func dynamicCollection<Collection: _CollectionProperty>(_ name: String, _ shape: ColumnShape) -> Collection {
    let property = requireProperty(name)
    guard property.facts.shape == shape, property.facts.kind == .link, !property.facts.isBacklinks else {
      fatalError("Property '\(model.name).\(name)' is no \(shape) of objects: read it by the subscript.")
    }
    guard let session = heldSession, let link, let binding = session.store.dynamicBinding(of: link.table) else {
      Misuse.unmanaged("The collection '\(model.name).\(name)' by names")
    }
    session.checkConfinement()
    if !hasRow { Misuse.invalidated(self) }
    return Collection(CollectionPlace(session, binding, key, property.number))
  }
}
