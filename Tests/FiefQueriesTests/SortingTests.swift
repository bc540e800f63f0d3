import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Testing

@Suite struct SortingTests {
  static let paths = [
    "bool", "intN", "int", "floatN", "double", "doubleN", "string", "stringN", "date", "dateN", "oid", "oidN", "uuidN",
    "decimal", "decimalN", "any", "link.int", "link.stringN", "other.string", "link.other.doubleN", "map[\"k\"]", "id",
    "others.@count", "ints.@sum", "owned.@max.int",
  ]

  /// The value of a path in a row, read by the public interface of the graph only; nil behind a null link.
  private func value(_ path: String, _ key: ObjectKey, _ world: World) throws -> Value? {
    let parts = path.split(separator: ".").map(String.init)
    var row = ObjectLink(world.thing, key)
    for (index, part) in parts.enumerated() {
      let schema = try #require(world.graph[row.table]?.schema)
      if part.hasPrefix("map") {
        let column = try #require(schema.column(named: "map"))
        return (world.graph.collection(Cell(row.table, row.key, column.key)) as? StoredDictionary)?["k"] ?? .null
      }
      if part == "owned" {
        let column = try #require(world.graph[world.other]?.schema.column(named: "owner"))
        let int = try #require(world.graph[world.other]?.schema.column(named: "int"))
        var greatest = Value.null
        world.graph[row.table]?.backlinks(to: row.key, from: world.other, column.key)?.forEach {
          let value = world.graph.value(Cell(world.other, $0, int.key)) ?? .null
          if StoredOrder.compare(value, greatest) > 0 { greatest = value }
        }
        return greatest
      }
      let column = try #require(schema.column(named: part))
      let cell = Cell(row.table, row.key, column.key)
      if column.type.isCollection {
        var (count, sum) = (Int64(0), Int128(0))
        world.graph.collection(cell)?.forEach(as: column.type) { value in
          count += 1
          if case .int(let number) = value { sum += Int128(number) }
          return true
        }
        if parts[1] == "@count" { return .int(count) }
        return Int64(exactly: sum).map { .int($0) } ?? .decimal(Decimal128(sum))
      }
      let value = world.graph.value(cell) ?? .null
      if index == parts.count - 1 { return value }
      guard let next = value.linked else { return nil }
      row = next
    }
    return nil
  }

  private func compare(_ a: Value?, _ b: Value?) -> Int {
    guard let a, let b else { return (a == nil ? 1 : 0) - (b == nil ? 1 : 0) }
    return StoredOrder.compare(a, b)
  }

  @Test func severalKeysSortStablyWithNullsFirstAndNullLinksLast() throws {
    try Seeds.run(count: 60) { _, random throws in
      let world = try World(&random, rows: 10 + random.below(120))
      let table = try #require(world.graph[world.thing])
      var expected = Array(RowSelection(all: table))
      let keys = (0..<(1 + random.below(3))).map { _ in (random.element(of: Self.paths), random.bool()) }
      for (path, ascending) in keys.reversed() {
        let values = try expected.map { try value(path, $0, world) }
        let order = expected.indices.sorted { a, b in
          let relation = compare(values[a], values[b])
          return relation == 0 ? a < b : ascending ? relation < 0 : relation > 0
        }
        expected = order.map { expected[$0] }
      }
      let format = "TRUEPREDICATE SORT(" + keys.map { "\($0) \($1 ? "ASC" : "DESC")" }.joined(separator: ", ") + ")"
      let query = try CompiledQuery(ParsedQuery(format), of: world.thing, in: world.graph, catalog: world.catalog)
      #expect(Array(query.rows(in: world.graph)) == expected, "\(format)")
      #expect(query.first(in: world.graph) == expected.first)
      #expect(query.count(in: world.graph) == expected.count)
      // Chained sorts: the later one is more significant.
      let chained = keys.reversed().map { "SORT(\($0) \($1 ? "ASC" : "DESC"))" }.joined(separator: " ")
      let again = try CompiledQuery(
        ParsedQuery("TRUEPREDICATE " + chained), of: world.thing, in: world.graph, catalog: world.catalog)
      #expect(Array(again.rows(in: world.graph)) == expected)
    }
  }

