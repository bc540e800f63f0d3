import FiefGraph
import FiefTestSupport

/// One random history of a graph with its oracle, from an empty graph to the end.
///
///     transaction:  operation, operation, savepoint, operation, restore, … ──▶ publish, or drop
///     after each:   graph == oracle      checkInvariants() is empty
///                   deltas between kept versions lead from each to the other
///     at the end:   the kept versions are still what they were
///
/// It reports nothing to the test runner while it runs; the caller does that with its report.
struct History {
  /// How often a kind of operation was performed, and how often it was refused.
  struct Count: Sendable {
    var done = 0
    var refused = 0
  }

  /// The result of a history.
  struct Report: Sendable {
    let seed: Seed
    /// The failure and the operations before it; nil if the history succeeded.
    var failure: String?
    var counts: [OperationKind: Count] = [:]
    var deltas = 0
    var transactions = 0
  }

  private var generator: OperationGenerator
  /// The operations of the history, with their frequencies.
  private let operations: [(value: OperationKind, weight: Int)]
  private let published = PublishedGraph()
  private var oracle = Oracle()
  private var kept: [(graph: Graph, oracle: Oracle)] = []
  /// The operations of the current transaction; nil marks the restoring of a savepoint.
  private var trace: [Operation?] = []
  private(set) var report: Report

  /// A failure, with the operations that led to it.
  struct Failure: Error {
    let text: String
  }

  init(seed: Seed, size: HistorySize) {
    report = Report(seed: seed)
    var random = seed.random
    // A graph without rows tests little, so most histories create some, and few delete all of them.
    let isFertile = random.below(8) > 0
    let isDestructive = random.below(4) == 0
    let kinds = OperationKind.allCases.filter { isDestructive || !$0.isSweeping }.map { ($0, $0.weight) }
    let chosen = Swarm(kinds, using: &random).weights
    let makers =
      isFertile ? [OperationKind.create, .createOwned].filter { kind in !chosen.contains { $0.value == kind } } : []
    operations = chosen + makers.map { ($0, $0.weight) }
    generator = OperationGenerator(random: random, size: size)
  }

  /// The latest version with its oracle.
  var last: (graph: Graph, oracle: Oracle) { (published.current, oracle) }

  /// Runs a history of about this many operations; `report` contains the result.
  mutating func run(operations: Int) {
    attempt { history in
      try history.makeSchema()
      while history.report.counts.values.reduce(0, { $0 + $1.done + $1.refused }) < operations {
        try history.transact()
      }
      for (graph, oracle) in history.kept {
        if let difference = oracle.difference(from: graph) {
          throw Failure(text: "a kept version changed: \(difference)")
        }
      }
    }
  }

  /// Compares the last version of this history with that of an unrelated one, in both directions.
  mutating func compare(withStranger other: History) {
    attempt { history in
      history.trace = []
      try History.compare(history.last, other.last)
    }
  }

  private mutating func attempt(_ body: (inout History) throws -> Void) {
    guard report.failure == nil else { return }
    do {
      try body(&self)
    } catch {
      let text = (error as? Failure)?.text ?? "an error that nobody expects: \(error)"
      report.failure =
        "seed \(report.seed), transaction \(report.transactions): \(text)\n  "
        + trace.suffix(40).map { $0.map { "\("\($0)".prefix(300))" } ?? "restore" }.joined(separator: "\n  ")
    }
  }

  private mutating func makeSchema() throws {
    let transaction = published.begin()
    var next = oracle
    for _ in 0..<4 + generator.random.below(4) { try step(.addTable, transaction, &next) }
    for _ in 0..<10 + generator.random.below(30) { try step(.addColumn, transaction, &next) }
    for _ in 0..<generator.random.below(12) { try step(.addIndex, transaction, &next) }
    for _ in 0..<generator.random.below(6) { try step(.setPrimaryKey, transaction, &next) }
    try publish(transaction, next)
  }

  // MARK: Transactions

  private mutating func transact() throws {
    report.transactions += 1
    trace = []
    let transaction = published.begin()
    var next = oracle
    var savepoints: [(Transaction.Savepoint, Oracle)] = []
    let most = generator.size.rows > 100 ? 400 : 30
    var left = 1 + generator.random.below(most)
    for _ in 0..<most * 4 where left > 0 {
      let kind = generator.random.weighted(operations)
      switch kind {
      case .savepoint:
        savepoints.append((transaction.savepoint(), next))
        count(kind)
      case .restore:
        guard !savepoints.isEmpty else { continue }
        // Restores the last savepoint, or an earlier one, which drops those after it. Either may be restored again.
        let position = generator.random.below(savepoints.count)
        savepoints.removeSubrange((position + 1)...)
        transaction.restore(savepoints[position].0)
        next = savepoints[position].1.keepingKeys(of: next)
        trace.append(nil)
        count(kind)
      default: if try !step(kind, transaction, &next) { continue }
      }
      left -= 1
    }
    if generator.rarely(10) {
      // Rolling back: the transaction is dropped, and the latest version is unchanged.
      if generator.rarely(3) { try verify(transaction.graph, next, "before the rollback") }
      try verify(published.current, oracle, "after a rollback")
    } else {
      try publish(transaction, next)
    }
  }

