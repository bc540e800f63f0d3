import Dispatch
import FiefDurability
import FiefTestSupport
import Foundation
import RealmSwift
import Synchronization
import Testing

private class Dog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var age = 0

  convenience init(_ id: Int, _ name: String = "") {
    self.init()
    (self.id, self.name) = (id, name)
  }
}

private struct Refusal: Error {}

private func configuration() -> Realm.Configuration { .inMemory(objectTypes: [Dog.self]) }

/// A gate that reads wait at, blocking their threads.
private final class Gate: Sendable {
  private let condition = NSCondition()
  private let state = Mutex((isOpen: false, waiting: 0))

  var waiting: Int { state.withLock { $0.waiting } }

  func pass() {
    condition.lock()
    defer { condition.unlock() }
    state.withLock { $0.waiting += 1 }
    while !state.withLock({ $0.isOpen }) { condition.wait() }
  }

  func open() {
    condition.lock()
    state.withLock { $0.isOpen = true }
    condition.broadcast()
    condition.unlock()
  }
}

/// Waits until a condition holds, and leaves the thread to other tasks meanwhile.
private func comes(_ condition: () throws -> Bool) async rethrows -> Bool {
  for _ in 0..<Int(testPatience * 1_000) {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return false
}

@Suite("A realm for asynchronous code")
struct RealmStoreTests {
  @Test func `a write returns its result, and the next read sees it`() async throws {
    let store = try await RealmStore(configuration: configuration())
    let id = try await store.write { realm in realm.create(Dog.self, value: ["id": 7, "name": "Rex"]).id }
    #expect(id == 7)
    let names = try await store.read { realm in realm.objects(Dog.self).map(\.name) as [String] }
    #expect(names == ["Rex"])
  }

  @Test @MainActor func `code of an actor uses it without leaving values behind`() async throws {
    let store = try await RealmStore(configuration: configuration())
    let name = "Rex"
    try await store.write { realm in realm.add(Dog(1, name)) }
    let found = try await store.read { realm in realm.object(ofType: Dog.self, forPrimaryKey: 1)?.name }
    #expect(found == "Rex")
    let isMain = try await store.read { _ in Thread.isMainThread }
    #expect(!isMain)
  }

  @Test func `an unmanaged object can be taken into a write, also in a loop`() async throws {
    let store = try await RealmStore(configuration: configuration())
    for id in 0..<3 {
      let dog = Dog(id, "dog \(id)")
      try await store.write { realm in realm.add(dog) }
    }
    #expect(try await store.read { $0.objects(Dog.self).count } == 3)
  }

  @Test func `a closure that throws is rolled back, and the next write works`() async throws {
    let store = try await RealmStore(configuration: configuration())
    await #expect(throws: Refusal.self) {
      try await store.write { realm in
        realm.add(Dog(1))
        throw Refusal()
      }
    }
    let refused = await #expect(throws: Realm.Error.self) {
      try await store.write { realm in
        realm.add(Dog(2))
        realm.add(Dog(2))
      }
    }
    #expect(refused?.code == .duplicatePrimaryKey)
    #expect(try await store.read { $0.objects(Dog.self).isEmpty })
    try await store.write { $0.add(Dog(3)) }
    #expect(try await store.read { $0.objects(Dog.self).count } == 1)
  }

  @Test func `a write throws why the object that it returns could not be created`() async throws {
    let store = try await RealmStore(configuration: configuration())
    let rex = try await store.write { realm in realm.create(Dog.self, value: ["id": 7, "name": "Rex"]) }
    await #expect(throws: Realm.Error(.duplicatePrimaryKey)) {
      _ = try await store.write { realm in realm.create(Dog.self, value: ["id": 7]) }
    }
    await #expect(throws: Realm.Error(.invalidValue)) {
      _ = try await store.write { realm -> Dog? in realm.create(Dog.self, value: ["id": "seven"]) }
    }
    let names = try await store.read { realm in realm.objects(Dog.self).map(\.name) as [String] }
    #expect(names == ["Rex"] && rex.name == "Rex")
  }

  @Test func `a closure may cancel its write`() async throws {
    let store = try await RealmStore(configuration: configuration())
    let count = try await store.write { realm in
      realm.add(Dog(1))
      realm.cancelWrite()
      return realm.objects(Dog.self).count
    }
    #expect(count == 0)
    try await store.write { $0.add(Dog(2)) }
    #expect(try await store.read { $0.objects(Dog.self).count } == 1)
  }

  @Test func `writes come one after the other`() async throws {
    let store = try await RealmStore(configuration: configuration())
    let second = try await RealmStore(configuration: store.configuration)
    try await store.write { $0.add(Dog(1)) }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          try? await (number.isMultiple(of: 3) ? second : store).write { realm in
            realm.objects(Dog.self)[0].age += 1
          }
        }
      }
    }
    #expect(try await second.read { $0.objects(Dog.self)[0].age } == 200)
  }

  @Test func `it works beside realms of threads, queues and actors`() async throws {
    actor Kennel {
      func admit(_ id: Int, _ configuration: Realm.Configuration) async throws -> Int {
        let realm = try await Realm(configuration: configuration, actor: self)
        try await realm.asyncWrite { realm.add(Dog(id)) }
        return realm.objects(Dog.self).count
      }
    }
    let store = try await RealmStore(configuration: configuration())
    try await store.write { $0.add(Dog(1)) }
    #expect(try await Kennel().admit(2, store.configuration) == 2)
    let queue = DispatchQueue(label: "kennel")
    let seen = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
      queue.async {
        continuation.resume(
          with: Swift.Result {
            let realm = try Realm(configuration: store.configuration, queue: queue)
            try realm.write { realm.add(Dog(3)) }
            return realm.objects(Dog.self).count
          })
      }
    }
    #expect(seen == 3)
    #expect(try await store.read { $0.objects(Dog.self).count } == 3)
  }

  @Test func `a read shows one version while writes go on`() async throws {
    let store = try await RealmStore(configuration: configuration())
    try await store.write { $0.add(Dog(1)) }
    let gate = Gate()
    async let counts = store.read { realm in
      let before = realm.objects(Dog.self).count
      gate.pass()
      return [before, realm.objects(Dog.self).count, realm.isFrozen ? 1 : 0]
    }
    #expect(await comes { gate.waiting == 1 })
    try await store.write { $0.add(Dog(2)) }
    #expect(try await store.read { $0.objects(Dog.self).count } == 2)
    gate.open()
    #expect(try await counts == [1, 1, 1])
  }

  @Test func `reads that take long delay no other`() async throws {
    let store = try await RealmStore(configuration: configuration())
    let gate = Gate()
    // More than there are threads for tasks.
    let long = 2 * ProcessInfo.processInfo.activeProcessorCount + 3
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<long { group.addTask { try await store.read { _ in gate.pass() } } }
      #expect(await comes { gate.waiting == long })
      for number in 0..<5 {
        try await store.write { $0.add(Dog(number)) }
        #expect(try await store.read { $0.objects(Dog.self).count } == number + 1)
      }
      gate.open()
      try await group.waitForAll()
    }
  }

  // MARK: Cancellation

  @Test func `a cancelled task neither reads nor writes`() async throws {
    let store = try await RealmStore(configuration: configuration())
    let ran = Mutex(0)
    let results = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let read = await Swift.Result.of { try await store.read { _ in ran.withLock { $0 += 1 } } }
      let write = await Swift.Result.of {
        try await store.write { realm in
          ran.withLock { $0 += 1 }
          realm.add(Dog(1))
        }
      }
      return [read, write]
    }.value
    for result in results { #expect(throws: CancellationError.self) { try result.get() } }
    #expect(ran.withLock { $0 } == 0)
    #expect(try await store.read { $0.objects(Dog.self).isEmpty })
  }

  @Test func `a closure sees the cancellation of its task, wherever it runs`() async throws {
    let store = try await RealmStore(configuration: configuration())
    let gate = Gate()
    let count = ProcessInfo.processInfo.activeProcessorCount + 2
    let tasks = (0..<count).map { _ in
      Task {
        try await store.read { _ in
          gate.pass()
          try Task.checkCancellation()
        }
      }
    }
    #expect(await comes { gate.waiting == count })
    for task in tasks { task.cancel() }
    gate.open()
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
  }

  @Test func `a write that waits for its turn is cancelled`() async throws {
    let store = try await RealmStore(configuration: configuration())
    let gate = Gate()
    async let first: Void = store.write { _ in gate.pass() }
    #expect(await comes { gate.waiting == 1 })
    let second = Task { try await store.write { $0.add(Dog(2)) } }
    second.cancel()
    gate.open()
    try await first
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(try await store.read { $0.objects(Dog.self).isEmpty })
  }

  // MARK: Durability

  /// The number of dogs after a power failure right after a write has returned.
  private func survivors(_ durability: Durability, _ own: Durability?) async throws -> Int {
    let path = "\(SimulatedDisk.folder)/async-\(UUID().uuidString).realm"
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: [Dog.self])
    configuration.durability = durability
    configuration.fileSystem = process
    let store = try await RealmStore(configuration: configuration)
    try await store.write(durability: .full) { $0.add(Dog(1)) }
    try await store.write(durability: own) { $0.add(Dog(2)) }
    var point = CrashPoint()
    for event in disk.events { point.advance(event) }
    #expect(try await store.read { $0.objects(Dog.self).count } == 2)
    let next = SimulatedProcess(point.image(point.noFates), number: 2)
    defer { next.kill() }
    let graph = try StoreFile.read(path, on: next).graph
    process.kill()
    await store.close()
    return graph.table(named: "Dog")?.count ?? 0
  }

  @Test(arguments: [Durability.full, .relaxed], [nil, Durability.full, .relaxed])
  func `a write that is durable survives a power failure`(_ durability: Durability, _ own: Durability?) async throws {
    #expect(try await survivors(durability, own) == ((own ?? durability) == .full ? 2 : 1))
  }

  // MARK: Closing

  @Test func `a closed store refuses reads and writes, and its file can be deleted`() async throws {
    let folder = try TemporaryFolder()
    let configuration = Realm.Configuration(
      fileURL: folder.url.appendingPathComponent("dogs.realm"), objectTypes: [Dog.self])
    let store = try await RealmStore(configuration: configuration)
    try await store.write { $0.add(Dog(1)) }
    #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
    await store.close()
    await store.close()
    let refused = await #expect(throws: Realm.Error.self) { try await store.read { $0.objects(Dog.self).count } }
    #expect(refused?.code == .storeIsClosed)
    let second = await #expect(throws: Realm.Error.self) { try await store.write { $0.deleteAll() } }
    #expect(second?.code == .storeIsClosed)
    #expect(store.configuration.fileURL == configuration.fileURL)
    #expect(try await RealmStore(configuration: configuration).read { $0.objects(Dog.self).count } == 1)
    #expect(try Realm.deleteFiles(for: configuration))
  }

  @Test func `a store that is closed at once leaves its file closed`() async throws {
    let folder = try TemporaryFolder()
    for number in 0..<Effort.of(debug: 50, release: 300) {
      let url = folder.url.appendingPathComponent("dogs \(number).realm")
      let configuration = Realm.Configuration(fileURL: url, objectTypes: [Dog.self])
      let store = try await RealmStore(configuration: configuration)
      if number % 3 > 0 {
        try await store.write(durability: number % 3 == 1 ? .full : .relaxed) { $0.add(Dog(number)) }
      }
      await store.close()
      #expect(try Realm.deleteFiles(for: configuration))
    }
  }

  @Test func `closing waits for the reads and writes that have begun`() async throws {
    let store = try await RealmStore(configuration: configuration())
    let gate = Gate()
    async let read = store.read { realm in
      gate.pass()
      return realm.objects(Dog.self).count
    }
    async let write = store.write { realm in
      gate.pass()
      realm.add(Dog(1))
      return realm.objects(Dog.self).count
    }
    #expect(await comes { gate.waiting == 2 })
    let isClosed = Mutex(false)
    let closing = Task {
      await store.close()
      isClosed.withLock { $0 = true }
    }
    while (try? await store.read { _ in }) != nil { await Task.yield() }
    #expect(!isClosed.withLock { $0 })
    gate.open()
    #expect(try await read == 0)
    #expect(try await write == 1)
    await closing.value
    #expect(isClosed.withLock { $0 })
  }

  @Test func `a store is held open until it is closed or released`() async throws {
    let identifier = UUID().uuidString
    let configuration = Realm.Configuration(inMemoryIdentifier: identifier, objectTypes: [Dog.self])
    func open() -> Realm.OpenRealm? { Realm.openRealms.first { $0.inMemoryIdentifier == identifier } }
    var store: RealmStore? = try await RealmStore(configuration: configuration)
    try await store?.write { $0.add(Dog(1)) }
    #expect(open()?.holders == [.realmStore])
    #expect(open()?.frozenCount == 0 && open()?.versions.isEmpty == true)
    store = nil
    #expect(await comes { open() == nil })
    let second = try await RealmStore(configuration: configuration)
    #expect(try await second.read { $0.objects(Dog.self).isEmpty })
    await second.close()
    #expect(open() == nil)
  }

  // MARK: Opening and misuse

  @Test func `opening throws what opening a realm throws`() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("dogs.realm")
    let missing = Realm.Configuration(fileURL: url, readOnly: true, objectTypes: [Dog.self])
    let error = await #expect(throws: Realm.Error.self) { _ = try await RealmStore(configuration: missing) }
    #expect(error?.code == .fileNotFound)
    let store = try await RealmStore(configuration: Realm.Configuration(fileURL: url, objectTypes: [Dog.self]))
    try await store.write { $0.add(Dog(1)) }
    await store.close()
    let readOnly = try await RealmStore(configuration: missing)
    #expect(try await readOnly.read { $0.objects(Dog.self).count } == 1)
  }

  @Test func `writing in a read traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await RealmStore(configuration: configuration())
      try await store.read { realm in try realm.write { realm.add(Dog(1)) } }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("write transaction") && text.contains("frozen"))
  }

  @Test func `writing through a read-only configuration traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder()
      let url = folder.url.appendingPathComponent("dogs.realm")
      let first = try await RealmStore(configuration: Realm.Configuration(fileURL: url, objectTypes: [Dog.self]))
      await first.close()
      let readOnly = Realm.Configuration(fileURL: url, readOnly: true, objectTypes: [Dog.self])
      let store = try await RealmStore(configuration: readOnly)
      try await store.write { $0.add(Dog(1)) }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("read-only"))
  }
}

extension Swift.Result where Failure == any Error {
  /// The outcome of an asynchronous closure.
  fileprivate static func of(_ body: () async throws -> Success) async -> Self {
    do {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
}
