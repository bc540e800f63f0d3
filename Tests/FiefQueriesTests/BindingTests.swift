import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Foundation
import Testing

@Suite struct BindingTests {
  let world: World

  init() throws {
    var random = SeededRandom(seed: 7)
    world = try World(&random, rows: 20)
  }

  private func bind(_ format: String, _ arguments: [QueryConstant] = []) throws(QueryError) {
    _ = try CompiledQuery(
      ParsedQuery(format, arguments: arguments), of: world.thing, in: world.graph, catalog: world.catalog)
  }

  @Test(arguments: [
    "int > 2", "int == TRUE", "bool == 1", "double == 3", "float == 1.5", "decimal == '1.5'", "decimal == 1.5",
    "uuid == '00000000-0000-0000-0000-000000000001'", "intN == nil", "link == nil", "any == nil", "any == 'x'",
    "any > 3",
    "link.int == nil", "others.int == 3", "ANY others.int == 3", "others.@count > 1", "others.@avg.int == 1.5",
    "ints.@sum == 2.5", "map['k'] == nil", "map.@allKeys == 'k'", "any[0]['x'] == 3",
    "SUBQUERY(others, $x, $x.int == int).@count > 0",
    "owned.int == 3", "3 IN ints", "int IN ints", "string LIKE[c] 'a*'", "data BEGINSWITH %@", "ints BETWEEN {1, 3}",
    "int == link.int", "ANY others.int == int", "dates.@max > date(1, 0)", "string == stringN", "SELF IN {link(2, 3)}",
    "int IN {} SORT(string ASC, link.int DESC, map['k'] ASC, others.@count ASC) DISTINCT(int) LIMIT(3)",
    "string IN nil", "otherMap.int == 3", "otherMap['k'] == nil",
  ])
  func whatFitsIsBound(format: String) throws {
    try bind(format, format.contains("%@") ? [.value(.data(Data([1])))] : [])
  }

  @Test(arguments: [
    ("int > 2", true), ("string LIKE[c] 'a*'", true), ("any == 'x'", true), ("link == nil", true),
    ("(int IN {1, 2} OR string == 'a') AND NOT double > 3", true), ("TRUEPREDICATE", true),
    ("link.int == nil", false), ("ANY others.int == 3", false), ("int > 2 AND owned.int == 3", false),
    ("SUBQUERY(others, $x, $x.int == int).@count > 0", false), ("int == link.int", false),
    ("int > 2 SORT(int ASC)", false), ("int > 2 LIMIT(3)", false),
  ])
  func `a condition on a row's own cells tests rows alone`(format: String, isAlone: Bool) throws {
    let query = try CompiledQuery(ParsedQuery(format), of: world.thing, in: world.graph, catalog: world.catalog)
    #expect(query.testsRowsAlone == isAlone)
  }

  /// Invalid conditions, and the codes of their errors.
  static let refused: [(String, QueryError.Code)] = [
    ("nothing == 1", .unknownProperty), ("link.nothing == 1", .unknownProperty), ("int.x == 1", .unsupported),
    ("int == 1.5", .typeMismatch), ("int == 1.0", .typeMismatch), ("int == '1'", .typeMismatch),
    ("int == nil", .typeMismatch),
    ("int IN {1, nil}", .typeMismatch), ("bool == 2", .typeMismatch), ("string == 3", .typeMismatch),
    ("string == B64'AQI='", .typeMismatch), ("float == 1e300", .typeMismatch),
    ("double == 1e400", .typeMismatch), ("double IN {1, -1e400}", .typeMismatch), ("float < 1e400", .typeMismatch),
    ("decimal == 1e7000", .typeMismatch), ("decimal == '1e7000'", .typeMismatch), ("any > 1e7000", .typeMismatch),
    ("date == 3", .typeMismatch),
    ("uuid == 'x'", .typeMismatch), ("decimal == 'x'", .typeMismatch), ("link == 3", .typeMismatch),
    ("link == link(3, 0)", .typeMismatch), ("link < nil", .unsupported), ("bool < TRUE", .unsupported),
    ("oid > oid(000000000000000000000000)", .unsupported), ("string BETWEEN {'a', 'b'}", .unsupported),
    ("int BETWEEN {1}", .unsupported), ("int BETWEEN 1", .unsupported), ("int IN 3", .unsupported),
    ("int CONTAINS 3", .unsupported), ("data LIKE 'x'", .unsupported), ("string LIKE[d] 'x'", .unsupported),
    ("string <[c] 'x'", .unsupported), ("data ==[c] B64'AQI='", .unsupported), ("int ==[c] 3", .unsupported),
    ("ANY int == 3", .unsupported), ("ALL link.int == 3", .unsupported), ("others.@count == nil", .typeMismatch),
    ("others.@sum == 1", .unsupported), ("others.@sum.string == 1", .typeMismatch),
    ("strings.@sum == 1", .typeMismatch),
    ("dates.@sum == 1", .typeMismatch), ("others.@max.int.x == 1", .unsupported), ("int.@count == 1", .unsupported),
    ("others.@count == ints.@count", .unsupported), ("others.int == ints", .unsupported),
    ("int == string", .typeMismatch),
    ("int == double", .typeMismatch), ("link == other", .typeMismatch),
    ("SUBQUERY(link, $x, $x.int == 1).@count > 0", .unsupported),
    ("SUBQUERY(ints, $x, $x == 1).@count > 0", .unsupported),
    ("SUBQUERY(others, $x, $y.int == 1).@count > 0", .unknownProperty),
    ("int[0] == 1", .unsupported), ("ints[0] == 1", .unsupported), ("map['k'].x == 1", .unsupported),
    ("link IN geoBox([0, 0], [1, 1])", .unsupported), ("int IN geoBox([0, 0], [1, 1])", .unsupported),
    ("place IN geoPolygon({[0, 0], [10, 10], [0, 10], [10, 0], [0, 0]})", .invalidShape),
    ("int == geoBox([0, 0], [1, 1])", .unsupported), ("3 IN int", .unsupported),
    ("int == 1 SORT(others.int ASC)", .unsupported), ("int == 1 SORT(link ASC)", .unsupported),
    ("int == 1 SORT(data ASC)", .unsupported), ("int == 1 DISTINCT(ints)", .unsupported),
    ("int == 1 SORT(nothing ASC)", .unknownProperty),
  ]

