import FiefGraph
import FiefObjects

// The meaning of the options of a declaration for a table, and the options that a type does not allow.

extension _Declaration {
  /// Whether both have an index by the values, or none, and it is unique for both or for none.
  func isIndexed(like other: _Declaration) -> Bool {
    isIndexed == other.isIndexed && contains(.unique) == other.contains(.unique)
  }

  /// The indexes of a column with a name. A primary key needs none by its values.
  func indexes(over name: String) -> [ColumnIndex<String>] {
    var indexes: [ColumnIndex<String>] = []
    if !contains(.primaryKey), isIndexed {
      indexes.append(ColumnIndex([name], isUnique: contains(.unique)))
    }
    if contains(.fullText) { indexes.append(.fullText(name)) }
    return indexes
  }

  /// The column that a property of a type declares.
  ///
  /// - Parameters:
  ///   - label: the name in messages, when it is another.
  ///   - target: the stored name of the class that links point at.
  func column(_ name: String, label: String? = nil, _ type: ColumnType, target: String?) -> ColumnDeclaration {
    ColumnDeclaration(name, label: label, type, target: target, deleteRule: deleteRule)
  }

  /// The problems of what is declared for a property of a type: keys, indexes and delete rules.
  ///
  /// - Parameters:
  ///   - phrase: the type for messages: "a list".
  ///   - isOwned: whether it holds embedded objects, which take no delete rule.
  func problems(of type: ColumnType, _ phrase: String, isOwned: Bool = false, at path: String) -> [String] {
    var problems: [String] = []
    if contains(.primaryKey) && !type.canBePrimaryKey {
      problems.append("Property '\(path)' cannot be the primary key: \(phrase) cannot be one.")
    }
    if isIndexed && !type.isIndexable {
      problems.append("Property '\(path)' cannot be indexed: \(phrase) cannot be.")
    }
    if contains(.fullText) && !type.hasWords {
      problems.append("Property '\(path)' cannot have a full-text index: \(phrase) has no words.")
    }
    if rulesDeletions && type.kind != .link {
      problems.append("Property '\(path)' has a delete rule and is no link.")
    }
    if rulesDeletions && isOwned {
      problems.append("Property '\(path)' needs no delete rule: embedded objects are deleted with their owner.")
    }
    return problems
  }
}

extension ColumnType {
  /// Whether a property of the type can be indexed.
  var isIndexable: Bool {
    let kinds: Set<ValueKind> = [.int, .string, .objectId, .uuid, .bool, .date, .any]
    return kinds.contains(kind) && shape == .single
  }
}
