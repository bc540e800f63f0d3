import FiefGraph

extension Operation {
  /// Performs the operation on the oracle, which changes only if the operation is not refused.
  func perform(on oracle: inout Oracle) throws -> Answer {
    var next = oracle
    let answer = try answer(next: &next)
    oracle = next
    return answer
  }

  private func answer(next: inout Oracle) throws -> Answer {
    switch self {
    case .create(let table, let primaryKey, let cells, _, let throwing):
      return .row(try next.create(in: table, primaryKey: primaryKey, cells: cells, throwing: throwing))
    case .createOwned(let table, let cell, let spot, let cells, let throwing):
      return .row(try next.createOwned(in: table, by: cell, spot, cells: cells, throwing: throwing))
    case .set(let cell, let value, _): try next.set(value, cell)
    case .append(let cell, let value): try next.append(value, toList: cell)
    case .insert(let cell, let values, let position):
      try next.replace(position..<position, with: values, inList: cell)
    case .replace(let cell, let position, let value): try next.replace(at: position, with: value, inList: cell)
    case .replaceSubrange(let cell, let range, let values): try next.replace(range, with: values, inList: cell)
    case .removeAt(let cell, let position): try next.replace(position..<position + 1, with: [], inList: cell)
    case .removeSubrange(let cell, let range): try next.replace(range, with: [], inList: cell)
    case .move(let cell, let source, let destination): try next.move(source, destination, inList: cell)
    case .swapAt(let cell, let a, let b): try next.swap(a, b, inList: cell)
    case .removeAll(let cell): try next.removeAll(cell)
    case .insertInSet(let cell, let value): return .truth(try next.insert(value, inSet: cell))
    case .removeFromSet(let cell, let value): return .truth(try next.remove(value, fromSet: cell))
    case .formUnion(let cell, let values): try next.formUnion(values, inSet: cell)
    case .subtract(let cell, let values): try next.subtract(values, fromSet: cell)
    case .formIntersection(let cell, let values): try next.formIntersection(values, inSet: cell)
    case .setEntry(let cell, let key, let value): try next.set(value, forKey: key, inDictionary: cell)
    case .removeEntry(let cell, let key): return .truth(try next.remove(key: key, fromDictionary: cell))
    case .delete(let row): try next.delete(row)
    case .deleteMany(let rows): try next.delete(rows)
    case .clear(let table): try next.clear([table])
    case .clearMany(let tables): try next.clear(tables)
    default: return try schemaAnswer(next: &next)
    }
    return .nothing
  }

  private func schemaAnswer(next: inout Oracle) throws -> Answer {
    switch self {
    case .addTable(let name, let kind): return .table(try next.addTable(name, kind))
    case .removeTable(let table): try next.removeTable(table)
    case .renameTable(let table, let name): try next.renameTable(table, to: name)
    case .addColumn(let table, let name, let type, let rule, let value):
      return .column(try next.addColumn(to: table, name, type, rule, value))
    case .removeColumn(let table, let column): try next.removeColumn(column, of: table)
    case .renameColumn(let table, let column, let name): try next.renameColumn(column, of: table, to: name)
    case .setDeleteRule(let table, let column, let rule): try next.setDeleteRule(rule, ofColumn: column, of: table)
    case .setPrimaryKey(let table, let column): try next.setPrimaryKey(column, of: table)
    case .addIndex(let table, let index): try next.addIndex(index, to: table)
    case .removeIndex(let table, let columns, let isFullText):
      try next.removeIndex(over: columns, of: table, isFullText)
    default: fatalError("An operation is not modelled: \(self).")
    }
    return .nothing
  }
}
