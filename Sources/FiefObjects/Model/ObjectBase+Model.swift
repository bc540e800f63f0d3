import FiefGraph
import FiefRuntime
import FiefSessions

extension ObjectBase {
  /// The class's declaration as the object's realm stores it.
  package final var model: ModelClass {
    guard let session, let binding else { return ModelClass.of(type(of: self)) }
    let known = binding.with { $0.model }
    if binding.with({ hasProperties(of: $0) }) { return known }
    let table = binding.with { $0.table }
    return session.with { $0.store.dynamicBinding(of: table)?.model } ?? known
  }

  /// Whether the object has the properties of its binding. A dynamic object has no fields, unlike the class whose row
  /// it may be bound to.
  private final func hasProperties(of binding: ClassBinding) -> Bool {
    binding.type == DynamicObject.self || type(of: self) != DynamicObject.self
  }

  /// The property with the given name; nil when it does not exist.
  final func knownProperty(_ name: String) -> ModelProperty? {
    let known = binding?.with { binding in
      hasProperties(of: binding) ? binding.number(of: name).map { binding.all[$0].model } : nil
    }
    if let known { return known }
    let model = model
    return model.number(of: name).map { model.properties[$0] }
  }

  /// Whether the object is embedded. A dynamic object may show a row that is.
  final var isOwned: Bool { binding?.with { $0.kind == .embedded } ?? (self is EmbeddedObject) }

  /// The property with the given name; traps when it does not exist.
  final func requireProperty(_ name: String) -> ModelProperty {
    guard let property = knownProperty(name) else { lacksProperty(name) }
    return property
  }

  /// Traps for a name that no property has.
  final func lacksProperty(_ name: String) -> Never {
    let model = model
    fatalError("Invalid property name '\(name)' for class '\(model.name)': \(model.advice(on: name))")
  }

  /// Records an error; adding the object to a realm throws it.
  package final func note(_ error: any Error) {
    let described = Realm.Error.describing(error)
    FaultyObjects.note(described as? Realm.Error ?? Realm.Error(.invalidValue, "\(described)"), self)
  }

  /// Whether both are accessors of one row of one realm, or one instance.
  final func isSame(as other: ObjectBase?) -> Bool {
    guard let other else { return false }
    return self === other || isSameRow(other, forEquality: false)
  }
}

extension ModelClass {
  /// Advice on a name that no property has, as the end of a sentence.
  package func advice(on name: String) -> String {
    var isPlain = false
    if type != DynamicObject.self {
      StoredFields.forEach(of: type) { field, _, _ in isPlain = isPlain || field == name }
    }
    if isPlain { return "it is declared without @Persisted, so it is not stored." }
    return SchemaNames.advice(on: name, among: properties.map(\.name))
  }
}
