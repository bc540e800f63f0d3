import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Testing

@Suite struct PlanningTests {
  /// 4000 rows: id (primary key), a in 0...99, b in 0...49, s one of a hundred strings, c without an index.
  private func make(indexed: Bool) throws -> (Graph, TableKey) {
    var random = SeededRandom(seed: 99)
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("T")
    let id = try transaction.addColumn(to: table, "id", ColumnType(.int))
    let a = try transaction.addColumn(to: table, "a", ColumnType(.int))
    let b = try transaction.addColumn(to: table, "b", ColumnType(.int, isOptional: true))
    let s = try transaction.addColumn(to: table, "s", ColumnType(.string))
    let c = try transaction.addColumn(to: table, "c", ColumnType(.int))
    if indexed {
      try transaction.setPrimaryKey(id, of: table)
      for columns in [[a], [b], [s, a]] { try transaction.addIndex(IndexDefinition(columns), to: table) }
    }
    for number in 0..<4000 {
      let values = (random.below(100), random.below(50), "s\(random.below(100))", random.below(10))
      try transaction.create(in: table, primaryKey: indexed ? .int(Int64(number)) : nil) { row in
        if !indexed { try row.set(number, id) }
        try row.set(values.0, a)
        try row.set(values.1 == 0 ? Value.null : .int(Int64(values.1)), b)
        try row.set(values.2, s)
        try row.set(values.3, c)
      }
    }
    return (transaction.graph, table)
  }

  /// A condition, the indexes that answer it, and a word of the plan.
  static let plans: [(String, [[String]], String)] = [
    ("id == 17", [["id"]], "primary key"), ("id IN {1, 5, 99999}", [["id"]], "primary key"),
    ("id == 5 AND c == 3", [["id"]], "primary key"),
    ("a == 7", [["a"]], "answer"), ("a IN {7, 8, 7}", [["a"]], "answer"), ("a < 3", [["a"]], "answer"),
    ("a > 40 AND a < 43", [["a"]], "answer"), ("a >= 7 AND a > 7 AND a <= 9 AND a < 9", [["a"]], "answer"),
    ("a < 9 AND a > 7 AND c == 3", [["a"]], "tested"), ("a < 5 AND a > 7", [], "none"),
    ("a IN {3, 4} AND a > 3", [["a"]], "tested"),
    ("a BETWEEN {3, 5}", [["a"]], "answer"),
    ("a == 7 AND c == 3", [["a"]], "tested"), ("b == nil", [["b"]], "answer"), ("b > 47", [["b"]], "answer"),
    ("b <= 2", [["b"]], "answer"), ("s == 's5' AND a > 50", [["s", "a"]], "answer"),
    ("s == 's5' AND a == 9", [], "none"),
    ("s BEGINSWITH 's1' AND c == 1", [["s", "a"]], "tested"), ("s BEGINSWITH 's99'", [["s", "a"]], "answer"),
    ("s IN {'s1', 's2'}", [["s", "a"]], "answer"), ("a < 10 AND b < 6", [["a"], ["b"]], "both"),
    ("a == 1000", [], "none"),
    ("a > 5", [], "scan"), ("c == 3", [], "scan"), ("a == 7 OR a == 8", [["a"]], "the answer"),
    ("a == 7 OR b == 3 OR id == 5", [["a"], ["b"], ["id"]], "3 alternatives"),
    ("a == 7 OR b == 3 AND c == 1", [["a"], ["b"]], "is tested"), ("a == 7 OR c == 1", [], "scan"),
    ("c == 1 AND (a == 7 OR s == 's5')", [["a"], ["s", "a"]], "alternatives"), ("a == 7 OR a > 5", [], "scan"),
    ("(a < 20 OR a > 90) AND b == 3", [["b"]], "tested"), ("(a == 7 OR a == 9) AND b < 20", [["a"]], "alternatives"),
    ("a == 1000 OR a == 1001", [], "none"), ("a == 1000 OR a == 7", [["a"]], "answer"),
    ("NOT (a == 7 OR a == 8)", [], "scan"), ("NOT a == 7", [], "scan"),
    ("s ==[c] 'S5'", [], "scan"),
    ("a != 7", [], "scan"),
  ]