  @Test func textsThatAgreeInSixteenBytesSortByTheRest() throws {
    try Seeds.run(count: 20) { _, random throws in
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("T")
      let column = try transaction.addColumn(to: table, "s", ColumnType(.string))
      let texts = (0..<400).map { _ in
        random.element(of: ["", "a", "\u{0}", "01234567", "0123456789abcde", "0123456789abcdef", "0123456789abcdefg"])
          + random.string()
      }
      for text in texts { try transaction.create(in: table) { try $0.set(text, column) } }
      for ascending in [true, false] {
        let query = try CompiledQuery(
          ParsedQuery("TRUEPREDICATE SORT(s \(ascending ? "ASC" : "DESC"))"), of: table, in: transaction.graph)
        let expected = texts.indices.sorted { a, b in
          let relation = StoredOrder.compare(texts[a], texts[b])
          return relation == 0 ? a < b : ascending ? relation < 0 : relation > 0
        }
        #expect(query.rows(in: transaction.graph).map { Int($0.rawValue) } == expected)
      }
    }
  }

  @Test func theFirstOfEachCombinationStays() throws {
    try Seeds.run(count: 40) { _, random throws in
      let world = try World(&random, rows: 10 + random.below(60))
      let table = try #require(world.graph[world.thing])
      let paths = (0..<(1 + random.below(2))).map { _ in
        random.element(of: ["bool", "intN", "string", "any", "double", "link.int", "other.string", "dateN"])
      }
      let link = try #require(table.schema.column(named: "link")).key
      let other = try #require(table.schema.column(named: "other")).key
      var seen: [[Value]] = []
      let expected = try RowSelection(all: table).filter { key in
        for path in paths {
          let first: ColumnKey? = path.hasPrefix("link.") ? link : path.hasPrefix("other.") ? other : nil
          if let first, world.graph.value(Cell(world.thing, key, first))?.isNull ?? true { return false }
        }
        let values = try paths.map { try value($0, key, world) ?? .null }
        if seen.contains(where: { zip($0, values).allSatisfy { StoredOrder.compare($0, $1) == 0 } }) { return false }
        seen.append(values)
        return true
      }
      let query = try CompiledQuery(
        ParsedQuery("TRUEPREDICATE DISTINCT(\(paths.joined(separator: ", ")))"), of: world.thing, in: world.graph)
      #expect(Array(query.rows(in: world.graph)) == expected, "\(paths)")
      #expect(query.count(in: world.graph) == expected.count)
      let part = try CompiledQuery(
        ParsedQuery("TRUEPREDICATE DISTINCT(\(paths.joined(separator: ", "))) LIMIT(3, 1)"), of: world.thing,
        in: world.graph)
      #expect(Array(part.rows(in: world.graph)) == Array(expected.dropFirst().prefix(3)))
      #expect(part.isEmpty(in: world.graph) == (expected.count < 2))
    }
  }

  @Test func elementsSortAndDeduplicate() throws {
    let values: ContiguousArray<Value> = [
      .int(2), .null, .double(1), .string("a"), .int(1), .bool(true), .null, .double(2.5),
    ]
    func at(_ positions: [Int]) -> ContiguousArray<Value> { ContiguousArray(positions.map { values[$0] }) }
    func arranged(
      _ modifiers: String, _ values: ContiguousArray<Value>, where condition: String = "TRUEPREDICATE"
    ) throws -> ContiguousArray<Value> {
      try ElementQuery(ParsedQuery("\(condition) \(modifiers)"), of: ColumnType(.any, shape: .list), in: .empty)
        .elements(values, in: .empty)
    }
    #expect(try arranged("SORT(SELF ASC)", values) == at([1, 6, 5, 2, 4, 0, 7, 3]))
    #expect(try arranged("SORT(SELF DESC)", values) == at([3, 7, 0, 2, 4, 5, 1, 6]))
    #expect(try arranged("DISTINCT(SELF)", values) == at([0, 1, 2, 3, 5, 7]))
    #expect(try arranged("SORT(SELF ASC)", []).isEmpty)
    #expect(try arranged("SORT(SELF DESC) LIMIT(2, 1)", values, where: "SELF < 2.5") == at([2, 4]))
    for modifiers in ["SORT(x ASC)", "DISTINCT(SELF, SELF)", "SORT(SELF.x ASC)"] {
      let error = #expect(throws: QueryError.self) { try arranged(modifiers, values) }
      #expect(error?.code == .unknownProperty)
    }
  }
}
