import Fief
import FiefTestSupport
import Foundation
import RealmSwift
import Synchronization
import Testing

private class Sighting: AsymmetricObject {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var place = ""
  @Persisted var any: AnyRealmValue
}

private class Gauging: AsymmetricObject {
  @Persisted(primaryKey: .increasing) var id: Int
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Counter: Object {
  @Persisted var count = 0
}

private func gauge(_ configuration: Realm.Configuration) throws {
  let realm = try Realm(configuration: configuration)
  try realm.write { realm.create(Gauging.self) }
}

private struct NotToday: Error {}

/// A handler, and what it received.
private final class Receiver: Sendable {
  private let state = Mutex((calls: [[IngestDocument]](), refusals: 0))

  /// - Parameter refusals: the number of calls that throw.
  init(refusing refusals: Int = 0) { state.withLock { $0.refusals = refusals } }

  func receive(_ documents: [IngestDocument]) throws {
    try state.withLock { state in
      state.calls.append(documents)
      guard state.refusals > 0 else { return }
      state.refusals -= 1
      throw NotToday()
    }
  }

  var calls: [[IngestDocument]] { state.withLock { $0.calls } }
  var ids: [Int] { calls.flatMap { $0 }.compactMap { $0["id"] as? Int } }
}

@Suite struct OutboxTests {
  private func configuration(_ url: URL? = nil, _ receiver: Receiver? = nil) -> Realm.Configuration {
    let types: [ObjectBase.Type] = [Sighting.self, Counter.self]
    var configuration =
      url.map { Realm.Configuration(fileURL: $0, objectTypes: types) } ?? .inMemory(objectTypes: types)
    if let receiver { configuration.ingestHandler = { try receiver.receive($0) } }
    return configuration
  }

  private func open(_ configuration: Realm.Configuration) throws -> Realm { try Realm(configuration: configuration) }

  private func send(_ ids: [Int], _ configuration: Realm.Configuration) throws {
    let realm = try open(configuration)
    for id in ids { try realm.write { realm.create(Sighting.self, value: ["id": id]) } }
  }

  /// The number of documents that wait.
  private func waiting(_ realm: Realm) -> Int {
    realm.refresh()
    return realm.graph.table(named: "fief.outbox")?.count ?? -1
  }

  @MainActor @Test func documentsWaitInTheFileForAHandler() async throws {
    try await TemporaryFolder.with { folder in
      let url = folder.appendingPathComponent("sightings.realm")
      try send([1, 2], configuration(url))
      try send([3], configuration(url))
      let receiver = Receiver()
      do {
        let realm = try open(configuration(url, receiver))
        #expect(await eventually { receiver.ids == [1, 2, 3] })
        #expect(receiver.calls.flatMap { $0 }.map(\.number) == [1, 2, 3])
        #expect(await eventually { self.waiting(realm) == 0 })
      }
      // The store is closed once the delivery has come to its end. Then another handler may take its place.
      let later = Receiver()
      let next = configuration(url, later)
      #expect(await eventually { (try? self.send([4], next)) != nil })
      #expect(await eventually { later.ids == [4] })
      #expect(later.calls.first?.first?.number == 4)
    }
  }

  @MainActor @Test func numbersAreNotGivenAgainAfterTheFileWasWrittenWithoutDocuments() async throws {
    try await TemporaryFolder.with { folder in
      let receiver = Receiver()
      let configuration = configuration(folder.appendingPathComponent("sightings.realm"), receiver)
      for id in 1...3 {
        let realm = try open(configuration)
        try realm.write { realm.create(Sighting.self, value: ["id": id]) }
        #expect(await eventually { self.waiting(realm) == 0 })
        try realm.compact()
      }
      #expect(receiver.calls.flatMap { $0 }.map(\.number) == [1, 2, 3])
    }
  }

  @MainActor @Test func keysThatAreHandedOutDoNotRepeatInOtherRealmsAndOpenings() async throws {
    try await TemporaryFolder.with { folder in
      var configuration = Realm.Configuration(
        fileURL: folder.appendingPathComponent("gaugings.realm"), objectTypes: [Gauging.self])
      for _ in 0..<3 {
        let realm = try open(configuration)
        try realm.write { for _ in 0..<2 { realm.create(Gauging.self) } }
        try await Task.detached { [configuration] in try gauge(configuration) }.value
      }
      try gauge(configuration)
      let receiver = Receiver()
      configuration.ingestHandler = { try receiver.receive($0) }
      try gauge(configuration)
      #expect(await eventually { receiver.ids.count == 11 })
      #expect(receiver.ids.first == 1 && zip(receiver.ids, receiver.ids.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @MainActor @Test func refusedDocumentsComeAgainWithTheirNumbers() async throws {
    let receiver = Receiver(refusing: 3)
    let realm = try open(configuration(nil, receiver))
    try realm.write { for id in 1...3 { realm.create(Sighting.self, value: ["id": id]) } }
    #expect(await eventually { receiver.calls.count >= 4 })
    #expect(receiver.calls.prefix(4).allSatisfy { $0.map(\.number) == [1, 2, 3] })
    #expect(await eventually { self.waiting(realm) == 0 })
    #expect(receiver.calls.count == 4)
  }

  @MainActor @Test func theLimitRefusesTheNewestAndKeepsTheOldest() throws {
    var configuration = configuration()
    configuration.outboxLimit = 2
    let realm = try open(configuration)
    try realm.write { for id in 1...2 { realm.create(Sighting.self, value: ["id": id]) } }
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.add(Counter())
        realm.create(Sighting.self, value: ["id": 3])
      }
    }
    #expect(error?.code == .outboxFull && "\(error as Any)".contains("2 documents wait"))
    #expect(waiting(realm) == 2 && realm.objects(Counter.self).isEmpty)
  }

