import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// Adding, removing and renaming columns of tables that have rows.
struct SchemaColumnsTests {
  let start: Graph
  let dogs: TableKey
  let name: ColumnKey
  let age: ColumnKey

  init() throws {
    let transaction = Transaction(.empty)
    dogs = try transaction.addTable("Dog")
    name = try transaction.addColumn(to: dogs, "name", ColumnType(.string))
    age = try transaction.addColumn(to: dogs, "age", ColumnType(.int))
    for number in 0..<Int64(600) {
      try transaction.create(in: dogs) { [name, age] row in
        try row.set("dog \(number)", name)
        try row.set(number, age)
      }
    }
    // Three clusters, one of them sparse.
    let table = dogs
    try transaction.delete((256..<512).filter { $0 % 3 == 0 }.map { ObjectLink(table, ObjectKey(Int64($0))) })
    start = transaction.graph
  }

  var rows: [ObjectKey] {
    var rows: [ObjectKey] = []
    start[dogs]?.rows.forEach { chunk, cluster in
      cluster.live.forEach { rows.append(ObjectKey(chunk: chunk, bit: $0)) }
      return true
    }
    return rows
  }

  @Test func presentRowsGetZeroNullOrNothingInANewColumn() throws {
    for type in EveryColumn.types(target: dogs) {
      var column = name
      let after = try start.after { column = try $0.addColumn(to: dogs, "new", type) }
      for row in [rows[0], rows[300], rows[rows.count - 1]] {
        let cell = Cell(dogs, row, column)
        if type.isCollection {
          #expect(after.collection(cell) == nil)
        } else {
          #expect(after.value(cell)?.isNull == type.allowsNull, "\(type.declaration)")
        }
        #expect(after.value(Cell(dogs, row, name)) == start.value(Cell(dogs, row, name)))
      }
    }
  }

  @Test func presentRowsGetTheValueThatIsGiven() throws {
    for kind in ValueKind.allCases where kind != .link {
      for isOptional in kind == .any ? [false] : [false, true] {
        let type = ColumnType(kind, isOptional: isOptional)
        for value in [SampleValues.of(kind).last, isOptional ? Value.null : nil].compactMap({ $0 }) {
          var column = name
          let after = try start.after { column = try $0.addColumn(to: dogs, "new", type, value: value) }
          for row in rows where after.value(Cell(dogs, row, column)) != value {
            Issue.record("\(type.declaration) of \(row) is not \(value)")
          }
        }
      }
    }
  }

  @Test func aValueThatDoesNotFitTheNewColumnIsRefused() {
    let transaction = Transaction(start)
    let wrong: [(ColumnType, Value)] = [
      (ColumnType(.int), .string("1")), (ColumnType(.int), .null), (ColumnType(.int, width: .bits8), .int(128)),
      (ColumnType(.string, shape: .list), .string("a")), (ColumnType(.bool), .int(1)),
      (.link(to: dogs), .link(ObjectLink(dogs, ObjectKey(0)))),
      (ColumnType(.any), .link(ObjectLink(dogs, ObjectKey(0)))),
    ]
    for (type, value) in wrong {
      transaction.expectRefusal(.invalidValue, table: "Dog", column: "new", saying: "\(value)", type.declaration) {
        try transaction.addColumn(to: dogs, "new", type, value: value)
      }
    }
  }

  @Test func columnsThatAreAddedToARowKeepTheirOwnCells() throws {
    var columns: [ColumnKey] = []
    let after = try start.after { transaction in
      for number in 0..<Int64(20) {
        columns.append(try transaction.addColumn(to: dogs, "c\(number)", ColumnType(.int), value: .int(number * 1000)))
      }
    }
    for (number, column) in columns.enumerated() {
      #expect(after.value(Cell(dogs, rows[7], column)) == .int(Int64(number) * 1000))
    }
    #expect(after.value(Cell(dogs, rows[7], age)) == .int(7))
  }

