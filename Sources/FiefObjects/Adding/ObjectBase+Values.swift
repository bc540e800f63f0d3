extension ObjectBase {
  /// Makes an unmanaged object from a value.
  ///
  ///     let dog = Dog(value: ["name": "Rex", "age": 3])
  ///     let other = Dog(value: ["Rufus", 5])
  ///
  /// `value` can be a dictionary with property names as keys. Missing keys mean the declared default, and unknown keys
  /// are ignored. It can be an array with one value for each property, in the order of their declarations. It can be an
  /// object, whose nil properties are skipped. Nested objects are stored by reference; nested dictionaries and arrays
  /// become objects.
  ///
  /// An invalid value does not trap: the object then has its defaults, and adding it to a realm fails with the error.
  /// Use `init(validating:)` to get the error at once.
  ///
  /// - Parameter value: a dictionary, an array or an object.
  /// - Complexity: linear in the values.
  public convenience init(value: Any) {
    self.init()
    fill(value)
  }

  /// Makes an unmanaged object from a value; see `init(value:)`.
  ///
  ///     do {
  ///       let dog = try Dog(validating: ["name": "Rex", "age": "three"])
  ///       print(dog.name)
  ///     } catch {
  ///       print(error)
  ///     }
  ///
  /// - Parameter value: a dictionary, an array or an object.
  /// - Throws: `Realm.Error` with class, path and value when the value is invalid.
  /// - Complexity: linear in the values.
  public convenience init(validating value: Any) throws {
    self.init()
    try UnmanagedBuilder.fill(self, value)
  }

  /// Sets the properties of a new object from a value. If the value is invalid, only the error is recorded.
  final func fill(_ value: Any) {
    do {
      try UnmanagedBuilder.fill(self, value)
    } catch {
      // Properties that were set before the error get the values of a new object again.
      let fresh = type(of: self).init()
      let model = ModelClass.of(type(of: self))
      for property in model.properties where property.isStored {
        _ = property.set(property.value(in: fresh), in: self)
      }
      note(error)
    }
  }
}
