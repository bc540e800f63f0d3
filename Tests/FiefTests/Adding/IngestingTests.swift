import Fief
import FiefGraph
import Foundation
import RealmSwift
import Synchronization
import Testing

private class Place: EmbeddedObject {
  @Persisted var name = ""
  @Persisted var inner: Place?
}

private class Event: AsymmetricObject {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var kind = "none"
  @Persisted var weight: Double?
  @Persisted var at: Date?
  @Persisted var place: Place?
  @Persisted var places: List<Place>
  @Persisted var details: Map<String, AnyRealmValue>
}

private class Dog: Object {
  @Persisted var name = ""
  @Persisted var note: AnyRealmValue
}

@Suite struct IngestingTests {
  @Test func aValueTooDeepForADocumentFailsTheWrite() throws {
    let (realm, _) = try self.realm()
    var deep = AnyRealmValue.int(1)
    for _ in 0..<100_000 { deep = .fromArray([deep]) }
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { realm.create(Event.self, value: ["details": ["deep": deep]]) }
    }
    #expect(error?.code == .invalidValue && "\(error as Any)".contains("512 levels"))
  }

  @Test func anObjectInAnAnyValueFailsTheWrite() throws {
    let (realm, _) = try self.realm()
    let known = try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
    let ring = Dog()
    ring.note = .object(ring)
    for dog in [known, known.freeze(), Dog(), ring] {
      for details in [["dog": dog], ["dogs": [1, dog]]] as [[String: Any]] {
        let error = #expect(throws: Realm.Error.self) {
          try realm.write { realm.create(Event.self, value: ["details": details]) }
        }
        #expect(error?.code == .invalidValue)
        #expect("\(error as Any)".contains("class 'Dog'") && "\(error as Any)".contains("Event.details"))
      }
    }
  }

  /// A realm, and the documents that its handler receives, call by call.
  private func realm(
    failing: Int = 0, _ failed: AsyncStream<Void>.Continuation? = nil
  ) throws -> (Realm, AsyncStream<[IngestDocument]>) {
    let (stream, give) = AsyncStream.makeStream(of: [IngestDocument].self)
    let failures = Mutex(failing)
    var configuration = Realm.Configuration.inMemory(objectTypes: [Event.self, Place.self, Dog.self])
    configuration.ingestHandler = { documents in
      let fails = failures.withLock { left in
        left -= 1
        return left >= 0
      }
      if fails {
        failed?.yield()
        throw CancellationError()
      }
      give.yield(documents)
    }
    return (try Realm(configuration: configuration), stream)
  }

  /// The next element of a stream.
  private nonisolated func next<Element: Sendable>(_ stream: AsyncStream<Element>) async -> Element? {
    for await element in stream { return element }
    return nil
  }

  @MainActor @Test func asymmetricObjectsAreHandedOverAndNotStored() async throws {
    let (realm, handed) = try realm()
    let id = ObjectId.generate()
    try realm.write {
      realm.create(
        Event.self,
        value: [
          "id": id, "kind": "start", "at": Date(timeIntervalSince1970: 0),
          "place": ["name": "here", "inner": ["name": "inside"]], "places": [["name": "a"], ["name": "b"]],
          "details": ["n": 1, "list": [true, NSNull(), ["deep": "x"]]],
        ] as [String: Any])
      realm.create(Event.self)
      realm.create(Event.self, value: Event(value: ["kind": "object", "place": ["name": "there"]]))
      realm.create(Dog.self, value: ["name": "Rex"])
    }
    let documents = try #require(await next(handed))
    #expect(documents.map(\.className) == ["Event", "Event", "Event"])
    #expect(documents[0]["id"] as? ObjectId == id && documents[0]["kind"] as? String == "start")
    #expect(documents[0]["weight"] == nil && documents[0]["nobody"] == nil)
    let place = documents[0]["place"] as? [String: any Sendable]
    #expect((place?["inner"] as? [String: any Sendable])?["name"] as? String == "inside")
    #expect((documents[0]["places"] as? [any Sendable])?.count == 2)
    #expect(documents[1]["kind"] as? String == "none")
    #expect(documents[2]["kind"] as? String == "object")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = String(decoding: try encoder.encode(documents[0]), as: UTF8.self)
    #expect(
      json == """
        {"at":"1970-01-01T00:00:00Z","details":{"list":[true,null,{"deep":"x"}],"n":1},"id":"\(id.stringValue)",\
        "kind":"start","place":{"inner":{"name":"inside"},"name":"here"},\
        "places":[{"name":"a"},{"name":"b"}]}
        """)
    #expect(realm.graph.table(named: "Event")?.count == 0 && realm.graph.table(named: "Place")?.count == 0)
    #expect(realm.graph.table(named: "Dog")?.count == 1)
  }

  @MainActor @Test func onlyWhatIsCommittedIsHandedOver() async throws {
    let (realm, handed) = try realm()
    realm.beginWrite()
    realm.create(Event.self, value: ["kind": "cancelled"])
    realm.cancelWrite()
    #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.create(Event.self, value: ["kind": "before"])
        realm.create(Event.self, value: ["kind": 5])
      }
    }
    try realm.write {
      realm.create(Event.self, value: ["kind": "kept"])
      try? realm.savepoint {
        realm.create(Event.self, value: ["kind": "undone"])
        throw CancellationError()
      }
    }
    let documents = await next(handed)
    #expect(documents?.map { $0["kind"] as? String } == ["kept"])
  }

  @MainActor @Test func aWriteThatEndsWithoutACommitTakesItsDocumentsAlong() async throws {
    let (realm, handed) = try realm()
    let ways: [(Realm) throws -> Void] = [
      { $0.cancelWrite() },
      { $0.invalidate() },
      { realm in
        try? realm.savepoint {
          realm.create(Event.self, value: ["kind": "in a savepoint"])
          realm.invalidate()
          throw CancellationError()
        }
      },
      { realm in
        realm.create(Event.self, value: ["kind": 5])
        #expect(throws: Realm.Error.self) { try realm.commitWrite() }
      },
    ]
    for end in ways {
      realm.beginWrite()
      realm.create(Event.self, value: ["kind": "lost"])
      try end(realm)
      #expect(!realm.isInWriteTransaction)
      try realm.write {}
    }
    #expect(throws: CancellationError.self) {
      try realm.write {
        realm.create(Event.self, value: ["kind": "thrown"])
        throw CancellationError()
      }
    }
    await #expect(throws: CancellationError.self) {
      try await realm.asyncWrite {
        realm.create(Event.self, value: ["kind": "thrown"])
        throw CancellationError()
      }
    }
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      realm.beginAsyncWrite { realm.create(Event.self, value: ["kind": "left open"]) }
      realm.writeAsync {
        realm.create(Event.self, value: ["kind": "before"])
        realm.create(Event.self, value: ["kind": 5])
      } onComplete: { error in
        #expect(error != nil)
        done.resume()
      }
    }
    try realm.write { realm.create(Event.self, value: ["kind": "kept"]) }
    #expect(await next(handed)?.map { $0["kind"] as? String } == ["kept"])
  }

  @MainActor @Test func documentsOfANotificationBlockAreNoPartOfTheCommit() async throws {
    let (realm, handed) = try realm()
    var begins = true
    let token = realm.observe { _, realm in
      guard begins else { return }
      begins = false
      realm.beginWrite()
      realm.create(Event.self, value: ["kind": "cancelled"])
      realm.cancelWrite()
      realm.beginWrite()
      realm.create(Event.self, value: ["kind": "open"])
    }
    try realm.write { realm.create(Event.self, value: ["kind": "committed"]) }
    #expect(await next(handed)?.map { $0["kind"] as? String } == ["committed"])
    realm.cancelWrite()
    try realm.write { realm.create(Event.self, value: ["kind": "last"]) }
    #expect(await next(handed)?.map { $0["kind"] as? String } == ["last"])
    token.invalidate()
  }

  @MainActor @Test func eachOutboxHasItsOwnHandlerAndOrder() async throws {
    let (realm, handed) = try realm()
    let (stream, give) = AsyncStream.makeStream(of: [IngestDocument].self)
    let failures = Mutex(1)
    let (failed, fail) = AsyncStream.makeStream(of: Void.self)
    var other = realm.configuration
    other.outboxName = "other"
    other.ingestHandler = { documents in
      if failures.withLock({ left in
        left -= 1
        return left >= 0
      }) {
        fail.yield()
        throw CancellationError()
      }
      give.yield(documents)
    }
    var silent = realm.configuration
    silent.ingestHandler = nil
    try write("theirs", other)
    _ = await next(failed)
    // A throwing handler does not delay the others. A configuration without one sends to that of its outbox.
    try write("silent", silent)
    #expect(await next(handed)?.map { $0["kind"] as? String } == ["silent"])
    try realm.write { realm.create(Event.self, value: ["kind": "ours"]) }
    #expect(await next(handed)?.map { $0["kind"] as? String } == ["ours"])
    try write("theirs again", other)
    var theirs: [String?] = []
    while theirs.count < 2 { theirs += try #require(await next(stream)).map { $0["kind"] as? String } }
    #expect(theirs == ["theirs", "theirs again"])
    try realm.write { realm.create(Event.self, value: ["kind": "ours again"]) }
    #expect(await next(handed)?.map { $0["kind"] as? String } == ["ours again"])
  }

  private func write(_ kind: String, _ configuration: Realm.Configuration) throws {
    let queue = DispatchQueue(label: kind)
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      try realm.write { realm.create(Event.self, value: ["kind": kind]) }
    }
  }

  @MainActor @Test func documentsAreRetriedInOrderAfterTheHandlerThrows() async throws {
    let (failures, failed) = AsyncStream.makeStream(of: Void.self)
    let (realm, handed) = try realm(failing: 1, failed)
    try realm.write { realm.create(Event.self, value: ["kind": "first"]) }
    _ = await next(failures)
    var kinds: [String] = []
    for turn in 1...3 { try realm.write { realm.create(Event.self, value: ["kind": "\(turn)"]) } }
    while kinds.last != "3" { kinds += try #require(await next(handed)).compactMap { $0["kind"] as? String } }
    #expect(kinds == ["first", "1", "2", "3"])
  }

  @Test func anAsymmetricObjectCannotBeAddedOrBeBad() throws {
    let (realm, _) = try realm()
    for value in [["kind": 5], ["place": ["name": 1]], ["details": ["$x": 1]], 5, NSNull()] as [Any] {
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { realm.create(Event.self, value: value) }
      }
      #expect(error?.code == .invalidValue)
    }
    #expect(throws: Realm.Error.self) {
      try realm.write { _ = realm.dynamicCreate("Event", value: ["kind": "x"]) }
    }
    #expect(realm.isEmpty)
  }
}
