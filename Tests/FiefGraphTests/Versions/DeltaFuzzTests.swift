import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// Deltas between random graphs, whole and damaged.
struct DeltaFuzzTests {
  /// A starting point: a household, or a table of every type of column with a few rows.
  static func start(_ random: inout SeededRandom) throws -> Graph {
    let graph = random.bool() ? try Household().graph : try EveryColumn().graph
    let transaction = Transaction(graph)
    var edits = RandomEdits(random: random.split())
    edits.edit(transaction, count: 60, changesSchema: false)
    return transaction.graph
  }

  static func edited(_ graph: Graph, _ random: inout SeededRandom) -> Graph {
    let transaction = Transaction(graph)
    var edits = RandomEdits(random: random.split())
    edits.edit(transaction, count: 1 + random.below(40), changesSchema: random.bool())
    return transaction.graph
  }

  @Test(arguments: Seeds.first(30)) func anyChangeGoesThereAndBack(seed: Seed) throws {
    var random = seed.random
    let base = try Self.start(&random)
    let target = Self.edited(base, &random)
    #expect(base.checkInvariants() == [] && target.checkInvariants() == [])
    try base.expectDelta(to: target)
    try target.expectDelta(to: base)
    try Graph.empty.expectDelta(to: target)
    try target.expectDelta(to: .empty)
    let inverse = try Delta(from: base, to: target).inverse(on: base)
    #expect(try target.applying(inverse) == base)
  }

  @Test(arguments: Seeds.first(60)) func aDamagedDeltaIsRefusedOrLeadsToASoundGraph(seed: Seed) throws {
    var random = seed.random
    let base = try Self.start(&random)
    let target = Self.edited(base, &random)
    let other = Self.edited(target, &random)
    let deltas = [
      Delta(from: base, to: target), Delta(from: target, to: base), Delta(from: target, to: other),
      Delta(from: other, to: base),
    ]
    var damage = DeltaDamage(random: random.split(), graphs: [base, target, other, .empty], others: deltas)
    for round in 0..<25 {
      var delta = deltas[round % 2]
      for _ in 0...random.below(3) { damage.damage(&delta) }
      let from = round % 2 == 0 ? base : target
      let transaction = Transaction(from)
      do {
        try transaction.apply(delta)
      } catch let error as GraphError {
        #expect(error.code == .invalidDelta && !error.message.isEmpty)
        #expect(transaction.graph == from, "round \(round): something changed: \(error)")
        continue
      }
      let result = transaction.graph
      let faults = result.checkInvariants()
      #expect(faults == [], "round \(round)")
      guard faults.isEmpty else { continue }
      // What was accepted can be told, undone, and worked with like any other graph.
      #expect(try from.applying(Delta(from: from, to: result)) == result, "round \(round)")
      #expect(try result.applying(Delta(from: result, to: from)) == from, "round \(round)")
      var edits = RandomEdits(random: random.split())
      edits.edit(transaction, count: 10, changesSchema: true)
      let kept = transaction.graph.allTables.filter { $0.schema.kind != .embedded && random.bool() }.map(\.schema.key)
      try? transaction.clear(kept)
      #expect(transaction.graph.checkInvariants() == [], "round \(round): after more work")
    }
    #expect(base.checkInvariants() == [] && target.checkInvariants() == [], "deltas share clusters with graphs")
  }
}
