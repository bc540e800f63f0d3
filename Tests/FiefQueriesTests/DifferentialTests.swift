import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Testing

/// Random predicates over random rows, evaluated by FiefQueries and by an oracle that shares no code with it.
///
/// A release run evaluates some 200 000 predicates, a debug run some 4 000. `FIEF_SEEDS` sets the number of worlds, and
/// `FIEF_SEED` repeats one.
@Suite struct DifferentialTests {
  static let worlds = Effort.of(debug: 10, release: 1000)
  static let predicatesOfAWorld = 200

  @Test func everyPredicateFindsTheRowsThatAPlainReadingOfItFinds() throws {
    try Seeds.run(count: Self.worlds) { _, random throws in
      let world = try World(&random, rows: 8 + random.below(32))
      guard let table = world.graph[world.thing] else { return }
      let keys = Array(RowSelection(all: table))
      var maker = RandomPredicate(random: random.split(), world: world)
      for number in 0..<Self.predicatesOfAWorld {
        var predicate = maker.predicate(1 + maker.random.below(4))
        // A third of them begin with a condition that an index may answer.
        if number % 3 == 0 { predicate = maker.indexable() && predicate }
        if number % 6 == 1 { predicate = maker.alternatives() && predicate }
        if number % 6 == 4 { predicate = maker.alternatives() }
        let text = predicate.description
        let parsed = try QueryPredicate(text)
        #expect(parsed.description == text)
        let query = try CompiledQuery(parsed, of: world.thing, in: world.graph, catalog: world.catalog)
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
          #expect(query.explanations(in: world.graph)[0].rowsFound == expected.count)
        }
        if found != expected { return }
      }
    }
  }

  /// A query is bound once. It runs on the version to which it was bound, on a version that was kept in the middle of a
  /// transaction, and on the result of the transaction. In each version, indexes of values and of words give the rows
  /// of that version.
  @Test func eachVersionIsAnsweredAsItIs() throws {
    try Seeds.run(count: Self.worlds / 5) { _, random throws in
      let world = try World(&random, rows: 8 + random.below(32))
      let transaction = Transaction(world.graph)
      func change(_ random: inout SeededRandom) throws {
        for _ in 0..<20 {
          guard let table = transaction.graph[world.thing], table.count > 0 else { return }
          let key = random.element(of: Array(RowSelection(all: table)))
          if random.bool(0.1) {
            try transaction.delete(ObjectLink(world.thing, key))
            continue
          }
          let (kind, name) = random.element(of: World.kinds)
          let isOptional = random.bool()
          guard let column = table.schema.column(named: isOptional ? name + "N" : name) else { continue }
          try transaction.set(
            isOptional && random.bool(0.2) ? .null : random.value(kind), Cell(world.thing, key, column.key))
        }
      }
      try change(&random)
      let kept = transaction.graph
      try change(&random)
      let versions = [world.graph, kept, transaction.graph]
      #expect(transaction.graph.checkInvariants() == [])
      var maker = RandomPredicate(random: random.split(), world: world)
      for number in 0..<60 {
        var predicate = number % 2 == 0 ? maker.indexable() : maker.alternatives()
        if number % 3 == 0 { predicate = predicate && maker.predicate(1 + maker.random.below(2)) }
        let query = try CompiledQuery(predicate, of: world.thing, in: world.graph, catalog: world.catalog)
        for graph in versions {
          guard let table = graph[world.thing] else { continue }
          let naive = NaiveQuery(graph: graph, catalog: world.catalog, predicate: predicate)
          let expected = RowSelection(all: table).filter { naive.matches(ObjectLink(world.thing, $0)) }
          #expect(Array(query.rows(in: graph)) == expected, "\(predicate)")
          #expect(query.count(in: graph) == expected.count, "\(predicate)")
          #expect(query.countIfCheap(in: graph).map { $0 == expected.count } ?? true, "\(predicate)")
          #expect(query.first(in: graph) == expected.first, "\(predicate)")
        }
      }
    }
  }
}
