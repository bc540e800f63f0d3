import FiefGraph
import FiefObjects

extension DynamicSchema {
  /// The problems of the schema, as sentences that name class and property; empty for a valid schema.
  ///
  ///     let schema = DynamicSchema([.init("Dog", primaryKey: "id", [.init("name", .string)])])
  ///     for problem in schema.problems { print(problem) }
  ///
  /// - Complexity: linear in the properties.
  public var problems: [String] {
    var problems: [String] = []
    var kinds: [String: Bool] = [:]
    for described in classes {
      if kinds.updateValue(described.isEmbedded, forKey: described.name) != nil {
        problems.append("The schema has two classes named '\(described.name)'.")
      }
    }
    for described in classes {
      described.check(&problems)
      for property in described.properties { property.check(in: described, kinds, &problems) }
    }
    return problems
  }

  /// The tables of the classes. Called for a valid schema.
  var declarations: [TableDeclaration] { classes.map(\.declaration) }
}

extension DynamicSchema.Class {
  fileprivate func check(_ problems: inout [String]) {
    problems += ModelChecks.nameProblems(name, properties.map(\.name))
    var names: Set<String> = []
    for property in properties where !names.insert(property.name).inserted {
      problems.append("Property '\(name).\(property.name)' is declared twice.")
    }
    if let primaryKey {
      if isEmbedded { problems.append("Embedded class '\(name)' cannot have a primary key ('\(primaryKey)').") }
      if !properties.contains(where: { $0.name == primaryKey }) {
        problems.append("Primary key property '\(primaryKey)' does not exist on class '\(name)'.")
      }
    }
    problems += ModelChecks.indexProblems(compoundIndexes, of: name) { name in
      properties.first { $0.name == name }.map { ($0.phrase, $0.isIndexable) }
    }
  }

  fileprivate var declaration: TableDeclaration {
    TableDeclaration(
      name: name, kind: isEmbedded ? .embedded : .ordinary,
      columns: properties.map {
        $0.declaration(in: self).column($0.name, $0.columnType, target: $0.objectClassName)
      },
      primaryKey: primaryKey,
      indexes: properties.flatMap { $0.declaration(in: self).indexes(over: $0.name) }
        + compoundIndexes.map { ColumnIndex($0.properties, isUnique: $0.isUnique) })
  }
}

extension DynamicSchema.Property {
  /// The options of the property, as a wrapper's arguments declare them.
  fileprivate func declaration(in described: DynamicSchema.Class) -> _Declaration {
    declaration.union(name == described.primaryKey ? .primaryKey : [])
  }

  fileprivate func check(in described: DynamicSchema.Class, _ kinds: [String: Bool], _ problems: inout [String]) {
    let path = "\(described.name).\(name)"
    if name.isEmpty || name.utf8.count > ModelChecks.longestPropertyName {
      problems.append("The name of property '\(path)' must have 1 to \(ModelChecks.longestPropertyName) bytes.")
    }
    guard type != .linkingObjects else {
      problems.append("Property '\(path)' cannot be LinkingObjects: nothing of it is stored.")
      return
    }
    if type == .object {
      if let objectClassName {
        if kinds[objectClassName] == nil {
          problems.append("Property '\(path)' links to class '\(objectClassName)', which the schema does not have.")
        } else if kinds[objectClassName] == true && collection == .set {
          problems.append("Property '\(path)' cannot be a set of the embedded class '\(objectClassName)'.")
        }
      } else {
        problems.append("Property '\(path)' is a link without a class: name one with linkingTo.")
      }
    } else if objectClassName != nil {
      problems.append("Property '\(path)' names a class and is no link.")
    }
    let isOwned = type == .object && objectClassName.map { kinds[$0] == true } ?? false
    problems += declaration(in: described).problems(of: columnType, phrase, isOwned: isOwned, at: path)
  }

  fileprivate var isIndexable: Bool { type != .linkingObjects && columnType.isIndexable }

  /// The type for messages: "a list", "a property of type int".
  fileprivate var phrase: String { ModelChecks.phrase("\(type)", columnType.shape) }

  /// The type of the column, without its target.
  fileprivate var columnType: ColumnType {
    let kind = type.kind
    let shape: ColumnShape =
      switch collection {
      case .single: .single
      case .list: .list
      case .set: .set
      case .map: .dictionary
      }
    return ColumnType(kind, shape: shape, isOptional: isOptional && kind != .link && kind != .any)
  }
}
