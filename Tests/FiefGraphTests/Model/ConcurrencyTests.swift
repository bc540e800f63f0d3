import FiefGraph
import FiefTestSupport
import Synchronization
import Testing

/// Many threads read versions while a writer makes new ones.
///
///     writer                                reader                        pinner
///     moves money, changes lists, publishes
///       version 7 ───────────────────────▶  takes the latest
///     goes on from 7                        adds all up: the sum is
///       version 8                           that of the beginning         keeps 7 …
///       …                                   takes the latest              … adds 7 up again: nothing moved
///
/// Every version stores its own number and the sum of its list in a separate row. A reader that saw half of one version
/// and half of another would therefore detect it.
struct ConcurrencyTests {
  /// Accounts that exchange money, and a ledger with a list that grows and shrinks.
  struct Bank: Sendable {
    static let accounts = 700
    static let total = Int64(accounts * 100)

    let published: PublishedGraph
    let accounts: TableKey
    let balance: ColumnKey
    let friend: ColumnKey
    let ledgers: TableKey
    let entries: ColumnKey
    let names: ColumnKey
    let sum: ColumnKey

    init() throws {
      published = PublishedGraph()
      let t = published.begin()
      accounts = try t.addTable("Account")
      balance = try t.addColumn(to: accounts, "balance", ColumnType(.int))
      friend = try t.addColumn(to: accounts, "friend", .link(to: accounts))
      ledgers = try t.addTable("Ledger")
      entries = try t.addColumn(to: ledgers, "entries", ColumnType(.int, shape: .list))
      names = try t.addColumn(to: ledgers, "names", ColumnType(.string, shape: .set))
      sum = try t.addColumn(to: ledgers, "sum", ColumnType(.int))
      try t.addIndex(IndexDefinition([balance]), to: accounts)
      for _ in 0..<Self.accounts { try t.create(in: accounts) { try $0.set(Int64(100), balance) } }
      try t.create(in: ledgers)
      try published.publish(t)
    }

    /// One transaction of the writer.
    func write(_ random: inout SeededRandom) throws {
      let t = published.begin()
      let ledger = ObjectKey(0)
      for _ in 0..<10 {
        let from = Cell(accounts, ObjectKey(Int64(random.below(Self.accounts))), balance)
        let to = Cell(accounts, ObjectKey(Int64(random.below(Self.accounts))), balance)
        let amount = Int64(random.below(1000))
        try t.set((t.load(Int64.self, from) ?? 0) - amount, from)
        try t.set((t.load(Int64.self, to) ?? 0) + amount, to)
        try t.set(.link(to.object), Cell(accounts, from.key, friend))
        let list = Cell(ledgers, ledger, entries)
        let count = t.count(of: list)
        let sum = Cell(ledgers, ledger, self.sum)
        if count > 300 && random.bool() {
          let position = random.below(count)
          let value = t.graph.values(list)[position]
          try t.remove(at: position, fromList: list)
          if case .int(let number) = value { try t.set((t.load(Int64.self, sum) ?? 0) - number, sum) }
        } else {
          try t.insert(.int(amount), at: random.below(count + 1), inList: list)
          try t.set((t.load(Int64.self, sum) ?? 0) + amount, sum)
        }
        try t.insert(.string("name \(random.below(500))"), inSet: Cell(ledgers, ledger, names))
      }
      try published.publish(t)
    }

    /// Checks a version. Returns the problem, nil if the sums are correct, and a checksum of its contents.
    func audit(_ graph: Graph) -> (problem: String?, checksum: Int) {
      var total: Int64 = 0
      var hasher = Hasher()
      var linked = 0
      graph[accounts]?.rows.forEach { _, cluster in
        for slot in 0..<cluster.count {
          let value = cluster[leaf: 0].load(Int64.self, at: slot) ?? 0
          total += value
          hasher.combine(value)
          if cluster[leaf: 1].load(Int64.self, at: slot) != nil { linked += 1 }
        }
        return true
      }
      let ledger = Cell(ledgers, ObjectKey(0), entries)
      var sum: Int64 = 0
      for case .int(let value) in graph.values(ledger) {
        sum += value
        hasher.combine(value)
      }
      let names = graph.values(Cell(ledgers, ObjectKey(0), names))
      hasher.combine(names.count)
      var backlinks = 0
      for key in 0..<Int64(Self.accounts) {
        backlinks += graph[accounts]?.backlinks(to: ObjectKey(key), from: accounts, friend)?.count ?? 0
      }
      let indexed = graph[accounts]?.indexes[0].count
      var problem: String?
      if total != Self.total { problem = "version \(graph.version) holds \(total)" }
      if graph.value(Cell(ledgers, ObjectKey(0), self.sum)) != .int(sum) { problem = "the list does not add up" }
      if backlinks != linked { problem = "\(linked) links have \(backlinks) backlinks" }
      if indexed != Self.accounts { problem = "the index has \(indexed ?? 0) rows" }
      return (problem, hasher.finalize())
    }
  }

  static let transactions = Effort.of(debug: 300, release: 3000)

  @Test func readersSeeWholeVersionsWhileAWriterWorks() async throws {
    let bank = try Bank()
    let isOver = Flag()
    let problems = try await withThrowingTaskGroup(of: [String].self) { group in
      group.addTask {
        defer { isOver.raise() }
        var random = SeededRandom(seed: 1)
        for _ in 0..<Self.transactions { try bank.write(&random) }
        return []
      }
      for reader in 0..<3 {
        group.addTask {
          var random = SeededRandom(seed: UInt64(reader + 2))
          var problems: [String] = []
          // Versions that this reader retains, with the checksums of the first audit.
          var pinned: [(graph: Graph, checksum: Int)] = []
          var last: UInt64 = 0
          repeat {
            let graph = bank.published.current
            if graph.version < last { problems.append("version \(graph.version) came after \(last)") }
            last = graph.version
            let (problem, checksum) = bank.audit(graph)
            if let problem { problems.append(problem) }
            pinned.append((graph, checksum))
            if pinned.count > 6 { pinned.remove(at: random.below(6)) }
            let old = random.element(of: pinned)
            if bank.audit(old.graph).checksum != old.checksum { problems.append("a pinned version changed") }
            if reader == 0 {
              let delta = Delta(from: old.graph, to: graph)
              if try old.graph.applying(delta) != graph { problems.append("a delta leads elsewhere") }
            }
          } while !isOver.isRaised && problems.isEmpty
          return problems
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(problems == [])
    #expect(bank.published.current.version == UInt64(Self.transactions + 1))
    #expect(bank.published.current.checkInvariants() == [])
  }

  /// Of two transactions that began from one version, the second is refused, whichever writer publishes it.
  @Test func onlyOneOfManyWritersPublishesOnAVersion() async throws {
    let bank = try Bank()
    for _ in 0..<50 {
      let base = bank.published.current.version
      let published = await withTaskGroup(of: Bool.self) { group in
        for writer in 0..<4 {
          group.addTask {
            var random = SeededRandom(seed: UInt64(writer))
            return (try? bank.write(&random)) != nil
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(published >= 1)
      #expect(bank.published.current.version == base + UInt64(published))
    }
    #expect(bank.audit(bank.published.current).problem == nil)
  }
}

/// A flag that one thread raises once and other threads observe.
private final class Flag: Sendable {
  private let state = Atomic(false)

  var isRaised: Bool { state.load(ordering: .acquiring) }

  func raise() { state.store(true, ordering: .releasing) }
}
