import FiefGraph
import FiefObjects

/// Checks of a class, or of a set of classes, that need no store. Every problem is a sentence that names class and
/// property.
enum ModelChecks {
  /// The longest names that the stored form allows, in bytes of UTF-8.
  static let longestClassName = 57
  static let longestPropertyName = 63

  private static func check(_ model: ModelClass) -> [String] {
    var problems = model.problems
    let name = model.name
    let keys = model.properties.filter(\.isPrimaryKey)
    let olderKey = model.legacyKey
    problems += nameProblems(name, model.properties.filter(\.isStored).map(\.storedName))
    if model.properties.isEmpty {
      problems.append("Class '\(name)' has no properties to keep: declare at least one with @Persisted.")
    }
    if keys.count > 1 {
      problems.append(
        "Class '\(name)' has more than one primary key: \(keys.map { "'\($0.name)'" }.joined(separator: ", ")).")
    }
    if let olderKey, let declared = keys.first(where: { $0.name != olderKey }), model.number(of: olderKey) == nil {
      problems.append(
        "Class '\(name)' declares the primary key '\(declared.name)', and primaryKey() names '\(olderKey)', which does "
          + "not exist."
      )
    } else if let olderKey, model.number(of: olderKey) == nil {
      problems.append("Primary key property '\(olderKey)' does not exist on class '\(name)'.")
    }
    for index in model.legacyIndexes.sorted() where model.number(of: index) == nil {
      problems.append("Indexed property '\(index)' does not exist on class '\(name)'.")
    }
    if model.kind == .embedded, let key = keys.first {
      problems.append("Embedded class '\(name)' cannot have a primary key ('\(key.name)').")
    }
    if model.kind == .asymmetric && keys.isEmpty {
      problems.append("Asymmetric class '\(name)' must have a primary key.")
    }
    var names: Set<String> = []
    var storedNames: Set<String> = []
    for property in model.properties {
      let path = "\(name).\(property.name)"
      if !names.insert(property.name).inserted {
        problems.append("Property '\(path)' is declared twice, in the class and in a superclass.")
      }
      if property.isStored && !storedNames.insert(property.storedName).inserted {
        problems.append("Property '\(path)' is stored as '\(property.storedName)', and so is another property.")
      }
      if property.storedName.isEmpty || property.storedName.utf8.count > longestPropertyName {
        problems.append("The stored name of property '\(path)' must have 1 to \(longestPropertyName) bytes.")
      }
      if let other = model.number(of: property.storedName), property.isStored, other != property.number {
        problems.append(
          "Property '\(path)' is stored as '\(property.storedName)', which is the name of another property.")
      }
      if let problem = property.facts.problem { problems.append("Property '\(path)' \(problem).") }
      check(property, of: model.kind, at: path, &problems)
    }
    problems += indexProblems(model.compoundIndexes, of: name) { name in
      model.number(of: name).map { model.properties[$0].facts }.map {
        (phrase("\($0.kind)", $0.shape), $0.columnType.isIndexable && !$0.isBacklinks)
      }
    }
    return problems
  }

  /// The problems of the name of a class, of the characters of stored names, and of the number of properties.
  static func nameProblems(_ className: String, _ propertyNames: [String]) -> [String] {
    var problems: [String] = []
    if className.isEmpty || className.utf8.count > longestClassName {
      problems.append("Class name '\(className)' must have 1 to \(longestClassName) bytes.")
    }
    if className.utf8.starts(with: TableSchema.internalPrefix.utf8) {
      problems.append("Class name '\(className)' must not begin with '\(TableSchema.internalPrefix)'.")
    }
    if className == "any.list" || className == "any.dictionary" {
      problems.append("Class name '\(className)' is taken by the collections in any-values.")
    }
    let shown = SchemaNames.printed(className)
    if !className.isEmpty, let problem = SchemaNames.problem(of: className) {
      problems.append("Class name '\(shown)' \(problem).")
    }
    for name in propertyNames where !name.isEmpty {
      guard let problem = SchemaNames.problem(of: name) else { continue }
      problems.append("The stored name of property '\(shown).\(SchemaNames.printed(name))' \(problem).")
    }
    if propertyNames.count > TableSchema.widest {
      problems.append(
        "Class '\(shown)' has \(propertyNames.count) properties, and at most \(TableSchema.widest) can be kept.")
    }
    return problems
  }

  /// The problems of the indexes over several properties of a class.
  ///
  /// - Parameter property: describes the type of a property, and says whether it can be indexed; nil for a name that
  ///   the class does not have.
  static func indexProblems(
    _ indexes: [CompoundIndex], of className: String, _ property: (String) -> (phrase: String, isIndexable: Bool)?
  ) -> [String] {
    var problems: [String] = []
    var known: Set<[String]> = []
    for index in indexes {
      let label =
        "Compound index over \(index.properties.map { "'\($0)'" }.joined(separator: ", ")) of class '\(className)'"
      if index.properties.count < 2 || Set(index.properties).count < index.properties.count {
        problems.append("\(label) must name two or more properties, each once.")
      }
      if !known.insert(index.properties).inserted { problems.append("\(label) is declared twice.") }
      for name in index.properties {
        guard let property = property(name) else {
          problems.append("\(label) names '\(name)', which does not exist.")
          continue
        }
        if !property.isIndexable { problems.append("\(label) names '\(name)': \(property.phrase) cannot be indexed.") }
      }
    }
    return problems
  }