  @Test func eachPlanUsesTheIndexThatPaysAndFindsWhatAScanFinds() throws {
    let (graph, table) = try make(indexed: true)
    let (plain, plainTable) = try make(indexed: false)
    for (format, indexes, word) in Self.plans {
      let query = try CompiledQuery(QueryPredicate(format), of: table, in: graph)
      let scan = try CompiledQuery(QueryPredicate(format), of: plainTable, in: plain)
      let explanation = query.explanations(in: graph)[0]
      #expect(explanation.indexes == indexes, "\(format): \(explanation)")
      #expect(explanation.plan.contains(word), "\(format): \(explanation)")
      let expected = Array(scan.rows(in: plain))
      #expect(Array(query.rows(in: graph)) == expected, "\(format)")
      #expect(query.count(in: graph) == expected.count, "\(format)")
      #expect(query.first(in: graph) == expected.first, "\(format)")
      if !indexes.isEmpty { #expect(explanation.rowsExamined < 800, "\(explanation)") }
      #expect(scan.explanations(in: plain)[0].rowsExamined == 4000)
      #expect(explanation.rowsInTable == 4000)
    }
  }

  @Test func theExplanationIsText() throws {
    let (graph, table) = try make(indexed: true)
    let text = try CompiledQuery(QueryPredicate("a == 7 AND c == 3"), of: table, in: graph).explanations(in: graph)[0]
      .description
    #expect(text.contains("index on a"))
    #expect(text.contains("Test: a == 7 AND c == 3"))
  }

  @Test func aSelectionNamesItsRowsByPosition() {
    Seeds.run(count: 40) { _, random in
      let keys = (0..<random.below(400)).map { _ in ObjectKey(Int64(random.below(3000))) }
      let selection = RowSelection(keys)
      let expected = Set(keys).sorted()
      #expect(Array(selection) == expected)
      #expect(selection.count == expected.count)
      #expect(expected.indices.allSatisfy { selection[$0] == expected[$0] && selection.index(of: expected[$0]) == $0 })
      for number in 0..<50 {
        let key = ObjectKey(Int64(number * 61))
        #expect(selection.contains(key) == expected.contains(key))
        #expect(selection.index(of: key) == expected.firstIndex(of: key))
      }
      let others = (0..<200).map { _ in ObjectKey(Int64(random.below(3000))) }
      #expect(Array(selection.intersection(RowSelection(others))) == Set(keys).intersection(others).sorted())
    }
  }
}

@Suite struct LinkMemoTests {
  /// Each target is alone in its cluster, so that slots and bits differ. A third of the links are null.
  @Test func linksIntoClustersWithGapsAreFollowed() throws {
    let transaction = Transaction(.empty)
    let target = try transaction.addTable("Target")
    let age = try transaction.addColumn(to: target, "age", ColumnType(.int))
    let source = try transaction.addTable("Source")
    let link = try transaction.addColumn(to: source, "link", .link(to: target))
    var kept: [ObjectKey] = []
    for number in 0..<3000 {
      let key = try transaction.create(in: target) { try $0.set(number % 7, age) }
      if number % 300 == 0 { kept.append(key) }
    }
    let members = Set(kept)
    try transaction.delete(
      (0..<3000).map { ObjectKey(Int64($0)) }.filter { !members.contains($0) }.map { ObjectLink(target, $0) })
    for number in 0..<500 {
      let row = try transaction.create(in: source)
      if number % 3 != 0 {
        try transaction.set(.link(ObjectLink(target, kept[number % kept.count])), Cell(source, row, link))
      }
    }
    let graph = transaction.graph
    for (format, holds) in [
      ("link.age > 3", { $0.map { $0 > 3 } ?? false }), ("link.age != 3", { $0 != 3 }),
      ("link.age == nil", { $0 == nil }),
    ] as [(String, (Int?) -> Bool)] {
      let query = try CompiledQuery(QueryPredicate(format), of: source, in: graph)
      let expected = (0..<500).filter { number in
        holds(number % 3 == 0 ? nil : Int(kept[number % kept.count].rawValue) % 7)
      }
      #expect(query.rows(in: graph).map { Int($0.rawValue) } == expected, "\(format)")
    }
  }
}
