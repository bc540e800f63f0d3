import FiefGraph

extension Delta {
  /// The difference in sentences: one for each row that went or came, and one for each cell that differs.
  ///
  /// Of what is gone the old version knows the name, of the rest the new one.
  func sentences(from old: Graph, to new: Graph) -> [String] {
    tables.flatMap { table in
      let name = new[table.table]?.schema.name ?? "?"
      var sentences: [String] = []
      for deleted in table.deleted {
        deleted.rows.forEach {
          let link = ObjectLink(table.table, ObjectKey(chunk: deleted.chunk, bit: $0))
          sentences.append("\(name) \(link.key) is gone\(aside(old, link))")
        }
      }
      for inserted in table.inserted {
        inserted.rows.live.forEach {
          let link = ObjectLink(table.table, ObjectKey(chunk: inserted.chunk, bit: $0))
          sentences.append("\(name) \(link.key) is new\(aside(new, link))")
        }
      }
      for column in table.updated {
        for (key, change) in column.cells {
          let cell = Cell(table.table, key, column.column)
          sentences.append("\(new.words(for: cell.object)).\(self.name(column, table, new)) \(words(change, new))")
        }
      }
      return sentences
    }
  }

  /// The name of a row in brackets, if it has one.
  private func aside(_ graph: Graph, _ link: ObjectLink) -> String {
    let words = graph.words(for: link)
    return words.hasSuffix("\(link.key)") ? "" : " (\(words))"
  }

  private func name(_ column: ColumnDelta, _ table: TableDelta, _ graph: Graph) -> String {
    graph[table.table]?.schema.column(column.column)?.name ?? "?"
  }

  private func words(_ change: CellChange, _ new: Graph) -> String {
    switch change {
    case .value(let value): "is now \(new.words(for: value))"
    case .list(let splices): splices.map { words($0, new) }.joined(separator: ", ")
    case .set(let removed, let inserted): "lost \(removed.count) elements and got \(inserted.count)"
    case .dictionary(let removed, let set): "lost \(removed.count) keys and got \(set.count)"
    }
  }

  private func words(_ splice: ListSplice, _ new: Graph) -> String {
    let values = "[\(splice.values.map { new.words(for: $0) }.joined(separator: ", "))]"
    if splice.range.isEmpty { return "got \(values) at \(splice.range.lowerBound)" }
    let places =
      splice.range.count == 1
      ? "\(splice.range.lowerBound)" : "\(splice.range.lowerBound) to \(splice.range.upperBound - 1)"
    return splice.values.isEmpty ? "lost what stood at \(places)" : "has \(values) where \(places) stood"
  }
}