  private static func check(
    _ property: ModelProperty, of kind: TableKind, at path: String, _ problems: inout [String]
  ) {
    let facts = property.facts
    problems += property.declaration.problems(of: facts.columnType, phrase("\(facts.kind)", facts.shape), at: path)
    if facts.isBacklinks && kind == .asymmetric {
      problems.append("Property '\(path)' cannot be LinkingObjects: nothing links to an asymmetric object.")
    }
    if facts.isBacklinks && property.origin == nil {
      problems.append(
        "Property '\(path)' is LinkingObjects without an origin: declare it with @Persisted(originProperty:).")
    }
    if facts.shape == .set, let target = facts.target, target is EmbeddedObject.Type {
      problems.append("Property '\(path)' cannot be a set of the embedded class '\(target.className())'.")
    }
    if let target = facts.target, kind == .asymmetric, !(target is EmbeddedObject.Type) {
      problems.append(
        "Property '\(path)' of an asymmetric class cannot link to '\(target.className())': only embedded objects can "
          + "be part of one."
      )
    }
    if let target = facts.target, target is AsymmetricObject.Type {
      problems.append("Property '\(path)' cannot link to the asymmetric class '\(target.className())'.")
    }
  }

  /// A description of the type for messages: "a list".
  static func phrase(_ kind: String, _ shape: ColumnShape) -> String {
    switch shape {
    case .single: "a property of type \(kind)"
    case .list: "a list"
    case .set: "a set"
    case .dictionary: "a map"
    }
  }

  /// Checks classes for one store: missing link targets, wrong origins, and conflicting names.
  static func check(_ models: [ModelClass]) -> [String] {
    var problems: [String] = []
    let known = Set(models.map { ObjectIdentifier($0.type) })
    for model in models {
      problems += check(model)
      for property in model.properties {
        guard let target = property.facts.target else { continue }
        let path = "\(model.name).\(property.name)"
        if target == Object.self || target == ObjectBase.self || target == AsymmetricObject.self
          || target == EmbeddedObject.self || target == DynamicObject.self
        {
          problems.append("Property '\(path)' links to '\(target.className())', which is no model class.")
          continue
        }
        guard known.contains(ObjectIdentifier(target)) else {
          problems.append(
            "Property '\(path)' links to class '\(target.className())', which is missing from the list of classes "
              + "managed by the realm.")
          continue
        }
        if property.facts.isBacklinks, let origin = property.origin {
          checkOrigin(origin, in: ModelClass.of(target), of: model, path: path, &problems)
        }
      }
    }
    return problems + clashes(models)
  }

  private static func checkOrigin(
    _ origin: String, in source: ModelClass, of model: ModelClass, path: String, _ problems: inout [String]
  ) {
    guard let number = source.number(of: origin), source.properties[number].isStored else {
      problems.append("Property '\(source.name).\(origin)' declared as origin of '\(path)' does not exist.")
      return
    }
    let facts = source.properties[number].facts
    guard facts.kind == .any || facts.target.map({ ModelClass.of($0).name == model.name }) ?? false else {
      problems.append(
        "Property '\(source.name).\(origin)' declared as origin of '\(path)' does not link to class '\(model.name)'.")
      return
    }
  }

  /// Checks that classes with one stored name agree on what they share.
  private static func clashes(_ models: [ModelClass]) -> [String] {
    var problems: [String] = []
    for (name, classes) in Dictionary(grouping: models, by: \.name) where classes.count > 1 {
      guard classes.filter({ $0.type._realmObjectName() == nil }).count <= 1 else {
        let all = classes.map { "'\($0.qualifiedName)'" }.sorted().joined(separator: " and ")
        problems.append(
          "Classes \(all) have one name, '\(name)': give one of them another by _realmObjectName(), or list the "
            + "classes of this realm in objectTypes.")
        continue
      }
      problems += disagreements(name, classes)
    }
    return problems
  }

  /// Returns the contradictions between classes that share a table.
  private static func disagreements(_ name: String, _ classes: [ModelClass]) -> [String] {
    let all = classes.map { "'\($0.type.className())'" }.sorted().joined(separator: " and ")
    if Set(classes.map(\.kind)).count > 1 {
      return ["Classes \(all) are stored as '\(name)' and are not all of one kind (embedded or not)."]
    }
    var problems: [String] = []
    if Set(classes.map { model in model.primaryKey.map { model.properties[$0].storedName } }).count > 1 {
      problems.append("Classes \(all) are stored as '\(name)' and must have the same primary key.")
    }
    var known: [String: (model: ModelClass, property: ModelProperty)] = [:]
    for model in classes {
      for property in model.properties where property.isStored {
        guard let other = known[property.storedName] else {
          known[property.storedName] = (model, property)
          continue
        }
        let paths =
          "Properties '\(other.model.type.className()).\(other.property.name)' and "
          + "'\(model.type.className()).\(property.name)' are stored as one, '\(name).\(property.storedName)', and"
        if !property.facts.isStoredAlike(other.property.facts) {
          problems.append("\(paths) are of different types.")
        } else if !property.declaration.isIndexed(like: other.property.declaration) {
          problems.append("\(paths) must both be indexed or both not.")
        } else if property.declaration.deleteRule != other.property.declaration.deleteRule {
          problems.append("\(paths) have different delete rules.")
        }
      }
    }
    return problems
  }
}

extension _TypeFacts {
  /// Whether columns of both types have the same form. The declared width of integers does not matter.
  func isStoredAlike(_ other: _TypeFacts) -> Bool {
    kind == other.kind && shape == other.shape && (isOptional == other.isOptional || kind == .link || kind == .any)
      && storedTarget == other.storedTarget
  }
}
