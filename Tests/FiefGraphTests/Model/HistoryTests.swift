import FiefGraph
import FiefTestSupport
import Testing

/// Random histories against the oracle: the main test of the kernel.
struct HistoryTests {
  static let share = Effort.of(debug: 30, release: 1)

  /// Runs histories in parallel and reports failures, and how often each kind of operation was performed.
  static func run(_ name: String, seeds: Int, operations: Int, size: HistorySize) async {
    let seeds = Seeds.first(seeds)
    let reports = await withTaskGroup(of: History.Report.self) { group in
      for seed in seeds {
        group.addTask {
          var history = History(seed: seed, size: size)
          history.run(operations: operations)
          var stranger = History(seed: Seed(seed.value &+ 1_000_000), size: size)
          stranger.run(operations: operations / 10)
          history.compare(withStranger: stranger)
          return history.report
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for report in reports.filter({ $0.failure != nil }).sorted(by: { $0.seed.value < $1.seed.value }).prefix(5) {
      Issue.record("\(report.failure ?? "")\n  replay: \(report.seed.replayCommand)")
    }
    summarize(name, reports)
  }

  private static func summarize(_ name: String, _ reports: [History.Report]) {
    var counts: [OperationKind: History.Count] = [:]
    for report in reports {
      counts.merge(report.counts) { .init(done: $0.done + $1.done, refused: $0.refused + $1.refused) }
    }
    let done = counts.values.reduce(0) { $0 + $1.done }
    let refused = counts.values.reduce(0) { $0 + $1.refused }
    let transactions = reports.reduce(0) { $0 + $1.transactions }
    let deltas = reports.reduce(0) { $0 + $1.deltas }
    let kinds = OperationKind.allCases.map { kind in
      "\(kind) \(counts[kind]?.done ?? 0)/\(counts[kind]?.refused ?? 0)"
    }
    Figures.report(
      "\(name): \(reports.count) histories, \(transactions) transactions, \(deltas) deltas, "
        + "\(done + refused) operations, of them \(refused) refused; done/refused: \(kinds.joined(separator: ", "))")
    // If a kind never succeeds, or can be refused and never is, the test has lost its value. A few histories are too
    // few to judge: a sweeping delete that is denied is rare.
    guard reports.count > 500 else { return }
    for kind in OperationKind.allCases {
      #expect(counts[kind]?.done ?? 0 > 0, "\(kind) never succeeded")
      if kind != .savepoint && kind != .restore {
        #expect(counts[kind]?.refused ?? 0 > 0, "\(kind) was never refused")
      }
    }
  }

  @Test func smallGraphsAreWhatTheOracleSays() async {
    await Self.run(
      "smallGraphsAreWhatTheOracleSays", seeds: max(60, 1000 / Self.share), operations: 1000 / max(1, Self.share / 10),
      size: HistorySize(rows: 12, values: 3, length: 12))
  }

  @Test func largeGraphsAreWhatTheOracleSays() async {
    await Self.run(
      "largeGraphsAreWhatTheOracleSays", seeds: max(2, 60 / Self.share), operations: 6000,
      size: HistorySize(rows: 700, values: 80, length: 500))
  }
}
