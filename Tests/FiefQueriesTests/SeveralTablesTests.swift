import FiefGraph
import FiefQueries
import FiefRuntime
import FiefTestSupport
import FiefValues
import Testing

/// Queries, totals and groups of several tables, against those of each.
@Suite struct SeveralTablesTests {
  private let graph: Graph
  private let tables: [TableKey]

  /// Three tables of a name and a number, in which rows were deleted.
  init() throws {
    let transaction = Transaction(.empty)
    var tables: [TableKey] = []
    for (number, name) in ["Cat", "Dog", "Fox"].enumerated() {
      let table = try transaction.addTable(name)
      tables.append(table)
      if number == 1 { try transaction.addColumn(to: table, "own", ColumnType(.bool)) }
      let text = try transaction.addColumn(to: table, "name", ColumnType(.string))
      let age = try transaction.addColumn(to: table, "age", ColumnType(.int, isOptional: true))
      if number == 2 { try transaction.addIndex(IndexDefinition([age]), to: table) }
      for row in 0..<300 {
        try transaction.create(in: table) {
          try $0.set(.string("\(name)\(row % 7)"), text)
          if row % 5 != 0 { try $0.set(.int(Int64((row * 13 + number) % 40)), age) }
        }
      }
      try transaction.delete(stride(from: number, to: 300, by: 4).map { ObjectLink(table, ObjectKey(Int64($0))) })
    }
    graph = transaction.graph
    self.tables = tables
  }

  private func query(_ format: String) throws -> CompiledQuery {
    try CompiledQuery(ParsedQuery(format), of: tables, in: graph)
  }

  private func age(_ link: ObjectLink) -> Int64? {
    guard let column = graph[link.table]?.schema.column(named: "age"),
      case .int(let age)? = graph.value(Cell(link.table, link.key, column.key))
    else { return nil }
    return age
  }

  @Test(arguments: ["age > 20", "age == 3", "name == 'Dog3'", "TRUEPREDICATE", "age == nil", "age < 3 OR name < 'D'"])
  func rowsAreThoseOfEachTableInTurn(format: String) throws {
    let found = try query(format).links(in: graph)
    let each = try tables.flatMap { table in
      try CompiledQuery(ParsedQuery(format), of: table, in: graph).rows(in: graph).map { ObjectLink(table, $0) }
    }
    #expect(Array(found) == each)
    #expect(try query(format).count(in: graph) == each.count)
    #expect(try query(format).isEmpty(in: graph) == each.isEmpty)
  }

