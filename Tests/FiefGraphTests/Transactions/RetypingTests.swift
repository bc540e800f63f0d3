import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// Changing what a column holds, with the data carried over.
struct RetypingTests {
  /// What a cell holds, in the words of a table of tests.
  enum Contents: Equatable, Sendable, CustomStringConvertible {
    case one(Value)
    case many([Value])
    case under([String: Value])

    var description: String {
      switch self {
      case .one(let value): "\(value)"
      case .many(let values): "\(values)"
      case .under(let entries): "\(entries.sorted { $0.key < $1.key })"
      }
    }
  }

  /// One line of the table: a cell of one type, and what becomes of it as another; nil when that is refused.
  struct Line: Sendable, CustomTestStringConvertible {
    let from: ColumnType
    let contents: Contents
    let to: ColumnType
    let replacement: Value?
    let result: Contents?

    init(_ from: ColumnType, _ contents: Contents, _ to: ColumnType, replacing: Value? = nil, _ result: Contents?) {
      self.from = from
      self.contents = contents
      self.to = to
      self.replacement = replacing
      self.result = result
    }

    var testDescription: String {
      "\(from.declaration) \(contents) to \(to.declaration)\(replacement.map { " replacing \($0)" } ?? "")"
    }
  }

  static let int = ColumnType(.int)
  static let text = ColumnType(.string)
  static func type(_ kind: ValueKind, _ shape: ColumnShape = .single, isOptional: Bool = false) -> ColumnType {
    ColumnType(kind, shape: shape, isOptional: isOptional)
  }
  static func int(_ width: IntegerWidth, _ shape: ColumnShape = .single, isOptional: Bool = false) -> ColumnType {
    ColumnType(.int, shape: shape, isOptional: isOptional, width: width)
  }
  private static func ints(_ values: Int64...) -> Contents { .many(values.map { .int($0) }) }

  static let kinds: [Line] = [
    Line(int, .one(.int(5)), text, .one(.string("5"))),
    Line(int, .one(.int(5)), type(.double), .one(.double(5))),
    Line(int, .one(.int(5)), type(.any), .one(.int(5))),
    Line(int, .one(.int(1)), type(.bool), .one(.bool(true))),
    Line(int, .one(.int(5)), type(.bool), nil),
    Line(int, .one(.int(5)), type(.bool), replacing: .bool(true), .one(.bool(true))),
    Line(int, .one(.int(5)), type(.bool), replacing: .int(1), nil),
    Line(type(.any), .one(.int(5)), int, .one(.int(5))),
    Line(type(.any), .one(.string("5")), int, .one(.int(5))),
    Line(type(.any), .one(.null), int, nil),
    Line(type(.any), .one(.null), type(.int, isOptional: true), .one(.null)),
    Line(type(.any), .one(.data(Data([9]))), int, nil),
    Line(text, .one(.string("five")), int, nil),
    Line(text, .one(.string("five")), int, replacing: .int(0), .one(.int(0))),
    Line(text, .one(.string("5")), int(.bits8), .one(.int(5))),
    Line(text, .one(.string("500")), int(.bits8), nil),
    Line(text, .one(.string("\u{E9}")), type(.data), .one(.data(Data([0xC3, 0xA9])))),
    Line(type(.double), .one(.double(0.5)), int, nil),
    Line(type(.double), .one(.double(-0.0)), type(.float), .one(.float(-0.0))),
  ]

  static let widths: [Line] = [
    Line(int, .one(.int(127)), int(.bits8), .one(.int(127))),
    Line(int, .one(.int(128)), int(.bits8), nil),
    Line(int, .one(.int(128)), int(.bits8), replacing: .int(-1), .one(.int(-1))),
    Line(int, .one(.int(128)), int(.bits8), replacing: .int(200), nil),
    Line(int(.bits8), .one(.int(-128)), int(.bits16), .one(.int(-128))),
    Line(type(.int, .list), ints(1, 300, 2), int(.bits8, .list), nil),
    Line(type(.int, .list), ints(1, 300, 2), int(.bits8, .list), replacing: .int(0), ints(1, 0, 2)),
    Line(type(.int, .set), ints(1, 300), int(.bits16, .set), ints(1, 300)),
    Line(type(.int, .set), ints(1, 300), int(.bits8, .set), nil),
    Line(
      type(.int, .dictionary), .under(["a": .int(1), "b": .int(300)]), int(.bits8, .dictionary), replacing: .int(0),
      .under(["a": .int(1), "b": .int(0)])),
    Line(type(.int, .dictionary), .under(["b": .int(300)]), int(.bits8, .dictionary), nil),
  ]

