// The properties of objects by their names.

extension Object {
  /// The value of a property by its name; nil for null. An enum returns its raw value, a custom type the value that it
  /// is mapped to, an any-value its content.
  ///
  /// Setting converts as `create` does: numbers between their types when nothing is lost, raw values of enums,
  /// dictionaries for objects, arrays for collections. A value of a wrong type fails the write. An unmanaged object
  /// records the error, and adding the object throws it.
  ///
  /// Traps for an unknown name.
  public subscript(key: String) -> Any? {
    get { value(named: key) }
    set { setValue(newValue, named: key) }
  }

  /// The value of a property by its name; equals the subscript.
  public func value(forKey key: String) -> Any? { value(named: key) }

  /// The value at the end of a path of names, separated by dots; nil as soon as a link on the way is nil.
  public func value(forKeyPath keyPath: String) -> Any? { value(atPath: keyPath) }

  /// Sets a property by its name; equals the subscript.
  public func setValue(_ value: Any?, forKey key: String) { setValue(value, named: key) }

  /// Whether both are accessors of one row of one realm, or one instance. (`==` compares rows only where the class has
  /// a primary key or both objects are frozen.)
  public func isSameObject(as object: Object?) -> Bool { isSame(as: object) }
}

extension EmbeddedObject {
  /// The value of a property by its name; nil for null. An enum returns its raw value, a custom type the value that it
  /// is mapped to, an any-value its content.
  ///
  /// Setting converts as `create` does: numbers between their types when nothing is lost, raw values of enums,
  /// dictionaries for objects, arrays for collections. A value of a wrong type fails the write. An unmanaged object
  /// records the error, and adding the object throws it.
  ///
  /// Traps for an unknown name.
  public subscript(key: String) -> Any? {
    get { value(named: key) }
    set { setValue(newValue, named: key) }
  }

  /// The value of a property by its name; equals the subscript.
  public func value(forKey key: String) -> Any? { value(named: key) }

  /// The value at the end of a path of names, separated by dots; nil as soon as a link on the way is nil.
  public func value(forKeyPath keyPath: String) -> Any? { value(atPath: keyPath) }

  /// Sets a property by its name; equals the subscript.
  public func setValue(_ value: Any?, forKey key: String) { setValue(value, named: key) }

  /// Whether both are accessors of one row of one realm, or one instance. (`==` compares rows only where both objects
  /// are frozen.)
  public func isSameObject(as object: EmbeddedObject?) -> Bool { isSame(as: object) }
}

extension AsymmetricObject {
  /// The value of a property by its name; nil for null. An enum returns its raw value, a custom type the value that it
  /// is mapped to, an any-value its content.
  ///
  /// Setting converts as `create` does: numbers between their types when nothing is lost, raw values of enums,
  /// dictionaries for objects, arrays for collections. A value of a wrong type fails the write. An unmanaged object
  /// records the error, and adding the object throws it.
  ///
  /// Traps for an unknown name.
  public subscript(key: String) -> Any? {
    get { value(named: key) }
    set { setValue(newValue, named: key) }
  }

  /// The value of a property by its name; equals the subscript.
  public func value(forKey key: String) -> Any? { value(named: key) }

  /// The value at the end of a path of names, separated by dots; nil as soon as a link on the way is nil.
  public func value(forKeyPath keyPath: String) -> Any? { value(atPath: keyPath) }

  /// Sets a property by its name; equals the subscript.
  public func setValue(_ value: Any?, forKey key: String) { setValue(value, named: key) }
}

extension DynamicObject {
  /// The value of a property by its name; nil for null.
  public subscript(dynamicMember member: String) -> Any? {
    get { value(named: member) }
    set { setValue(newValue, named: member) }
  }
}