  @Test func aColumnGoesAndTheOthersStay() throws {
    let after = try start.after { try $0.removeColumn(name, of: dogs) }
    #expect(after[dogs]?.schema.columns.map(\.name) == ["age"])
    for row in rows { #expect(after.value(Cell(dogs, row, age)) == .int(row.rawValue)) }
    #expect(after.value(Cell(dogs, rows[0], name)) == nil)
  }

  @Test func theKeyOfAColumnIsNeverGivenOutAgain() throws {
    var again = name
    let after = try start.after { transaction in
      try transaction.removeColumn(age, of: dogs)
      again = try transaction.addColumn(to: dogs, "age", ColumnType(.int))
    }
    #expect(again != age)
    #expect(after.value(Cell(dogs, rows[5], again)) == .int(0), "another column, though of the same name")
    #expect(after.value(Cell(dogs, rows[5], age)) == nil)
  }

  @Test func removingAColumnTakesItsPrimaryKeyAndItsIndexesAlong() throws {
    let indexed = try start.after { transaction in
      try transaction.setPrimaryKey(name, of: dogs)
      try transaction.addIndex(IndexDefinition([name]), to: dogs)
      try transaction.addIndex(IndexDefinition([age, name], isUnique: true), to: dogs)
      try transaction.addIndex(IndexDefinition([age], isUnique: true), to: dogs)
    }
    let after = try indexed.after { try $0.removeColumn(name, of: dogs) }
    #expect(after[dogs]?.schema.primaryKey == nil)
    #expect(after[dogs]?.schema.indexes == [IndexDefinition([age], isUnique: true)])
  }

  @Test func removingALinkColumnForgetsItsBacklinks() throws {
    let linked = try start.after { transaction in
      let friend = try transaction.addColumn(to: dogs, "friend", .link(to: dogs))
      let pack = try transaction.addColumn(to: dogs, "pack", .link(to: dogs, shape: .list))
      for row in rows.prefix(20) {
        try transaction.set(.link(ObjectLink(dogs, rows[0])), Cell(dogs, row, friend))
        try transaction.append(.link(ObjectLink(dogs, rows[0])), toList: Cell(dogs, row, pack))
      }
    }
    let friend = try #require(linked[dogs]?.schema.column(named: "friend")).key
    let pack = try #require(linked[dogs]?.schema.column(named: "pack")).key
    #expect(linked[dogs]?.backlinks(to: rows[0], from: dogs, friend)?.count == 20)
    let after = try linked.after { try $0.removeColumn(friend, of: dogs) }
    #expect(after[dogs]?.backlinks(to: rows[0], from: dogs, friend) == nil)
    #expect(after[dogs]?.backlinks(to: rows[0], from: dogs, pack)?.count == 20)
    #expect(after[dogs]?.count == rows.count, "shared rows stay")
  }

  @Test func removingAColumnDeletesTheRowsThatItOwns() throws {
    var parts = dogs
    var nested = name
    let owning = try start.after { transaction in
      parts = try transaction.addTable("Part", kind: .embedded)
      let inner = try transaction.addColumn(to: parts, "inner", .link(to: parts))
      nested = try transaction.addColumn(to: dogs, "parts", .link(to: parts, shape: .dictionary))
      let kept = try transaction.addColumn(to: dogs, "kept", .link(to: parts))
      for row in rows.prefix(5) {
        let part = try transaction.createOwned(in: parts, by: Cell(dogs, row, nested), .entry("a"))
        try transaction.createOwned(in: parts, by: Cell(parts, part, inner), .value)
        try transaction.createOwned(in: parts, by: Cell(dogs, row, kept), .value)
      }
    }
    #expect(owning[parts]?.count == 15)
    let after = try owning.after { try $0.removeColumn(nested, of: dogs) }
    #expect(after[parts]?.count == 5)
  }

  @Test func removingAColumnOfAnyValuesDeletesTheCollectionsInside() throws {
    var anything = name
    let owning = try start.after { transaction in
      anything = try transaction.addColumn(to: dogs, "anything", ColumnType(.any))
      let list = try transaction.createOwned(in: .nestedLists, by: Cell(dogs, rows[0], anything), .value)
      let elements = Cell(.nestedLists, list, .nestedElements)
      try transaction.createOwned(in: .nestedDictionaries, by: elements, .inserted(at: 0))
      try transaction.append(.link(ObjectLink(dogs, rows[1])), toList: elements)
    }
    let after = try owning.after { try $0.removeColumn(anything, of: dogs) }
    #expect(after[.nestedLists]?.count == 0 && after[.nestedDictionaries]?.count == 0)
    #expect(after[dogs]?.count == rows.count)
  }

  @Test func aDeleteRuleCanKeepAColumn() throws {
    let transaction = Transaction(start)
    let parts = try transaction.addTable("Part", kind: .embedded)
    let guardian = try transaction.addColumn(to: parts, "guardian", .link(to: dogs), deleteRule: .deny)
    let own = try transaction.addColumn(to: dogs, "part", .link(to: parts))
    let part = try transaction.createOwned(in: parts, by: Cell(dogs, rows[0], own), .value)
    try transaction.set(.link(ObjectLink(dogs, rows[1])), Cell(parts, part, guardian))
    transaction.expectRefusal(.deleteDenied, table: "Part", column: "guardian", key: part) {
      try transaction.removeColumn(own, of: dogs)
    }
  }

  @Test func aColumnIsRenamedWithItsCells() throws {
    let after = try start.after { try $0.renameColumn(name, of: dogs, to: "title") }
    #expect(after[dogs]?.schema.column(named: "title")?.key == name)
    #expect(after[dogs]?.schema.column(named: "name") == nil)
    #expect(after.value(Cell(dogs, rows[9], name)) == .string("dog 9"))
    let delta = Delta(from: start, to: after)
    #expect(delta.schema != nil && delta.tables.isEmpty, "no cell differs")
  }

  @Test func aDeleteRuleIsExchanged() throws {
    var friend = name
    let linked = try start.after { friend = try $0.addColumn(to: dogs, "friend", .link(to: dogs)) }
    for rule in DeleteRule.allCases {
      let after = try linked.after { try $0.setDeleteRule(rule, ofColumn: friend, of: dogs) }
      #expect(after[dogs]?.schema.column(friend)?.deleteRule == rule)
    }
  }

  @Test func aColumnThatIsNotThereIsNotChanged() {
    let transaction = Transaction(start)
    for column in [ColumnKey(rawValue: 99), ColumnKey(rawValue: .max)] {
      let operations: [() throws -> Void] = [
        { try transaction.removeColumn(column, of: dogs) },
        { try transaction.renameColumn(column, of: dogs, to: "x") },
        { try transaction.setDeleteRule(.deny, ofColumn: column, of: dogs) },
        { _ = try transaction.changeColumn(column, of: dogs, to: ColumnType(.int)) },
        { _ = try transaction.setOptional(true, column: column, of: dogs) },
      ]
      for operation in operations {
        let before = transaction.graph
        #expect {
          try operation()
        } throws: { error in
          (error as? GraphError)?.code == .missingObject && (error as? GraphError)?.table == "Dog"
            && "\(error)".contains("\(column)")
        }
        #expect(transaction.graph == before)
      }
    }
  }
}
