import Dispatch
import FiefDurability
import FiefGraph
import FiefSessions
import FiefTestSupport
import Foundation
import Synchronization
import Testing

#if os(Linux) || os(macOS)
  /// Two stores have one file open, as two processes do: their locks belong to openings, not to processes.
  @Suite struct SharingTests {
    private func options(patience: Int = 60_000, isReadOnly: Bool = false) -> StoreOptions {
      var options = StoreOptions()
      options.patience = isReadOnly ? nil : patience
      options.isReadOnly = isReadOnly
      options.waitsForDisk = false
      return options
    }

    private func with<Result>(_ body: (Store.Identity) throws -> Result) throws -> Result {
      try TemporaryFolder.with { try body(.file($0.appendingPathComponent("numbers.realm").path)) }
    }

    private func session(_ store: Store, isReadOnly: Bool = false) -> Session {
      Session(store, .currentThread, options: PlainOptions(isReadOnly: isReadOnly))
    }

    /// The numbers of the latest version that a store shows.
    private func shown(by store: Store) -> [Int64] {
      let session = session(store, isReadOnly: store.options.isReadOnly)
      _ = session.refresh()
      return session.numbers
    }

    /// A read-only store of a new file with one number, and a session that has read it. The file is open nowhere else.
    private func readerOfOne(_ file: Store.Identity) throws -> (reader: Store, looking: Session) {
      let one = try Store.ofNumbers(file, options())
      try session(one).write { try $0.add(1) }
      let reader = try Store.ofNumbers(file, options(isReadOnly: true))
      let looking = session(reader, isReadOnly: true)
      #expect(looking.numbers == [1])
      return (reader, looking)
    }

    // MARK: Writing

    @Test func aWriteBeginsWithTheCommitsOfOthers() throws {
      try with { file in
        let (one, two) = (try Store.ofNumbers(file, options()), try Store.ofNumbers(file, options()))
        try session(one).write { try $0.add(1) }
        try session(two).write { session in
          #expect(session.numbers == [1])
          try session.add(2)
        }
        try session(one).write { session in
          #expect(session.numbers == [1, 2])
          try session.add(3)
        }
        #expect(shown(by: two) == [1, 2, 3] && shown(by: one) == [1, 2, 3])
        #expect(one.published.current.version == 4 && two.published.current.version == 4)
      }
    }

    @Test func aWriteThatIsDroppedLetsTheOtherWrite() throws {
      try with { file in
        let (one, two) = (try Store.ofNumbers(file, options()), try Store.ofNumbers(file, options()))
        let dropping = session(one)
        try dropping.beginWrite()
        try dropping.add(1)
        dropping.cancelWrite()
        try session(two).write { try $0.add(2) }
        #expect(shown(by: one) == [2])
      }
    }

    @Test func aWriteThatLastsTooLongIsNamedAndChangesNothing() throws {
      try with { file in
        let (one, two) = (try Store.ofNumbers(file, options()), try Store.ofNumbers(file, options(patience: 50)))
        let long = session(one)
        try long.beginWrite()
        try long.add(1)
        let waiting = session(two)
        let error = #expect(throws: PlainClient.Explained.self) { try waiting.beginWrite() }
        #expect(error?.words.contains("is written by process \(ProcessInfo.processInfo.processIdentifier)") ?? false)
        #expect(waiting.transaction == nil)
        try long.commitWrite()
        try waiting.write { session in
          #expect(session.numbers == [1])
          try session.add(2)
        }
        #expect(shown(by: one) == [1, 2])
      }
    }

    /// Sixteen threads that waited one after the other would need sixteen times the limit.
    @Test func threadsThatWaitForTheSameProcessWaitTogether() throws {
      try with { file in
        let limit = 900
        let (one, two) = (try Store.ofNumbers(file, options()), try Store.ofNumbers(file, options(patience: limit)))
        let long = session(one)
        try long.beginWrite()
        let begun = ContinuousClock.now
        @Sendable func waitsInVain() {
          let session = Session(two, .currentThread, options: PlainOptions())
          let error = #expect(throws: PlainClient.Explained.self) { try session.beginWrite() }
          #expect(error?.words.contains("for longer than \(limit) milliseconds") ?? false)
        }
        let group = DispatchGroup()
        for _ in 0..<16 {
          group.enter()
          Thread.detachNewThread {
            waitsInVain()
            group.leave()
          }
        }
        group.wait()
        let waited = ContinuousClock.now - begun
        #expect(waited >= .milliseconds(limit / 2) && waited < .milliseconds(limit * 15))
        // A thread that comes later has the whole limit.
        elsewhere { waitsInVain() }
        #expect(ContinuousClock.now - begun >= waited + .milliseconds(limit / 2))
        long.cancelWrite()
        try session(two).write { try $0.add(1) }
        #expect(shown(by: one) == [1])
      }
    }

    @Test func threadsOfTwoStoresLoseNoCommit() throws {
      try with { file in
        let stores = [try Store.ofNumbers(file, options()), try Store.ofNumbers(file, options())]
        let count = Effort.of(debug: 50, release: 400, night: 4000)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
          let session = Session(stores[thread % 2], .currentThread, options: PlainOptions())
          for number in 0..<count {
            do {
              try session.write { session in
                let present = session.numbers
                // The write may begin on a commit of another thread that is not published yet.
                let base = session.transaction?.base.version ?? 0
                #expect(present.count == Int(base) - 1, "versions have no gaps")
                try session.add(thread * count + number)
              }
            } catch {
              Issue.record("\(error)")
            }
          }
        }
        #expect(Set(shown(by: stores[0])) == Set(0..<Int64(4 * count)))
        #expect(shown(by: stores[0]) == shown(by: stores[1]))
        #expect(stores.allSatisfy { $0.published.current.checkInvariants().isEmpty })
      }
    }

    @Test func aStoreThatLosesItsFilesStaysAtItsLastVersion() throws {
      try with { file in
        guard case .file(let path) = file else { return }
        let store = try Store.ofNumbers(file, options())
        let writer = session(store)
        for number in 1...2 { try writer.write { try $0.add(number) } }
        try FileManager.default.removeItem(atPath: path + ".journal")
        #expect(throws: PlainClient.Explained.self) { try writer.write { try $0.add(3) } }
        #expect(!writer.refresh() && writer.numbers == [1, 2])
        #expect(shown(by: store) == [1, 2])
      }
    }

    @Test func aStoreThatLosesItsFilesKeepsWhatItHasFollowed() throws {
      try with { file in
        guard case .file(let path) = file else { return }
        let (one, two) = (try Store.ofNumbers(file, options()), try Store.ofNumbers(file, options()))
        try session(one).write { try $0.add(1) }
        #expect(shown(by: two) == [1])
        try FileManager.default.removeItem(atPath: path + ".journal")
        #expect(throws: PlainClient.Explained.self) { try session(two).write { try $0.add(2) } }
        #expect(shown(by: two) == [1])
      }
    }

    @Test func aWriteOfAQueueWaitsForOthersElsewhere() throws {
      try with { file in
        let (one, two) = (try Store.ofNumbers(file, options()), try Store.ofNumbers(file, options()))
        let long = session(one)
        try long.beginWrite()
        let queue = DispatchQueue(label: "other")
        let done = DispatchSemaphore(value: 0)
        let seen = Mutex<[Int64]>([])
        queue.sync {
          let session = two.session(.of(queue), PlainOptions())
          _ = session.queue(
            AsyncWrite(
              block: {
                seen.withLock { $0 = session.numbers }
                _ = try? session.add(2)
              },
              end: .commit { _ in done.signal() }))
        }
        // The queue is free while the write waits.
        let isFree = DispatchSemaphore(value: 0)
        queue.async { isFree.signal() }
        #expect(isFree.wait(timeout: .now() + testPatience) == .success)
        #expect(done.wait(timeout: .now() + 0.05) == .timedOut)
        try long.add(1)
        try long.commitWrite()
        #expect(done.wait(timeout: .now() + testPatience) == .success)
        #expect(seen.withLock { $0 } == [1])
        #expect(shown(by: one) == [1, 2])
      }
    }

    // MARK: Following

    @Test func commitsOfOthersArriveByThemselves() throws {
      try with { file in
        let (one, two) = (try Store.ofNumbers(file, options()), try Store.ofNumbers(file, options()))
        for number in 1...5 {
          try session(one).write { try $0.add(number) }
          #expect(waits { two.published.current.version == UInt64(number) + 1 })
        }
      }
    }

    @Test func aVersionThatIsSeenStaysAsItIs() throws {
      try with { file in
        let (one, two) = (try Store.ofNumbers(file, options()), try Store.ofNumbers(file, options()))
        try session(one).write { try $0.add(1) }
        let looking = session(two)
        #expect(looking.refresh() && looking.numbers == [1])
        let frozen = looking.frozen()
        try session(one).write { try $0.add(2) }
        try one.compact()
        try session(one).write { try $0.add(3) }
        #expect(looking.numbers == [1])
        #expect(looking.refresh() && looking.numbers == [1, 2, 3] && frozen.numbers == [1])
      }
    }

    @Test func aStoreGoesOnInTheFilesThatAnotherHasCompacted() throws {
      try with { file in
        let (one, two) = (try Store.ofNumbers(file, options()), try Store.ofNumbers(file, options()))
        for number in 1...20 {
          try session(number % 2 == 0 ? one : two).write { try $0.add(number) }
          if number % 3 == 0 { try (number % 2 == 0 ? two : one).compact() }
        }
        #expect(shown(by: one) == Array(1...20) && shown(by: two) == Array(1...20))
      }
    }

    @Test func aReadOnlyStoreFollows() throws {
      try with { file in
        let one = try Store.ofNumbers(file, options())
        try session(one).write { try $0.add(1) }
        let reader = try Store.ofNumbers(file, options(isReadOnly: true))
        let looking = session(reader, isReadOnly: true)
        #expect(looking.numbers == [1])
        try session(one).write { try $0.add(2) }
        #expect(looking.numbers == [1])
        #expect(looking.refresh() && looking.numbers == [1, 2] && !looking.refresh())
        try one.compact()
        try session(one).write { try $0.add(3) }
        #expect(looking.refresh() && looking.numbers == [1, 2, 3])
        try session(one).write { try $0.add(4) }
        #expect(waits { reader.published.current.version == one.published.current.version })
      }
    }

    /// A change of the schema by another process, which leaves the first column of numbers or does not.
    private enum SchemaStep: CaseIterable {
      case widening, another, index, removing, renaming, retyping, replacing

      /// Whether a reader goes on.
      var isFollowed: Bool {
        switch self {
        case .widening, .another, .index: true
        case .removing, .renaming, .retyping, .replacing: false
        }
      }

      func take(_ transaction: Transaction) throws {
        let graph = transaction.graph
        let table = try #require(graph.table(named: "Number")?.schema)
        switch self {
        case .widening: _ = try transaction.addColumn(to: table.key, "more", ColumnType(.string))
        case .another: _ = try transaction.addTable("Another")
        case .index: try transaction.addIndex(IndexDefinition([table.columns[0].key]), to: table.key)
        case .removing: try transaction.removeColumn(table.columns[0].key, of: table.key)
        case .renaming: try transaction.renameColumn(table.columns[0].key, of: table.key, to: "other")
        case .retyping:
          try transaction.removeColumn(table.columns[0].key, of: table.key)
          _ = try transaction.addColumn(to: table.key, "value", ColumnType(.string))
        case .replacing:
          try transaction.clear([table.key])
          for column in table.columns { try transaction.removeColumn(column.key, of: table.key) }
          try transaction.removeTable(table.key)
          let new = try transaction.addTable("Number")
          _ = try transaction.addColumn(to: new, "value", ColumnType(.int))
        }
      }
    }

    @Test(arguments: SchemaStep.allCases) private func aReadOnlyStoreFollowsWhatItsClassesFit(_ step: SchemaStep) throws
    {
      try with { file in
        let (reader, looking) = try readerOfOne(file)
        let migrated = try Store(file, options()) { stored in
          let transaction = Transaction(stored.graph)
          try step.take(transaction)
          let table = try #require(transaction.graph.table(named: "Number")?.schema)
          return PreparedStore(
            PlainClient(table.key, table.columns.first?.key ?? ColumnKey(rawValue: 0)), changed: transaction.successor)
        }
        #expect(looking.refresh() == step.isFollowed)
        if step.isFollowed {
          for number in 2...3 {
            try session(migrated).write { try $0.add(number) }
            #expect(looking.refresh() && looking.numbers == Array(1...Int64(number)))
            try migrated.compact()
          }
          #expect(reader.published.current.version == migrated.published.current.version)
        } else {
          try session(migrated).write { session in
            let table = try #require(session.snapshot.table(named: "Number")?.schema.key)
            session.perform { _ = try $0.create(in: table) }
          }
          #expect(!looking.refresh() && looking.numbers == [1])
          #expect(reader.published.current.checkInvariants().isEmpty)
        }
      }
    }

    /// A reader whose file lacks a table shows it in memory, empty, until it comes into the file.
    @Test(arguments: [false, true]) func aReadOnlyStoreFollowsAFileThatLacksATable(isElsewhere: Bool) throws {
      try with { file in
        func adding(_ names: [String], to stored: StoredState, isReading: Bool = false) throws -> PreparedStore {
          let transaction = Transaction(stored.graph)
          for name in names {
            let table = try transaction.addTable(name)
            _ = try transaction.addColumn(to: table, "value", ColumnType(.int))
          }
          let number = try #require(stored.graph.table(named: "Number")?.schema)
          let tables = (["Number"] + names).compactMap { transaction.graph.table(named: $0)?.schema }
          return PreparedStore(
            PlainClient(number.key, number.columns[0].key),
            changed: isReading ? transaction.graph : transaction.successor, tables: tables)
        }
        let one = try Store.ofNumbers(file, options())
        let reader = try Store(file, options(isReadOnly: true)) { try adding(["Bird"], to: $0, isReading: true) }
        let looking = session(reader, isReadOnly: true)
        func birds() -> Int? { looking.read { $0.table(named: "Bird")?.count } }
        for number in 1...3 {
          try session(one).write { try $0.add(number) }
          #expect(looking.refresh() && looking.numbers == Array(1...Int64(number)) && birds() == 0)
          try one.compact()
        }
        let two = try Store(file, options()) { try adding(isElsewhere ? ["Cat", "Bird"] : ["Bird", "Cat"], to: $0) }
        try session(two).write { session in
          let bird = try #require(session.snapshot.table(named: "Bird")?.schema.key)
          session.perform { _ = try $0.create(in: bird) }
        }
        #expect(looking.refresh() != isElsewhere)
        #expect(birds() == (isElsewhere ? 0 : 1))
        try session(two).write { try $0.add(4) }
        _ = looking.refresh()
        #expect(looking.numbers == (isElsewhere ? [1, 2, 3] : [1, 2, 3, 4]))
      }
    }

    @Test func aReadOnlyStoreDoesNotFollowAnotherStoreOfItsName() throws {
      try with { file in
        guard case .file(let path) = file else { return }
        let (_, looking) = try readerOfOne(file)
        #expect(waits { (try? StoreFile.delete(path)) ?? false })
        let two = try Store.ofNumbers(file, options())
        for number in 2...5 { try session(two).write { try $0.add(number) } }
        #expect(!looking.refresh() && looking.numbers == [1])
        try two.compact()
        #expect(!looking.refresh() && looking.numbers == [1])
      }
    }

    @Test func aReadOnlyStoreFollowsAgainWhenItsJournalCanBeReadAgain() throws {
      try with { file in
        guard case .file(let path) = file else { return }
        let one = try Store.ofNumbers(file, options())
        try session(one).write { try $0.add(1) }
        let reader = try Store.ofNumbers(file, options(isReadOnly: true))
        let (journal, aside) = (path + ".journal", path + ".aside")
        try FileManager.default.linkItem(atPath: journal, toPath: aside)
        // Replaces the file under the name.
        try Data(repeating: 7, count: 1000).write(to: URL(fileURLWithPath: journal), options: .atomic)
        #expect(shown(by: reader) == [1])
        #expect(rename(aside, journal) == 0)
        try session(one).write { try $0.add(2) }
        #expect(waits { reader.published.current.version == one.published.current.version })
      }
    }

    // MARK: Opening

    /// Adds a column to the table of numbers.
    private func widened(_ stored: StoredState) throws -> PreparedStore {
      let transaction = Transaction(stored.graph)
      let table = try #require(stored.graph.table(named: "Number")?.schema)
      _ = try transaction.addColumn(to: table.key, "more", ColumnType(.int))
      return PreparedStore(PlainClient(table.key, table.columns[0].key), changed: transaction.successor)
    }

    @Test func tablesChangeOnlyForOneThatIsAlone() throws {
      try with { file in
        do {
          let one = try Store.ofNumbers(file, options())
          let error = #expect(throws: StoreError.self) { try Store(file, options()) { try widened($0) } }
          #expect(error?.code == .alreadyOpen && error?.holder == ProcessInfo.processInfo.processIdentifier)
          try session(one).write { try $0.add(1) }
        }
        let two = try Store(file, options()) { try widened($0) }
        #expect(shown(by: two) == [1])
      }
    }

    @Test func aNewTableMayComeWhileOthersLook() throws {
      try with { file in
        let one = try Store.ofNumbers(file, options())
        let two = try Store(file, options()) { try withAnotherTable($0) }
        try session(two).write { session in
          let other = try #require(session.snapshot.table(named: "Other")?.schema.key)
          session.perform { _ = try $0.create(in: other) }
          try session.add(1)
        }
        #expect(shown(by: one) == [1])
        #expect(one.published.current.table(named: "Other")?.count == 1)
        try session(one).write { try $0.add(2) }
        #expect(shown(by: two) == [1, 2])
      }
    }

    /// Adds a table.
    private func withAnotherTable(_ stored: StoredState) throws -> PreparedStore {
      let transaction = Transaction(stored.graph)
      _ = try transaction.addTable("Other")
      let table = try #require(stored.graph.table(named: "Number")?.schema)
      return PreparedStore(PlainClient(table.key, table.columns[0].key), changed: transaction.successor)
    }

    @Test func writesAreUndoneAndRedoneAfterAnotherStoreHasAddedATable() throws {
      try with { file in
        var options = options()
        options.history = HistoryLimits(versions: 100, age: nil)
        let session = session(try Store.ofNumbers(file, options))
        for number in 1...2 { try session.write { try $0.add(number) } }
        let two = try Store(file, options) { try withAnotherTable($0) }
        try self.session(two).write { try $0.add(3) }
        for _ in 0..<2 { try session.turn(.undo) }
        #expect(session.numbers == [3])
        for _ in 0..<2 { try session.turn(.redo) }
        #expect(session.numbers == [1, 2, 3] && shown(by: two) == [1, 2, 3])
        #expect(session.graph.table(named: "Other") != nil && session.graph.checkInvariants().isEmpty)
      }
    }

    @Test func aStoreOpensWhileAnotherIsInsideAWrite() throws {
      try with { file in
        let one = try Store.ofNumbers(file, options())
        let long = session(one)
        try long.write { try $0.add(1) }
        try long.beginWrite()
        try long.add(2)
        let two = try Store.ofNumbers(file, options(patience: 6000))
        let looking = session(two)
        #expect(looking.numbers == [1])
        try long.commitWrite()
        #expect(shown(by: two) == [1, 2])
        try looking.write { try $0.add(3) }
        #expect(shown(by: one) == [1, 2, 3])
      }
    }

    @Test func aStoreThatAddsATableWaitsForAWriteAndFollowsIt() throws {
      try with { file in
        let one = try Store.ofNumbers(file, options())
        let long = session(one)
        try long.beginWrite()
        let error = #expect(throws: StoreError.self) {
          try Store(file, options(patience: 50)) { try withAnotherTable($0) }
        }
        #expect(error?.code == .alreadyOpen && error?.holder == ProcessInfo.processInfo.processIdentifier)
        try long.add(1)
        let (begun, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let opened = Mutex<Store?>(nil)
        Thread {
          defer { done.signal() }
          let isFirst = Mutex(true)
          let store = try? Store(file, options()) { stored in
            // The first time it is called with what was committed before the write.
            let wasFirst = isFirst.withLock { first in
              defer { first = false }
              return first
            }
            if wasFirst { begun.signal() }
            #expect(stored.graph.version == (wasFirst ? 1 : 2))
            return try withAnotherTable(stored)
          }
          opened.withLock { $0 = store }
        }.start()
        #expect(begun.wait(timeout: .now() + testPatience) == .success)
        try long.commitWrite()
        #expect(done.wait(timeout: .now() + testPatience) == .success)
        let two = try #require(opened.withLock { $0 })
        #expect(shown(by: two) == [1])
        #expect(shown(by: one) == [1] && one.published.current.table(named: "Other") != nil)
        try session(one).write { try $0.add(2) }
        #expect(shown(by: two) == [1, 2])
      }
    }

    @Test func tablesDoNotChangeWhileAnotherStoreIsInsideAWrite() throws {
      try with { file in
        let one = try Store.ofNumbers(file, options())
        let long = session(one)
        try long.beginWrite()
        let error = #expect(throws: StoreError.self) { try Store(file, options(patience: 6000)) { try widened($0) } }
        #expect(error?.code == .alreadyOpen && error?.holder == ProcessInfo.processInfo.processIdentifier)
        try long.commitWrite()
      }
    }

    @Test func aStoreThatIsOpenAloneRefusesOthersAndTheReverse() throws {
      try with { file in
        func check(_ first: StoreOptions, _ second: StoreOptions) throws {
          let store = try Store.ofNumbers(file, first)
          let error = #expect(throws: StoreError.self) { try Store.ofNumbers(file, second) }
          #expect(error?.code == .alreadyOpen && error?.holder == ProcessInfo.processInfo.processIdentifier)
          try session(store).write { try $0.add(1) }
        }
        var alone = options()
        alone.patience = nil
        try check(alone, options())
        try check(options(), alone)
        try check(alone, alone)
      }
    }

    @Test func theLastOneClosesInOrder() throws {
      try with { file in
        guard case .file(let path) = file else { return }
        do {
          let one = try Store.ofNumbers(file, options())
          do {
            let two = try Store.ofNumbers(file, options())
            let process = ProcessInfo.processInfo.processIdentifier
            #expect(try StoreFile.info(path).processes == [process, process])
            try session(two).write { try $0.add(1) }
          }
          try session(one).write { try $0.add(2) }
        }
        // A thread that applies a commit of the other store may release the store last.
        #expect(try waits { try StoreFile.info(path).state == .closed && StoreFile.info(path).processes.isEmpty })
        #expect(try StoreFile.verify(path).isSound)
      }
    }

    // MARK: Documents

    @Test func oneStoreDeliversAndAnotherTakesOver() async throws {
      let folder = try TemporaryFolder()
      let file = Store.Identity.file(folder.url.appendingPathComponent("numbers.realm").path)
      let received = Mutex<[String]>([])
      func handler(_ name: String) -> OutboxHandler {
        OutboxHandler { messages in
          received.withLock { received in
            received += messages.map { "\(name) \(String(decoding: $0.payload, as: UTF8.self))" }
          }
        }
      }
      func send(_ words: String, from store: Store) throws { try session(store).write { $0.send(words) } }
      let two = try Store.ofNumbers(file, options())
      weak var first: Store?
      do {
        let one = try Store.ofNumbers(file, options())
        first = one
        try one.attach(PlainOptions(handler: handler("one")).outbox)
        try send("a", from: one)
        #expect(await eventually { received.withLock { $0 } == ["one a"] })
        try two.attach(PlainOptions(handler: handler("two")).outbox)
        try send("b", from: two)
        #expect(await eventually { received.withLock { $0 } == ["one a", "one b"] })
      }
      // The task that delivers releases it last.
      #expect(await eventually { first == nil })
      try send("c", from: two)
      #expect(await eventually { received.withLock { $0.contains("two c") } })
      // The first one has deleted its rows before it was released, although nothing had waited for the disk.
      #expect(received.withLock { $0 } == ["one a", "one b", "two c"])
      #expect(await eventually { session(two).waiting.isEmpty })
    }
  }
#endif
