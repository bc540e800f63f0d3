import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Testing

@Suite struct UnionTests {
  /// Three tables with equal columns in different orders, and rows with gaps between their keys.
  private struct Zoo {
    let graph: Graph
    let tables: [TableKey]
    let catalog: StoredNames

    init(_ random: inout SeededRandom) throws {
      let transaction = Transaction(.empty)
      let keeper = try transaction.addTable("Keeper")
      let keeperName = try transaction.addColumn(to: keeper, "name", ColumnType(.string))
      var links: [ColumnKey] = []
      var tables: [TableKey] = []
      for name in ["Animal", "Dog", "Cat"] {
        let table = try transaction.addTable(name)
        tables.append(table)
        if random.bool() { try transaction.addColumn(to: table, "own", ColumnType(.int)) }
        let types: [(String, ColumnType)] = random.shuffled([
          ("name", ColumnType(.string, isOptional: true)), ("age", ColumnType(.int, isOptional: true)),
          ("weight", ColumnType(.double)), ("born", ColumnType(.date)), ("any", ColumnType(.any)),
        ])
        for (name, type) in types { try transaction.addColumn(to: table, name, type) }
        links.append(try transaction.addColumn(to: keeper, "pet\(name)", .link(to: table)))
        let schema = try #require(transaction.graph[table]?.schema)
        if random.bool() {
          try transaction.addIndex(IndexDefinition([try #require(schema.column(named: "age")).key]), to: table)
        }
        for _ in 0..<random.below(40) {
          let key = try transaction.create(in: table) { row in
            for (name, type) in types where type.kind != .any && (!type.isOptional || random.bool(0.8)) {
              try row.set(random.value(type.kind), try #require(schema.column(named: name)).key)
            }
          }
          try transaction.set(random.value(.any), Cell(table, key, try #require(schema.column(named: "any")).key))
          for _ in 0..<random.below(3) {
            let someone = try transaction.create(in: keeper) { try $0.set(random.value(.string), keeperName) }
            try transaction.set(.link(ObjectLink(table, key)), Cell(keeper, someone, links[tables.count - 1]))
          }
        }
      }
      graph = transaction.graph
      self.tables = tables
      var names: [TableKey: [String: QueryProperty]] = [:]
      for (table, link) in zip(tables, links) { names[table] = ["keepers": .backlinks(origin: keeper, column: link)] }
      catalog = StoredNames(names)
    }

    func value(_ name: String, _ row: ObjectLink) -> Value {
      guard let column = graph[row.table]?.schema.column(named: name) else { return .null }
      return graph.value(Cell(row.table, row.key, column.key)) ?? .null
    }
  }

  static let conditions = [
    "TRUEPREDICATE", "age > 1", "age == 2 OR name == 'a'", "name CONTAINS[c] 'A' AND weight >= 0",
    "ANY keepers.name BEGINSWITH 'a'", "FALSEPREDICATE", "keepers.@count > 1",
  ]

  @Test func itFindsWhatEachTableFinds() throws {
    try Seeds.run(count: 40) { _, random throws in
      let zoo = try Zoo(&random)
      for condition in Self.conditions {
        let union = try CompiledQuery(ParsedQuery(condition), of: zoo.tables, in: zoo.graph, catalog: zoo.catalog)
        let expected = try zoo.tables.flatMap { table in
          try CompiledQuery(QueryPredicate(condition), of: table, in: zoo.graph, catalog: zoo.catalog)
            .rows(in: zoo.graph)
            .map { ObjectLink(table, $0) }
        }
        let found = union.links(in: zoo.graph)
        #expect(Array(found) == expected)
        #expect(union.count(in: zoo.graph) == expected.count)
        #expect(union.links(in: zoo.graph, first: 1).first == expected.first)
        #expect(union.isEmpty(in: zoo.graph) == expected.isEmpty)
        #expect(expected.indices.allSatisfy { found[$0] == expected[$0] })
        #expect(union.links(in: zoo.graph, among: expected) == ContiguousArray(expected))
        #expect(union.links(in: zoo.graph, among: [ObjectLink(.nestedLists, ObjectKey(0))]).isEmpty)
        #expect(union.explanations(in: zoo.graph).map(\.table) == ["Animal", "Dog", "Cat"])
      }
    }
  }

  @Test func sortsDistinctsAndLimitsAreOverAllTogether() throws {
    try Seeds.run(count: 80) { _, random throws in
      let zoo = try Zoo(&random)
      let names = ["name", "age", "weight", "born", "any"]
      var expected = Array(
        try CompiledQuery(ParsedQuery("weight >= -1"), of: zoo.tables, in: zoo.graph).links(in: zoo.graph))
      var format = "weight >= -1"
      for _ in 0..<(1 + random.below(4)) {
        let name = random.element(of: names)
        switch random.below(4) {
        case 0:
          let (count, offset) = (random.below(40), random.below(4))
          format += " LIMIT(\(count), \(offset))"
          expected = Array(expected.dropFirst(offset).prefix(count))
        case 1:
          format += " DISTINCT(\(name))"
          var seen: [Value] = []
          expected = expected.filter { row in
            let value = zoo.value(name, row)
            if seen.contains(where: { StoredOrder.compare($0, value) == 0 }) { return false }
            seen.append(value)
            return true
          }
        default:
          let ascending = random.bool()
          format += " SORT(\(name) \(ascending ? "ASC" : "DESC"))"
          expected = expected.enumerated().sorted { a, b in
            let order = StoredOrder.compare(zoo.value(name, a.element), zoo.value(name, b.element))
            return order == 0 ? a.offset < b.offset : (order < 0) == ascending
          }.map(\.element)
        }
      }
      let union = try CompiledQuery(ParsedQuery(format), of: zoo.tables, in: zoo.graph, catalog: zoo.catalog)
      let found = union.links(in: zoo.graph)
      #expect(Array(found) == expected, "\(format)")
      #expect(union.count(in: zoo.graph) == expected.count)
      #expect(union.isEmpty(in: zoo.graph) == expected.isEmpty)
      #expect(union.links(in: zoo.graph, first: 1).first == expected.first)
      #expect(expected.indices.allSatisfy { found[$0] == expected[$0] })
    }
  }

  @Test func totalsAreOverAllTogether() throws {
    try Seeds.run(count: 40) { _, random throws in
      let zoo = try Zoo(&random)
      let rows = try CompiledQuery(ParsedQuery("age > 0"), of: zoo.tables, in: zoo.graph).links(in: zoo.graph)
      for operation in PropertyPath.Aggregate.allCases {
        let union = try AggregateQuery(operation, PropertyPath("age"), of: zoo.tables, in: zoo.graph)
        let all = try CompiledQuery(ParsedQuery("TRUEPREDICATE"), of: zoo.tables, in: zoo.graph).links(in: zoo.graph)
        for (found, members) in [
          (union.total(in: zoo.graph, among: rows), rows), (union.total(in: zoo.graph), all),
        ] {
          let ages = members.compactMap { if case .int(let age) = zoo.value("age", $0) { age } else { nil } }
          let expected: Value =
            switch operation {
            case .sum:
              Int64(exactly: ages.reduce(Int128(0)) { $0 + Int128($1) }).map(Value.int)
                ?? .decimal(Decimal128(ages.reduce(Int128(0)) { $0 + Int128($1) }))
            case .count: .int(Int64(ages.count))
            case .minimum: ages.min().map(Value.int) ?? .null
            case .maximum: ages.max().map(Value.int) ?? .null
            case .average:
              ages.isEmpty
                ? .null : .double(Double(ages.reduce(Int128(0)) { $0 + Int128($1) }) / Double(ages.count))
            }
          #expect(found.result == expected, "\(operation)")
        }
      }
    }
  }

  @Test func aQueryThatDoesNotFitAllTablesIsRefused() throws {
    let transaction = Transaction(.empty)
    let (one, two) = (try transaction.addTable("One"), try transaction.addTable("Two"))
    try transaction.addColumn(to: one, "a", ColumnType(.int))
    try transaction.addColumn(to: two, "a", ColumnType(.double))
    try transaction.addColumn(to: one, "b", ColumnType(.int))
    let graph = transaction.graph
    #expect(throws: QueryError.self) { try CompiledQuery(ParsedQuery("b == 1"), of: [one, two], in: graph) }
    #expect(throws: QueryError.self) { try CompiledQuery(ParsedQuery("a == 1"), of: [one, one], in: graph) }
    #expect(throws: QueryError.self) {
      try CompiledQuery(ParsedQuery("a == 1 SORT(a ASC)"), of: [one, two], in: graph)
    }
    #expect(throws: QueryError.self) { try AggregateQuery(.sum, PropertyPath("a"), of: [one, two], in: graph) }
    #expect(throws: QueryError.self) { try AggregateQuery(.sum, PropertyPath("a"), of: [], in: graph) }
    #expect(try CompiledQuery(ParsedQuery("a == 1"), of: [one, two], in: graph).isEmpty(in: graph))
    #expect(throws: QueryError.self) { try CompiledQuery(ParsedQuery("a == 1"), of: [], in: graph) }
  }
}
