import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation

extension Operation {
  /// The error that the closure for new rows throws on request.
  struct Thrown: Error {}

  /// Performs the operation on a transaction.
  func perform(on transaction: Transaction) throws -> Answer {
    switch self {
    case .create(let table, let primaryKey, let cells, let typed, let throwing):
      return .row(
        try transaction.create(in: table, primaryKey: primaryKey) {
          try Operation.fill($0, cells, typed: typed, throwing: throwing)
        })
    case .createOwned(let table, let cell, let spot, let cells, let throwing):
      return .row(
        try transaction.createOwned(in: table, by: cell, spot) {
          try Operation.fill($0, cells, typed: false, throwing: throwing)
        })
    case .set(let cell, let value, let typed):
      if !(typed ? try Operation.setTyped(value, cell, transaction) : false) { try transaction.set(value, cell) }
    case .append(let cell, let value): try transaction.append(value, toList: cell)
    case .insert(let cell, let values, let position):
      if values.count == 1 {
        try transaction.insert(values[0], at: position, inList: cell)
      } else {
        try transaction.insert(contentsOf: values, at: position, inList: cell)
      }
    case .replace(let cell, let position, let value): try transaction.replace(at: position, with: value, inList: cell)
    case .replaceSubrange(let cell, let range, let values):
      try transaction.replaceSubrange(range, with: values, inList: cell)
    case .removeAt(let cell, let position): try transaction.remove(at: position, fromList: cell)
    case .removeSubrange(let cell, let range): try transaction.removeSubrange(range, fromList: cell)
    case .move(let cell, let source, let destination):
      try transaction.move(from: source, to: destination, inList: cell)
    case .swapAt(let cell, let a, let b): try transaction.swapAt(a, b, inList: cell)
    case .removeAll(let cell): try transaction.removeAll(from: cell)
    case .insertInSet(let cell, let value): return .truth(try transaction.insert(value, inSet: cell))
    case .removeFromSet(let cell, let value): return .truth(try transaction.remove(value, fromSet: cell))
    case .formUnion(let cell, let values): try transaction.formUnion(values, inSet: cell)
    case .subtract(let cell, let values): try transaction.subtract(values, fromSet: cell)
    case .formIntersection(let cell, let values): try transaction.formIntersection(values, inSet: cell)
    case .setEntry(let cell, let key, let value): try transaction.set(value, forKey: key, inDictionary: cell)
    case .removeEntry(let cell, let key): return .truth(try transaction.remove(key: key, fromDictionary: cell))
    case .delete(let row): try transaction.delete(row)
    case .deleteMany(let rows): try transaction.delete(rows)
    case .clear(let table): try transaction.clear(table)
    case .clearMany(let tables): try transaction.clear(tables)
    default: return try changeSchema(transaction)
    }
    return .nothing
  }

  private func changeSchema(_ transaction: Transaction) throws -> Answer {
    switch self {
    case .addTable(let name, let kind): return .table(try transaction.addTable(name, kind: kind))
    case .removeTable(let table): try transaction.removeTable(table)
    case .renameTable(let table, let name): try transaction.renameTable(table, to: name)
    case .addColumn(let table, let name, let type, let rule, let value):
      return .column(try transaction.addColumn(to: table, name, type, deleteRule: rule, value: value))
    case .removeColumn(let table, let column): try transaction.removeColumn(column, of: table)
    case .renameColumn(let table, let column, let name): try transaction.renameColumn(column, of: table, to: name)
    case .setDeleteRule(let table, let column, let rule):
      try transaction.setDeleteRule(rule, ofColumn: column, of: table)
    case .setPrimaryKey(let table, let column): try transaction.setPrimaryKey(column, of: table)
    case .addIndex(let table, let index): try transaction.addIndex(index, to: table)
    case .removeIndex(let table, let columns, let isFullText):
      try transaction.removeIndex(over: columns, of: table, isFullText: isFullText)
    default: fatalError("An operation is not carried out: \(self).")
    }
    return .nothing
  }

  private static func fill(
    _ row: NewRow, _ cells: [(ColumnKey, Value)], typed: Bool, throwing: Bool
  ) throws {
    for (column, value) in cells {
      if !(typed ? try setTyped(value, column, row) : false) { try row.set(value, column) }
    }
    if throwing { throw Thrown() }
  }

  /// Sets the value by the typed form, if the value has one.
  private static func setTyped(_ value: Value, _ cell: Cell, _ transaction: Transaction) throws -> Bool {
    switch value {
    case .int(let value): try transaction.set(value, cell)
    case .float(let value): try transaction.set(value, cell)
    case .double(let value): try transaction.set(value, cell)
    case .string(let value): try transaction.set(value, cell)
    case .data(let value): try transaction.set(value, cell)
    case .date(let value): try transaction.set(value, cell)
    case .objectId(let value): try transaction.set(value, cell)
    case .uuid(let value): try transaction.set(value, cell)
    case .decimal(let value): try transaction.set(value, cell)
    case .null: try transaction.set(Int64?.none, cell)
    case .bool, .link: return false
    }
    return true
  }

  private static func setTyped(_ value: Value, _ column: ColumnKey, _ row: NewRow) throws -> Bool {
    switch value {
    case .int(let value): try row.set(value, column)
    case .float(let value): try row.set(value, column)
    case .double(let value): try row.set(value, column)
    case .string(let value): try row.set(value, column)
    case .data(let value): try row.set(value, column)
    case .date(let value): try row.set(value, column)
    case .objectId(let value): try row.set(value, column)
    case .uuid(let value): try row.set(value, column)
    case .decimal(let value): try row.set(value, column)
    case .null, .bool, .link: return false
    }
    return true
  }
}
