import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Testing

/// Random predicates over random rows, answered by the room and by an oracle that shares nothing with it.
///
/// A release run asks some 200 000 predicates, a debug run some 4 000; `FIEF_SEEDS` asks for more worlds, `FIEF_SEED` for one again.
@Suite struct DifferentialTests {
  #if DEBUG
    static let worlds = 20
  #else
    static let worlds = 1000
  #endif
  static let predicatesOfAWorld = 200

  @Test func everyPredicateFindsTheRowsThatAPlainReadingOfItFinds() throws {
    try Seeds.run(count: Self.worlds) { _, random throws in
      let world = try World(&random, rows: 8 + random.below(32))
      guard let table = world.graph[world.thing] else { return }
      let keys = Array(RowSelection(all: table))
      var maker = RandomPredicate(random: random.split(), world: world)
      for number in 0..<Self.predicatesOfAWorld {
        var predicate = maker.predicate(1 + maker.random.below(4))
        // A third of them begin with what an index may answer.
        if number % 3 == 0 { predicate = maker.indexable() && predicate }
        if number % 6 == 1 { predicate = maker.alternatives() && predicate }
        if number % 6 == 4 { predicate = maker.alternatives() }
        let text = predicate.description
        let parsed = try QueryPredicate(text)
        #expect(parsed.description == text)
        let query = try Query(parsed, of: world.thing, in: world.graph, catalog: world.catalog)
        let naive = NaiveQuery(graph: world.graph, catalog: world.catalog, predicate: predicate)
        let expected = keys.filter { naive.matches(ObjectLink(world.thing, $0)) }
        let found = Array(query.rows(in: world.graph))
        #expect(found == expected, "\(text)")
        #expect(query.count(in: world.graph) == expected.count, "\(text)")
        #expect(query.first(in: world.graph) == expected.first, "\(text)")
        #expect(query.isEmpty(in: world.graph) == expected.isEmpty, "\(text)")
        #expect(keys.filter { query.matches($0, in: world.graph) } == expected, "\(text)")
        if number % 10 == 0 {
          let members = Set(expected)
          let few = (0..<20).map { _ in random.element(of: keys) }
          #expect(Array(query.rows(in: world.graph, among: few)) == few.filter(members.contains), "\(text)")
          let many = (0..<100).map { _ in random.element(of: keys) }
          #expect(Array(query.rows(in: world.graph, among: many)) == many.filter(members.contains), "\(text)")
          #expect(query.explanation(in: world.graph).rowsFound == expected.count)
        }
        if found != expected { return }
      }
    }
  }
}
