import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// A delta inserts rows of a table with one column, of every possible type, into a table whose column has every other
/// type: thousands of pairs. Most do not fit and are refused. If one fits, the graph is sound and can be used.
struct HostileTypesTests {
  static let target = TableKey(rawValue: 2)
  static let row = TableKey(rawValue: 3)
  static let column = ColumnKey(rawValue: 0)
  static let types = EveryColumn.types(target: target).filter { $0.width == .bits64 || $0.width == .bits8 }

  /// A graph with a row to link to, and a table with one column of the type, and with one row if there is a value for
  /// it.
  static func graph(_ type: ColumnType, _ value: Value?) throws -> Graph {
    let transaction = Transaction(.empty)
    let target = try transaction.addTable("Target")
    try transaction.create(in: target)
    let row = try transaction.addTable("Row")
    let cell = Cell(row, ObjectKey(0), try transaction.addColumn(to: row, "column", type))
    guard let value else { return transaction.graph }
    try transaction.create(in: row)
    switch type.shape {
    case .single: try transaction.set(value, cell)
    case .list: try transaction.append(value, toList: cell)
    case .set: try transaction.insert(value, inSet: cell)
    case .dictionary: try transaction.set(value, forKey: "key", inDictionary: cell)
    }
    return transaction.graph
  }

  /// A value of the type that is not its zero.
  static func sample(_ type: ColumnType) -> Value {
    if type.kind == .link { return .link(ObjectLink(target, ObjectKey(0))) }
    return SampleValues.of(type.kind).last(where: type.element.holds) ?? .null
  }

  @Test(arguments: types) func leavesOfAnyOtherTypeAreRefusedOrFit(type: ColumnType) throws {
    let graph = try Self.graph(type, nil)
    var refused = 0
    for other in Self.types where other != type {
      let source = try Self.graph(other, Self.sample(other))
      var delta = TableDelta(table: Self.row, nextKey: 1)
      delta.inserted = [InsertedRows(chunk: 0, rows: try #require(source[Self.row]?.rows[0]))]
      let transaction = Transaction(graph)
      do {
        try transaction.apply(Delta(tables: [delta]))
      } catch let error as GraphError {
        if error.code != .invalidDelta || transaction.graph != graph { Issue.record("\(other.declaration): \(error)") }
        refused += 1
        continue
      }
      let result = transaction.graph
      let faults = result.checkInvariants()
      if !faults.isEmpty { Issue.record("\(other.declaration): \(faults)") }
      // Comparing with a graph whose column has the correct storage traps if the inserted storage is different.
      let own = try Self.graph(type, Self.sample(type))
      #expect(try own.applying(Delta(from: own, to: result)) == result, "\(other.declaration)")
      try transaction.clear(Self.target)
      try transaction.delete(ObjectLink(Self.row, ObjectKey(0)))
      #expect(transaction.graph.checkInvariants() == [], "\(other.declaration)")
    }
    #expect(refused > Self.types.count / 2, "most types are not each other")
  }
}
