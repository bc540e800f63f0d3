/// The classes that a store keeps: those that a configuration names, or all that the program has.
struct ModelSelection {
  let models: [ModelClass]
  /// Classes of the program that were left out, each with a sentence for whoever uses them.
  let leftOut: [ObjectIdentifier: String]

  /// The classes that a configuration names.
  ///
  /// - Throws: `.fail` with every problem of every class, one a line.
  init(named types: [ObjectBase.Type]) throws {
    var seen: Set<ObjectIdentifier> = []
    var problems: [String] = []
    var models: [ModelClass] = []
    for type in types where seen.insert(ObjectIdentifier(type)).inserted {
      if Self.isBase(type) {
        problems.append("Class '\(type.className())' in objectTypes is the base of model classes and none itself.")
      } else {
        models.append(ModelClass.of(type))
      }
    }
    problems += ModelChecks.check(models)
    try Self.refuse(problems)
    self.models = models
    leftOut = [:]
  }

  /// All classes of the program that want to be in the default schema.
  ///
  /// Classes that share a name cannot be told apart, and are left out together with all that link to them, so that they spoil no
  /// realm that uses neither.
  init() throws {
    let types = ClassDiscovery.subclasses(of: ObjectBase.self).compactMap { $0 as? ObjectBase.Type }
      .filter { !Self.isBase($0) && !$0._realmIgnoreClass() && $0.shouldIncludeInDefaultSchema() }
    var models = types.map(ModelClass.of).sorted { ($0.name, $0.qualifiedName) < ($1.name, $1.qualifiedName) }
    var leftOut: [ObjectIdentifier: String] = [:]
    for (name, group) in Dictionary(grouping: models, by: \.name) {
      let plain = group.filter { $0.type._realmObjectName() == nil }
      guard plain.count > 1 else { continue }
      let all = plain.map { "'\($0.qualifiedName)'" }.joined(separator: " and ")
      for model in plain {
        leftOut[ObjectIdentifier(model.type)] =
          "Object type '\(name)' is not managed by the Realm: the program has several classes of that name (\(all)); "
          + "list the one to use in objectTypes, or give it another name by _realmObjectName()."
      }
    }
    // What links to a class that is left out cannot stay either. Each round leaves out at least one more.
    var isChanging = !leftOut.isEmpty
    while isChanging {
      isChanging = false
      for model in models where leftOut[ObjectIdentifier(model.type)] == nil {
        let missing = model.properties.compactMap(\.facts.target).first { leftOut[ObjectIdentifier($0)] != nil }
        guard let missing else { continue }
        leftOut[ObjectIdentifier(model.type)] =
          "Object type '\(model.name)' is not managed by the Realm: it links to '\(missing.className())', and the program "
          + "has several classes of that name; list the ones to use in objectTypes."
        isChanging = true
      }
    }
    models.removeAll { leftOut[ObjectIdentifier($0.type)] != nil }
    try Self.refuse(ModelChecks.check(models))
    self.models = models
    self.leftOut = leftOut
  }

  private static func isBase(_ type: ObjectBase.Type) -> Bool {
    type == ObjectBase.self || type == Object.self || type == EmbeddedObject.self || type == AsymmetricObject.self
      || type == DynamicObject.self
  }

  private static func refuse(_ problems: [String]) throws {
    guard !problems.isEmpty else { return }
    throw Realm.Error(
      .fail,
      "Schema validation failed due to the following errors:\n" + problems.map { "- \($0)" }.joined(separator: "\n"))
  }
}
