import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// Creating rows.
struct CreatingTests {
  let transaction = Transaction(.empty)
  let dogs: TableKey
  let name: ColumnKey
  let age: ColumnKey

  init() throws {
    dogs = try transaction.addTable("Dog")
    name = try transaction.addColumn(to: dogs, "name", ColumnType(.string))
    age = try transaction.addColumn(to: dogs, "age", ColumnType(.int, isOptional: true, width: .bits8))
  }

  struct Stop: Error {}

  @Test func aRowThatIsGivenNothingIsZeroNullAndEmpty() throws {
    let every = try EveryColumn()
    let transaction = Transaction(every.graph)
    let key = try transaction.create(in: every.row)
    let graph = transaction.graph
    #expect(graph.checkInvariants() == [])
    for column in every.columns {
      let cell = Cell(every.row, key, column.key)
      if column.type.isCollection {
        #expect(graph.collection(cell) == nil && transaction.count(of: cell) == 0)
        continue
      }
      let zero: Value =
        switch column.type.kind {
        case .bool: .bool(false)
        case .int: .int(0)
        case .float: .float(0)
        case .double: .double(0)
        case .string: .string("")
        case .data: .data(Data())
        case .date: .date(Timestamp(seconds: 0))
        case .objectId: .objectId(ObjectId())
        case .uuid: .uuid(.zero)
        case .decimal: .decimal(Decimal128())
        case .link, .any: .null
        }
      #expect(graph.value(cell) == (column.type.allowsNull ? .null : zero), "\(column.type.declaration)")
    }
  }

  @Test func valuesOfEveryTypeGoInAndComeOut() throws {
    let every = try EveryColumn()
    for column in every.columns where column.type.shape == .single {
      let transaction = Transaction(every.graph)
      let samples = every.samples(of: column.type).filter { $0.linked == nil }
      let keys = try samples.map { value in
        try transaction.create(in: every.row) { try $0.set(value, column.key) }
      }
      let graph = transaction.graph
      for (key, value) in zip(keys, samples) {
        #expect(graph.value(Cell(every.row, key, column.key)) == value, "\(column.type.declaration)")
      }
      #expect(graph.checkInvariants() == [], "\(column.type.declaration)")
    }
  }

  @Test func aValueThatDoesNotFitACellIsRefusedWithoutATrace() throws {
    let every = try EveryColumn()
    let transaction = Transaction(every.graph)
    for column in every.columns where column.type.kind != .any || column.type.isCollection {
      for value in [Value.null, .bool(true), .int(300), .double(1.5), .string("x"), SampleValues.link(2, 0)]
      where !column.type.holds(value) || value.linked != nil {
        transaction.expectRefusal(.invalidValue, table: "row", column: column.name, saying: column.type.declaration) {
          try transaction.create(in: every.row) { try $0.set(value, column.key) }
        }
      }
    }
    #expect(transaction.graph[every.row]?.nextKey == 0)
  }

  @Test func typedValuesGoInAndComeOut() throws {
    let weight = try transaction.addColumn(to: dogs, "weight", ColumnType(.double))
    let isGood = try transaction.addColumn(to: dogs, "isGood", ColumnType(.bool))
    let key = try transaction.create(in: dogs) { row in
      try row.set("Rex", name)
      try row.set(3 as Int64, age)
      try row.set(7.5, weight)
      try row.set(1 as Int64, isGood)
    }
    #expect(transaction.load(String.self, Cell(dogs, key, name)) == "Rex")
    #expect(transaction.load(Int64.self, Cell(dogs, key, age)) == 3)
    #expect(transaction.load(Double.self, Cell(dogs, key, weight)) == 7.5)
    #expect(transaction.value(Cell(dogs, key, isGood)) == .bool(true))
    #expect(transaction.load(Int64.self, Cell(dogs, ObjectKey(99), age)) == nil)
    #expect(transaction.load(Int64.self, Cell(TableKey(rawValue: 99), key, age)) == nil)
    #expect(transaction.load(Int64.self, Cell(dogs, key, ColumnKey(rawValue: 99))) == nil)
  }

  @Test func typedValuesThatDoNotFitAreRefused() throws {
    func expect(_ column: String, _ fill: (NewRow) throws -> Void) {
      transaction.expectRefusal(.invalidValue, table: "Dog", column: column) {
        try transaction.create(in: dogs, fill)
      }
    }
    expect("age") { try $0.set(128 as Int64, age) }
    expect("age") { try $0.set("3", age) }
    expect("age") { try $0.set(3.0, age) }
    expect("name") { try $0.set(nil as String?, name) }
    expect("name") { try $0.set(3 as Int64, name) }
  }

