import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Testing

@Suite struct CollationTests {
  /// A table with one row for each name, in their order.
  private func make(_ names: [String?]) throws -> (Graph, TableKey) {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("T")
    let name = try transaction.addColumn(to: table, "name", ColumnType(.string, isOptional: true))
    try transaction.addColumn(to: table, "age", ColumnType(.int))
    for text in names { try transaction.create(in: table) { try $0.set(text, name) } }
    return (transaction.graph, table)
  }

  private func order(_ names: [String?], _ key: String) throws -> [String?] {
    let (graph, table) = try make(names)
    let query = try CompiledQuery(ParsedQuery("TRUEPREDICATE SORT(\(key))"), of: table, in: graph)
    return query.rows(in: graph).map { names[Int($0.rawValue)] }
  }

  private let names: [String?] = ["zebra", "\u{E4}pple", "Apple", nil, "apple", "\u{E5}l", "Zebra"]

  @Test func textSortsByBytesUnlessAnotherOrderIsAskedFor() throws {
    #expect(try order(names, "name ASC") == [nil, "Apple", "Zebra", "apple", "zebra", "\u{E4}pple", "\u{E5}l"])
    #expect(
      try order(names, "name FOLDED[c] ASC") == [nil, "Apple", "apple", "\u{E4}pple", "\u{E5}l", "zebra", "Zebra"])
    #expect(
      try order(names, "name FOLDED[cd] ASC") == [nil, "\u{E5}l", "\u{E4}pple", "Apple", "apple", "zebra", "Zebra"])
    #expect(
      try order(names, "name FOLDED[cd] DESC") == ["zebra", "Zebra", "\u{E4}pple", "Apple", "apple", "\u{E5}l", nil])
  }

  @Test func aLocaleHasItsOwnOrder() throws {
    let names: [String?] = ["z", "\u{E4}", "a", nil, "\u{F6}", "b"]
    #expect(try order(names, "name LOCALE \"sv_SE\" ASC") == [nil, "a", "b", "z", "\u{E4}", "\u{F6}"])
    #expect(try order(names, "name LOCALE \"sv_SE\" DESC") == ["\u{F6}", "\u{E4}", "z", "b", "a", nil])
    #expect(try order(names, "name LOCALE 'de_DE' ASC") == [nil, "a", "\u{E4}", "b", "\u{F6}", "z"])
  }

  @Test func theFormSurvivesPrintingAndParsing() throws {
    for key in [
      "name FOLDED[c] ASC", "name FOLDED[cd] DESC", "name LOCALE \"a \\\"b\" ASC", "folded ASC", "locale DESC",
    ] {
      let parsed = try ParsedQuery("TRUEPREDICATE SORT(\(key), name ASC)")
      #expect(parsed.description == "TRUEPREDICATE SORT(\(key), name ASC)")
      #expect(try ParsedQuery(parsed.description) == parsed)
    }
    for key in ["name FOLDED", "name FOLDED[x]", "name FOLDED[n]", "name LOCALE", "name LOCALE 5", "name LOCALE ASC"] {
      #expect(throws: QueryError.self, "\(key)") { try ParsedQuery("TRUEPREDICATE SORT(\(key))") }
    }
  }

  @Test func onlyTextHasAnotherOrder() throws {
    let (graph, table) = try make([])
    #expect(throws: QueryError.self) {
      try CompiledQuery(ParsedQuery("TRUEPREDICATE SORT(age FOLDED[c] ASC)"), of: table, in: graph)
    }
  }

  @Test func textsThatAreNoPropertiesAreSortedByACollation() throws {
    let type = ColumnType(.string, shape: .list, isOptional: true)
    func order(_ key: String) throws -> [String?] {
      let query = try ElementQuery(ParsedQuery("TRUEPREDICATE SORT(SELF \(key))"), of: type, in: .empty)
      let values = ContiguousArray(names.map { $0.map(Value.string) ?? .null })
      return query.elements(values, in: .empty).map { if case .string(let text) = $0 { text } else { nil } }
    }
    #expect(try order("ASC") == [nil, "Apple", "Zebra", "apple", "zebra", "\u{E4}pple", "\u{E5}l"])
    #expect(try order("FOLDED[cd] ASC") == [nil, "\u{E5}l", "\u{E4}pple", "Apple", "apple", "zebra", "Zebra"])
    #expect(try order("FOLDED[cd] DESC") == ["zebra", "Zebra", "\u{E4}pple", "Apple", "apple", "\u{E5}l", nil])
    #expect(try order("LOCALE \"sv_SE\" ASC").suffix(2) == ["\u{E5}l", "\u{E4}pple"])
    for kind in [ValueKind.int, .any] {
      #expect(throws: QueryError.self) {
        try ElementQuery(
          ParsedQuery("TRUEPREDICATE SORT(SELF FOLDED[c] ASC)"), of: ColumnType(kind, shape: .list), in: .empty)
      }
    }
  }
}

