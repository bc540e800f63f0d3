import FiefGraph
import FiefValues
import Foundation
import Testing

/// Changing the types of single cells: kinds, widths, null, and the primary keys and indexes over them.
struct RetypingTests {
  static let kinds = ValueKind.allCases.filter { $0 != .link }

  /// The type of a single cell of the kind that allows null.
  static func type(_ kind: ValueKind) -> ColumnType { ColumnType(kind, isOptional: kind != .any) }

  // MARK: Kinds

  @Test(arguments: kinds) func losslessConversionsKeepTheValues(from: ValueKind) throws {
    for to in Self.kinds where to != from {
      let values = SampleValues.of(from).filter { $0.converted(to: to) != nil } + [.null]
      let expected = try values.map { [try #require($0.converted(to: to))] }
      let (_, key) = try OneColumn(Self.type(from), values.map { [$0] }).expect(Self.type(to), expected)
      #expect(key.rawValue == 1, "cells that are stored in another form are another column")
    }
  }

  @Test(arguments: kinds) func lossyConversionsAreRefusedOrReplaced(from: ValueKind) throws {
    for to in Self.kinds {
      guard let unfit = SampleValues.of(from).first(where: { $0.converted(to: to) == nil }) else { continue }
      let fit = SampleValues.of(from).first { $0.converted(to: to) != nil } ?? .null
      let one = try OneColumn(Self.type(from), [[fit], [unfit], [.null]])
      one.expectRefusal(Self.type(to), row: 1)
      // A replacement that does not fit the new type is refused as well.
      one.expectRefusal(Self.type(to), replacing: SampleValues.link(2, 0), row: 1)
      if let misfit = SampleValues.all.first(where: { !Self.type(to).holds($0.value) })?.value {
        one.expectRefusal(Self.type(to), replacing: misfit, row: 1)
      }
      for replacement in [try #require(SampleValues.of(to).last), .null] {
        let carried = try #require(fit.converted(to: to))
        try one.expect(Self.type(to), replacing: replacement, [[carried], [replacement], [.null]])
      }
    }
  }

  @Test func theSameTypeIsNoChange() throws {
    let one = try OneColumn(ColumnType(.int), [[.int(1)]])
    let (graph, key) = try one.expect(ColumnType(.int), replacing: .string("unfit"), [[.int(1)]])
    #expect(graph == one.graph && key == one.column)
  }

  @Test func aTypeThatMakesNoSenseIsRefused() throws {
    let one = try OneColumn(ColumnType(.int), [[.int(1)]])
    let transaction = Transaction(one.graph)
    let types = [
      ColumnType(.string, width: .bits8), ColumnType(.link), .link(to: TableKey(rawValue: 99)),
      ColumnType(.any, isOptional: true), ColumnType(.int, target: one.row), .link(to: .nestedLists),
    ]
    for type in types {
      transaction.expectRefusal(.invalidSchema, table: "row") {
        try transaction.changeColumn(one.column, of: one.row, to: type, replacing: .int(0))
      }
    }
  }

  // MARK: Widths

  @Test func aWiderIntegerHoldsWhatTheNarrowerDid() throws {
    for (from, to) in zip(IntegerWidth.allCases, IntegerWidth.allCases.dropFirst()) {
      let values = [[Value.int(from.range.lowerBound)], [.int(0)], [.int(from.range.upperBound)]]
      let one = try OneColumn(ColumnType(.int, width: from), values)
      let (graph, key) = try one.expect(ColumnType(.int, width: to), values)
      #expect(key == one.column)
      let transaction = Transaction(graph)
      let wide = Value.int(to.range.upperBound)
      try transaction.set(wide, Cell(one.row, ObjectKey(0), key))
      #expect(transaction.value(Cell(one.row, ObjectKey(0), key)) == wide)
    }
  }

  @Test func aNarrowerIntegerRefusesOrReplacesWhatIsBeyondIt() throws {
    for width in IntegerWidth.allCases.dropLast() {
      let (low, high) = (width.range.lowerBound, width.range.upperBound)
      let narrow = ColumnType(.int, width: width)
      let fit = try OneColumn(ColumnType(.int), [[.int(low)], [.int(high)]])
      let (graph, key) = try fit.expect(narrow, [[.int(low)], [.int(high)]])
      #expect(key == fit.column)
      let transaction = Transaction(graph)
      transaction.expectRefusal(.invalidValue, table: "row", column: "cell", key: ObjectKey(1)) {
        try transaction.set(.int(high + 1), Cell(fit.row, ObjectKey(1), key))
      }
      for beyond in [low - 1, high + 1, .max, .min] {
        let one = try OneColumn(ColumnType(.int), [[.int(low)], [.int(beyond)]])
        one.expectRefusal(narrow, row: 1)
        one.expectRefusal(narrow, replacing: .int(high + 1), row: 1)
        one.expectRefusal(narrow, replacing: .null, row: 1)
        try one.expect(narrow, replacing: .int(high), [[.int(low)], [.int(high)]])
        // Widths are checked in conversions from another kind, too.
        let text = try OneColumn(ColumnType(.string), [[.string("\(beyond)")]])
        text.expectRefusal(narrow)
        try text.expect(narrow, replacing: .int(-1), [[.int(-1)]])
      }
    }
  }

  // MARK: Null

  @Test func aRequiredCellTakesNoNull() throws {
    for kind in Self.kinds where kind != .any {
      let samples = SampleValues.of(kind)
      let (value, replacement) = (try #require(samples.first), try #require(samples.last))
      let required = ColumnType(kind)
      let with = try OneColumn(Self.type(kind), [[value], [.null]])
      with.expectRefusal(required, row: 1)
      with.expectRefusal(required, replacing: .null, row: 1)
      #expect(try with.expect(required, replacing: replacement, [[value], [replacement]]).column == with.column)
      let without = try OneColumn(Self.type(kind), [[value], [replacement]])
      try without.expect(required, [[value], [replacement]])
      let optional = try OneColumn(required, [[value], [replacement]]).expect(
        Self.type(kind), [[value], [replacement]])
      let transaction = Transaction(optional.graph)
      try transaction.set(.null, Cell(with.row, ObjectKey(0), optional.column))
      #expect(transaction.graph.checkInvariants() == [])
    }
  }

  @Test func nullIsSwitchedOnAndOffByItself() throws {
    let one = try OneColumn(ColumnType(.int, isOptional: true, width: .bits16), [[.int(5)], [.null]])
    let transaction = Transaction(one.graph)
    transaction.expectRefusal(.invalidSchema, table: "row", column: "cell", key: ObjectKey(1), saying: "null") {
      try transaction.setOptional(false, column: one.column, of: one.row)
    }
    let required = try one.graph.after {
      let key = try $0.setOptional(false, column: one.column, of: one.row, replacing: .int(-1))
      #expect(key == one.column)
    }
    #expect(required.value(Cell(one.row, ObjectKey(1), one.column)) == .int(-1))
    #expect(required[one.row]?.schema.column(one.column)?.type == ColumnType(.int, width: .bits16))
    let optional = try required.after { _ = try $0.setOptional(true, column: one.column, of: one.row) }
    #expect(optional[one.row]?.schema == one.graph[one.row]?.schema)
    #expect(optional.value(Cell(one.row, ObjectKey(1), one.column)) == .int(-1))
  }

  // MARK: Primary keys and indexes

  @Test func rowsAreFoundByAPrimaryKeyOfAnotherType() throws {
    let one = try OneColumn(ColumnType(.int), [[.int(3)], [.int(1)], [.int(20)]]) { try $0.setPrimaryKey($2, of: $1) }
    let expected = ["3", "1", "20"].map { Value.string($0) }
    let (graph, key) = try one.expect(ColumnType(.string), expected.map { [$0] })
    #expect(graph[one.row]?.schema.primaryKey == key)
    for (row, value) in expected.enumerated() {
      #expect(graph[one.row]?.find(primaryKey: value) == ObjectKey(Int64(row)))
    }
    #expect(graph[one.row]?.find(primaryKey: .int(3)) == nil)
    let narrow = try one.expect(ColumnType(.int, isOptional: true, width: .bits8), [[.int(3)], [.int(1)], [.int(20)]])
    #expect(narrow.graph[one.row]?.find(primaryKey: .int(20)) == ObjectKey(2))
    for type in [ColumnType(.double), ColumnType(.any), ColumnType(.int, shape: .list), .link(to: one.row)] {
      let transaction = Transaction(one.graph)
      transaction.expectRefusal(.invalidSchema, table: "row", saying: "cannot be a primary key") {
        try transaction.changeColumn(one.column, of: one.row, to: type)
      }
    }
  }

  @Test func rowsThatAChangeWouldGiveOnePrimaryKeyAreRefused() throws {
    func expect(_ from: ColumnType, _ contents: [Value], _ to: ColumnType, replacing: Value? = nil) throws {
      let one = try OneColumn(from, contents.map { [$0] }) { try $0.setPrimaryKey($2, of: $1) }
      let transaction = Transaction(one.graph)
      transaction.expectRefusal(.duplicatePrimaryKey, table: "row", column: "cell") {
        try transaction.changeColumn(one.column, of: one.row, to: to, replacing: replacing)
      }
    }
    try expect(ColumnType(.string), [.string("1"), .string("x"), .string("01")], ColumnType(.int), replacing: .int(7))
    try expect(ColumnType(.string), [.string("x"), .string("7")], ColumnType(.int), replacing: .int(7))
    try expect(ColumnType(.int), [.int(300), .int(5)], ColumnType(.int, width: .bits8), replacing: .int(5))
    try expect(ColumnType(.int, isOptional: true), [.null, .int(5)], ColumnType(.int), replacing: .int(5))
  }

  @Test func indexesFollowTheNewValues() throws {
    let values: [Value] = [.int(10), .int(9), .int(-1)]
    var other: ColumnKey?
    let one = try OneColumn(ColumnType(.int, isOptional: true), values.map { [$0] }) { transaction, row, column in
      let added = try transaction.addColumn(to: row, "other", ColumnType(.int))
      for key in 0..<Int64(3) { try transaction.set(key, Cell(row, ObjectKey(key), added)) }
      try transaction.setPrimaryKey(added, of: row)
      for columns in [[column], [added, column], [added]] {
        try transaction.addIndex(IndexDefinition(columns, isUnique: columns == [column]), to: row)
      }
      other = added
    }
    let added = try #require(other)
    func orders(_ graph: Graph) -> [[Int64]] { graph[one.row]?.indexes.map { $0.entries.map(\.key.rawValue) } ?? [] }
    #expect(orders(one.graph) == [[2, 1, 0], [0, 1, 2], [0, 1, 2]])
    let text = ["10", "9", "-1"].map { [Value.string($0)] }
    let (graph, key) = try one.expect(ColumnType(.string), text)
    #expect(orders(graph) == [[2, 0, 1], [0, 1, 2], [0, 1, 2]], "texts come in another order")
    #expect(graph[one.row]?.schema.indexes.map(\.columns) == [[key], [added, key], [added]])
    #expect(graph[one.row]?.schema.indexes.map(\.isUnique) == [true, false, false])
    #expect(graph[one.row]?.schema.primaryKey == added)
    #expect(graph[one.row]?.find(primaryKey: .int(2)) == ObjectKey(2))
    let replaced = try one.expect(ColumnType(.int, width: .bits8), [[.int(10)], [.int(9)], [.int(-1)]])
    #expect(orders(replaced.graph) == orders(one.graph))
    let transaction = Transaction(one.graph)
    for type in [ColumnType(.int, shape: .set), .link(to: one.row)] {
      transaction.expectRefusal(.invalidSchema, table: "row", saying: "cannot be indexed") {
        try transaction.changeColumn(one.column, of: one.row, to: type)
      }
    }
  }

  @Test func aChangeRepeatsNoValueOfAUniqueIndex() throws {
    func one(_ type: ColumnType, _ values: [Value]) throws -> OneColumn {
      try OneColumn(type, values.map { [$0] }) { try $0.addIndex(IndexDefinition([$2], isUnique: true), to: $1) }
    }
    let lines: [(OneColumn, ColumnType, Value?)] = [
      (try one(ColumnType(.any), [.int(1), .string("1")]), ColumnType(.string), nil),
      (try one(ColumnType(.string), [.string("x"), .string("y")]), ColumnType(.int), .int(0)),
      (try one(ColumnType(.int), [.int(300), .int(301)]), ColumnType(.int, width: .bits8), .int(0)),
      (try one(ColumnType(.string, isOptional: true), [.null, .null]), ColumnType(.string), .string("")),
    ]
    for (one, type, replacement) in lines {
      let transaction = Transaction(one.graph)
      transaction.expectRefusal(.uniqueConstraint, table: "row", column: "cell", key: ObjectKey(1)) {
        try transaction.changeColumn(one.column, of: one.row, to: type, replacing: replacement)
      }
    }
    // Nulls may repeat, also those that replace values.
    try one(ColumnType(.string), [.string("x"), .string("y")])
      .expect(ColumnType(.int, isOptional: true), replacing: .null, [[.null], [.null]])
  }
}
