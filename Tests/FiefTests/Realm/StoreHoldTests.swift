import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Item: Object {
  @Persisted var name = ""
}

private func named(_ identifier: String = UUID().uuidString) -> Realm.Configuration {
  Realm.Configuration(inMemoryIdentifier: identifier, objectTypes: [Item.self])
}

/// Adds an item through a realm that is released afterwards.
private func add(to configuration: Realm.Configuration? = nil) throws {
  let realm = try configuration.map { try Realm(configuration: $0) } ?? Realm()
  try realm.write { _ = realm.create(Item.self) }
}

private func count(in configuration: Realm.Configuration? = nil) throws -> Int {
  try (configuration.map { try Realm(configuration: $0) } ?? Realm()).objects(Item.self).count
}

/// Whether a realm is closed soon. Listing all realms, as other tests may do now, holds each for a moment.
private func goes(_ configuration: Realm.Configuration) -> Bool { waits { present(configuration) == nil } }

private func present(_ configuration: Realm.Configuration) -> Realm.OpenRealm? {
  Realm.openRealms.first { $0.inMemoryIdentifier == configuration.inMemoryIdentifier }
}

@Suite struct StoreHoldTests {
  @Test func anInMemoryRealmIsEmptyAgainWhenItsLastReferenceWent() throws {
    let configuration = named()
    try add(to: configuration)
    #expect(try count(in: configuration) == 0)
    #expect(goes(configuration))
  }

  @Test func theDefaultRealmInMemoryLivesAsLongAsItIsTheDefault() async {
    await #expect(processExitsWith: .success) {
      Realm.Configuration.defaultConfiguration = named("first")
      try add()
      try #require(try count() == 1)
      try add(to: named("first"))
      try #require(try count() == 2)
      Realm.Configuration.defaultConfiguration.schemaVersion = 3
      try #require(try count() == 2)
      try #require(Realm.openRealms.first?.holders == [.defaultConfiguration])
      Realm.Configuration.defaultConfiguration.inMemoryIdentifier = "second"
      try #require(Realm.openRealms.isEmpty)
      try add()
      try #require(try count() == 1)
      Realm.Configuration.defaultConfiguration.fileURL = URL(fileURLWithPath: "/tmp/never-opened.realm")
      try #require(Realm.openRealms.isEmpty)
    }
  }

  @Test func anOpenStoreIsRetainedWhenItBecomesTheDefault() async {
    await #expect(processExitsWith: .success) {
      func fill() throws {
        let realm = try Realm(configuration: named("first"))
        try realm.write { _ = realm.create(Item.self) }
        Realm.Configuration.defaultConfiguration = named("first")
      }
      try fill()
      try #require(try count() == 1)
    }
  }

  @Test func manyThreadsThatChangeTheDefaultLoseAndKeepNothing() async {
    await #expect(processExitsWith: .success) {
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        for step in 0..<50 {
          Realm.Configuration.defaultConfiguration = named("\(number).\(step % 3)")
          try? add()
        }
      }
      Realm.Configuration.defaultConfiguration = named("last")
      try #require(Realm.openRealms.isEmpty)
    }
  }

  @Test func aConfigurationOfItsOwnRealmHoldsItWithAllItsCopies() throws {
    var configuration: Realm.Configuration? = .inMemory(objectTypes: [Item.self])
    let identifier = try #require(configuration?.inMemoryIdentifier)
    try add(to: configuration)
    #expect(try count(in: configuration) == 1)
    var copy = configuration
    configuration = nil
    #expect(try count(in: copy) == 1)
    #expect(present(named(identifier))?.holders == [.configuration])
    copy?.inMemoryIdentifier = UUID().uuidString
    #expect(goes(named(identifier)))
  }

  @Test func theConfigurationThatARealmGivesHoldsItToo() throws {
    func made() throws -> Realm.Configuration {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Item.self]))
      try realm.write { _ = realm.create(Item.self) }
      return realm.configuration
    }
    var configuration: Realm.Configuration? = try made()
    #expect(try count(in: configuration) == 1)
    let identifier = try #require(configuration?.inMemoryIdentifier)
    configuration = nil
    #expect(goes(named(identifier)))
  }

  @Test func aRealmDoesNotKeepItselfByItsConfiguration() throws {
    var realm: Realm? = try Realm(configuration: .inMemory(objectTypes: [Item.self]))
    let identifier = try #require(realm?.configuration.inMemoryIdentifier)
    var frozen = realm?.freeze()
    realm = nil
    #expect(present(named(identifier))?.frozenCount == 1)
    frozen = nil
    #expect(goes(named(identifier)) && frozen == nil)
  }

  @Test func aLifetimeOfTheProcessKeepsTheData() throws {
    var configuration = named()
    configuration.inMemoryLifetime = .process
    try add(to: configuration)
    #expect(try count(in: named(configuration.inMemoryIdentifier ?? "")) == 1)
    #expect(present(configuration)?.holders == [.process])
  }
}

@Suite struct OpenRealmsTests {
  @Test func anOpenRealmListsExecutorsAndTheirVersions() throws {
    let configuration = named()
    let realm = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Item.self) }
    let queue = DispatchQueue(label: "looking")
    let other = try queue.sync { Held(try Realm(configuration: configuration, queue: queue)) }
    queue.sync { other.value.autorefresh = false }
    #expect(queue.sync { other.value.objects(Item.self).count } == 1)
    let old = realm.version
    var frozen: Realm? = realm.freeze()
    try realm.write { _ = realm.create(Item.self) }
    var open = try #require(present(configuration))
    #expect(open.executors.count == 2 && open.executors.contains("queue 'looking'"))
    #expect(open.versions == [old, realm.version] && open.latestVersion == realm.version)
    #expect(open.frozenCount == 1 && !open.isInWriteTransaction && open.holders.isEmpty && open.fileURL == nil)
    #expect(open.description.contains("queue 'looking'"))
    frozen = nil
    queue.sync { _ = other.value.refresh() }
    realm.beginWrite()
    open = try #require(present(configuration))
    #expect(open.isInWriteTransaction && open.frozenCount == 0 && open.versions == [realm.version])
    realm.cancelWrite()
    #expect(frozen == nil)
  }

  @Test func aFileIsAmongTheOpenRealmsWhileItIsOpen() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID().uuidString).realm")
    let configuration = Realm.Configuration(fileURL: url, objectTypes: [Item.self])
    defer { _ = try? Realm.deleteFiles(for: configuration) }
    func isOpen() -> Bool { Realm.openRealms.contains { $0.fileURL?.lastPathComponent == url.lastPathComponent } }
    func open() throws {
      let realm = try Realm(configuration: configuration)
      #expect(isOpen())
      withExtendedLifetime(realm) {}
    }
    try open()
    // Other tests list the open realms too, which holds each of them for a moment.
    #expect(await eventually { !isOpen() })
  }
}
