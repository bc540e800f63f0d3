import FiefTestSupport
import Foundation
import RealmSwift
import Synchronization
import Testing

/// 8 readers, 2 writers, loops over values and changes, and cancellation, all at once, on a `RealmStore`. Every read is
/// checked against the sum of its version.
@Suite struct RealmStoreConcurrencyTests {
  private struct Refusal: Error {}

  private let rounds = Effort.of(debug: 60, release: 1_000, night: 20_000)

  @Test(arguments: Effort.seeds.prefix(Effort.of(debug: 2, release: 3, night: 50)))
  func everyReadAgreesWithOneVersionInMemory(_ seed: Seed) async throws { try await run(.inMemory(), seed) }

  @Test(arguments: Effort.seeds.prefix(Effort.of(debug: 2, release: 2, night: 50)))
  func everyReadAgreesWithOneVersionInAFile(_ seed: Seed) async throws {
    let folder = try TemporaryFolder()
    var configuration = Realm.Configuration(fileURL: folder.url.appendingPathComponent("bank.realm"))
    configuration.durability = .relaxed
    try await run(configuration, seed)
    withExtendedLifetime(folder) {}
  }

  private func run(_ configuration: Realm.Configuration, _ seed: Seed) async throws {
    // The realm of its thread ends with the block.
    let bank = try Bank(configuration)
    let store = try await RealmStore(configuration: bank.configuration)
    var random = seed.random
    let values = Tally()
    let loops = [follow(store, bank, values), followChanges(store)]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { try await read(store, bank) } }
      for _ in 0..<2 {
        let own = random.split()
        group.addTask { try await write(store, bank, own) }
      }
      let own = random.split()
      group.addTask { await cancel(store, bank, own) }
      try await group.waitForAll()
    }
    let last = try await store.read { realm in bank.check(realm, "the end") }
    #expect(last == bank.transfers.value)
    // The loop over values meets the last version.
    while values.value < last { try await Task.sleep(for: .milliseconds(1)) }
    await store.close()
    for loop in loops { await loop.value }
    #expect(bank.reads.value >= 8 * rounds)
    await #expect(throws: Realm.Error.self) { try await store.read { _ in } }
  }

  /// Versions of successive reads of one task never go back, and one that follows a write of the task has it.
  private func read(_ store: RealmStore, _ bank: Bank) async throws {
    var last = 0
    for _ in 0..<rounds {
      let complete = bank.transfers.value
      let found = try await store.read { realm in bank.check(realm, "a reader") }
      #expect(found >= last && found >= complete, "a read shows an earlier version")
      last = found
    }
  }

  private func write(_ store: RealmStore, _ bank: Bank, _ random: SeededRandom) async throws {
    var random = random
    for round in 0..<rounds {
      var own = random.split()
      try await store.write { realm in Bank.transfer(realm, &own) }
      bank.transfers.add()
      guard round % 5 == 0 else { continue }
      var other = random.split()
      await #expect(throws: Refusal.self) {
        try await store.write { realm in
          Bank.transfer(realm, &other)
          throw Refusal()
        }
      }
    }
  }

  /// Tasks that are cancelled in the middle of what they do.
  private func cancel(_ store: RealmStore, _ bank: Bank, _ random: SeededRandom) async {
    var random = random
    for round in 0..<rounds {
      var own = random.split()
      let task = Task {
        for await transfers in store.values({ realm in bank.check(realm, "a value") }) where transfers < 0 { break }
      }
      let writing = Task {
        var draw = own.split()
        try await store.write { realm in Bank.transfer(realm, &draw) }
        bank.transfers.add()
      }
      let reading = Task { try await store.read { realm in bank.check(realm, "a cancelled reader") } }
      if round.isMultiple(of: 3) { await Task.yield() }
      for one in [task.cancel, reading.cancel] { one() }
      if round.isMultiple(of: 2) { writing.cancel() }
      await task.value
      _ = await (writing.result, reading.result)
    }
  }

  /// Reads values until the store is closed. They never go back.
  private func follow(_ store: RealmStore, _ bank: Bank, _ newest: Tally) -> Task<Void, Never> {
    Task {
      var last = -1
      for await transfers in store.values({ realm in bank.check(realm, "a value") }) {
        #expect(transfers > last, "equal values come once")
        last = transfers
        while newest.value < transfers { newest.add() }
      }
    }
  }

  /// Reads changes until the store is closed. Each account that was changed has a row in both versions.
  private func followChanges(_ store: RealmStore) -> Task<Void, Never> {
    Task {
      for await changes in store.changes {
        for change in changes["StressAccount"]?.modifications ?? [] {
          #expect(change.oldObject["id"] as? Int == change.object["id"] as? Int)
        }
      }
    }
  }
}