  @Test func linksAndCollectionsAreSetOnceTheRowIsMade() throws {
    let friend = try transaction.addColumn(to: dogs, "friend", .link(to: dogs))
    let tags = try transaction.addColumn(to: dogs, "tags", ColumnType(.string, shape: .list))
    let rex = try transaction.create(in: dogs)
    transaction.expectRefusal(.invalidValue, table: "Dog", column: "friend") {
      try transaction.create(in: dogs) { try $0.set(.link(ObjectLink(dogs, rex)), friend) }
    }
    transaction.expectRefusal(.invalidValue, table: "Dog", column: "tags") {
      try transaction.create(in: dogs) { try $0.set("a", tags) }
    }
  }

  @Test func aColumnThatIsNotThereIsRefused() throws {
    transaction.expectRefusal(.missingObject, table: "Dog", saying: "column 99") {
      try transaction.create(in: dogs) { try $0.set("x", ColumnKey(rawValue: 99)) }
    }
  }

  @Test func aTableThatIsNotThereIsRefused() {
    transaction.expectRefusal(.missingObject, saying: "table 99") {
      try transaction.create(in: TableKey(rawValue: 99))
    }
  }

  @Test func anEmbeddedObjectIsNotMadeAlone() throws {
    let parts = try transaction.addTable("Part", kind: .embedded)
    transaction.expectRefusal(.ownership, table: "Part", saying: "createOwned") { try transaction.create(in: parts) }
    for table in [TableKey.nestedLists, .nestedDictionaries] {
      #expect(throws: GraphError.self) { try transaction.create(in: table) }
    }
  }

  @Test func anAsymmetricObjectIsMadeLikeAnother() throws {
    let entries = try transaction.addTable("Entry", kind: .asymmetric)
    try transaction.create(in: entries)
    #expect(transaction.graph[entries]?.count == 1)
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func aClosureThatFailsLeavesNothing() throws {
    let before = transaction.graph
    for _ in 0..<3 {
      #expect(throws: Stop.self) {
        try transaction.create(in: dogs) { row in
          try row.set("half done", name)
          throw Stop()
        }
      }
      #expect(transaction.graph == before && transaction.graph.checkInvariants() == [])
      #expect(transaction.graph[dogs]?.nextKey == 0)
    }
    #expect(try transaction.create(in: dogs) == ObjectKey(0), "no key was lost")
    let one = transaction.graph
    #expect(throws: Stop.self) { try transaction.create(in: dogs) { _ in throw Stop() } }
    #expect(transaction.graph == one && transaction.graph.checkInvariants() == [])
    #expect(transaction.value(Cell(dogs, ObjectKey(0), name)) == .string(""))
  }

  @Test func aRowThatFailsAtTheBeginningOfAClusterLeavesNoEmptyCluster() throws {
    for _ in 0..<256 { try transaction.create(in: dogs) }
    let before = transaction.graph
    #expect(throws: Stop.self) { try transaction.create(in: dogs) { _ in throw Stop() } }
    #expect(transaction.graph == before && transaction.graph.checkInvariants() == [])
    #expect(try transaction.create(in: dogs) == ObjectKey(256))
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func keysAreNeverGivenOutAgain() throws {
    var given: Set<ObjectKey> = []
    for round in 0..<5 {
      for _ in 0..<100 { #expect(given.insert(try transaction.create(in: dogs)).inserted) }
      if round % 2 == 0 {
        try transaction.clear(dogs)
      } else {
        let newest = given.sorted().suffix(60).map { ObjectLink(dogs, $0) }
        try transaction.delete(newest)
      }
    }
    #expect(given.count == 500 && transaction.graph[dogs]?.nextKey == 500)
    let restarted = Transaction(try Graph.empty.applying(Delta(from: .empty, to: transaction.graph)))
    #expect(try restarted.create(in: dogs) == ObjectKey(500), "nor after the graph came out of a file")
  }

  @Test func usingTheTransactionInsideTheClosureTraps() async {
    let reading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Dog")
      try transaction.create(in: table) { _ in _ = transaction.graph }
    }
    expectSentence("used inside the closure that fills a new row", of: reading)
    let creating = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Dog")
      try transaction.create(in: table) { _ in try transaction.create(in: table) }
    }
    expectSentence("used inside the closure that fills a new row", of: creating)
    let setting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Dog")
      let number = try transaction.addColumn(to: table, "number", ColumnType(.int))
      let key = try transaction.create(in: table)
      try transaction.create(in: table) { _ in try transaction.set(1 as Int64, Cell(table, key, number)) }
    }
    expectSentence("used inside the closure that fills a new row", of: setting)
  }
}
