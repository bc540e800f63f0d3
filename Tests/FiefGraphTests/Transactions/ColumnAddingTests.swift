import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// Adding columns to tables that have rows.
struct ColumnAddingTests {
  /// A graph with a few rows in each of two clusters.
  static func rows() throws -> (graph: Graph, table: TableKey, target: TableKey, keys: [ObjectKey]) {
    let transaction = Transaction(.empty)
    let (target, table) = (try transaction.addTable("target"), try transaction.addTable("row"))
    try transaction.create(in: target)
    let keys = try (0..<259).map { _ in try transaction.create(in: table) }
    let kept = [keys[1], keys[200], keys[256], keys[258]]
    try transaction.delete(keys.filter { !kept.contains($0) }.map { ObjectLink(table, $0) })
    return (transaction.graph, table, target, kept)
  }

  /// The contents of a cell of the type before anything is stored in it.
  static func unset(_ type: ColumnType) -> [Value] {
    if type.isCollection { return [] }
    if type.allowsNull { return [.null] }
    return switch type.kind {
    case .bool: [.bool(false)]
    case .int: [.int(0)]
    case .float: [.float(0)]
    case .double: [.double(0)]
    case .string: [.string("")]
    case .data: [.data(Data())]
    case .date: [.date(Timestamp(seconds: 0))]
    case .objectId: [.objectId(ObjectId())]
    case .uuid: [SampleValues.uuid("00000000-0000-0000-0000-000000000000")]
    case .decimal: [SampleValues.decimal("0")]
    case .link, .any: [.null]
    }
  }

  @Test func rowsThatAreThereHaveNothingInANewColumn() throws {
    let (graph, table, target, keys) = try Self.rows()
    let types = EveryColumn.types(target: target)
    var columns: [ColumnKey] = []
    let after = try graph.after { transaction in
      columns = try types.map { try transaction.addColumn(to: table, $0.declaration, $0) }
    }
    for (type, column) in zip(types, columns) {
      for key in keys {
        let contents = after.contents(Cell(table, key, column))
        // A decimal has many zeros; any of them is accepted.
        let isSame =
          contents.count == Self.unset(type).count
          && zip(contents, Self.unset(type)).allSatisfy { $0.kind == $1.kind && StoredOrder.compare($0, $1) == 0 }
        #expect(isSame, "\(type.declaration): \(contents)")
      }
    }
  }

  @Test func rowsThatAreThereGetTheValueOfANewColumn() throws {
    let (graph, table, _, keys) = try Self.rows()
    let every = try EveryColumn()
    var given: [(column: ColumnKey, value: Value)] = []
    let after = try graph.after { transaction in
      for column in every.columns where column.type.shape == .single && column.type.kind != .link {
        let samples = every.samples(of: column.type).filter { $0.linked == nil }
        for (number, value) in [samples.first, samples.last].compactMap({ $0 }).enumerated() {
          let name = "\(column.name) \(number)"
          given.append((try transaction.addColumn(to: table, name, column.type, value: value), value))
        }
      }
    }
    #expect(given.count > 40)
    for (column, value) in given {
      for key in keys { #expect(after.value(Cell(table, key, column)) == value) }
    }
  }

  @Test func theKeyOfAColumnIsNeverGivenOutAgain() throws {
    let (graph, table, _, keys) = try Self.rows()
    var first: ColumnKey?
    let after = try graph.after { transaction in
      let old = try transaction.addColumn(to: table, "a", ColumnType(.int), value: .int(7))
      try transaction.removeColumn(old, of: table)
      let new = try transaction.addColumn(to: table, "a", ColumnType(.int))
      #expect(new.rawValue == old.rawValue + 1 && transaction.value(Cell(table, keys[0], new)) == .int(0))
      try transaction.removeColumn(new, of: table)
      first = old
    }
    #expect(after[table]?.schema.columns.isEmpty ?? false && after[table]?.schema.nextColumn == 2)
    #expect(after.value(Cell(table, keys[0], try #require(first))) == nil)
  }
}