  @MainActor @Test func aSecondHandlerOfAnOutboxIsRefused() async throws {
    let (first, second) = (Receiver(), Receiver())
    let configuration = configuration(nil, first)
    let realm = try open(configuration)
    var other = configuration
    other.ingestHandler = { try second.receive($0) }
    let error = #expect(throws: Realm.Error.self) { try open(other) }
    #expect(error?.code == .fail && "\(error as Any)".contains("another ingestHandler"))
    other.outboxName = "other"
    let elsewhere = try open(other)
    try realm.write { realm.create(Sighting.self, value: ["id": 1]) }
    #expect(await eventually { first.ids == [1] })
    #expect(elsewhere.configuration.outboxName == "other" || second.ids.isEmpty)
  }

  @MainActor @Test func applicationsNeitherSeeNorTouchWhatWaits() throws {
    var configuration = configuration()
    configuration.history = .versions(10)
    let realm = try open(configuration)
    try realm.write { realm.add(Counter()) }
    let version = realm.version
    try realm.write {
      realm.create(Sighting.self, value: ["id": 1])
      realm.objects(Counter.self).setValue(5, forKey: "count")
    }
    #expect(realm.schema.objectSchema.map(\.className).sorted() == ["Counter", "Sighting"])
    let classes = realm.changes(since: version).map(\.className)
    #expect(classes == ["Counter"])
    try realm.undo()
    #expect(realm.objects(Counter.self).first?.count == 0 && waiting(realm) == 1)
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty && waiting(realm) == 1)
  }

  @MainActor @Test func aCopyHasNoDocuments() throws {
    try TemporaryFolder.with { folder in
      let realm = try open(configuration(folder.appendingPathComponent("a.realm")))
      try realm.write {
        realm.create(Sighting.self, value: ["id": 1])
        realm.add(Counter())
      }
      let copy = folder.appendingPathComponent("b.realm")
      try realm.writeCopy(toFile: copy)
      let copied = try open(configuration(copy))
      #expect(waiting(copied) == 0 && copied.objects(Counter.self).count == 1 && waiting(realm) == 1)
    }
  }

  @MainActor @Test func aResetOfTheFileKeepsWhatWaits() throws {
    try TemporaryFolder.with { folder in
      var configuration = configuration(folder.appendingPathComponent("a.realm"))
      try send([1], configuration)
      configuration.schemaVersion = 1
      configuration.deleteRealmIfMigrationNeeded = true
      #expect(waiting(try open(configuration)) == 1)
    }
  }

  @MainActor @Test func valuesArriveAsTheyWereWritten() async throws {
    let receiver = Receiver()
    let realm = try open(configuration(nil, receiver))
    let id = ObjectId.generate()
    let uuid = UUID()
    let date = Date(timeIntervalSinceReferenceDate: 0.1)
    let values: [AnyRealmValue] = [
      .none, .bool(true), .int(-1), .float(0.5), .double(.nan), .string("żółw"), .data(Data([0, 255])), .date(date),
      .objectId(id), .uuid(uuid), .decimal128(1.5), .fromDictionary(["inner": .fromArray([.int(1)])]),
    ]
    try realm.write { realm.create(Sighting.self, value: ["id": 1, "any": AnyRealmValue.fromArray(values)]) }
    #expect(await eventually { receiver.ids == [1] })
    let found = try #require(receiver.calls[0][0]["any"] as? [any Sendable])
    #expect(found.count == values.count && found[1] as? Bool == true && found[2] as? Int == -1)
    #expect(found[3] as? Float == 0.5 && (found[4] as? Double)?.isNaN ?? false && found[5] as? String == "żółw")
    #expect(found[6] as? Data == Data([0, 255]) && found[7] as? Date == date && found[8] as? ObjectId == id)
    #expect(found[9] as? UUID == uuid && found[10] as? Decimal128 == 1.5)
    #expect(((found[11] as? [String: any Sendable])?["inner"] as? [any Sendable])?.first as? Int == 1)
    #expect(receiver.calls[0][0].created.timeIntervalSinceNow.magnitude < 3600)
  }

  @Test func classesCannotHaveTheNamesOfTheStoresTables() throws {
    class Disguised: Object {
      @Persisted var x = 0
      override class func _realmObjectName() -> String? { "fief.outbox" }
      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
    let error = #expect(throws: Realm.Error.self) { try open(.inMemory(objectTypes: [Disguised.self])) }
    #expect("\(error as Any)".contains("must not begin with 'fief.'"))
  }
}
