import Foundation

// Properties by name. What an application calls is declared by `Object`, `EmbeddedObject` and `AsymmetricObject`.

extension ObjectBase {
  /// What the class says of itself, as the object's realm has it.
  final var model: ModelClass {
    guard let session = heldSession, let binding else { return ModelClass.of(type(of: self)) }
    let known = binding._withUnsafeGuaranteedRef { $0.model }
    // A dynamic object has none of the fields of the class whose row it may have been bound to.
    guard known.type != DynamicObject.self, type(of: self) == DynamicObject.self else { return known }
    let table = binding._withUnsafeGuaranteedRef { $0.table }
    return session.store.dynamicBinding(of: table)?.model ?? known
  }

  /// The property of that name; traps when there is none.
  final func requireProperty(_ name: String) -> ModelProperty {
    let model = model
    if let number = model.number(of: name) { return model.properties[number] }
    fatalError("Invalid property name '\(name)' for class '\(model.name)': it has \(model.propertyNames).")
  }

  /// The value of a property, nil for null.
  final func value(named name: String) -> Any? {
    if let shown = (self as? DynamicObject)?.shown { return shown.value(named: name) }
    let property = requireProperty(name)
    return property.access.plain(self, property.number)
  }

  /// Gives a property a value by the conversions that `create` allows.
  ///
  /// A value of a wrong type fails the write; an unmanaged object takes note of it, and cannot be added any more.
  final func setValue(_ value: Any?, named name: String) {
    if let shown = (self as? DynamicObject)?.shown { return shown.setValue(value, named: name) }
    let property = requireProperty(name)
    if let session = heldSession {
      session.checkWriting("Property '\(model.name).\(name)' was changed", of: self)
      if !hasRow { Misuse.invalidated(self) }
    }
    guard property.isStored else {
      fatalError("Property '\(model.name).\(name)' cannot be set: it shows what links to the object.")
    }
    if property.access.set(self, property.number, value) { return }
    guard let session = heldSession, let link, let bound = binding?._withUnsafeGuaranteedRef({ $0 }) else {
      return build(property, value)
    }
    // What is no value of the property's type may stand for one, as a nested dictionary does for an object, or be
    // stored all the same, as a raw value that is no case (any more): `create` says. It never changes a primary key.
    guard model.primaryKey != property.number else {
      return session.fail(
        Realm.Error(
          .invalidValue,
          "Invalid value \(Untyped.words(value as Any)) for property '\(model.name).\(property.name)': expected "
            + "\(property.declaredWords(isElement: false))."))
    }
    let binding = self is DynamicObject ? session.store.binding(of: link.table) ?? bound : bound
    session.assign(value, property.name, key, binding, .error)
  }

  /// Gives a property of an unmanaged object what `init(value:)` would. A bad value changes nothing, and is remembered.
  private final func build(_ property: ModelProperty, _ value: Any?) {
    do {
      let example = type(of: self).init()
      try ObjectBuilder.fill(example, [property.name: value.flatMap(flattened) ?? NSNull()])
      _ = property.access.set(self, property.number, property.access.get(example, property.number))
    } catch {
      note(error)
    }
  }

  /// Remembers an error, which bringing the object into a realm fails with.
  final func note(_ error: any Error) {
    let described = Realm.Error.describing(error)
    FaultyObjects.note(described as? Realm.Error ?? Realm.Error(.invalidValue, "\(described)"), self)
  }

  /// The value at the end of a path of names with dots between them; nil as soon as a step is null. A step from a
  /// collection goes on from each of its elements, and gives an array; one from a map from the value under a key.
  final func value(atPath path: String) -> Any? {
    KeyedElements.value(of: self, path)
  }

  /// Whether both are accessors of one row of one realm, or one instance.
  final func isSame(as other: ObjectBase?) -> Bool {
    guard let other else { return false }
    return self === other || isSameRow(other, forEquality: false)
  }
}

extension ModelClass {
  /// The names of the properties in words.
  var propertyNames: String {
    properties.isEmpty ? "none" : properties.prefix(32).map { "'\($0.name)'" }.joined(separator: ", ")
  }
}
