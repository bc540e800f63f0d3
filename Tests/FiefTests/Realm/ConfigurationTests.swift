import FiefTestSupport
import RealmSwift
import Testing

private class Item: Object {
  @Persisted var number = 0
}

/// The error of opening a configuration; an empty text when it opens.
private func refusal(_ change: (inout Realm.Configuration) -> Void) -> String {
  var configuration = Realm.Configuration.inMemory(objectTypes: [Item.self])
  change(&configuration)
  do {
    _ = try Realm(configuration: configuration)
    return ""
  } catch let error as Realm.Error where error.code == .fail { return error.localizedDescription } catch {
    return "of another kind: \(error)"
  }
}

@Suite struct ConfigurationTests {
  @Test func everyPropertyHasItsDefault() {
    let configuration = Realm.Configuration()
    #expect(configuration.fileURL == Realm.Configuration.defaultFileURL && configuration.inMemoryIdentifier == nil)
    #expect(configuration.encryptionKey == nil && !configuration.readOnly && configuration.schemaVersion == 0)
    #expect(!configuration.deleteRealmIfMigrationNeeded && configuration.shouldCompactOnLaunch == nil)
    #expect(configuration.objectTypes == nil && configuration.seedFilePath == nil && configuration.fileMode == nil)
    #expect(configuration.maximumNumberOfActiveVersions == nil && configuration.durability == .full)
    #expect(configuration.parallelQueries)
    #expect(configuration.ingestHandler == nil && configuration.outboxName == "" && configuration.dynamicSchema == nil)
    #expect(configuration.outboxLimit == 100_000 && configuration.inMemoryLifetime == .lastReference)
  }

  @Test func aFileAndAnIdentifierReplaceEachOther() {
    let url = URL(fileURLWithPath: "/tmp/a.realm")
    var configuration = Realm.Configuration(fileURL: url, inMemoryIdentifier: "a")
    #expect(configuration.fileURL == nil && configuration.inMemoryIdentifier == "a")
    configuration.fileURL = url
    #expect(configuration.fileURL == url && configuration.inMemoryIdentifier == nil)
    configuration.inMemoryIdentifier = "b"
    #expect(configuration.fileURL == nil && configuration.inMemoryIdentifier == "b")
    configuration.fileURL = nil
    #expect(configuration.inMemoryIdentifier == "b")
  }

  @Test func whatContradictsItselfIsRefusedByName() {
    #expect(refusal { _ in } == "")
    #expect(refusal { $0.schemaVersion = .max }.contains("Schema version"))
    #expect(refusal { $0.encryptionKey = Data(count: 64) }.contains("encryptionKey"))
    #expect(refusal { $0.inMemoryIdentifier = "" }.contains("identifier"))
    #expect(refusal { $0.fileMode = 0o077 }.contains("fileMode"))
    #expect(refusal { $0.readOnly = true }.contains("readOnly"))
    #expect(refusal { $0.outboxLimit = -1 }.contains("outboxLimit"))
    #expect(refusal { $0.objectTypes = [Object.self] }.contains("objectTypes"))
    #expect(refusal { $0.dynamicSchema = DynamicSchema() }.contains("dynamicSchema"))
  }

  @Test func aRealmWithoutAFileAndAnIdentifierTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = Realm.Configuration()
      configuration.fileURL = nil
      _ = try Realm(configuration: configuration)
    }
    expectSentence("A realm was opened without a fileURL and without an inMemoryIdentifier", of: result)
  }

  @Test func theDescriptionNamesWhatIsSetAndHidesTheKey() {
    var configuration = Realm.Configuration.inMemory(named: "kennel", objectTypes: [Item.self])
    configuration.encryptionKey = Data("secret".utf8)
    configuration.seedFilePath = URL(fileURLWithPath: "/tmp/seed.realm")
    configuration.maximumNumberOfActiveVersions = 7
    configuration.parallelQueries = false
    let text = configuration.description
    for word in [
      "kennel", "Item", "/tmp/seed.realm", "maximumNumberOfActiveVersions = 7", "parallelQueries = false",
      "encryptionKey",
    ] {
      #expect(text.contains(word), "\(text)")
    }
    #expect(!text.contains("secret") && !text.contains("6 bytes"))
  }

  @Test func queriesOverManyObjectsAreTheSameOnOneProcessorAndOnAll() throws {
    for isParallel in [true, false] {
      var configuration = Realm.Configuration.inMemory(objectTypes: [Item.self])
      configuration.parallelQueries = isParallel
      let realm = try Realm(configuration: configuration)
      try realm.write { for number in 0..<250_500 { realm.create(Item.self, value: ["number": number]) } }
      let found = realm.objects(Item.self).where { $0.number > 3 && $0.number != 77 }
      #expect(found.count == 250_495)
      #expect(found.map(\.number) == (4..<250_500).filter { $0 != 77 })
    }
  }
}
