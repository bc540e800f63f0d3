import FiefGraph
import FiefTestSupport
import Foundation
import RealmSwift
import Synchronization
import Testing

private class Dog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var puppies: List<Dog>

  convenience init(_ id: Int, age: Int = 0) {
    self.init()
    (self.id, self.age) = (id, age)
  }
}

private class Cat: Object {
  @Persisted(primaryKey: true) var id: Int
}

private struct Refusal: Error {}

private func open() async throws -> RealmStore {
  try await RealmStore(configuration: .inMemory(objectTypes: [Dog.self, Cat.self]))
}

private func isOpen(_ store: RealmStore) async -> Bool { (try? await store.read { _ in true }) ?? false }

private func add(_ dog: sending Dog, to store: RealmStore) async throws {
  try await store.write { realm in realm.add(dog) }
}

@Suite("Values and changes of a realm for asynchronous code")
struct RealmStoreSequenceTests {
  // MARK: Values

  @Test func `values begin with the present one, and follow commits from everywhere`() async throws {
    let store = try await open()
    var counts = store.values { realm in realm.objects(Dog.self).count }.makeAsyncIterator()
    #expect(await counts.next() == 0)
    try await add(Dog(1), to: store)
    #expect(await counts.next() == 1)
    let other = try await RealmStore(configuration: store.configuration)
    try await add(Dog(2), to: other)
    #expect(await counts.next() == 2)
  }

  @Test func `a loop that waits is woken`() async throws {
    let store = try await open()
    let (heard, hear) = AsyncStream<Int>.makeStream()
    let loop = Task {
      for await age in store.values({ realm in realm.objects(Dog.self).sum(of: \.age) }) { hear.yield(age) }
      hear.finish()
    }
    var sums = heard.makeAsyncIterator()
    #expect(await sums.next() == 0)
    var expected = 0
    for id in 1...5 {
      try await add(Dog(id, age: id), to: store)
      expected += id
      #expect(await sums.next() == expected)
    }
    loop.cancel()
    #expect(await sums.next() == nil)
  }

  @Test func `equal values come once, and only what was read is computed again`() async throws {
    let store = try await open()
    try await add(Dog(1, age: 1), to: store)
    let runs = Mutex(0)
    var ages = store.values { realm in
      runs.withLock { $0 += 1 }
      return (realm.object(ofType: Dog.self, forPrimaryKey: 1)?.age ?? -1) / 10
    }.makeAsyncIterator()
    #expect(await ages.next() == 0)
    for id in 1...20 { try await store.write { realm in _ = realm.create(Cat.self, value: ["id": id]) } }
    try await store.write { realm in realm.objects(Dog.self)[0].name = "Rex" }
    // The closure runs again after this one, and its value is equal; after the next one it differs.
    let next = Task { [ages] in
      var ages = ages
      return await ages.next()
    }
    try await store.write { realm in realm.objects(Dog.self)[0].age = 9 }
    try await store.write { realm in realm.objects(Dog.self)[0].age = 10 }
    #expect(await next.value == 1)
    #expect((2...3).contains(runs.withLock { $0 }))
    _ = ages
  }

  @Test func `a slow reader gets the newest value`() async throws {
    let store = try await open()
    var counts = store.values { realm in realm.objects(Dog.self).count }.makeAsyncIterator()
    #expect(await counts.next() == 0)
    for id in 1...50 { try await add(Dog(id), to: store) }
    #expect(await counts.next() == 50)
  }

  @Test func `values follow what a query finds, and what links lead to`() async throws {
    let store = try await open()
    try await store.write { realm in
      _ = realm.create(Dog.self, value: ["id": 1, "puppies": [["id": 2, "age": 3], ["id": 3, "age": 9]]])
    }
    var old = store.values { realm in
      realm.objects(Dog.self).where { $0.age > 5 }.sorted(by: \.id).map(\.id) as [Int]
    }.makeAsyncIterator()
    var ages = store.values { realm in
      realm.object(ofType: Dog.self, forPrimaryKey: 1)?.puppies.map { $0.age } ?? [] as [Int]
    }.makeAsyncIterator()
    #expect(await old.next() == [3])
    #expect(await ages.next() == [3, 9])
    try await store.write { realm in realm.object(ofType: Dog.self, forPrimaryKey: 2)?.age = 6 }
    #expect(await old.next() == [2, 3])
    #expect(await ages.next() == [6, 9])
    try await store.write { realm in realm.object(ofType: Dog.self, forPrimaryKey: 1)?.puppies.removeLast() }
    #expect(await ages.next() == [6])
  }

  @Test func `the error of a closure ends its values`() async throws {
    let store = try await open()
    let values = store.values { realm in
      if realm.objects(Dog.self).count > 1 { throw Refusal() }
      return realm.objects(Dog.self).count
    }
    var iterator = values.makeAsyncIterator()
    #expect(try await iterator.next() == 0)
    try await add(Dog(1), to: store)
    #expect(try await iterator.next() == 1)
    try await add(Dog(2), to: store)
    await #expect(throws: Refusal.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func `cancelling a task ends its values`() async throws {
    let store = try await open()
    let isListening = Mutex(false)
    let loop = Task {
      for await _ in store.values({ realm in realm.objects(Dog.self).count }) { isListening.withLock { $0 = true } }
      return Task.isCancelled
    }
    while !isListening.withLock({ $0 }) { await Task.yield() }
    loop.cancel()
    #expect(await loop.value)
  }

