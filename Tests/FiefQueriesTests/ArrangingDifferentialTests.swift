import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Testing

/// Random conditions with random sorts, collations, distincts and limits, over one table and over two. FiefQueries and
/// the oracle of `DifferentialTests` evaluate them, including their first rows and their groups.
@Suite struct ArrangingDifferentialTests {
  private static let paths = [
    "bool", "int", "intN", "float", "double", "doubleN", "string", "stringN", "date", "uuid", "oidN", "decimal", "any",
    "link.int", "link.stringN", "other.string", "id",
  ]
  /// The columns that both tables of a world have, with equal kinds.
  private static let shared = ["int", "string", "doubleN"]
  private static let collations: [TextCollation] = [
    .folded(.caseInsensitive), .folded([.caseInsensitive, .diacriticInsensitive]), .folded(.diacriticInsensitive),
    .locale("sv_SE"),
  ]

  /// A random sort, distinct or limit.
  static func modifier(
    _ random: inout SeededRandom, _ paths: [String] = ArrangingDifferentialTests.paths
  ) -> QueryModifier {
    switch random.below(5) {
    case 0: return .limit(random.below(30), offset: random.below(4))
    case 1: return .distinct((0...random.below(2)).map { _ in PropertyPath(text: random.element(of: paths)) })
    default:
      return .sort(
        (0...random.below(3)).map { _ in
          let path = random.element(of: paths)
          let isText = path.hasSuffix("string") || path.hasSuffix("stringN")
          return SortKey(
            PropertyPath(text: path), ascending: random.bool(),
            collation: isText && random.bool() ? random.element(of: collations) : .bytes)
        })
    }
  }

  @Test func everyQueryModifierGivesWhatAPlainReadingOfItGives() throws {
    try Seeds.run(count: DifferentialTests.worlds / 2) { _, random throws in
      let world = try World(&random, rows: 8 + random.below(32))
      let table = try #require(world.graph[world.thing])
      let all = RowSelection(all: table).map { ObjectLink(world.thing, $0) }
      var maker = RandomPredicate(random: random.split(), world: world)
      for number in 0..<40 {
        var predicate = QueryPredicate(true)
        if number % 4 != 0 { predicate = maker.predicate(1 + maker.random.below(3)) }
        if number % 4 == 1 { predicate = maker.indexable() && predicate }
        let modifiers = (0...random.below(3)).map { _ in Self.modifier(&random, Self.paths) }
        let text = ParsedQuery(predicate, modifiers).description
        let parsed = try ParsedQuery(text)
        #expect(parsed.description == text)
        let naive = NaiveQuery(graph: world.graph, catalog: world.catalog, predicate: predicate)
        let matching = all.filter(naive.matches)
        let expected = modifiers.reduce(matching) { naive.arranged($0, $1) }.map(\.key)
        let query = try CompiledQuery(parsed, of: world.thing, in: world.graph, catalog: world.catalog)
        let found = Array(query.rows(in: world.graph))
        #expect(found == expected, "\(text)")
        #expect(query.count(in: world.graph) == expected.count, "\(text)")
        #expect(query.first(in: world.graph) == expected.first, "\(text)")
        #expect(query.isEmpty(in: world.graph) == expected.isEmpty, "\(text)")
        for wanted in [0, 1, random.below(expected.count + 2)] {
          #expect(Array(query.prefix(wanted, in: world.graph)) == Array(expected.prefix(wanted)), "\(text)")
        }
        let few = (0..<30).map { _ in random.element(of: all) }
        let among = modifiers.reduce(few.filter(naive.matches)) { naive.arranged($0, $1) }
        #expect(Array(query.rows(in: world.graph, among: few.map(\.key))) == among.map(\.key), "\(text)")

        let shared = (0..<random.below(3)).map { _ in PropertyPath(text: random.element(of: Self.paths)) }
        let groups = try GroupQuery(by: shared, of: [world.thing], in: world.graph, catalog: world.catalog)
          .groups(in: world.graph, among: found)
        let rows = found.map { ObjectLink(world.thing, $0) }
        #expect(
          groups.map { Array($0.rows) } == naive.groups(rows, by: shared).map { $0.map(\.key) }, "\(shared) \(text)")
        if found != expected { return }
      }
    }
  }

  @Test func everyUnionGivesWhatAPlainReadingOfItGives() throws {
    try Seeds.run(count: DifferentialTests.worlds / 2) { _, random throws in
      let world = try World(&random, rows: 8 + random.below(32))
      let tables = random.shuffled([world.thing, world.other])
      let all = try tables.flatMap { key in
        RowSelection(all: try #require(world.graph[key])).map { ObjectLink(key, $0) }
      }
      for _ in 0..<20 {
        var predicate = QueryPredicate(true)
        for _ in 0..<random.below(4) {
          let part = try QueryPredicate(
            random.element(of: ["int >= 2", "int IN {1, 3}", "doubleN == nil", "doubleN < 1"])
              + random.element(of: [" AND ", " OR "])
              + random.element(of: [
                "string CONTAINS 'a'", "string ==[c] 'AB'", "string < 'b'", "string ENDSWITH[cd] 'e'",
              ]))
          predicate = random.bool() ? predicate && part : predicate && !part
        }
        let modifiers = (0..<random.below(4)).map { _ in Self.modifier(&random, Self.shared) }
        let parsed = ParsedQuery(predicate, modifiers)
        let naive = NaiveQuery(graph: world.graph, catalog: world.catalog, predicate: predicate)
        let expected = modifiers.reduce(all.filter(naive.matches)) { naive.arranged($0, $1) }
        let query = try CompiledQuery(parsed, of: tables, in: world.graph, catalog: world.catalog)
        let found = Array(query.links(in: world.graph))
        #expect(found == expected, "\(parsed)")
        #expect(query.count(in: world.graph) == expected.count, "\(parsed)")
        #expect(query.isEmpty(in: world.graph) == expected.isEmpty, "\(parsed)")
        for wanted in [0, 1, random.below(expected.count + 2)] {
          #expect(Array(query.links(in: world.graph, first: wanted)) == Array(expected.prefix(wanted)), "\(parsed)")
        }
        let shared = (0..<random.below(3)).map { _ in PropertyPath(text: random.element(of: Self.shared)) }
        let groups = try GroupQuery(by: shared, of: tables, in: world.graph, catalog: world.catalog)
          .groups(in: world.graph, among: found)
        #expect(groups.map { Array($0.rows) } == naive.groups(found, by: shared), "\(shared) \(parsed)")
        if found != expected { return }
      }
    }
  }
}
