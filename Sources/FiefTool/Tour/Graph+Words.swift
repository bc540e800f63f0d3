import FiefGraph

// What a graph holds, in the words of the tour.

extension Graph {
  /// A row, by its name if it has one: `Rex`, or `Address #0`.
  func words(for link: ObjectLink) -> String {
    guard let table = self[link.table] else { return "a row of a table that is gone" }
    if let name = table.schema.column(named: "name"),
      case .string(let text)? = value(Cell(link.table, link.key, name.key))
    {
      return text
    }
    return "\(table.schema.name) \(link.key)"
  }

  /// A value, links by the names of their rows.
  func words(for value: Value?) -> String {
    switch value {
    case nil: "gone"
    case .link(let link)?: words(for: link)
    case let value?: "\(value)"
    }
  }

  /// What a cell holds: a value, or the elements of a list.
  func words(for cell: Cell) -> String {
    guard let schema = self[cell.table]?.schema, let column = schema.column(cell.column) else { return "gone" }
    guard column.type.isCollection else { return words(for: value(cell)) }
    guard let contents = collection(cell) else { return "[]" }
    let elements = (0..<contents.count).map { words(for: contents.value(at: $0, as: column.type)) }
    return "[\(elements.joined(separator: ", "))]"
  }

  /// The rows that link to a row through a column.
  func words(forLinksTo link: ObjectLink, from table: TableKey, _ column: ColumnKey) -> String {
    var names: [String] = []
    self[link.table]?.backlinks(to: link.key, from: table, column)?.forEach {
      names.append(words(for: ObjectLink(table, $0)))
    }
    return names.isEmpty ? "nobody" : names.joined(separator: ", ")
  }

  /// How many rows a table has.
  func count(of table: TableKey) -> Int { self[table]?.count ?? 0 }

  /// A column as it is declared: `dogs: list of link to Dog`.
  func words(for column: Column) -> String {
    let target = column.type.target.flatMap { self[$0]?.schema.name }
    return "\(column.name): \(column.type.declaration)\(target.map { " to \($0)" } ?? "")"
  }
}
