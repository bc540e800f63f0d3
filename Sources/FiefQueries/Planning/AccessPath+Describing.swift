import FiefGraph

// A description of a plan, for query explanations.

extension AccessPath {
  /// The plan as a sentence.
  func sentence(for table: Table) -> String {
    switch self {
    case .nothing: return "an index shows that there is none."
    case .keys(let keys, _):
      return "primary key; \(keys.count) row\(keys.count == 1 ? "" : "s") found by it."
    case .index(let use, nil, let isWhole):
      return
        "\(use.phrase(table)); the \(use.rowCount(in: table)) rows that it gives "
        + "\(isWhole ? "are the answer." : "are tested.")"
    case .index(let use, let second?, _):
      return "\(use.phrase(table)) (\(use.rowCount(in: table)) rows) and \(second.phrase(table)) (\(second.count)); "
        + "what both give is tested."
    case .union(let plans, let isWhole):
      var phrases: [String] = []
      for plan in plans {
        let phrase = plan.phrase(table)
        if !phrases.contains(phrase) { phrases.append(phrase) }
      }
      return "one of \(plans.count) alternatives by \(phrases.joined(separator: ", ")); what they give together "
        + (isWhole ? "is the answer." : "is tested.")
    case .scan: return "scan of all rows, leaf by leaf, cheap tests first."
    }
  }

  private func phrase(_ table: Table) -> String {
    switch self {
    case .keys: "primary key"
    case .index(let use, nil, _): use.phrase(table)
    case .index(let use, let second?, _): "\(use.phrase(table)) and \(second.phrase(table))"
    default: "an index that shows that there is none"
    }
  }

  /// The columns of the indexes that the plan uses, each index once.
  func indexes(of table: Table) -> [[String]] {
    switch self {
    case .nothing, .scan: return []
    case .keys: return [[table.schema.primaryKey.flatMap { table.schema.column($0)?.name } ?? ""]]
    case .index(let use, let second, _): return [use.columns(table)] + (second.map { [$0.columns(table)] } ?? [])
    case .union(let plans, _):
      var found: [[String]] = []
      for plan in plans {
        for columns in plan.indexes(of: table) where !found.contains(columns) { found.append(columns) }
      }
      assert(Set(found).count == found.count, "Each index is named once.")
      return found
    }
  }
}

extension IndexUse {
  func columns(_ table: Table) -> [String] {
    table.indexes[index].definition.columns.compactMap { table.schema.column($0)?.name }
  }

  func phrase(_ table: Table) -> String {
    let isFullText = table.indexes[index].definition.isFullText
    return "index on \(isFullText ? "the words of " : "")\(columns(table).joined(separator: ", "))"
  }
}
