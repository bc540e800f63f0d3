import Dispatch
import FiefTestSupport
import Foundation
import RealmSwift
import Synchronization
import Testing

/// Readers, writers, observers, sequences, freezing, references and asynchronous commits, all at once. Every read is
/// checked against the sum of its version.
@Suite struct ConcurrencyStressTests {
  @Test(arguments: Effort.seeds.prefix(Effort.of(debug: 2, release: 4, night: 200)))
  func everyReadAgreesWithOneVersionInMemory(_ seed: Seed) async throws {
    try await run(.inMemory(), seed)
  }

  @Test(arguments: Effort.seeds.prefix(Effort.of(debug: 2, release: 4, night: 200)))
  func everyReadAgreesWithOneVersionInAFile(_ seed: Seed) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("bank.realm")
    try await run(Realm.Configuration(fileURL: file), seed)
    withExtendedLifetime(folder) {}
  }

  private func run(_ configuration: Realm.Configuration, _ seed: Seed) async throws {
    let bank = try Bank(configuration)
    let rounds = Effort.of(debug: 40, release: 300, night: 3000)
    var random = seed.random
    let parts: [@Sendable (Bank, Int, SeededRandom) async throws -> Int] = [
      Self.threadWrites, Self.queueWrites, Self.actorWrites, Self.requestsWrite, Self.threadReads, Self.frozenIsRead,
      Self.referencesAreResolved, Self.queueObserves, Self.sequenceIsRead,
    ]
    var expected = 0
    try await withThrowingTaskGroup(of: Int.self) { group in
      for part in parts {
        let own = random.split()
        group.addTask { try await part(bank, rounds, own) }
      }
      for try await count in group { expected += count }
    }
    let realm = try Self.open(bank)
    #expect(bank.check(realm, "the end") == expected)
    #expect(bank.transfers.value == expected)
    #expect(bank.reads.value > rounds * 4)
  }

  private static func open(_ bank: Bank) throws -> Realm { try bank.open() }

  /// Runs `body` on a thread of its own.
  private static func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result
  {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
  }

  // MARK: Writers; each returns the number of its transfers

  private static func threadWrites(_ bank: Bank, _ rounds: Int, _ random: SeededRandom) async throws -> Int {
    try await onThread {
      var random = random
      let realm = try bank.open()
      for round in 0..<rounds {
        try realm.write { Bank.transfer(realm, &random) }
        bank.transfers.add()
        bank.check(realm, "the writing thread")
        // A write that is cancelled leaves nothing.
        if round % 5 == 0 {
          realm.beginWrite()
          Bank.transfer(realm, &random)
          realm.cancelWrite()
        }
      }
      return rounds
    }
  }

  private static func queueWrites(_ bank: Bank, _ rounds: Int, _ random: SeededRandom) async throws -> Int {
    let queue = DispatchQueue(label: "writing")
    let random = Mutex(random)
    let held = try queue.sync { Held(try Realm(configuration: bank.configuration, queue: queue)) }
    for round in 0..<rounds {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        queue.async {
          let realm = held.value
          let complete: (Swift.Error?) -> Void = { error in
            #expect(error == nil)
            bank.transfers.add()
            bank.check(realm, "a completion")
            continuation.resume()
          }
          if round % 2 == 0 {
            realm.writeAsync {
              random.withLock { Bank.transfer(realm, &$0) }
            } onComplete: {
              complete($0)
            }
          } else {
            realm.beginWrite()
            random.withLock { Bank.transfer(realm, &$0) }
            realm.commitAsyncWrite(allowGrouping: true) { complete($0) }
          }
        }
      }
    }
    queue.sync {}
    return rounds
  }

  /// An actor that stores the transfers.
  private actor Teller {
    private let bank: Bank
    private var random: SeededRandom
    private var realm: Realm?

    init(_ bank: Bank, _ random: SeededRandom) {
      self.bank = bank
      self.random = random
    }

    func transfer() async throws {
      if realm == nil { realm = try await Realm.open(configuration: bank.configuration) }
      guard let realm else { return }
      var random = random.split()
      try await realm.asyncWrite { Bank.transfer(realm, &random) }
      bank.transfers.add()
      await realm.asyncRefresh()
      bank.check(realm, "the actor")
    }

    func close() { realm = nil }
  }

  private static func actorWrites(_ bank: Bank, _ rounds: Int, _ random: SeededRandom) async throws -> Int {
    let teller = Teller(bank, random)
    for _ in 0..<rounds { try await teller.transfer() }
    await teller.close()
    return rounds
  }

  /// A task for each request, and all of them ask one actor.
  private static func requestsWrite(_ bank: Bank, _ rounds: Int, _ random: SeededRandom) async throws -> Int {
    let teller = Teller(bank, random)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<rounds { group.addTask { try await teller.transfer() } }
      try await group.waitForAll()
    }
    await teller.close()
    return rounds
  }

  // MARK: Readers; they make no transfers

  private static func threadReads(_ bank: Bank, _ rounds: Int, _ random: SeededRandom) async throws -> Int {
    try await onThread {
      let realm = try bank.open()
      var (last, version) = (0, 0 as UInt64)
      for _ in 0..<(rounds * 4) {
        realm.refresh()
        let count = bank.check(realm, "the reading thread")
        #expect(count >= last && realm.version >= version, "versions never go back")
        (last, version) = (count, realm.version)
      }
      return 0
    }
  }

  private static func frozenIsRead(_ bank: Bank, _ rounds: Int, _ random: SeededRandom) async throws -> Int {
    for _ in 0..<rounds {
      let (frozen, count) = try await onThread {
        let realm = try bank.open()
        realm.refresh()
        let frozen = realm.freeze()
        return (Held(frozen), bank.check(frozen, "the freezing thread"))
      }
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<2 { group.addTask { bank.check(frozen.value, "a reader of a frozen version") } }
        group.addTask {
          try await onThread {
            let frozen = frozen.value
            guard let account = frozen.objects(StressAccount.self).first, let live = account.thaw() else { return -1 }
            guard let realm = live.realm else { return -1 }
            bank.check(realm, "a thread that thaws")
            return count
          }
        }
        for try await found in group { #expect(found == count) }
      }
    }
    return 0
  }

  private static func referencesAreResolved(_ bank: Bank, _ rounds: Int, _ random: SeededRandom) async throws -> Int {
    for _ in 0..<rounds {
      let (references, count) = try await onThread {
        let realm = try bank.open()
        let ledger = try #require(realm.object(ofType: StressLedger.self, forPrimaryKey: 0))
        return (
          Held((ThreadSafeReference(to: ledger.accounts), ThreadSafeReference(to: ledger))), ledger.transfers
        )
      }
      try await onThread {
        let realm = try bank.open()
        guard let accounts = realm.resolve(references.value.0), let ledger = realm.resolve(references.value.1) else {
          Issue.record("a reference leads nowhere")
          return
        }
        let found = bank.check(Array(accounts).sorted { $0.id < $1.id }, ledger, "a thread with a reference")
        #expect(found >= count)
      }
    }
    return 0
  }

  /// Observes until enough transfers were seen, and applies every change set.
  private static func queueObserves(_ bank: Bank, _ rounds: Int, _ random: SeededRandom) async throws -> Int {
    let queue = DispatchQueue(label: "observing")
    let shown = Mutex<[Int]>([])
    let held = try queue.sync {
      let realm = try Realm(configuration: bank.configuration, queue: queue)
      let rich = realm.objects(StressAccount.self).where { $0.balance > 100 }.sorted(byKeyPath: "id")
      let token = rich.observe { change in
        switch change {
        case .initial(let all): shown.withLock { $0 = all.map { $0.id } }
        case .update(let all, let deletions, let insertions, let modifications):
          shown.withLock { shown in
            apply(deletions, insertions, modifications, to: &shown) { all[$0].id }
            #expect(shown == all.map { $0.id }, "a change set leads to the collection")
          }
          bank.check(realm, "an observer")
        case .error: Issue.record("an observer failed")
        }
      }
      return Held((realm, token))
    }
    // All writers end, so their number is reached.
    _ = await eventually { bank.transfers.value >= rounds * 4 }
    let caughtUp = await eventually {
      queue.sync {
        held.value.0.refresh()
        return shown.withLock { $0 }
          == held.value.0.objects(StressAccount.self).where { $0.balance > 100 }.sorted(byKeyPath: "id").map { $0.id }
      }
    }
    #expect(caughtUp, "the last change is never missed")
    _ = queue.sync { held.value.1.invalidate() }
    return 0
  }

  /// Applies a change set to what is shown.
  ///
  /// - Parameter load: returns the element at a position of the new collection.
  private static func apply(
    _ deletions: [Int], _ insertions: [Int], _ modifications: [Int], to shown: inout [Int], load: (Int) -> Int
  ) {
    var origins: [Int?] = Array(shown.indices)
    for index in deletions.reversed() {
      shown.remove(at: index)
      origins.remove(at: index)
    }
    for index in insertions {
      shown.insert(load(index), at: index)
      origins.insert(nil, at: index)
    }
    // A list reports the replacement of an element as a modification.
    for index in modifications {
      if let position = origins.firstIndex(of: index) { shown[position] = load(position) }
    }
  }

  @MainActor
  private static func sequenceIsRead(_ bank: Bank, _ rounds: Int, _ random: SeededRandom) async throws -> Int {
    let realm = try await Realm.open(configuration: bank.configuration)
    guard let ledger = realm.object(ofType: StressLedger.self, forPrimaryKey: 0) else { return 0 }
    var shown: [Int] = []
    let changes = ledger.accounts.changes
    for await change in changes {
      switch change {
      case .initial(let all): shown = all.map { $0.id }
      case .update(let all, let deletions, let insertions, let modifications):
        #expect(changes.previous.map { Array($0).map { $0.id } } == shown, "what was shown before")
        apply(deletions, insertions, modifications, to: &shown) { all[$0].id }
        #expect(shown == all.map { $0.id }, "a change set leads to the list")
      case .error: Issue.record("a sequence failed")
      }
      bank.check(realm, "a reader of a sequence")
      if ledger.transfers >= rounds * 4 { break }
    }
    return 0
  }
}