  static let optionality: [Line] = [
    Line(int, .one(.int(5)), type(.int, isOptional: true), .one(.int(5))),
    Line(type(.int, isOptional: true), .one(.int(5)), int, .one(.int(5))),
    Line(type(.int, isOptional: true), .one(.null), int, nil),
    Line(type(.int, isOptional: true), .one(.null), int, replacing: .int(7), .one(.int(7))),
    Line(type(.int, isOptional: true), .one(.null), int, replacing: .null, nil),
    Line(type(.int, isOptional: true), .one(.null), int, replacing: .string("7"), nil),
    Line(type(.string, isOptional: true), .one(.null), text, replacing: .string(""), .one(.string(""))),
    Line(type(.int, isOptional: true), .one(.null), text, nil),
    Line(type(.int, isOptional: true), .one(.null), text, replacing: .string("?"), .one(.string("?"))),
    Line(type(.int, .list), ints(1, 2), type(.int, .list, isOptional: true), ints(1, 2)),
    Line(type(.int, .list, isOptional: true), .many([.int(1), .null]), type(.int, .list), nil),
    Line(
      type(.int, .list, isOptional: true), .many([.int(1), .null]), type(.int, .list), replacing: .int(9), ints(1, 9)),
    Line(type(.int, .set, isOptional: true), .many([.null, .int(1)]), type(.int, .set), nil),
    Line(
      type(.int, .set, isOptional: true), .many([.null, .int(1)]), type(.int, .set), replacing: .int(9), ints(1, 9)),
    Line(type(.int, .set, isOptional: true), .many([.null, .int(1)]), type(.int, .set), replacing: .int(1), nil),
    Line(type(.string, .dictionary, isOptional: true), .under(["a": .null]), type(.string, .dictionary), nil),
    Line(
      type(.string, .dictionary, isOptional: true), .under(["a": .null, "b": .string("x")]), type(.string, .dictionary),
      replacing: .string("-"), .under(["a": .string("-"), "b": .string("x")])),
  ]

  static let shapes: [Line] = [
    Line(int, .one(.int(5)), type(.int, .list), ints(5)),
    Line(int, .one(.int(5)), type(.int, .set), ints(5)),
    Line(int, .one(.int(5)), type(.string, .list), .many([.string("5")])),
    Line(int, .one(.int(5)), type(.int, .dictionary), nil),
    Line(type(.int, isOptional: true), .one(.null), type(.int, .list), .many([])),
    Line(type(.int, isOptional: true), .one(.null), type(.int, .set, isOptional: true), .many([])),
    Line(type(.int, isOptional: true), .one(.null), type(.int, .dictionary), .under([:])),
    Line(type(.int, .list), ints(5), int, .one(.int(5))),
    Line(type(.int, .list), ints(5, 6), int, nil),
    Line(type(.int, .list), .many([]), type(.int, isOptional: true), .one(.null)),
    Line(type(.int, .list), .many([]), int, nil),
    Line(type(.int, .list), .many([]), int, replacing: .int(3), .one(.int(3))),
    Line(type(.int, .list), .many([]), type(.any), .one(.null)),
    Line(type(.int, .list), ints(3, 1, 2), type(.int, .set), ints(1, 2, 3)),
    Line(type(.int, .list), ints(3, 1, 3), type(.int, .set), nil),
    Line(type(.int, .set), ints(1, 2), type(.int, .list), ints(1, 2)),
    Line(type(.int, .set), ints(1, 2), type(.any, .set), ints(1, 2)),
    Line(type(.any, .list), .many([.int(1), .double(1)]), type(.any, .set), nil),
    Line(type(.int, .set), ints(4), int, .one(.int(4))),
    Line(type(.int, .dictionary), .under(["a": .int(1)]), type(.int, .list), nil),
    Line(type(.int, .dictionary), .under([:]), type(.int, .list), .many([])),
    Line(type(.int, .dictionary), .under([:]), type(.int, isOptional: true), .one(.null)),
    Line(type(.int, .dictionary), .under([:]), int, nil),
    Line(type(.int, .dictionary), .under(["a": .int(1)]), type(.string, .dictionary), .under(["a": .string("1")])),
    Line(type(.int, .list), ints(1), type(.int, .dictionary), nil),
    Line(type(.int, .list), .many([]), type(.int, .dictionary), .under([:])),
  ]

