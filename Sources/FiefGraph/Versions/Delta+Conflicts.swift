extension Delta {
  /// A row that both deltas concern, so that they cannot both be applied; nil when they are independent. Both must have
  /// been made from the same graph.
  ///
  /// Two changes of different cells of one row are independent. A deletion and a change of any cell of the row are not.
  /// Links and unique values are not considered: `Transaction.apply` checks them.
  ///
  /// - Complexity: Linear in both deltas.
  package func conflict(with other: Delta) -> ObjectLink? {
    let others = Dictionary(other.tables.map { ($0.table, $0) }) { first, _ in first }
    for table in tables {
      guard let other = others[table.table] else { continue }
      if let key = table.conflict(with: other) { return ObjectLink(table.table, key) }
    }
    return nil
  }
}

extension TableDelta {
  fileprivate func conflict(with other: TableDelta) -> ObjectKey? {
    assert(table == other.table, "Changes of one table are compared.")
    let (mine, theirs) = (Bitmaps(inserted, deleted), Bitmaps(other.inserted, other.deleted))
    if let key = mine.first(in: theirs) { return key }
    for column in updated {
      let cells = Set(other.updated.first { $0.column == column.column }?.cells.map(\.key) ?? [])
      if let cell = column.cells.first(where: { cells.contains($0.key) || theirs.contains($0.key) }) {
        return cell.key
      }
    }
    for column in other.updated {
      if let cell = column.cells.first(where: { mine.contains($0.key) }) { return cell.key }
    }
    return nil
  }
}

/// The rows that a delta inserts or deletes, by chunk.
private struct Bitmaps {
  private var rows: [Int64: Bitmap256] = [:]

  init(_ inserted: [InsertedRows], _ deleted: [DeletedRows]) {
    for part in inserted { rows[part.chunk] = part.rows.live }
    for part in deleted { rows[part.chunk] = (rows[part.chunk] ?? Bitmap256()) | part.rows }
  }

  func contains(_ key: ObjectKey) -> Bool { rows[key.chunk]?[key.bit] ?? false }

  func first(in other: Bitmaps) -> ObjectKey? {
    for (chunk, mine) in rows {
      guard let common = other.rows[chunk].map({ mine & $0 }), !common.isEmpty else { continue }
      return (0..<256).first { common[$0] }.map { ObjectKey(chunk: chunk, bit: $0) }
    }
    return nil
  }
}
