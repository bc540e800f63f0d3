import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// Setting single cells of existing rows.
struct SettingTests {
  @Test func valuesOfEveryTypeGoInAndComeOut() throws {
    let every = try EveryColumn()
    let transaction = Transaction(every.graph)
    let (key, neighbour) = (try transaction.create(in: every.row), try transaction.create(in: every.row))
    let before = transaction.graph
    for column in every.columns where column.type.shape == .single && column.type.target != every.part {
      let cell = Cell(every.row, key, column.key)
      let samples = every.samples(of: column.type)
      #expect(!samples.isEmpty)
      for value in samples {
        try transaction.set(value, cell)
        #expect(transaction.value(cell) == value, "\(column.type.declaration)")
      }
      let other = Cell(every.row, neighbour, column.key)
      #expect(transaction.value(other) == before.value(other), "the neighbour is as it was")
      #expect(transaction.graph.checkInvariants() == [], "\(column.type.declaration)")
    }
  }

  @Test func typedValuesGoInWhereverTheyFit() throws {
    let every = try EveryColumn()
    let transaction = Transaction(every.graph)
    let key = try transaction.create(in: every.row)
    func set<Element: Storable>(_ type: Element.Type, _ column: Column, _ value: Value) throws {
      let cell = Cell(every.row, key, column.key)
      try transaction.set(value.isNull ? nil : Element(value), cell)
      #expect(transaction.value(cell) == value, "\(column.type.declaration)")
      let loaded = transaction.load(Element.self, cell)
      if value.isNull { #expect(loaded == nil) } else { #expect(loaded?.value(as: column.type) == value) }
    }
    for column in every.columns where column.type.shape == .single && column.type.target != every.part {
      for value in every.samples(of: column.type) {
        switch column.type.kind {
        case .bool, .int, .link: try set(Int64.self, column, value)
        case .float: try set(Float.self, column, value)
        case .double: try set(Double.self, column, value)
        case .string: try set(String.self, column, value)
        case .data: try set(Data.self, column, value)
        case .date: try set(Timestamp.self, column, value)
        case .objectId: try set(ObjectId.self, column, value)
        case .uuid: try set(UUID.self, column, value)
        case .decimal: try set(Decimal128.self, column, value)
        case .any: break
        }
      }
    }
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func typedValuesBecomeAnyValues() throws {
    let every = try EveryColumn()
    let anything = try #require(every.columns.first { $0.type == ColumnType(.any) })
    let transaction = Transaction(every.graph)
    let cell = Cell(every.row, try transaction.create(in: every.row), anything.key)
    try transaction.set(7 as Int64, cell)
    #expect(transaction.value(cell) == .int(7))
    try transaction.set("seven", cell)
    #expect(transaction.value(cell) == .string("seven"))
    try transaction.set(nil as Double?, cell)
    #expect(transaction.value(cell) == .null)
  }

  @Test func whatDoesNotFitIsRefused() throws {
    let every = try EveryColumn()
    let transaction = Transaction(every.graph)
    let key = try transaction.create(in: every.row)
    let values = SampleValues.all.map(\.value).filter { $0.linked == nil }
    for column in every.columns where column.type.target != every.part {
      let cell = Cell(every.row, key, column.key)
      for value in values where !column.type.holds(value) {
        // A third of the samples is enough and keeps the test short.
        if !value.isNull && (Int(column.key.rawValue) + "\(value)".utf8.count) % 3 != 0 { continue }
        transaction.expectRefusal(
          .invalidValue, table: "row", column: column.name, key: key, saying: column.type.declaration
        ) { try transaction.set(value, cell) }
      }
    }
  }

  @Test func typedValuesThatDoNotFitAreRefusedAndNamed() throws {
    let every = try EveryColumn()
    let transaction = Transaction(every.graph)
    let key = try transaction.create(in: every.row)
    func cell(_ name: String) throws -> Cell {
      Cell(every.row, key, try #require(every.columns.first { $0.name == name }).key)
    }
    func expect<Element: Storable>(_ name: String, _ value: Element?, _ words: String) throws {
      let cell = try cell(name)
      transaction.expectRefusal(.invalidValue, table: "row", column: name, key: key, saying: words) {
        try transaction.set(value, cell)
      }
    }
    try expect("int8", 128 as Int64, "cannot hold 128: it is an integer of 8 bits")
    try expect("int16?", -32_769 as Int64, "16 bits")
    try expect("bool", 2 as Int64, "cannot hold 2")
    try expect("string", nil as String?, "cannot be null")
    try expect("double", 1 as Int64, "cannot hold 1: it is a double")
    try expect("float", 1.0, "it is a float")
    try expect("list of int", 1 as Int64, "change its elements")
    try expect("uuid", "x", "cannot hold 'x'")
  }

  @Test func aLinkMustLeadToARowOfItsTarget() throws {
    let every = try EveryColumn()
    let transaction = Transaction(every.graph)
    let key = try transaction.create(in: every.row)
    func cell(_ name: String) throws -> Cell {
      Cell(every.row, key, try #require(every.columns.first { $0.name == name }).key)
    }
    let (link, anything, part) = (try cell("link"), try cell("any"), try cell("part single"))
    transaction.expectRefusal(.missingObject, table: "row", column: "link", key: key, saying: "#99", "'target'") {
      try transaction.set(.link(ObjectLink(every.target, ObjectKey(99))), link)
    }
    transaction.expectRefusal(
      .invalidValue, table: "row", column: "link", key: key, saying: "cannot hold an object of 'row'", "to 'target'"
    ) {
      try transaction.set(.link(ObjectLink(every.row, key)), link)
    }
    transaction.expectRefusal(.missingObject, table: "row", column: "any", key: key, saying: "no such table") {
      try transaction.set(SampleValues.link(99, 0), anything)
    }
    let other = Cell(every.row, try transaction.create(in: every.row), part.column)
    let owned = Value.link(ObjectLink(every.part, try transaction.createOwned(in: every.part, by: other, .value)))
    for (cell, name) in [(part, "part single"), (anything, "any")] {
      transaction.expectRefusal(.ownership, table: "row", column: name, key: key, saying: "made in its place") {
        try transaction.set(owned, cell)
      }
    }
    // Setting the row that the cell already owns is allowed: it changes nothing.
    try transaction.set(owned, other)
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func missingRowsAndColumnsAreRefusedAndNamed() throws {
    let transaction = Transaction(.empty)
    let dogs = try transaction.addTable("Dog")
    let name = try transaction.addColumn(to: dogs, "name", ColumnType(.string))
    let rex = try transaction.create(in: dogs)
    let gone = try transaction.create(in: dogs)
    try transaction.delete(ObjectLink(dogs, gone))
    transaction.expectRefusal(.missingObject, table: "Dog", column: "name", key: gone) {
      try transaction.set("x", Cell(dogs, gone, name))
    }
    transaction.expectRefusal(.missingObject, table: "Dog", column: "name", key: gone) {
      try transaction.set(.string("x"), Cell(dogs, gone, name))
    }
    for key in [ObjectKey(-1), ObjectKey(1 << 40), ObjectKey(.max), ObjectKey(.min)] {
      transaction.expectRefusal(.missingObject, table: "Dog", column: "name", key: key) {
        try transaction.set("x", Cell(dogs, key, name))
      }
    }
    transaction.expectRefusal(.missingObject, table: "Dog", key: rex, saying: "column 99") {
      try transaction.set("x", Cell(dogs, rex, ColumnKey(rawValue: 99)))
    }
    transaction.expectRefusal(.missingObject, saying: "table 99") {
      try transaction.set("x", Cell(TableKey(rawValue: 99), rex, name))
    }
    transaction.expectRefusal(.missingObject, saying: "table 4294967295") {
      try transaction.set(.string("x"), Cell(TableKey(rawValue: .max), rex, name))
    }
    #expect(transaction.value(Cell(dogs, gone, name)) == nil)
    #expect(transaction.value(Cell(TableKey(rawValue: 99), rex, name)) == nil)
  }

  @Test func settingTheSameValueChangesNothingAndOtherBitsDo() throws {
    let transaction = Transaction(.empty)
    let dogs = try transaction.addTable("Dog")
    let weight = try transaction.addColumn(to: dogs, "weight", ColumnType(.double))
    let cell = Cell(dogs, try transaction.create(in: dogs), weight)
    let before = transaction.graph
    try transaction.set(.double(0.0), cell)
    #expect(transaction.graph == before)
    try transaction.set(.double(-0.0), cell)
    #expect(transaction.graph != before && transaction.value(cell) == .double(-0.0))
    try transaction.set(.double(0.0), cell)
    #expect(transaction.graph == before)
  }

  @Test func aCellThatIsMadeNullLetsGoOfWhatItHeld() throws {
    let transaction = Transaction(.empty)
    let dogs = try transaction.addTable("Dog")
    let text = try transaction.addColumn(to: dogs, "text", ColumnType(.string, isOptional: true))
    let number = try transaction.addColumn(to: dogs, "number", ColumnType(.int, isOptional: true))
    let key = try transaction.create(in: dogs)
    let bare = transaction.graph
    try transaction.set(String(repeating: "long", count: 100), Cell(dogs, key, text))
    try transaction.set(Int64(1) << 40, Cell(dogs, key, number))
    try transaction.set(nil as String?, Cell(dogs, key, text))
    try transaction.set(.null, Cell(dogs, key, number))
    // The invariants include that null cells hold zeros.
    #expect(transaction.graph == bare && transaction.graph.checkInvariants() == [])
    let values = try #require(transaction.graph[dogs]?.rows[0]?[leaf: 0].values)
    #expect(values.value(at: 0, as: ColumnType(.string)) == .string(""))
  }

  @Test func aVersionThatWasGivenOutIsNotTouchedBySetting() throws {
    let transaction = Transaction(.empty)
    let dogs = try transaction.addTable("Dog")
    let age = try transaction.addColumn(to: dogs, "age", ColumnType(.int))
    let cell = Cell(dogs, try transaction.create(in: dogs), age)
    var versions: [Graph] = []
    for value in 0..<Int64(20) {
      try transaction.set(value, cell)
      versions.append(transaction.graph)
      try transaction.set(value + 100, cell)
    }
    #expect(versions.map { $0.value(cell) } == (0..<Int64(20)).map { .int($0) })
    for version in versions { #expect(version.checkInvariants() == []) }
  }
}