  @Test(arguments: kinds + widths + optionality + shapes)
  func aCellIsCarriedOverOrTheChangeIsRefused(line: Line) throws {
    let (graph, table, column) = try Self.graph(line)
    guard let result = line.result else {
      let transaction = Transaction(graph)
      #expect(throws: GraphError.self) {
        try transaction.changeColumn(column, of: table, to: line.to, replacing: line.replacement)
      }
      #expect(transaction.graph == graph && transaction.graph.checkInvariants() == [])
      return
    }
    var key = column
    let after = try graph.after {
      key = try $0.changeColumn(column, of: table, to: line.to, replacing: line.replacement)
    }
    #expect(Self.read(after, Cell(table, ObjectKey(1), key), line.to) == result)
    let schema = try #require(after[table]?.schema)
    #expect(schema.columns.map(\.name) == ["before", "column", "after"])
    #expect(schema.column(key)?.type == line.to)
    for (name, value) in [("before", 1000), ("after", 2000)] as [(String, Int64)] {
      let neighbour = try #require(schema.column(named: name)).key
      #expect(after.value(Cell(table, ObjectKey(1), neighbour)) == .int(value))
    }
  }

  /// A table with rows #1 and #300, of which the first holds what the line says in a column between two others.
  private static func graph(_ line: Line) throws -> (graph: Graph, table: TableKey, column: ColumnKey) {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let before = try transaction.addColumn(to: table, "before", ColumnType(.int))
    let column = try transaction.addColumn(to: table, "column", line.from)
    let after = try transaction.addColumn(to: table, "after", ColumnType(.int))
    for _ in 0..<2 {
      try transaction.create(in: table) { row in
        try row.set(1000 as Int64, before)
        try row.set(2000 as Int64, after)
      }
    }
    try transaction.delete(ObjectLink(table, ObjectKey(0)))
    let cell = Cell(table, ObjectKey(1), column)
    switch line.contents {
    case .one(let value): try transaction.set(value, cell)
    case .many(let values):
      for value in values {
        if line.from.shape == .set { try transaction.insert(value, inSet: cell) }
        if line.from.shape == .list { try transaction.append(value, toList: cell) }
      }
    case .under(let entries):
      for (key, value) in entries { try transaction.set(value, forKey: key, inDictionary: cell) }
    }
    return (transaction.graph, table, column)
  }

  private static func read(_ graph: Graph, _ cell: Cell, _ type: ColumnType) -> Contents {
    switch type.shape {
    case .single: .one(graph.value(cell) ?? .string("there is no such cell"))
    case .list, .set: .many(graph.contents(cell))
    case .dictionary: .under(graph.entries(cell))
    }
  }

  @Test func aColumnThatIsStoredAsBeforeKeepsItsKeyAndAnotherGetsANewOne() throws {
    let keeping: [(ColumnType, ColumnType)] = [
      (Self.int, Self.int(.bits8)), (Self.int, Self.type(.int, isOptional: true)),
      (Self.type(.int, .list), Self.int(.bits16, .list)),
      (Self.type(.int, .dictionary), Self.type(.int, .dictionary, isOptional: true)),
    ]
    let changing: [(ColumnType, ColumnType)] = [
      (Self.int, Self.text), (Self.int, Self.type(.int, .list)),
      (Self.type(.int, .list), Self.type(.int, .list, isOptional: true)),
      (Self.type(.int, .set), Self.type(.int, .set, isOptional: true)),
    ]
    for (keeps, pairs) in [(true, keeping), (false, changing)] {
      for (from, to) in pairs {
        let transaction = Transaction(.empty)
        let table = try transaction.addTable("Row")
        let column = try transaction.addColumn(to: table, "column", from)
        #expect((try transaction.changeColumn(column, of: table, to: to) == column) == keeps, "\(from) to \(to)")
      }
    }
  }

  @Test func theTypeThatIsThereAlreadyChangesNothing() throws {
    let (graph, table, column) = try Self.graph(Line(Self.int, .one(.int(5)), Self.int, nil))
    var key: ColumnKey?
    let after = try graph.after { key = try $0.changeColumn(column, of: table, to: Self.int) }
    #expect(key == column && after == graph)
  }

  @Test func aDeclarationThatMakesNoSenseIsRefused() throws {
    let (graph, table, column) = try Self.graph(Line(Self.int, .one(.int(5)), Self.int, nil))
    let transaction = Transaction(graph)
    for type in [ColumnType(.link), ColumnType(.any, isOptional: true), ColumnType(.bool, width: .bits8)] {
      transaction.expectRefusal(.invalidSchema, table: "Row", saying: "'Row.column'") {
        try transaction.changeColumn(column, of: table, to: type)
      }
    }
  }

  @Test func aRefusalNamesTheValueTheRowAndTheWayOut() throws {
    let (graph, table, column) = try Self.graph(Line(Self.text, .one(.string("five")), Self.int, nil))
    let transaction = Transaction(graph)
    transaction.expectRefusal(
      .invalidSchema, table: "Row", column: "column", key: ObjectKey(1), saying: "'five'", "an int", "replacement"
    ) { try transaction.changeColumn(column, of: table, to: Self.int) }
  }

  @Test func setOptionalIsTheSameChangeInOneWord() throws {
    let (graph, table, column) = try Self.graph(Line(Self.type(.int, isOptional: true), .one(.null), Self.int, nil))
    let transaction = Transaction(graph)
    transaction.expectRefusal(.invalidSchema, table: "Row", column: "column", key: ObjectKey(1), saying: "null") {
      try transaction.setOptional(false, column: column, of: table)
    }
    let after = try graph.after { try $0.setOptional(false, column: column, of: table, replacing: .int(3)) }
    #expect(after.value(Cell(table, ObjectKey(1), column)) == .int(3))
    #expect(after[table]?.schema.column(column)?.type.isOptional == false)
    let back = try after.after { try $0.setOptional(true, column: column, of: table) }
    #expect(back.value(Cell(table, ObjectKey(1), column)) == .int(3))
  }
}
