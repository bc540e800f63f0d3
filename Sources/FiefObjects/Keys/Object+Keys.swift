// The properties of objects by their names.

extension ObjectBase {
  /// The value of a property by its name; nil for null. An enum returns its raw value, a custom type the value that it
  /// is mapped to, an any-value its content.
  ///
  ///     print(dog["name"] as? String ?? "")
  ///     try realm.write { dog["name"] = "Rex" }
  ///
  /// Setting converts as `create` does: numbers between their types when nothing is lost, raw values of enums,
  /// dictionaries for objects, arrays for collections. A value of a wrong type fails the write. An unmanaged object
  /// records the error, and adding the object throws it; so does the write that hands over an asymmetric object.
  ///
  /// Traps for an unknown name, and on setting linking objects. For a managed object, setting traps outside a write
  /// transaction.
  public final subscript(key: String) -> Any? {
    get { value(named: key) }
    set { setValue(newValue, named: key) }
  }

  /// The value of a property by its name; equals the subscript. Traps for an unknown name.
  ///
  ///     let name = dog.value(forKey: "name") as? String
  public final func value(forKey key: String) -> Any? { value(named: key) }

  /// Sets a property by its name; equals the subscript, with its errors and traps.
  ///
  ///     try realm.write { dog.setValue("Rex", forKey: "name") }
  public final func setValue(_ value: Any?, forKey key: String) { setValue(value, named: key) }
}

extension Object {
  /// Whether both are accessors of one row of one realm, or one instance. (`==` compares rows only where the class has
  /// a primary key or both objects are frozen.)
  ///
  ///     if dog.isSameObject(as: person.dogs.first) { print("the first dog") }
  ///
  /// Traps when both show one row of a live realm that is confined to another thread, queue or actor.
  public func isSameObject(as object: Object?) -> Bool { isSame(as: object) }
}

extension EmbeddedObject {
  /// Whether both are accessors of one row of one realm, or one instance. (`==` compares rows only where both objects
  /// are frozen.)
  ///
  ///     if address.isSameObject(as: person.address) { print("\(person.name) lives here.") }
  ///
  /// Traps when both show one row of a live realm that is confined to another thread, queue or actor.
  public func isSameObject(as object: EmbeddedObject?) -> Bool { isSame(as: object) }
}

extension DynamicObject {
  /// The value of a property by its name; equals `value(forKey:)`, with its traps.
  public func value(forUndefinedKey key: String) -> Any? { value(named: key) }

  /// Sets a property by its name; equals `setValue(_:forKey:)`, with its errors and traps.
  public func setValue(_ value: Any?, forUndefinedKey key: String) { setValue(value, named: key) }

  /// The value of a property by its name; nil for null. Equals `Object.subscript(_:)`, with its conversions, errors and
  /// traps.
  ///
  ///     for dog in realm.dynamicObjects("Dog") { print(dog.name as? String ?? "", dog.age as? Int ?? 0) }
  public subscript(dynamicMember member: String) -> Any? {
    get { value(named: member) }
    set { setValue(newValue, named: member) }
  }
}
