import FiefGraph
import FiefQueries
import FiefTestSupport
import Synchronization

/// Query strings and predicates over random rows.
///
///     byte 0 % 3     0 a format string: the rest, as UTF-8
///                    1 predicates that a generator makes, of eight bytes each, compared with the naive evaluator
///                    2 a nest: its form, its depth in three bytes, the innermost condition as UTF-8
///     byte 1         the world of rows
///
/// A format is parsed or refused with a short error. What is parsed is printed, and parsed again as the same. All ways
/// to evaluate agree: rows, counts, single rows, among others, and the negation.
struct QueryTarget: FuzzTarget {
  enum Program {
    case format(world: Int, String)
    case predicates(world: Int, [StepBytes])
    case nest(world: Int, QueryNest, depth: Int, String)
  }

  let name = "queries"
  let purpose = "query strings, and predicates against the naive evaluator"
  let words = [
    " AND ", " OR ", "NOT ", " == ", " != ", " < ", " >= ", " BEGINSWITH ", " CONTAINS[c] ", " LIKE ",
    " BETWEEN {1, 2}",
    " IN {1, 2, 3}", "ANY ", "ALL ", "NONE ", "SUBQUERY(others, $x, $x.int == 1).@count > 0", "TRUEPREDICATE", "nil",
    "intN", "string", "stringN", "double", "link.link", "others.int", "ints.@sum", "ints.@count", "any", "any[0]",
    "any['k']", "map.@allKeys", "anyMap['k']", "place", " SORT(int ASC)", " LIMIT(3)", " DISTINCT(string)", "(", ")",
    "{", "}", "'a'", "\"\\u00E9\"", "%@", "$x", "1e400", "-1", "0x1F", "oid(000000000000000000000001)",
    "uuid(00000000-0000-0000-0000-000000000001)", "things.@min.int", " FULLTEXT 'a b*'", "other.string",
    "owned.numbers",
    "geoCircle([1, 1], 2)", "place IN geoBox([0, 0], [2, 2])", "place IN geoPolygon({[0, 0], [2, 0], [2, 2], [0, 0]})",
    "date", "T1:0", "2024-01-01@10:00:00:0", "B64\"AAA=\"", "decimal", "@links.@count",
  ]

  private static let worlds = Mutex<[Int: World]>([:])

  func layout(of input: [UInt8]) -> InputLayout {
    switch (input.first ?? 0) % 3 {
    // Predicates are independent of each other, so that few in an input are enough.
    case 1: InputLayout(header: 2, step: 8, kinds: [(0, 1), (1, 1), (2, 1)], limit: 2)
    case 2: InputLayout(header: 6, step: 1)
    default: InputLayout(header: 2, step: 1, limit: 2048)
    }
  }

  func decode(_ input: [UInt8]) -> Program {
    let world = Int(input.dropFirst().first ?? 0) % 6
    func text(_ count: Int) -> String { String(decoding: input.dropFirst(count), as: UTF8.self) }
    switch (input.first ?? 0) % 3 {
    case 1: return .predicates(world: world, layout(of: input).steps(input))
    case 2:
      let head = StepBytes(input.prefix(6))
      let form = QueryNest.all[head[2] % QueryNest.all.count]
      return .nest(world: world, form, depth: min(form.deepest, head.wide(3) | head[5] << 16), text(6))
    default: return .format(world: world, text(2))
    }
  }

  func isSlow(_ input: [UInt8]) -> Bool {
    if case .nest(_, _, let depth, _) = decode(input) { depth > 1000 } else { false }
  }

  func sample(_ random: inout SeededRandom) -> [UInt8] {
    let world = UInt8(random.below(6))
    switch random.below(6) {
    case 0, 1: return [1, world] + layout(of: [1]).sample(&random).dropFirst(2)
    case 2 where random.below(20) == 0:
      let depth = random.below(30) == 0 ? 100_000 : random.element(of: [1, 5, 30, 500, 5000])
      let inner = random.element(of: ["int == 1", "", ")", "string LIKE '*'", "ints.@sum > 1"])
      return [
        2, world, UInt8(random.below(QueryNest.all.count)), UInt8(depth & 255), UInt8(depth >> 8 & 255),
        UInt8(depth >> 16),
      ] + Array(inner.utf8)
    default:
      guard let made = try? Self.world(Int(world)) else { return [0, world] }
      var maker = RandomPredicate(random: random.split(), world: made)
      var text = maker.predicate(1 + maker.random.below(3)).description
      if random.below(4) == 0 {
        text += random.element(of: [" SORT(int DESC)", " LIMIT(2)", " DISTINCT(string, int)"])
      }
      return [0, world] + Array(text.utf8).changed(random.below(3), &random)
    }
  }

  func steps(_ program: Program) -> [String] {
    switch program {
    case .format(let world, let format):
      return ["// world \(world)", "try ParsedQuery(\(format.debugDescription))"]
    case .predicates(let world, let steps):
      guard let made = try? Self.world(world) else { return [] }
      return ["// world \(world)"]
        + steps.map { "try QueryPredicate(\(Self.predicate($0, made).description.debugDescription))" }
    case .nest(_, let form, let depth, let inner):
      let (open, close) = (form.open(2, 2), form.close(2))
      return [
        "// The variables of each level are those of the one around it, with other numbers.",
        "let format = String(repeating: \(open.debugDescription), count: \(depth)) + \(inner.debugDescription)",
        "  + String(repeating: \(close.debugDescription), count: \(depth))", "try ParsedQuery(format)",
      ]
    }
  }