@Suite struct BacklinkSortTests {
  @Test func rowsSortByTheLeastOrTheGreatestOfThoseThatLinkToThem() throws {
    let transaction = Transaction(.empty)
    let dogs = try transaction.addTable("Dog")
    let owners = try transaction.addTable("Owner")
    let name = try transaction.addColumn(to: owners, "name", ColumnType(.string, isOptional: true))
    let age = try transaction.addColumn(to: owners, "age", ColumnType(.int))
    let dog = try transaction.addColumn(to: owners, "dog", .link(to: dogs))
    let owned: [[(String?, Int)]] = [[("b", 3), ("x", 1)], [], [("c", 2)], [(nil, 9)], [("A", 7), (nil, 0)]]
    for people in owned {
      let key = try transaction.create(in: dogs)
      for (title, years) in people {
        let owner = try transaction.create(in: owners) { row in
          try row.set(title, name)
          try row.set(years, age)
        }
        try transaction.set(.link(ObjectLink(dogs, key)), Cell(owners, owner, dog))
      }
    }
    let graph = transaction.graph
    let catalog = StoredNames([dogs: ["owners": .backlinks(origin: owners, column: dog)]])
    func order(_ key: String) throws -> [Int64] {
      try CompiledQuery(ParsedQuery("TRUEPREDICATE SORT(\(key))"), of: dogs, in: graph, catalog: catalog).rows(
        in: graph
      )
      .map(\.rawValue)
    }
    #expect(try order("owners.name ASC") == [1, 3, 4, 0, 2])
    #expect(try order("owners.name DESC") == [0, 2, 4, 1, 3])
    #expect(try order("owners.name FOLDED[c] ASC") == [1, 3, 4, 0, 2])
    #expect(try order("owners.age ASC") == [1, 4, 0, 2, 3])
    #expect(try order("owners.age DESC") == [3, 4, 0, 2, 1])
    #expect(try order("owners.@count DESC, owners.@max.age ASC") == [0, 4, 2, 3, 1])
    #expect(throws: QueryError.self) { try order("owners ASC") }
  }
}

@Suite struct FirstPositionsTests {
  /// A limit after a sort selects the first few rows; without a limit, all rows are sorted.
  @Test func aLimitedSortBeginsAsTheWholeOne() throws {
    try Seeds.run(count: 12) { _, random throws in
      let world = try World(&random, rows: 200)
      let count = try #require(world.graph[world.thing]?.count)
      for _ in 0..<8 {
        let keys = (0..<(1 + random.below(3))).map { _ in
          "\(random.element(of: SortingTests.paths)) \(random.bool() ? "ASC" : "DESC")"
        }
        let format = "TRUEPREDICATE SORT(\(keys.joined(separator: ", ")))"
        func rows(_ format: String) throws -> [ObjectKey] {
          try Array(
            CompiledQuery(ParsedQuery(format), of: world.thing, in: world.graph, catalog: world.catalog).rows(
              in: world.graph))
        }
        let all = try rows(format)
        for (limit, offset) in [(1, 0), (0, 0), (random.below(12), random.below(4)), (count / 2, 3), (count * 2, 0)] {
          #expect(
            try rows(format + " LIMIT(\(limit), \(offset))") == Array(all.dropFirst(offset).prefix(limit)), "\(format)")
        }
        #expect(try rows(format + " LIMIT(9223372036854775807, 9223372036854775807)") == [])
        let first = try CompiledQuery(ParsedQuery(format), of: world.thing, in: world.graph, catalog: world.catalog)
        #expect(first.first(in: world.graph) == all.first)
      }
    }
  }

  @Test func aLimitEndsAScan() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("T")
    let column = try transaction.addColumn(to: table, "a", ColumnType(.int))
    for number in 0..<5000 { try transaction.create(in: table) { try $0.set(number % 5, column) } }
    let query = try CompiledQuery(ParsedQuery("a == 3 LIMIT(4, 2)"), of: table, in: transaction.graph)
    #expect(query.rows(in: transaction.graph).map(\.rawValue) == [13, 18, 23, 28])
    #expect(query.count(in: transaction.graph) == 4)
    #expect(query.first(in: transaction.graph)?.rawValue == 13)
    #expect(query.explanations(in: transaction.graph)[0].rowsExamined == 256)
  }

  @Test func aSmallPrefixExaminesFewRows() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("T")
    let column = try transaction.addColumn(to: table, "a", ColumnType(.int))
    for number in 0..<5000 { try transaction.create(in: table) { try $0.set(number / 1000, column) } }
    let graph = transaction.graph
    for (format, wanted, examined) in [
      ("a == 0", 1, 256), ("a == 0", 257, 512), ("a == 2", 1, 2048), ("a == 9", 1, 5000), ("a == 0", .max, 5000),
      ("a == 0 LIMIT(1)", .max, 256), ("a == 0 SORT(a ASC)", 1, 5000),
    ] {
      let query = try CompiledQuery(ParsedQuery(format), of: table, in: graph)
      #expect(query.explanations(in: graph, wanting: wanted)[0].rowsExamined == examined, "\(format) \(wanted)")
      #expect(query.explanations(in: graph, wanting: wanted)[0].rowsFound == query.count(in: graph) || wanted == .max)
      let all = Array(query.rows(in: graph))
      #expect(Array(query.prefix(min(wanted, 300), in: graph)) == Array(all.prefix(min(wanted, 300))))
    }
  }
}