  @Test(arguments: [("TRUEPREDICATE", 675), ("age == 3", nil), ("age > 20", 267), ("name == 'Dog3'", nil)])
  func aCountIsCheapWhereItIsForEachTable(format: String, count: Int?) throws {
    let query = try query(format)
    if let cheap = query.countIfCheap(in: graph) { #expect(cheap == query.count(in: graph)) }
    if count != nil, ShortCut.rangeCounts.isOn { #expect(query.countIfCheap(in: graph) != nil) }
  }

  @Test func aSortIsOverAllRows() throws {
    let found = try query("age != nil SORT(age DESC)").links(in: graph)
    let ages = found.compactMap(age)
    #expect(ages.count == found.count && ages == ages.sorted(by: >))
    // Equal rows stay in the order of the tables, and then of their keys.
    for (one, next) in zip(found, found.dropFirst()) where age(one) == age(next) {
      let places = [one, next].map { link in tables.firstIndex(of: link.table) ?? 0 }
      #expect(places[0] < places[1] || places[0] == places[1] && one.key.rawValue < next.key.rawValue)
    }
  }

  @Test func aDistinctIsOverAllRows() throws {
    let found = try query("TRUEPREDICATE DISTINCT(age)").links(in: graph)
    #expect(Set(found.map(age)).count == found.count)
    #expect(found.first?.table == tables[0])
  }

  @Test(arguments: [0, 1, 5, 300, 5000])
  func aLimitIsOverAllRows(count: Int) throws {
    let all = try query("age > 5").links(in: graph)
    #expect(try Array(query("age > 5 LIMIT(\(count), 3)").links(in: graph)) == Array(all.dropFirst(3).prefix(count)))
    #expect(try Array(query("age > 5").links(in: graph, first: count)) == Array(all.prefix(count)))
    let sorted = try query("age > 5 SORT(name ASC)")
    #expect(Array(sorted.links(in: graph, first: count)) == Array(sorted.links(in: graph).prefix(count)))
  }

  @Test func rowsOfALinkedListKeepTheirOrder() throws {
    let query = try query("age > 20")
    let list = Array(query.links(in: graph).reversed()) + [ObjectLink(.nestedLists, ObjectKey(0))]
    #expect(Array(query.links(in: graph, among: list)) == Array(list.dropLast()))
    #expect(try self.query("age < 20").links(in: graph, among: list).isEmpty)
  }

  @Test func eachTableIsExplainedAndPlanned() throws {
    let query = try query("age == 3")
    #expect(query.explanations(in: graph).map(\.table) == ["Cat", "Dog", "Fox"])
    #expect(query.explanations(in: graph).map { $0.indexes.count } == [0, 0, 1])
    for name in ["Cat", "Dog", "Fox"] { #expect(query.plan(in: graph).contains("\(name), 225 rows")) }
    #expect(query.tables == tables && !query.testsRowsAlone)
  }

  @Test func aTotalIsOverAllTables() throws {
    let all = try query("TRUEPREDICATE").links(in: graph)
    let ages = all.compactMap(age)
    for (operation, expected) in [
      (.sum, .int(ages.reduce(0, +))), (.count, .int(Int64(ages.count))), (.minimum, .int(ages.min() ?? 0)),
      (.maximum, .int(ages.max() ?? 0)), (.average, .double(Double(ages.reduce(0, +)) / Double(ages.count))),
    ] as [(PropertyPath.Aggregate, Value)] {
      let total = try AggregateQuery(operation, PropertyPath("age"), of: tables, in: graph)
      #expect(total.total(in: graph).result == expected, "\(operation)")
      #expect(total.total(in: graph, among: all).result == expected, "\(operation)")
    }
  }

  @Test func groupsAreOverAllTables() throws {
    let all = try query("TRUEPREDICATE").links(in: graph)
    let groups = try GroupQuery(by: [PropertyPath("age")], of: tables, in: graph).groups(in: graph, among: all)
    #expect(groups.reduce(0) { $0 + $1.rows.count } == all.count && groups.first?.key == [.null])
    for group in groups {
      #expect(group.rows.allSatisfy { age($0).map(Value.int) ?? .null == group.key[0] })
      let members = Set(group.rows)
      #expect(Array(group.rows) == all.filter(members.contains))
    }
    let keys = groups.map { $0.key[0] }
    #expect(zip(keys, keys.dropFirst()).allSatisfy { StoredOrder.compare($0, $1) < 0 })
  }

  @Test func anAdditionIsBoundInEachTable() throws {
    let query = try query("age > 5").adding(ParsedQuery("name < 'E' SORT(age ASC)"), in: graph)
    #expect(query.predicate == (try QueryPredicate("age > 5 AND name < 'E'")))
    #expect(query.links(in: graph).allSatisfy { $0.table != tables[2] })
    #expect(throws: QueryError.self) { try query.adding(ParsedQuery("own == TRUE"), in: graph) }
    #expect(query.fits(graph) && !query.fits(.empty))
  }

  @Test func keysAloneAreRefusedForSeveralTables() async {
    await #expect(processExitsWith: .failure) {
      let tests = try SeveralTablesTests()
      _ = try tests.query("age > 5").rows(in: tests.graph)
    }
    await #expect(processExitsWith: .failure) {
      let tests = try SeveralTablesTests()
      _ = try AggregateQuery(.sum, PropertyPath("age"), of: tests.tables, in: tests.graph)
        .total(in: tests.graph, of: RowSelection())
    }
    await #expect(processExitsWith: .failure) {
      let tests = try SeveralTablesTests()
      _ = try GroupQuery(by: [], of: tests.tables, in: tests.graph).groups(in: tests.graph, among: [ObjectKey(1)])
    }
  }
}
