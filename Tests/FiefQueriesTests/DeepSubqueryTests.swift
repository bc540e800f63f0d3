import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Testing

/// Subqueries in subqueries, and long paths, where rows link to each other: the number of ways to a row is exponential
/// in the number of levels.
@Suite struct DeepSubqueryTests {
  /// Rows that all link to each other, and to themselves.
  struct Ring {
    let graph: Graph
    let table: TableKey
    let keys: [ObjectKey]

    init(rows: Int) throws {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("T")
      let number = try transaction.addColumn(to: table, "number", ColumnType(.int))
      let links = try transaction.addColumn(to: table, "links", .link(to: table, shape: .list))
      var keys: [ObjectKey] = []
      for index in 0..<rows {
        keys.append(try transaction.create(in: table, primaryKey: nil) { try $0.set(.int(Int64(index)), number) })
      }
      for key in keys {
        for other in keys { try transaction.append(.link(ObjectLink(table, other)), toList: Cell(table, key, links)) }
      }
      (graph, self.table, self.keys) = (transaction.graph, table, keys)
    }

    func found(_ format: String) throws -> [Int] {
      let query = try CompiledQuery(QueryPredicate(format), of: table, in: graph)
      let found = Array(query.rows(in: graph))
      #expect(keys.filter { query.matches($0, in: graph) } == found)
      return found.compactMap { keys.firstIndex(of: $0) }
    }
  }

  /// Subqueries, each over the elements of the one around it.
  private func chain(_ depth: Int, _ condition: (Int) -> String, _ count: String = "> 0") -> String {
    (0..<depth).map { "SUBQUERY(\($0 == 0 ? "" : "$v\($0 - 1).")links, $v\($0), \(condition($0))" }.joined()
      + "$v\(depth - 1).number == 1" + String(repeating: ").@count \(count)", count: depth)
  }

  @Test func deepSubqueriesOverRowsThatLinkToEachOtherAreAnswered() throws {
    let ring = try Ring(rows: 6)
    #expect(try ring.found(chain(32) { _ in "" }) == Array(0..<6))
    #expect(try ring.found(chain(32, { _ in "" }, "== 0")) == Array(0..<6))
    #expect(try ring.found(chain(31, { _ in "" }, "== 0")) == [])
    // `$SELF` is the row of the query, and a path without a variable begins at the innermost element.
    let same = (0..<32).map { "SUBQUERY(links, $v\($0), " }.joined() + "number == $SELF.number"
    #expect(try ring.found(same + String(repeating: ").@count > 0", count: 32)) == Array(0..<6))
  }