  @Test(arguments: refused) func whatDoesNotFitIsRefused(format: String, code: QueryError.Code) {
    let error = #expect(throws: QueryError.self) { try bind(format) }
    #expect(error?.code == code, "\(error?.description ?? "")")
  }

  @Test func theErrorNamesThePositionOfTheComparison() {
    let error = #expect(throws: QueryError.self) { try bind("int == 1 AND nothing == 2") }
    #expect(error?.position == 13)
    #expect(error?.description.contains("'nothing' in 'Thing'") == true)
  }

  @Test func subqueriesAreBoundToADepthAndNoFurther() {
    func format(_ depth: Int) -> String {
      (0..<depth).map { "SUBQUERY(\($0 == 0 ? "" : "$v\($0 - 1).")things, $v\($0), " }.joined() + "int == 1"
        + String(repeating: ").@count > 0", count: depth)
    }
    #expect(throws: Never.self) { try bind(format(32)) }
    #expect(throws: QueryError.self) { try bind(format(33)) }
  }

  @Test func aQueryFitsTheGraphsOfItsSchemaAlone() async throws {
    let query = try CompiledQuery(QueryPredicate("int == 1"), of: world.thing, in: world.graph)
    let transaction = Transaction(world.graph)
    #expect(query.fits(transaction.graph))
    try transaction.addColumn(to: world.other, "more", ColumnType(.int))
    #expect(query.fits(transaction.graph))
    try transaction.addColumn(to: world.thing, "more", ColumnType(.int))
    #expect(!query.fits(transaction.graph))
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var random = SeededRandom(seed: 7)
      let world = try World(&random, rows: 20)
      let query = try CompiledQuery(QueryPredicate("int == 1"), of: world.thing, in: world.graph)
      let transaction = Transaction(world.graph)
      try transaction.addColumn(to: world.thing, "more", ColumnType(.int))
      _ = query.count(in: transaction.graph)
    }
    expectSentence("asked of a graph with another schema than the one it was bound to", of: result)
  }

  @Test func stateInsideATransactionIsAskedLikeAnyOther() throws {
    let query = try CompiledQuery(QueryPredicate("int == 12345"), of: world.thing, in: world.graph)
    let transaction = Transaction(world.graph)
    let table = try #require(world.graph[world.thing])
    let column = try #require(table.schema.column(named: "int"))
    let key = try #require(RowSelection(all: table).first)
    #expect(query.isEmpty(in: transaction.graph))
    try transaction.set(Int64(12345), Cell(world.thing, key, column.key))
    #expect(Array(query.rows(in: transaction.graph)) == [key])
    #expect(query.isEmpty(in: world.graph))
    try transaction.delete(ObjectLink(world.thing, key))
    #expect(query.first(in: transaction.graph) == nil)
    #expect(!query.matches(key, in: transaction.graph))
    #expect(query.rows(in: transaction.graph, among: [key]).isEmpty)
  }

  @Test func elementsThatAreNoObjectsAreSpokenOfAsSelf() throws {
    let table = try #require(world.graph[world.thing])
    let column = try #require(table.schema.column(named: "intNs"))
    let query = try ElementQuery(ParsedQuery("SELF > 2 OR SELF == nil"), of: column.type, in: world.graph)
    var found = 0
    for key in RowSelection(all: table) {
      let contents = world.graph.collection(Cell(world.thing, key, column.key))
      var (all, expected): (ContiguousArray<Value>, ContiguousArray<Value>) = ([], [])
      contents?.forEach(as: column.type) { value in
        all.append(value)
        if case .int(let number) = value, number <= 2 {} else { expected.append(value) }
        return true
      }
      #expect(query.elements(all, in: world.graph) == expected)
      found += expected.count
    }
    #expect(found > 0)
    #expect(query.matches(.int(3), in: world.graph))
    #expect(throws: QueryError.self) { try ElementQuery(ParsedQuery("x > 2"), of: column.type, in: world.graph) }
    #expect(throws: QueryError.self) {
      try ElementQuery(ParsedQuery("SELF > 'a'"), of: column.type, in: world.graph)
    }
  }
}
