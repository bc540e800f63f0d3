import FiefCopying
import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

@Suite struct GraphDumpTests {
  private let transaction = Transaction(.empty)

  /// A class of one property.
  private func table(_ name: String, _ property: String, _ type: ColumnType) throws -> (TableKey, ColumnKey) {
    let table = try transaction.addTable(name)
    return (table, try transaction.addColumn(to: table, property, type))
  }

  private func dump() -> String { transaction.graph.dump() }

  private func rows(_ name: String, _ type: ColumnType, _ values: [Value]) throws {
    let (table, column) = try table(name, "v", type)
    for value in values {
      try transaction.create(in: table) { row in if !value.isNull { try row.set(value, column) } }
    }
  }

  @Test func anEmptyGraphHasNoText() throws {
    #expect(Graph.empty.dump().isEmpty)
    _ = try table("Dog", "name", ColumnType(.string))
    #expect(dump().isEmpty)
  }

  @Test func rowsWithoutAKeyAreNumberedInTheOrderOfTheirContents() throws {
    try rows("Dog", ColumnType(.string), [.string("b"), .string("a")])
    #expect(dump() == "Dog#1\n  v: \"a\"\n\nDog#2\n  v: \"b\"\n")
  }

  @Test func rowsWithAKeyHaveIt() throws {
    let (table, column) = try table("Person", "id", ColumnType(.int))
    try transaction.setPrimaryKey(column, of: table)
    for id in [9, 2] as [Int64] { try transaction.create(in: table, primaryKey: .int(id)) }
    #expect(dump().components(separatedBy: "\n").filter { $0.hasPrefix("Person") } == ["Person[2]", "Person[9]"])
  }

  @Test func classesAreOrderedByName() throws {
    try rows("B", ColumnType(.int), [.int(1)])
    try rows("A", ColumnType(.int), [.int(1)])
    #expect(dump().hasPrefix("A#1") && dump().contains("\nB#1"))
  }

  @Test(
    arguments: [
      (.string("a\nb"), "\"a\\n\""), (.string("é"), "\"é\""), (.string("e\u{301}"), "\\u{301}"), (.bool(true), "true"),
      (.double(.nan), "nan"), (.data(Data([0, 255])), "2 bytes 00ff"), (.data(Data()), "0 bytes"),
      (.string("\u{200B}\"\\"), "\\u{200B}\\\"\\\\"), (.decimal(3), "3"),
    ] as [(Value, String)])
  func aValueIsShownInFull(_ value: Value, _ text: String) throws {
    let kind: ValueKind =
      switch value {
      case .string: .string
      case .bool: .bool
      case .double: .double
      case .data: .data
      default: .decimal
      }
    try rows("Row", ColumnType(kind), [value])
    #expect(dump().contains(text), "\(dump())")
  }

  @Test func longDataGoesOnInLines() throws {
    try rows("Row", ColumnType(.data), [.data(Data(repeating: 7, count: 80))])
    #expect(dump().components(separatedBy: "\n").count > 3 && dump().contains("80 bytes"))
  }

  @Test func namesThatAreNoIdentifiersAreQuoted() throws {
    try rows("A B", ColumnType(.int), [.int(1)])
    #expect(dump().hasPrefix("\"A B\"#1"))
  }

  /// A ring of rows that link to each other, made in an order.
  private func ring(_ order: [Int]) throws -> Graph {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Node")
    let number = try transaction.addColumn(to: table, "number", ColumnType(.int))
    let next = try transaction.addColumn(to: table, "next", .link(to: table))
    var keys: [Int: ObjectKey] = [:]
    for node in order { keys[node] = try transaction.create(in: table) { try $0.set(Int64(node / 2), number) } }
    for node in order {
      guard let key = keys[node], let target = keys[(node + 1) % order.count] else { continue }
      try transaction.set(.link(ObjectLink(table, target)), Cell(table, key, next))
    }
    return transaction.graph
  }

  @Test(arguments: [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [2, 5, 0, 3, 1, 4]])
  func theTextDoesNotDependOnTheOrderOfRows(_ order: [Int]) throws {
    #expect(try ring(order).dump() == ring([0, 1, 2, 3, 4, 5]).dump())
    #expect(try ring(order).difference(from: ring([0, 1, 2, 3, 4, 5]), limit: 10) == nil)
  }

  // MARK: Differences

  private func people(_ names: [Int64: String]) throws -> Graph {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Person")
    let id = try transaction.addColumn(to: table, "id", ColumnType(.int))
    let name = try transaction.addColumn(to: table, "name", ColumnType(.string))
    try transaction.setPrimaryKey(id, of: table)
    for (key, text) in names.sorted(by: { $0.key < $1.key }) {
      try transaction.create(in: table, primaryKey: .int(key)) { try $0.set(text, name) }
    }
    return transaction.graph
  }

  @Test func equalGraphsHaveNoDifference() throws {
    #expect(try people([1: "Ann"]).difference(from: people([1: "Ann"]), limit: 10) == nil)
  }

  @Test func aChangedPropertyIsShownBelowItsObject() throws {
    let text = try people([1: "Ann", 2: "Bob"]).difference(from: people([1: "Eve", 2: "Bob"]), limit: 10)
    #expect(text == "  Person[1]\n-   name: \"Ann\"\n+   name: \"Eve\"")
  }

  @Test func objectsOfOneGraphAreShownWhole() throws {
    let text = try #require(try people([1: "Ann"]).difference(from: people([2: "Bob"]), limit: 10))
    #expect(text.contains("- Person[1]") && text.contains("+ Person[2]") && text.contains("+   name: \"Bob\""))
  }

  @Test func theObjectsThatDifferAreKnownWithTheirProperties() throws {
    let (a, b) = (try people([1: "Ann", 2: "Bob", 3: "Cleo"]), try people([2: "Eve", 3: "Cleo", 4: "Dora"]))
    let table = try #require(a.allTables.last).schema.key
    func row(_ key: Int64, of graph: Graph) -> ObjectLink? {
      graph[table]?.find(primaryKey: .int(key)).map { ObjectLink(table, $0) }
    }
    let objects = a.objectDifferences(from: b)
    #expect(objects.map(\.first) == [row(1, of: a), row(2, of: a), nil])
    #expect(objects.map(\.second) == [nil, row(2, of: b), row(4, of: b)])
    #expect(objects.map(\.properties) == [[], ["name"], []])
    #expect(a.objectDifferences(from: a).isEmpty)
  }

  @Test(arguments: [0, 1, 3]) func noMoreObjectsThanAskedForAreDescribed(_ limit: Int) throws {
    let names = Dictionary(uniqueKeysWithValues: (0..<5).map { (Int64($0), "n") })
    let text = try #require(try people(names).difference(from: people([:]), limit: limit))
    #expect(text.contains("and \(5 - limit) more objects"))
  }

  @Test func rowsWithoutAKeyArePairedByLikeness() throws {
    func dogs(_ age: Int64) throws -> Graph {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Dog")
      let name = try transaction.addColumn(to: table, "name", ColumnType(.string))
      let years = try transaction.addColumn(to: table, "years", ColumnType(.int))
      try transaction.create(in: table) { row in
        try row.set("Rex", name)
        try row.set(age, years)
      }
      return transaction.graph
    }
    #expect(try dogs(3).difference(from: dogs(4), limit: 5) == "  Dog#1\n-   years: 3\n+   years: 4")
  }
}