  @Test func answersDependOnTheOuterElementsThatAreRead() throws {
    let ring = try Ring(rows: 4)
    // Numbers rise, from the row of the query, so a chain of three begins at 0 alone.
    #expect(try ring.found("SUBQUERY(links, $a, $a.number > $SELF.number).@count > 2") == [0])
    func rising(_ depth: Int) -> String {
      (0..<depth).map {
        let outer = $0 == 0 ? "$SELF" : "$v\($0 - 1)"
        return "SUBQUERY(links, $v\($0), $v\($0).number > \(outer).number" + ($0 == depth - 1 ? "" : " AND ")
      }.joined() + String(repeating: ").@count > 0", count: depth)
    }
    for depth in 1...4 { #expect(try ring.found(rising(depth)) == Array(0..<(4 - depth))) }
    // An inner condition compares with the row of the query and with the outermost element.
    let format =
      "SUBQUERY(links, $a, SUBQUERY($a.links, $b, SUBQUERY($b.links, $c, "
      + "$c.number > $a.number AND $c.number < $SELF.number).@count > 0).@count > 0).@count >= 2"
    #expect(try ring.found(format) == [3])
  }

  /// Few elements are left out by a condition, so the number of ways is exponential; that of pairs of elements is not.
  @Test(arguments: [">", "==", "!="])
  func deepSubqueriesThatReadTwoOuterElementsAreAnswered(_ relation: String) throws {
    let (ring, depth) = (try Ring(rows: 7), 32)
    let format = chain(depth, { $0 < 2 ? "" : "$v\($0).number != $v\($0 - 2).number AND " }, "\(relation) 6")
    // Whether the subquery of a level holds for the elements of the two levels around it, from the innermost level on.
    var answers = (0..<7).map { _ in (0..<7).map { $0 == 1 } }
    for level in (0..<depth).reversed() {
      answers = (0..<7).map { outer in
        (0..<7).map { element in
          let count = (0..<7).filter { (level < 2 || $0 != outer) && answers[element][$0] }.count
          return relation == ">" ? count > 6 : relation == "==" ? count == 6 : count != 6
        }
      }
    }
    #expect(try ring.found(format) == (0..<7).filter { answers[0][$0] })
  }

  @Test func deepConditionsOnManyOuterElementsAreRefusedAndNamed() throws {
    let ring = try Ring(rows: 3)
    func reading(_ distances: [Int], depth: Int) -> String {
      chain(depth) { level in
        distances.filter { $0 <= level }.map { "$v\(level).number >= $v\(level - $0).number AND " }.joined()
      }
    }
    #expect(try ring.found(reading([1, 2, 3], depth: 6)) == Array(0..<3))
    #expect(try ring.found(reading([1, 2], depth: 32)) == Array(0..<3))
    let format = reading([1, 2, 3], depth: 8)
    let error = #expect(throws: QueryError.self) { try ring.found(format) }
    #expect(error?.code == .unsupported)
    #expect(error?.description.contains("SUBQUERY($v6.links, …) uses those of 3") == true)
    let position = try #require(error?.position)
    #expect(format.dropFirst(position).hasPrefix("SUBQUERY($v6.links"))
  }

  @Test func longPathsOverRowsThatLinkToEachOtherAreAnswered() throws {
    let ring = try Ring(rows: 10)
    for hops in [1, 2, 3, 40] {
      let path = Array(repeating: "links", count: hops).joined(separator: ".")
      #expect(try ring.found("ANY \(path).number == 7") == Array(0..<10))
      #expect(try ring.found("NONE \(path).number == 10") == Array(0..<10))
      #expect(try ring.found("ALL \(path).number > 0") == [])
    }
  }

  /// A row counts as often as there are ways to it, up to the maximum of 64 bits.
  @Test func subqueriesOverLongPathsCountWays() throws {
    let ring = try Ring(rows: 10)
    func count(_ hops: Int, _ relation: String) throws -> Int {
      let path = Array(repeating: "links", count: hops).joined(separator: ".")
      return try ring.found("SUBQUERY(\(path), $x, $x.number < 3).@count \(relation)").count
    }
    #expect(try count(1, "== 3") == 10)
    #expect(try count(2, "== 30") == 10)
    #expect(try count(3, "== 300") == 10)
    #expect(try count(5, "== 30000") == 10)
    #expect(try count(40, "== \(Int64.max)") == 10)
  }

  /// Random chains against the naive evaluator, over the rows of the differential test.
  @Test func randomChainsFindTheRowsThatAPlainReadingOfThemFinds() throws {
    try Seeds.run(count: Effort.of(debug: 20, release: 2000)) { _, random throws in
      let world = try World(&random, rows: 8 + random.below(16))
      guard let table = world.graph[world.thing] else { return }
      for _ in 0..<4 {
        let depth = 1 + random.below(10)
        let read = random.below(3)
        let text = chain(depth, count: "\(random.element(of: [">", "!=", "=="])) \(random.below(2))", &random, read)
        let predicate = try QueryPredicate(text)
        let query = try CompiledQuery(predicate, of: world.thing, in: world.graph, catalog: world.catalog)
        let naive = NaiveQuery(graph: world.graph, catalog: world.catalog, predicate: predicate)
        let expected = RowSelection(all: table).filter { naive.matches(ObjectLink(world.thing, $0)) }
        #expect(Array(query.rows(in: world.graph)) == expected, "\(text)")
      }
    }
  }

  /// Subqueries over sets, lists and backlinks, which read up to `read` outer elements, or the row of the query.
  private func chain(_ depth: Int, count: String, _ random: inout SeededRandom, _ read: Int) -> String {
    var text = ""
    var isOther = false
    for level in 0..<depth {
      let (name, leadsToOther) =
        isOther
        ? random.element(of: [("holders", false), ("listers", false)])
        : random.element(of: [("others", true), ("things", false), ("owned", true), ("linkers", false)])
      text += "SUBQUERY(\(level == 0 ? "" : "$v\(level - 1).")\(name), $v\(level), "
      isOther = leadsToOther
      for distance in 1...2 where read >= distance && level >= distance && random.bool(0.7) {
        let relation = random.element(of: ["!=", "<=", ">", "=="])
        text += "$v\(level).int \(relation) $v\(level - distance).int \(random.element(of: ["AND", "OR"])) "
      }
      if random.bool(0.2) { text += "$v\(level).int != $SELF.int AND " }
    }
    return text + "$v\(depth - 1).int >= 0" + String(repeating: ").@count \(count)", count: depth)
  }
}
