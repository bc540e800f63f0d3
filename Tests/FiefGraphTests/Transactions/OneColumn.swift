import FiefGraph
import FiefValues
import Testing

/// A graph whose table `row` has one column of a given type with given contents, for changes of that type.
///
///     table 2  target   ordinary   rows #0 … #2
///     table 3  row      ordinary   the column `cell`, row #i with the i-th contents
struct OneColumn {
  let graph: Graph
  let row = TableKey(rawValue: 3)
  let column: ColumnKey

  /// A link to row `key` of `target`.
  static func link(_ key: Int64) -> Value { SampleValues.link(2, key) }

  /// - Parameters:
  ///   - type: The type of the column.
  ///   - contents: For each row, its value or elements; the keys of dictionary values are "0", "1", ….
  ///   - declare: Declares primary keys and indexes after the rows are created.
  init(
    _ type: ColumnType, _ contents: [[Value]],
    declare: (Transaction, TableKey, ColumnKey) throws -> Void = { _, _, _ in }
  ) throws {
    let transaction = Transaction(.empty)
    let target = try transaction.addTable("target")
    for _ in 0..<3 { try transaction.create(in: target) }
    let row = try transaction.addTable("row")
    column = try transaction.addColumn(to: row, "cell", type)
    for values in contents {
      let cell = Cell(row, try transaction.create(in: row), column)
      switch type.shape {
      case .single: for value in values { try transaction.set(value, cell) }
      case .list: try transaction.insert(contentsOf: values, at: 0, inList: cell)
      case .set: try transaction.formUnion(values, inSet: cell)
      case .dictionary:
        for (number, value) in values.enumerated() {
          try transaction.set(value, forKey: "\(number)", inDictionary: cell)
        }
      }
    }
    try declare(transaction, row, column)
    graph = transaction.graph
  }

  /// Changes the type, expects the rows to have `contents` then, and checks the properties of every change.
  ///
  /// - Returns: The new graph, and the key of the column in it.
  @discardableResult
  func expect(
    _ type: ColumnType, replacing replacement: Value? = nil, _ contents: [[Value]],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (graph: Graph, column: ColumnKey) {
    var key = column
    let after = try graph.after(sourceLocation: sourceLocation) {
      key = try $0.changeColumn(column, of: row, to: type, replacing: replacement)
    }
    let new = after[row]?.schema.column(named: "cell")
    #expect(new?.key == key && new?.type == type, sourceLocation: sourceLocation)
    #expect(after[row]?.count == contents.count, sourceLocation: sourceLocation)
    for (position, values) in contents.enumerated() {
      let got = after.contents(Cell(row, ObjectKey(Int64(position)), key))
      #expect(got == values, "row \(position)", sourceLocation: sourceLocation)
    }
    return (after, key)
  }

  /// Expects that a change of type is refused because of the contents of row `position`.
  func expectRefusal(
    _ type: ColumnType, replacing replacement: Value? = nil, row position: Int64 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let transaction = Transaction(graph)
    transaction.expectRefusal(
      .invalidSchema, table: "row", column: "cell", key: ObjectKey(position), saying: "cannot become",
      sourceLocation: sourceLocation
    ) { try transaction.changeColumn(column, of: row, to: type, replacing: replacement) }
  }
}