  func run(_ program: Program) throws {
    switch program {
    case .format(let world, let format): try check(format, Self.world(world))
    case .predicates(let number, let steps):
      let world = try Self.world(number)
      for step in steps.prefix(16) { try compare(Self.predicate(step, world), world) }
    case .nest(let number, let form, let depth, let inner):
      let world = try Self.world(number)
      let format = form.format(depth, around: inner)
      try check(format, world, isLong: depth > 1000)
      if depth <= form.deepestCompared { try compareNest(format, world) }
    }
  }

  static func world(_ number: Int) throws -> World {
    try worlds.withLock { worlds in
      if let world = worlds[number] { return world }
      var random = SeededRandom(seed: UInt64(number) + 1)
      let world = try World(&random, rows: 8 + number * 6)
      worlds[number] = world
      return world
    }
  }

  /// The predicate of a step: its operands are a size and a seed.
  private static func predicate(_ step: StepBytes, _ world: World) -> QueryPredicate {
    let seed = UInt64(step.wide(2)) | UInt64(step.wide(4)) << 16
    var maker = RandomPredicate(random: SeededRandom(seed: seed), world: world)
    switch step.code % 3 {
    case 0: return maker.predicate(1 + step[1] % 4)
    case 1: return maker.alternatives()
    default: return maker.indexable() && maker.predicate(1 + step[1] % 2)
    }
  }

  // MARK: Checks

  /// - Parameter expected: the keys of the rows that must be found, in order; nil if they are not known. A format with
  ///   known rows must not be refused.
  private func check(_ format: String, _ world: World, isLong: Bool = false, expected: [ObjectKey]? = nil) throws {
    let query: ParsedQuery
    do throws(QueryError) { query = try ParsedQuery(format) } catch {
      return try checkRefusal(error, isExpected: expected == nil)
    }
    let printed = query.description
    do throws(QueryError) {
      let again = try ParsedQuery(printed)
      try Self.same(again.description, printed, format)
    } catch {
      throw Finding("A format is parsed, and its description \(printed.prefix(500)) is not: \(error)")
    }
    let compiled: CompiledQuery
    do throws(QueryError) {
      compiled = try CompiledQuery(query, of: world.thing, in: world.graph, catalog: world.catalog)
    } catch {
      return try checkRefusal(error, isExpected: expected == nil)
    }
    guard let table = world.graph[world.thing] else { return }
    if isLong {
      // Each of so many conditions takes its time for each row, so that few rows are asked.
      _ = compiled.first(in: world.graph)
      return
    }
    let found = Array(compiled.rows(in: world.graph))
    if let expected {
      try expect(printed == format, "\(format) is parsed as \(printed).")
      try expect(found == expected, "\(format) finds \(found), and \(expected) by the naive evaluator.")
    }
    try expect(compiled.count(in: world.graph) == found.count, "The count is another: \(printed.prefix(500))")
    try expect(compiled.first(in: world.graph) == found.first, "The first is another: \(printed.prefix(500))")
    try expect(compiled.isEmpty(in: world.graph) == found.isEmpty, "isEmpty is another: \(printed.prefix(500))")
    guard query.modifiers.isEmpty else { return }
    let keys = Array(RowSelection(all: table))
    try expect(
      keys.filter { compiled.matches($0, in: world.graph) } == found, "Row by row is another: \(printed.prefix(500))")
    try expect(
      Array(compiled.rows(in: world.graph, among: Array(keys.reversed()))) == found.reversed(),
      "Among all rows is another: \(printed.prefix(500))")
    let opposite = try CompiledQuery(
      !query.predicate, of: world.thing, in: world.graph, catalog: world.catalog)
    let members = Set(found)
    try expect(
      Array(opposite.rows(in: world.graph)) == keys.filter { !members.contains($0) },
      "The negation has other rows: \(printed.prefix(500))")
  }

  private static func same(_ a: String, _ b: String, _ format: String) throws(QueryError) {
    if a != b { throw QueryError(.syntax, "it is then \(a.prefix(500)), parsed from \(format.prefix(500))") }
  }

  private func checkRefusal(_ error: QueryError, isExpected: Bool) throws {
    if !isExpected { throw error }
    try expect(error.description.utf8.count < 4096, "An error has \(error.description.utf8.count) bytes.")
  }

  /// Compares a nest with the naive evaluator, which knows the comparisons of nests alone.
  private func compareNest(_ format: String, _ world: World) throws {
    guard let query = try? ParsedQuery(format), query.modifiers.isEmpty, QueryNest.isKnown(query.predicate),
      (try? CompiledQuery(query, of: world.thing, in: world.graph, catalog: world.catalog)) != nil
    else { return }
    try compare(query.predicate, world)
  }

  /// Compares a predicate with the naive evaluator, and all ways to evaluate it with each other.
  private func compare(_ predicate: QueryPredicate, _ world: World) throws {
    guard let table = world.graph[world.thing] else { return }
    let naive = NaiveQuery(graph: world.graph, catalog: world.catalog, predicate: predicate)
    let expected = RowSelection(all: table).filter { naive.matches(ObjectLink(world.thing, $0)) }
    try check(predicate.description, world, expected: expected)
  }
}
