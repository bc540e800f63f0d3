import FiefGraph
import FiefTestSupport
import Testing

/// Valid deltas between random graphs, damaged at random. A graph that accepts one is never unsound, and a refused
/// delta leaves the graph unchanged.
struct DeltaFuzzTests {
  /// Two versions of one graph, the last version of another, and the deltas between them.
  private struct Graphs {
    var graphs: [Graph] = [.empty]

    init(_ seed: Seed, _ random: inout SeededRandom) throws {
      let size = HistorySize(rows: 8, values: 4, length: 8)
      for number in 0..<2 as Range<UInt64> {
        var history = History(seed: Seed(seed.value &* 1000 &+ number), size: size)
        history.run(operations: 150)
        #expect(history.report.failure == nil)
        graphs.append(history.last.graph)
        graphs.append(Self.changed(history.last.graph, &random))
        graphs.append(Self.changed(history.last.graph, &random))
      }
      graphs.append(try DeltaStage().graph)
      graphs.append(Self.changed(try DeltaStage().graph, &random))
    }

    /// The graph after some operations that keep its schema; refused operations change nothing.
    private static func changed(_ graph: Graph, _ random: inout SeededRandom) -> Graph {
      let transaction = Transaction(graph)
      let values = values(graph)
      for _ in 0..<20 {
        let table = random.element(of: graph.allTables)
        let key = ObjectKey(Int64(random.below(max(1, Int(min(table.nextKey, 40))))))
        let row = ObjectLink(table.schema.key, key)
        guard !table.schema.columns.isEmpty else { continue }
        let cell = Cell(row.table, key, random.element(of: table.schema.columns).key)
        let value = random.element(of: values)
        switch random.below(8) {
        case 0: try? transaction.delete(row)
        case 1: _ = try? transaction.create(in: row.table)
        case 2: try? transaction.append(value, toList: cell)
        case 3: _ = try? transaction.insert(value, inSet: cell)
        case 4: try? transaction.set(value, forKey: "key \(random.below(3))", inDictionary: cell)
        case 5: _ = try? transaction.createOwned(in: random.element(of: graph.allTables).schema.key, by: cell, .value)
        default: try? transaction.set(value, cell)
        }
      }
      return transaction.graph
    }

    /// Values of every kind, and links to rows that may exist.
    static func values(_ graph: Graph) -> [Value] {
      let links = graph.allTables.flatMap { table in
        ([0, 1, 2, 3, 5, -1, .max] as [Int64]).map { Value.link(ObjectLink(table.schema.key, ObjectKey($0))) }
      }
      let numbers = ([0, 1, 2, 127, 128, -40_000, .max] as [Int64]).map(Value.int)
      return links + numbers + numbers + [
        .null, .null, .string(""), .string("a"), .bool(true), .double(0), .double(-0.0),
      ]
    }
  }

  private static let count = 150

  @Test(arguments: Seeds.first(30)) func damagedDeltasAreRefusedOrSound(seed: Seed) throws {
    var random = seed.random
    let graphs = try Graphs(seed, &random).graphs
    var damage = DeltaDamage(
      random: random.split(), schemas: graphs.map(\.schema), values: graphs.flatMap(Graphs.values))
    var refused = 0
    for round in 0..<Self.count {
      let before = random.element(of: graphs)
      var delta = Delta(from: before, to: random.element(of: graphs))
      // Most deltas are applied to the graph that they were made from; a few to an unrelated one.
      let start = random.below(10) == 0 ? random.element(of: graphs) : before
      for _ in 0..<1 + random.below(3) { damage.damage(&delta) }
      let transaction = Transaction(start)
      do {
        try transaction.apply(delta)
      } catch let error as GraphError {
        #expect(error.code == .invalidDelta, "round \(round): \(error)")
        let isUnchanged = transaction.graph == start
        #expect(isUnchanged, "round \(round)")
        refused += 1
        continue
      }
      #expect(transaction.graph.checkInvariants() == [], "round \(round)")
      // An accepted delta led to a normal graph: a delta leads back.
      let back = Delta(from: transaction.graph, to: start)
      do {
        let isBack = try transaction.graph.applying(back) == start
        #expect(isBack, "round \(round)")
      } catch { Issue.record("round \(round): no way back: \(error)") }
    }
    // If all or none were refused, the damage would no longer be of the intended kind.
    #expect(refused > 0 && refused < Self.count)
    Figures.report("seed \(seed): of \(Self.count) damaged deltas \(refused) were refused")
    for graph in graphs { #expect(graph.checkInvariants() == []) }
  }
}
