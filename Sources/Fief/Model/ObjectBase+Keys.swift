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
    return property.access.get(self, property.number)
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
    let error = Realm.Error(
      .invalidValue,
      "Invalid value \(Self.words(value)) for property '\(model.name).\(name)': \(property.expectation) is expected.")
    if let session = heldSession { session.fail(error) } else { FaultyObjects.note(error, self) }
  }

  /// The value at the end of a path of names with dots between them; nil as soon as a step is null. A step from a collection goes on from
  /// each of its elements, and gives an array.
  final func value(atPath path: String) -> Any? {
    var current: Any? = self
    for (index, name) in path.split(separator: ".", omittingEmptySubsequences: false).enumerated() {
      guard let value = current else { return nil }
      current = Self.step(from: value, String(name)) { index == 0 ? self.model.name : path }
    }
    return current
  }

  private static func step(from value: Any, _ name: String, _ path: () -> String) -> Any? {
    switch value {
    case let object as ObjectBase: return object.value(named: name)
    case let elements as any Sequence where !(value is String || value is Data):
      if name == "@count" { return elements.underestimatedCount }
      return elements.map { element in flattened(element).flatMap { step(from: $0, name, path) as Any } ?? NSNull() }
    default:
      fatalError(
        "Invalid property name '\(name)' in the key path '\(path())': it follows a value that has no properties.")
    }
  }

  /// A value as an error shows it: short, with its type.
  private static func words(_ value: Any?) -> String {
    guard let value = value.flatMap(flattened), !Untyped.isNull(value) else { return "null" }
    let text = value is ObjectBase || value is any Collection && !(value is String) ? "" : " '\("\(value)".prefix(64))'"
    return "\(text) of type '\(type(of: value))'".trimmingPrefix(" ").description
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

extension ModelProperty {
  /// What can be assigned, in words.
  var expectation: String {
    let target = facts.targetName ?? facts.target.map { $0.className() }
    let kind = target.map { "an object of class '\($0)'" } ?? "\(facts.kind)"
    switch facts.shape {
    case .single:
      return facts.kind == .any ? "a value that AnyRealmValue can hold" : kind + (facts.isOptional ? " or null" : "")
    case .list, .set: return "a collection of \(kind)"
    case .dictionary: return "a dictionary of \(kind)"
    }
  }
}
