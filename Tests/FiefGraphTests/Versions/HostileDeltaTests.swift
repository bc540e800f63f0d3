import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// Deltas that nobody made by comparing two graphs. Each is refused with a sentence, changes nothing, and never traps.
struct HostileDeltaTests {
  let house: Household

  init() throws { house = try Household() }

  /// Expects the delta to be refused on the graph, and on a transaction in the middle of its work.
  func expectRefused(
    _ delta: Delta, on graph: Graph? = nil, saying words: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let graph = graph ?? house.graph
    let transaction = Transaction(graph)
    do {
      try transaction.apply(delta)
      Issue.record("the delta was accepted", sourceLocation: sourceLocation)
      let faults = transaction.graph.checkInvariants()
      #expect(faults == [], "and the graph is unsound", sourceLocation: sourceLocation)
    } catch let error as GraphError {
      #expect(error.code == .invalidDelta, "\(error)", sourceLocation: sourceLocation)
      for word in words { #expect(error.message.contains(word), "\(error)", sourceLocation: sourceLocation) }
    } catch {
      Issue.record("\(error) is no GraphError", sourceLocation: sourceLocation)
    }
    #expect(transaction.graph == graph, "something changed", sourceLocation: sourceLocation)
    #expect(transaction.graph.checkInvariants() == [], sourceLocation: sourceLocation)
    #expect(throws: GraphError.self, sourceLocation: sourceLocation) { try delta.inverse(on: graph) }
  }

  func expectRefused(
    _ path: String, _ change: CellChange, key: Int64 = 0, saying words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectRefused(house.delta(path, key, change), saying: words, sourceLocation: sourceLocation)
  }

  // MARK: Tables, columns and rows that are not there

  @Test func aTableThatIsNotThere() {
    for key in [TableKey(rawValue: 99), TableKey(rawValue: .max)] {
      expectRefused(Delta(tables: [TableDelta(table: key, nextKey: 0)]), saying: "there is no \(key)")
    }
  }

  @Test func aColumnThatIsNotThere() {
    for column in [ColumnKey(rawValue: 99), ColumnKey(rawValue: .max)] {
      let delta = house.delta("Person") { $0.updated = [ColumnDelta(column: column, cells: [])] }
      expectRefused(delta, saying: "'Person' has no \(column)")
    }
  }

  @Test func cellsOfRowsThatAreNotThere() {
    for key in [99, -1, 1 << 40, .max, .min] as [Int64] {
      expectRefused("Person.name", .value(.string("x")), key: key, saying: "not there")
    }
  }

  @Test func rowsThatGoAndAreNotThere() {
    let gone: [[DeletedRows]] = [
      [DeletedRows(chunk: 0, rows: Bitmap256(bit: 9))], [DeletedRows(chunk: 1, rows: Bitmap256(bit: 0))],
      [DeletedRows(chunk: -1, rows: Bitmap256(bit: 0))], [DeletedRows(chunk: .max, rows: Bitmap256(bit: 0))],
      [DeletedRows(chunk: .min, rows: Bitmap256(bit: 0))], [DeletedRows(chunk: 0, rows: Bitmap256())],
      [DeletedRows(chunk: 0, rows: Bitmap256(prefix: 256))],
      Array(repeating: DeletedRows(chunk: 0, rows: Bitmap256(bit: 2)), count: 2),
    ]
    for rows in gone { expectRefused(house.delta("Person") { $0.deleted = rows }, saying: "not there") }
  }

  @Test func cellsOfRowsThatGo() {
    let delta = house.delta("Person") {
      $0.deleted = [DeletedRows(chunk: 0, rows: Bitmap256(bit: 2))]
      $0.updated = [ColumnDelta(column: house.column("Person.name"), cells: [(ObjectKey(2), .value(.string("x")))])]
    }
    expectRefused(delta, saying: "not there")
  }

  // MARK: Values that do not fit

  @Test func valuesOfAnotherType() {
    let wrong: [(String, Value)] = [
      ("Person.name", .int(1)), ("Person.name", .null), ("Person.age", .string("1")), ("Person.age", .int(128)),
      ("Person.pet", .int(0)), ("Person.pet", house.link("Person", 0)), ("Dog.id", .null), ("Dog.id", .string("0")),
      ("Person.home", house.link("Dog", 0)),
    ]
    for (path, value) in wrong { expectRefused(path, .value(value), saying: "cannot hold \(value)") }
  }

  @Test func elementsOfAnotherType() {
    expectRefused("Person.numbers", .list([ListSplice(range: 0..<1, values: [.string("x")])]), saying: "cannot hold")
    expectRefused("Person.numbers", .list([ListSplice(range: 0..<1, values: [.null])]), saying: "cannot hold")
    expectRefused("Person.pets", .list([ListSplice(range: 0..<1, values: [.null])]), saying: "cannot hold")
    expectRefused("Person.tags", .set(removed: [], inserted: [.int(1)]), saying: "cannot hold")
    expectRefused("Person.tags", .set(removed: [], inserted: [.null]), saying: "cannot hold")
    let entry = DictionaryEntry(key: "k", value: .int(1))
    expectRefused("Person.notes", .dictionary(removed: [], set: [entry]), saying: "cannot hold")
    expectRefused("Person.team", .dictionary(removed: [], set: [entry]), saying: "cannot hold")
  }

  @Test func changesOfAnotherShape() {
    let changes: [CellChange] = [
      .value(.null), .list([]), .set(removed: [], inserted: []), .dictionary(removed: [], set: []),
    ]
    for (path, own) in [("Person.name", 0), ("Person.numbers", 1), ("Person.tags", 2), ("Person.notes", 3)] {
      for (place, change) in changes.enumerated() where place != own {
        expectRefused(path, change, saying: "another shape")
      }
    }
  }

  // MARK: Positions, elements and keys that are not there

  @Test func splicesBeyondTheEndOrOutOfOrder() {
    let wrong: [[Range<Int>]] = [
      [5..<6], [0..<6], [6..<6], [-1..<0], [0..<(.max)], [(.min)..<0], [2..<4, 3..<5], [3..<4, 0..<1], [0..<5, 0..<0],
    ]
    for ranges in wrong {
      expectRefused(
        "Person.numbers", .list(ranges.map { ListSplice(range: $0, values: [.int(1)]) }), saying: "beyond its end")
    }
    expectRefused("Person.numbers", .list([ListSplice(range: 0..<1, values: [])]), key: 2, saying: "beyond its end")
  }

  @Test func elementsThatASetDoesNotHoldOrHoldsAlready() {
    expectRefused("Person.tags", .set(removed: [.string("c")], inserted: []), saying: "does not hold it")
    expectRefused("Person.tags", .set(removed: [.int(1)], inserted: []), saying: "does not hold it")
    expectRefused("Person.tags", .set(removed: [.string("a"), .string("a")], inserted: []), saying: "does not hold it")
    expectRefused("Person.tags", .set(removed: [.string("a")], inserted: []), key: 1, saying: "does not hold it")
    expectRefused("Person.tags", .set(removed: [], inserted: [.string("a")]), saying: "that holds it")
    expectRefused("Person.tags", .set(removed: [], inserted: [.string("c"), .string("c")]), saying: "that holds it")
    expectRefused("Person.friends", .set(removed: [house.link("Person", 1)], inserted: []), saying: "does not hold it")
  }

  @Test func keysThatADictionaryDoesNotHave() {
    expectRefused("Person.notes", .dictionary(removed: ["x"], set: []), saying: "does not have it")
    expectRefused("Person.notes", .dictionary(removed: ["k", "k"], set: []), saying: "does not have it")
    expectRefused("Person.notes", .dictionary(removed: ["k"], set: []), key: 1, saying: "does not have it")
  }

  // MARK: Links and owners

  @Test func linksWithoutATarget() throws {
    let missing = house.link("Dog", 99)
    expectRefused("Person.pet", .value(missing), saying: "not there")
    expectRefused("Person.anything", .value(missing), key: 1, saying: "not there")
    expectRefused("Person.anything", .value(SampleValues.link(99, 0)), key: 1, saying: "not there")
    expectRefused("Person.anything", .value(SampleValues.link(.max, 0)), key: 1, saying: "not there")
    expectRefused("Person.pets", .list([ListSplice(range: 0..<0, values: [missing])]), saying: "not there")
    expectRefused("Person.friends", .set(removed: [], inserted: [missing]), saying: "not there")
    expectRefused(
      "Person.team", .dictionary(removed: [], set: [DictionaryEntry(key: "k", value: missing)]), saying: "not there")
    for key in [-1, .min, .max] as [Int64] {
      expectRefused("Person.pet", .value(house.link("Dog", key)), saying: "not there")
    }
  }

  @Test func rowsThatGoAndAreStillLinkedTo() {
    expectRefused(
      house.delta("Dog") { $0.deleted = [DeletedRows(chunk: 0, rows: Bitmap256(bit: 0))] }, saying: "still linked to")
  }

  @Test func linksToWhatCannotBeLinkedTo() {
    for table in ["Log", "Address"] {
      expectRefused("Person.anything", .value(house.link(table, 0)), key: 1, saying: "an any cannot link to '\(table)'")
    }
  }

  @Test func anAnyValueThatTakesAnEmbeddedObjectFromItsOwner() {
    // One owner, no circle: but no operation could say so, and deleting the owner would leave the object behind.
    let delta = house.delta([
      ("Person.home", 1, .value(.null)), ("Person.anything", 1, .value(house.link("Address", 3))),
    ])
    expectRefused(delta, saying: "an any cannot link to 'Address'")
  }

  @Test func aSetOfAnyValuesThatOwnsACollection() throws {
    let transaction = Transaction(house.graph)
    let column = try transaction.addColumn(to: house.table("Person"), "bag", ColumnType(.any, shape: .set))
    var people = TableDelta(table: house.table("Person"), nextKey: 4)
    let list = Value.link(ObjectLink(.nestedLists, ObjectKey(0)))
    people.updated = [
      ColumnDelta(column: house.column("Person.anything"), cells: [(ObjectKey(0), .value(.null))]),
      ColumnDelta(column: column, cells: [(ObjectKey(0), .set(removed: [], inserted: [list]))]),
    ]
    expectRefused(Delta(tables: [people]), on: transaction.graph, saying: "a set of any cannot link to 'any.list'")
  }

  @Test func anEmbeddedObjectWithTwoOwnersOrWithNone() {
    expectRefused("Person.home", .value(house.link("Address", 0)), key: 2, saying: "2 owners")
    expectRefused(
      "Person.rooms", .list([ListSplice(range: 0..<0, values: [house.link("Address", 2)])]), saying: "2 owners")
    expectRefused("Person.home", .value(.null), saying: "0 owners")
    expectRefused("Person.home", .value(.null), key: 1, saying: "0 owners")
    expectRefused("Person.rooms", .list([ListSplice(range: 0..<1, values: [])]), saying: "0 owners")
    expectRefused("Person.anything", .value(.int(1)), saying: "0 owners")
  }

  @Test func anEmbeddedObjectThatChangesItsOwnerIsSound() throws {
    // No operation does so, but nothing is wrong with it.
    let delta = house.delta([
      ("Person.home", 1, .value(.null)), ("Person.home", 2, .value(house.link("Address", 3))),
    ])
    let after = try house.graph.applying(delta)
    #expect(after.checkInvariants() == [])
    #expect(after.owner(of: ObjectLink(house.table("Address"), ObjectKey(3))) == house.cell("Person.home", 2))
  }

  @Test func aCircleOfOwners() {
    expectRefused(
      house.delta([("Person.home", 0, .value(.null)), ("Address.inner", 1, .value(house.link("Address", 0)))]),
      saying: "circle")
    expectRefused(
      house.delta([("Person.home", 1, .value(.null)), ("Address.inner", 3, .value(house.link("Address", 3)))]),
      saying: "circle")
  }

  // MARK: Rows that come

  /// The rows that came to `Person`, `Dog` or `Address` with a change.
  func inserted(_ table: String, _ change: (Transaction) throws -> Void) throws -> InsertedRows {
    let after = try house.graph.after(change)
    let delta = Delta(from: house.graph, to: after)
    return try #require(delta.tables.first { $0.table == house.table(table) }?.inserted.first)
  }

  @Test func rowsThatAreThereAlready() throws {
    let rows = try #require(house.graph[house.table("Person")]?.rows[0])
    let delta = house.delta("Person") { $0.inserted = [InsertedRows(chunk: 0, rows: rows)] }
    expectRefused(delta, saying: "that are there")
    let dog = try inserted("Log") { try $0.create(in: house.table("Log")) }
    let twice = house.delta("Log") {
      $0.inserted = [dog, dog]
      $0.nextKey = 2
    }
    expectRefused(twice, saying: "that are there")
  }

  @Test func rowsWithTheLeavesOfAnotherTable() throws {
    let log = try inserted("Log") { try $0.create(in: house.table("Log")) }
    let person = try inserted("Person") { try $0.create(in: house.table("Person")) }
    let dog = try inserted("Dog") { try $0.create(in: house.table("Dog"), primaryKey: .int(50)) }
    for (table, rows) in [
      ("Person", log), ("Person", dog), ("Log", person), ("Log", dog), ("Dog", person), ("Dog", log),
    ] {
      let delta = house.delta(table) {
        $0.inserted = [rows]
        $0.nextKey = 10
      }
      expectRefused(delta, saying: "A cluster of '\(table)'")
    }
  }

  @Test func rowsWithLeavesOfTheSameCountAndAnotherType() throws {
    // Two tables of one column each, of every type: the rows of one are no rows of the other, unless they fit.
    var types = EveryColumn.types(target: TableKey(rawValue: 2))
    types = types.filter { $0.width == .bits64 || $0.width == .bits8 }
    for type in types {
      let transaction = Transaction(.empty)
      let target = try transaction.addTable("Target")
      try transaction.create(in: target)
      let row = try transaction.addTable("Row")
      try transaction.addColumn(to: row, "column", type)
      let graph = transaction.graph
      for other in types where other != type {
        let source = Transaction(graph)
        let otherRow = try source.addTable("Other")
        let column = try source.addColumn(to: otherRow, "column", other)
        try source.create(in: otherRow)
        let cell = Cell(otherRow, ObjectKey(0), column)
        let value: Value =
          other.kind == .link
          ? .link(ObjectLink(target, ObjectKey(0)))
          : SampleValues.of(other.kind).first(where: other.element.holds) ?? .null
        switch other.shape {
        case .single: try source.set(value, cell)
        case .list: try source.append(value, toList: cell)
        case .set: try source.insert(value, inSet: cell)
        case .dictionary: try source.set(value, forKey: "k", inDictionary: cell)
        }
        var delta = TableDelta(table: row, nextKey: 1)
        let rows = try #require(source.graph[otherRow]?.rows[0])
        delta.inserted = [InsertedRows(chunk: 0, rows: rows)]
        expectRefusedOrSound(Delta(tables: [delta]), on: graph, "\(other.declaration) as \(type.declaration)")
      }
    }
  }

  /// Expects the delta to be refused with nothing changed, or to lead to a sound graph that can be worked with.
  func expectRefusedOrSound(_ delta: Delta, on graph: Graph, _ what: String) {
    let transaction = Transaction(graph)
    do {
      try transaction.apply(delta)
      let faults = transaction.graph.checkInvariants()
      if !faults.isEmpty { Issue.record("\(what): \(faults)") }
      // Comparing looks at collections by their storage, and traps when that is of another type than the column's.
      #expect(try graph.applying(Delta(from: graph, to: transaction.graph)) == transaction.graph, "\(what)")
      try transaction.clear(transaction.graph.allTables.filter { $0.schema.kind == .ordinary }.map(\.schema.key))
      #expect(transaction.graph.checkInvariants() == [], "\(what)")
    } catch let error as GraphError {
      if error.code != .invalidDelta { Issue.record("\(what): \(error)") }
      if transaction.graph != graph { Issue.record("\(what): something changed") }
    } catch {
      Issue.record("\(what): \(error)")
    }
  }

  @Test func rowsInChunksThatCannotBe() throws {
    let log = try inserted("Log") { try $0.create(in: house.table("Log")) }
    for chunk in [-1, .min, .max, Int64.max >> 8, (Int64.max >> 8) + 1] as [Int64] {
      let delta = house.delta("Log") {
        $0.inserted = [InsertedRows(chunk: chunk, rows: log.rows)]
        $0.nextKey = .max
      }
      expectRefusedOrSound(delta, on: house.graph, "chunk \(chunk)")
    }
    for chunk in [-1, .min, .max] as [Int64] {
      let delta = house.delta("Log") { $0.inserted = [InsertedRows(chunk: chunk, rows: log.rows)] }
      expectRefused(delta, saying: "out of range")
    }
  }

  @Test func aNextKeyThatIsTooLow() throws {
    let log = try inserted("Log") { try $0.create(in: house.table("Log")) }
    for next in [1, 0, -1, .min] as [Int64] {
      let delta = house.delta("Log") {
        $0.inserted = [log]
        $0.nextKey = next
      }
      expectRefused(delta, saying: "yet to be given out")
    }
    expectRefused(house.delta("Person") { $0.nextKey = 3 }, saying: "yet to be given out")
    let empty = try house.graph.after { try $0.clear(house.table("Log")) }
    for next in [-1, .min] as [Int64] {
      expectRefused(house.delta("Log") { $0.nextKey = next }, on: empty, saying: "negative")
    }
  }

  @Test func aNextKeyBeyondWhichThereIsNone() {
    // The next row would have the last key there is, and no key after it.
    for next in [.max, (1 << 62) + 1] as [Int64] {
      expectRefused(house.delta("Log") { $0.nextKey = next }, saying: "too few for rows to come")
    }
  }

  @Test func aPrimaryKeyTwice() throws {
    expectRefused("Dog.id", .value(.int(1)), saying: "primary key 1 twice")
    let dog = try inserted("Dog") { transaction in
      try transaction.delete(ObjectLink(house.table("Dog"), ObjectKey(3)))
      try transaction.create(in: house.table("Dog"), primaryKey: .int(3))
    }
    let delta = house.delta("Dog") {
      $0.inserted = [dog]
      $0.nextKey = 5
    }
    expectRefused(delta, saying: "primary key 3 twice")
  }

  @Test func primaryKeysThatAreExchangedAreSound() throws {
    let delta = house.delta("Dog") {
      $0.updated = [
        ColumnDelta(
          column: house.column("Dog.id"), cells: [(ObjectKey(0), .value(.int(1))), (ObjectKey(1), .value(.int(0)))])
      ]
    }
    let after = try house.graph.applying(delta)
    #expect(after.checkInvariants() == [])
    #expect(after[house.table("Dog")]?.find(primaryKey: .int(0)) == ObjectKey(1))
  }

  @Test func aUniqueValueTwice() {
    expectRefused("Dog.chip", .value(.int(11)), saying: "unique value twice")
    expectRefused("Dog.chip", .value(.int(10)), key: 3, saying: "unique value twice")
  }

  // MARK: Schemas

  @Test func aSchemaThatMakesNoSense() {
    let tables = house.graph.schema.tables
    expectRefused(Delta(schema: Schema(tables: [], nextTable: 0)), saying: "nested collections")
    expectRefused(Delta(schema: Schema(tables: tables, nextTable: 3)), saying: "yet to be given out")
    expectRefused(Delta(schema: Schema(tables: tables, nextTable: .max)), saying: "more than there can be")
    expectRefused(
      Delta(schema: Schema(tables: tables.filter { $0.name != "Dog" }, nextTable: 6)), saying: "not in the schema")
    expectRefused(Delta(schema: Schema(tables: tables + tables.suffix(1), nextTable: 6)), saying: "out of order")
  }

  /// A delta that says the schema of what a change leads to, and nothing of its cells and rows.
  func schemaAlone(_ graph: Graph? = nil, _ change: (Transaction) throws -> Void) throws -> Delta {
    let transaction = Transaction(graph ?? house.graph)
    try change(transaction)
    return Delta(schema: transaction.graph.schema)
  }

  @Test func aTableThatGoesAndIsStillLinkedTo() throws {
    let transaction = Transaction(house.graph)
    try transaction.set(house.link("Person", 0), house.cell("Person.anything", 1))
    let cats = try transaction.addTable("Cat")
    try transaction.create(in: cats)
    try transaction.set(.link(ObjectLink(cats, ObjectKey(0))), house.cell("Person.anything", 2))
    let graph = transaction.graph
    expectRefused(try schemaAlone(graph) { try $0.removeTable(cats) }, on: graph, saying: "still linked to")
    // The same with a schema that never had the table.
    expectRefused(Delta(schema: house.graph.schema), on: graph, saying: "still linked to")
  }

  @Test func aTableThatGoesAndChanges() throws {
    var delta = try schemaAlone { try $0.removeTable(house.table("Log")) }
    delta.tables = [TableDelta(table: house.table("Log"), nextKey: 1)]
    expectRefused(delta, saying: "a table that it removes")
  }

  @Test func aColumnThatGoesAndLeavesItsRowsWithoutAnOwner() throws {
    for path in ["home", "rooms"] {
      let delta = try schemaAlone {
        try $0.removeColumn(house.column("Person.\(path)"), of: house.table("Person"))
      }
      expectRefused(delta, saying: "0 owners")
    }
    let anything = try schemaAlone {
      try $0.removeColumn(house.column("Person.anything"), of: house.table("Person"))
    }
    expectRefused(anything, saying: "0 owners")
    expectRefused(try schemaAlone { try $0.removeTable(house.table("Person")) }, saying: "0 owners")
  }

  @Test func factsThatPresentRowsDoNotBear() throws {
    let (people, dogs) = (house.table("Person"), house.table("Dog"))
    let same = try house.graph.after { transaction in
      try transaction.set("same", house.cell("Person.name", 1))
      try transaction.set("same", house.cell("Person.name", 2))
      try transaction.set(.int(1000), house.cell("Dog.id", 2))
    }
    let changes: [(Transaction) throws -> Void] = [
      // Required, with nulls.
      { _ = try $0.setOptional(false, column: house.column("Person.age"), of: people, replacing: .int(0)) },
      { _ = try $0.setOptional(false, column: house.column("Person.notes"), of: people, replacing: .string("")) },
      // Narrower than its numbers.
      { transaction in
        try transaction.set(5 as Int64, house.cell("Dog.id", 2))
        _ = try transaction.changeColumn(house.column("Dog.id"), of: dogs, to: ColumnType(.int, width: .bits8))
      },
      // Unique, with repetitions.
      { transaction in
        try transaction.set("other", house.cell("Person.name", 1))
        try transaction.addIndex(IndexDefinition([house.column("Person.name")], isUnique: true), to: people)
      },
      { transaction in
        try transaction.set("other", house.cell("Person.name", 1))
        try transaction.setPrimaryKey(house.column("Person.name"), of: people)
      },
    ]
    for (place, change) in changes.enumerated() {
      let delta = try schemaAlone(same, change)
      let transaction = Transaction(same)
      #expect(throws: GraphError.self, "change \(place)") { try transaction.apply(delta) }
      #expect(transaction.graph == same && transaction.graph.checkInvariants() == [], "change \(place)")
    }
  }

  @Test func aTableThatBecomesEmbeddedWithRowsThatNobodyOwns() throws {
    func graph(_ kind: TableKind) throws -> Graph {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Row", kind: kind)
      let owners = try transaction.addTable("Owner")
      try transaction.addColumn(to: owners, "row", .link(to: table))
      try transaction.addColumn(to: owners, "anything", ColumnType(.any))
      try transaction.create(in: owners)
      if kind == .ordinary { try transaction.create(in: table) }
      return transaction.graph
    }
    let (ordinary, embedded) = (try graph(.ordinary), try graph(.embedded))
    expectRefused(Delta(schema: embedded.schema), on: ordinary, saying: "0 owners")
    // Owned by one any-value: no operation could bring that about.
    let transaction = Transaction(ordinary)
    let anything = Cell(TableKey(rawValue: 3), ObjectKey(0), ColumnKey(rawValue: 1))
    try transaction.set(.link(ObjectLink(TableKey(rawValue: 2), ObjectKey(0))), anything)
    expectRefused(Delta(schema: embedded.schema), on: transaction.graph, saying: "an any links to 'Row', and cannot")
  }

  @Test func aTableThatBecomesAsymmetricWhileItIsLinkedTo() throws {
    func graph(_ kind: TableKind) throws -> Graph {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Row", kind: kind)
      let owners = try transaction.addTable("Owner")
      let anything = try transaction.addColumn(to: owners, "anything", ColumnType(.any))
      let owner = try transaction.create(in: owners)
      let row = try transaction.create(in: table)
      if kind == .ordinary {
        try transaction.set(.link(ObjectLink(table, row)), Cell(owners, owner, anything))
      }
      return transaction.graph
    }
    expectRefused(
      Delta(schema: try graph(.asymmetric).schema), on: try graph(.ordinary),
      saying: "an any links to 'Row', and cannot")
  }
}
