import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Testing

@Suite struct GroupingTests {
  /// The value of a path in a row, read from the graph without a query.
  private func value(_ path: String, _ key: ObjectKey, _ world: World) -> Value {
    var row = ObjectLink(world.thing, key)
    var found = Value.null
    for part in path.split(separator: ".") {
      guard let column = world.graph[row.table]?.schema.column(named: String(part)) else { return .null }
      found = world.graph.value(Cell(row.table, row.key, column.key)) ?? .null
      guard let next = found.linked else { return found }
      row = next
    }
    return found
  }

  @Test func everyRowIsInTheGroupOfItsValues() throws {
    try Seeds.run(count: 60) { _, random throws in
      let world = try World(&random, rows: 10 + random.below(80))
      let paths = (0..<random.below(3)).map { _ in
        random.element(of: ["bool", "intN", "stringN", "any", "doubleN", "link.intN", "other.string", "dateN", "uuid"])
      }
      let query = try GroupQuery(by: paths.map { PropertyPath(text: $0) }, of: [world.thing], in: world.graph)
      let table = try #require(world.graph[world.thing])
      let rows = random.shuffled(Array(RowSelection(all: table)))
      let groups = query.groups(in: world.graph, among: rows)

      // Each row occurs once, in the order given, under its own values.
      #expect(groups.reduce(0) { $0 + $1.rows.count } == rows.count)
      var previous: [Value]?
      for group in groups {
        let members = Set(group.rows)
        #expect(rows.filter(members.contains) == Array(group.rows))
        for key in group.rows {
          for (path, shared) in zip(paths, group.key) {
            #expect(StoredOrder.compare(value(path, key, world), shared) == 0, "\(path)")
          }
        }
        if let previous {
          let order = zip(previous, group.key).map { StoredOrder.compare($0, $1) }.first { $0 != 0 }
          #expect(order == -1, "\(previous) \(group.key)")
        }
        previous = group.key
      }
      let links = query.groups(in: world.graph, among: rows.map { ObjectLink(world.thing, $0) })
      #expect(links.map { $0.rows.map(\.key) } == groups.map { Array($0.rows) })
    }
  }

  @Test func aCollectionsAggregateCanBeWhatIsShared() throws {
    let world = try Seeds.first { try World(&$0, rows: 60) }
    let query = try GroupQuery(
      by: [PropertyPath(text: "others.@count")], of: [world.thing], in: world.graph, catalog: world.catalog)
    let all = RowSelection(all: try #require(world.graph[world.thing]))
    let groups = query.groups(in: world.graph, among: all)
    #expect(groups.count > 1)
    for group in groups {
      guard case .int(let number) = group.key[0] else { return }
      let same = try CompiledQuery(
        QueryPredicate("others.@count == \(number)"), of: world.thing, in: world.graph, catalog: world.catalog)
      #expect(Array(same.rows(in: world.graph)) == Array(group.rows))
    }
  }

  @Test func aPathWithSeveralValuesIsRefused() throws {
    let world = try Seeds.first { try World(&$0, rows: 2) }
    for path in ["others.int", "ints", "absent", "linkers.int"] {
      #expect(throws: QueryError.self) {
        try GroupQuery(by: [PropertyPath(text: path)], of: [world.thing], in: world.graph, catalog: world.catalog)
      }
    }
    #expect(throws: QueryError.self) { try GroupQuery(by: [], of: [], in: world.graph) }
    let all = try GroupQuery(by: [], of: [world.thing], in: world.graph)
    let rows = RowSelection(all: try #require(world.graph[world.thing]))
    #expect(all.groups(in: world.graph, among: rows).map(\.key.count) == [0])
    #expect(all.groups(in: world.graph, among: [ObjectKey]()).isEmpty)
    #expect(all.groups(in: world.graph, among: [ObjectKey(1 << 40)]).isEmpty)
  }
}

extension PropertyPath {
  /// Parses a path as a format spells it.
  init(text: String) {
    guard let comparison = try? QueryPredicate("\(text) == nil").nodes.first,
      case .comparison(let comparison) = comparison, case .path(let path) = comparison.left
    else { fatalError("\(text) is no path.") }
    self = path
  }
}

extension Seeds {
  /// A value made from a fixed seed.
  static func first<Result>(_ make: (inout SeededRandom) throws -> Result) rethrows -> Result {
    var random = SeededRandom(seed: 7)
    return try make(&random)
  }
}
