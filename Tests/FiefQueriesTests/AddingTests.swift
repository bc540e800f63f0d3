import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Synchronization
import Testing

/// A query that grows by one condition or modifier at a time is the query that has them all at once, and binds each
/// of them once.
@Suite struct AddingTests {
  /// A catalog that counts the names which it resolves.
  private final class CountingCatalog: QueryCatalog {
    let names: StoredNames
    private let counts = Mutex<[String: Int]>([:])

    init(_ names: StoredNames = StoredNames()) { self.names = names }

    func property(_ name: String, of table: TableSchema) -> QueryProperty? {
      counts.withLock { $0[name, default: 0] += 1 }
      return names.property(name, of: table)
    }

    func count(of name: String) -> Int { counts.withLock { $0[name] ?? 0 } }
  }

  /// One to five additions: conditions, modifiers, or both.
  private static func additions(_ random: inout SeededRandom, _ maker: inout RandomPredicate) -> [ParsedQuery] {
    (0...random.below(5)).map { _ in
      var condition = QueryPredicate(random.bool(0.9))
      if random.bool(0.6) { condition = maker.predicate(1 + maker.random.below(3)) }
      if random.bool(0.3) { condition = maker.indexable() && condition }
      let modifiers = (0..<random.below(3)).map { _ in ArrangingDifferentialTests.modifier(&random) }
      return ParsedQuery(condition, modifiers)
    }
  }

  @Test func aQueryThatGrewIsTheOneThatHasAllAtOnce() throws {
    try Seeds.run(count: DifferentialTests.worlds / 2) { _, random throws in
      let world = try World(&random, rows: 8 + random.below(32))
      var maker = RandomPredicate(random: random.split(), world: world)
      for _ in 0..<40 {
        let parts = Self.additions(&random, &maker)
        var grown = try CompiledQuery(parts[0], of: world.thing, in: world.graph, catalog: world.catalog)
        for part in parts.dropFirst() { grown = try grown.adding(part, in: world.graph, catalog: world.catalog) }
        let all = parts.dropFirst().reduce(parts[0]) {
          ParsedQuery($0.predicate && $1.predicate, $0.modifiers + $1.modifiers)
        }
        let whole = try CompiledQuery(all, of: world.thing, in: world.graph, catalog: world.catalog)
        #expect(Array(grown.rows(in: world.graph)) == Array(whole.rows(in: world.graph)), "\(all)")
        #expect(grown.count(in: world.graph) == whole.count(in: world.graph), "\(all)")
        #expect(grown.plan(in: world.graph) == whole.plan(in: world.graph), "\(all)")
        #expect(grown.predicate == whole.predicate)
        #expect(grown.fits(world.graph))
      }
    }
  }

  @Test func aUnionThatGrewIsTheOneThatHasAllAtOnce() throws {
    try Seeds.run(count: DifferentialTests.worlds / 5) { _, random throws in
      let world = try World(&random, rows: 8 + random.below(32))
      let tables = [world.thing, world.other]
      for _ in 0..<20 {
        let parts = try (0...random.below(4)).map { _ in
          try ParsedQuery(
            random.element(of: [
              "int >= 2", "doubleN == nil OR int == 1", "TRUEPREDICATE", "TRUEPREDICATE SORT(int DESC)",
              "int < 4 SORT(string ASC) DISTINCT(int)", "TRUEPREDICATE LIMIT(9)",
            ]))
        }
        var grown = try CompiledQuery(parts[0], of: tables, in: world.graph, catalog: world.catalog)
        for part in parts.dropFirst() { grown = try grown.adding(part, in: world.graph, catalog: world.catalog) }
        let all = parts.dropFirst().reduce(parts[0]) {
          ParsedQuery($0.predicate && $1.predicate, $0.modifiers + $1.modifiers)
        }
        let whole = try CompiledQuery(all, of: tables, in: world.graph, catalog: world.catalog)
        #expect(grown.links(in: world.graph) == whole.links(in: world.graph), "\(all)")
        #expect(grown.plan(in: world.graph) == whole.plan(in: world.graph), "\(all)")
      }
    }
  }

  @Test func everyNameIsResolvedOnce() throws {
    let transaction = Transaction(.empty)
    let dogs = try transaction.addTable("Dog")
    for name in ["name", "city"] { try transaction.addColumn(to: dogs, name, ColumnType(.string)) }
    for name in ["age", "weight"] { try transaction.addColumn(to: dogs, name, ColumnType(.int)) }
    let graph = transaction.graph
    let catalog = CountingCatalog()
    var query = try CompiledQuery(ParsedQuery("age > 2"), of: dogs, in: graph, catalog: catalog)
    for part in ["name == 'Rex' SORT(weight ASC)", "TRUEPREDICATE LIMIT(3)", "city BEGINSWITH 'O'"] {
      query = try query.adding(ParsedQuery(part), in: graph, catalog: catalog)
    }
    for name in ["age", "name", "weight", "city"] { #expect(catalog.count(of: name) == 1, "\(name)") }
    #expect(query.predicate == (try QueryPredicate("age > 2 AND name == 'Rex' AND city BEGINSWITH 'O'")))
  }

  @Test func rangesOfOneColumnBecomeOneScanHoweverTheyCame() throws {
    let transaction = Transaction(.empty)
    let dogs = try transaction.addTable("Dog")
    let age = try transaction.addColumn(to: dogs, "age", ColumnType(.int))
    for number in 0..<600 { try transaction.create(in: dogs) { try $0.set(.int(Int64(number % 50)), age) } }
    let graph = transaction.graph
    let half = try CompiledQuery(ParsedQuery("age >= 5 AND age < 40"), of: dogs, in: graph)
    let narrow = try half.adding(ParsedQuery("age < 10"), in: graph).adding(ParsedQuery("age != 7"), in: graph)
    #expect(narrow.count(in: graph) == 4 * 12)
    #expect(half.count(in: graph) == 35 * 12, "A query that was extended stays what it is.")
  }

  @Test func aMistakeIsThatOfTheAddition() throws {
    let transaction = Transaction(.empty)
    let dogs = try transaction.addTable("Dog")
    try transaction.addColumn(to: dogs, "age", ColumnType(.int))
    let graph = transaction.graph
    let query = try CompiledQuery(ParsedQuery("age > 2"), of: dogs, in: graph)
    #expect(throws: QueryError.self) { try query.adding(ParsedQuery("nme == 'Rex'"), in: graph) }
    #expect(throws: QueryError.self) { try query.adding(ParsedQuery("TRUEPREDICATE SORT(nme ASC)"), in: graph) }
    #expect(throws: QueryError.self) { try query.adding(ParsedQuery("age > 2"), in: .empty) }
  }

  @Test func conditionsOnElementsAreJoined() throws {
    let transaction = Transaction(.empty)
    let type = ColumnType(.int)
    let graph = transaction.graph
    let odd = try ElementQuery(ParsedQuery("SELF IN {1, 3, 5, 7}"), of: type, in: graph)
    let both = try odd.adding(ParsedQuery("SELF > 2"), in: graph).adding(ParsedQuery("SELF != 5"), in: graph)
    #expect((0..<9).filter { both.matches(.int(Int64($0)), in: graph) } == [3, 7])
    #expect((0..<9).filter { odd.matches(.int(Int64($0)), in: graph) } == [1, 3, 5, 7])
    #expect(throws: QueryError.self) { try odd.adding(ParsedQuery("SELF == 'Rex'"), in: graph) }
  }
}