  private mutating func publish(_ transaction: Transaction, _ next: Oracle) throws {
    let graph = try published.publish(transaction)
    oracle = next
    try verify(graph, oracle, "after the commit")
    try compareVersions(graph)
    if kept.count < 12 {
      kept.append((graph, oracle))
    } else if generator.rarely(4) {
      kept[generator.random.below(kept.count)] = (graph, oracle)
    }
  }

  private func verify(_ graph: Graph, _ oracle: Oracle, _ moment: String) throws {
    if let difference = oracle.difference(from: graph) { throw Failure(text: "\(moment): \(difference)") }
    if let fault = graph.checkInvariants().first { throw Failure(text: "\(moment): \(fault)") }
  }

  private mutating func count(_ kind: OperationKind, refused: Bool = false) {
    if refused {
      report.counts[kind, default: Count()].refused += 1
    } else {
      report.counts[kind, default: Count()].done += 1
    }
  }

  // MARK: One operation

  /// - Returns: Whether the current state has an object for such an operation.
  @discardableResult
  private mutating func step(
    _ kind: OperationKind, _ transaction: Transaction, _ next: inout Oracle
  ) throws -> Bool {
    guard let operation = generator.operation(kind, next) else { return false }
    trace.append(operation)
    // A failed operation must change nothing. Only some are checked, because the check costs a copy.
    let before = generator.rarely(40) ? transaction.graph : nil
    let expected = Result { try operation.perform(on: &next) }
    let actual = Result { try operation.perform(on: transaction) }
    switch (expected, actual) {
    case (.success(let expected), .success(let actual)):
      if expected != actual { throw Failure(text: "\(operation) gave \(actual), not \(expected)") }
      count(kind)
    case (.failure(let expected as Refusal), .failure(let actual)):
      let code = (actual as? GraphError)?.code
      if code != expected.code || code == nil && !(actual is Operation.Thrown) {
        throw Failure(text: "\(operation) was refused by \(actual), not by \(expected)")
      }
      if let before, before != transaction.graph {
        throw Failure(text: "\(operation) was refused and changed something")
      }
      count(kind, refused: true)
    case (.failure(let expected), .success): throw Failure(text: "\(operation) was not refused by \(expected)")
    case (.success, .failure(let actual)): throw Failure(text: "\(operation) was refused: \(actual)")
    case (.failure(let expected), _): throw expected
    }
    return true
  }

  // MARK: Deltas

  private mutating func compareVersions(_ latest: Graph) throws {
    let empty = (graph: Graph.empty, oracle: Oracle())
    let all = kept + [empty, (latest, oracle)]
    let a = generator.rarely(3) ? (latest, oracle) : generator.random.element(of: all)
    let b = generator.random.element(of: all)
    report.deltas += 1
    try History.compare(a, b)
    if generator.rarely(3) { try misapply(Delta(from: a.0, to: b.graph), to: generator.random.element(of: all).graph) }
  }

  /// A delta that is applied to a graph it was not made from is refused, or leads to a sound graph.
  private func misapply(_ delta: Delta, to graph: Graph) throws {
    let transaction = Transaction(graph)
    do {
      try transaction.apply(delta)
      if let fault = transaction.graph.checkInvariants().first {
        throw Failure(text: "a delta on another graph was taken and left: \(fault)")
      }
    } catch let error as GraphError {
      if error.code != .invalidDelta { throw Failure(text: "a delta on another graph was refused by \(error)") }
      if transaction.graph != graph { throw Failure(text: "a delta that was refused changed something") }
    }
  }

  /// Applies the deltas between two versions in both directions.
  static func compare(_ a: (graph: Graph, oracle: Oracle), _ b: (graph: Graph, oracle: Oracle)) throws {
    let delta = Delta(from: a.graph, to: b.graph)
    let areEqual = Oracle.areEqual(a.oracle, b.oracle)
    if delta.isEmpty != areEqual || (a.graph == b.graph) != areEqual
      || b.graph.differs(from: a.graph) == delta.showsNothing
    {
      throw Failure(text: "versions that are \(areEqual ? "equal" : "different") compare otherwise")
    }
    do {
      let applied = try a.graph.applying(delta)
      if applied != b.graph {
        throw Failure(text: "applying leads elsewhere: \(difference(applied, from: b))")
      }
      if let fault = applied.checkInvariants().first { throw Failure(text: "after applying a delta: \(fault)") }
      if let difference = b.oracle.difference(from: applied) { throw Failure(text: "after applying: \(difference)") }
      let back = try applied.applying(try delta.inverse(on: a.graph))
      if back != a.graph {
        throw Failure(text: "applying an inverse leads elsewhere: \(difference(back, from: a))")
      }
      if let fault = back.checkInvariants().first { throw Failure(text: "after applying the inverse: \(fault)") }
    } catch let error as GraphError {
      throw Failure(text: "a delta is refused: \(error)")
    }
  }

  /// Describes how a graph differs from the expected one, by the oracle, or by a delta if the oracle finds no
  /// difference.
  private static func difference(_ graph: Graph, from right: (graph: Graph, oracle: Oracle)) -> String {
    if let difference = right.oracle.difference(from: graph) { return difference }
    let delta = Delta(from: right.graph, to: graph)
    return "the oracle sees no difference, the delta does: \("\(delta.tables)".prefix(2000))"
  }
}