  @Test func `closing ends all sequences, those that wait and those of slow readers`() async throws {
    let folder = try TemporaryFolder()
    let configuration = Realm.Configuration(
      fileURL: folder.url.appendingPathComponent("dogs.realm"), objectTypes: [Dog.self, Cat.self])
    let store = try await RealmStore(configuration: configuration)
    let begun = Tally()
    let loops = (0..<3).map { number in
      Task {
        if number == 0 {
          for await _ in store.changes {}
        } else {
          for await _ in store.values({ realm in realm.objects(Dog.self).count }) { begun.add() }
        }
      }
    }
    var slow = store.values { realm in realm.objects(Dog.self).count }.makeAsyncIterator()
    #expect(await slow.next() == 0)
    while begun.value < 2 { await Task.yield() }
    await store.close()
    for loop in loops { await loop.value }
    #expect(await slow.next() == nil)
    var late = store.values { realm in realm.objects(Dog.self).count }.makeAsyncIterator()
    #expect(await late.next() == nil)
    var changes = store.changes.makeAsyncIterator()
    #expect(await changes.next() == nil)
    #expect(try Realm.deleteFiles(for: configuration))
  }

  @Test func `closing while another task closes waits for the iterations, too`() async throws {
    let store = try await open()
    let isComputing = Mutex(false)
    let mayEnd = Mutex(false)
    let values = store.values { _ in
      isComputing.withLock { $0 = true }
      while !mayEnd.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.001) }
      return 1
    }
    let loop = Task { for await _ in values {} }
    #expect(await eventually { isComputing.withLock { $0 } })
    let first = Task { await store.close() }
    #expect(await eventually { await !isOpen(store) })
    let second = Task {
      await store.close()
      return mayEnd.withLock { $0 }
    }
    try await Task.sleep(for: .milliseconds(20))
    mayEnd.withLock { $0 = true }
    #expect(await second.value)
    await first.value
    await loop.value
  }

  @Test func `a sequence may be iterated several times, and holds the store`() async throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Dog.self])
    let values: RealmStore.Values<Int, Never>
    do {
      let store = try await RealmStore(configuration: configuration)
      try await store.write { $0.add(Dog(1)) }
      values = store.values { realm in realm.objects(Dog.self).count }
    }
    for _ in 0..<2 {
      var iterator = values.makeAsyncIterator()
      #expect(await iterator.next() == 1)
    }
  }

  @Test func `a read-only store has one value`() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("dogs.realm")
    let store = try await RealmStore(configuration: Realm.Configuration(fileURL: url, objectTypes: [Dog.self]))
    try await add(Dog(1), to: store)
    await store.close()
    let readOnly = try await RealmStore(
      configuration: Realm.Configuration(fileURL: url, readOnly: true, objectTypes: [Dog.self]))
    let values = Mutex<[Int]>([])
    let loop = Task {
      for await count in readOnly.values({ realm in realm.objects(Dog.self).count }) {
        values.withLock { $0.append(count) }
      }
    }
    while values.withLock({ $0.isEmpty }) { await Task.yield() }
    await readOnly.close()
    await loop.value
    #expect(values.withLock { $0 } == [1])
  }

  @Test func `writing while a value is computed traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await open()
      var values = store.values { realm in
        try realm.write { realm.add(Dog(1)) }
        return 1
      }.makeAsyncIterator()
      _ = try await values.next()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("closure that computes a value"))
  }

  @Test func `asking one iteration from two tasks at once traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await open()
      var counts = store.values { realm in realm.objects(Dog.self).count }.makeAsyncIterator()
      _ = await counts.next()
      let held = Held(counts)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask {
            var counts = held.value
            _ = await counts.next()
          }
        }
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("make an iterator for each task"))
  }

  // MARK: Changes

  @Test func `changes lead from one element to the next, and lose no commit`() async throws {
    let store = try await open()
    try await add(Dog(1), to: store)
    var changes = store.changes.makeAsyncIterator()
    try await add(Dog(2), to: store)
    try await store.write { realm in
      realm.object(ofType: Dog.self, forPrimaryKey: 1)?.age = 4
      realm.add(Dog(3))
    }
    let first = try #require(await changes.next()?["Dog"])
    #expect(first.insertions.compactMap { $0["id"] as? Int } == [2, 3])
    #expect(first.modifications.map { $0.object["age"] as? Int } == [4])
    try await store.write { realm in realm.objects(Dog.self)[0].name = "Rex" }
    try await store.write { realm in realm.delete(realm.objects(Dog.self)) }
    let second = try #require(await changes.next())
    #expect(second["Dog"]?.deletions.count == 3 && second["Cat"] == nil)
  }

  @Test func `a loop over changes that keeps up retains no early version`() async throws {
    let store = try await open()
    try await add(Dog(0), to: store)
    var changes = store.changes.makeAsyncIterator()
    weak let first = try await store.read { realm in realm.session.graph.table(named: "Dog") }
    for id in 1...5 {
      try await add(Dog(id), to: store)
      _ = await changes.next()
    }
    #expect(first == nil)
    withExtendedLifetime(changes) {}
  }

  @Test @MainActor func `changes are frozen on an actor, too`() async throws {
    let store = try await open()
    let changes = store.changes
    try await store.write { realm in realm.add(Dog(1)) }
    for await change in changes {
      #expect(change["Dog"]?.insertions.first?.isFrozen == true)
      break
    }
  }
}
