import FiefTestSupport
import RealmSwift
import Testing

private class Item: Object {
  @Persisted var number = 0
}

@Suite struct InMemorySeedTests {
  @Test func anInMemoryRealmBeginsWithTheContentsOfItsSeed() throws {
    try TemporaryFolder.with { folder in
      let file = folder.appendingPathComponent("seed.realm")
      do {
        let realm = try Realm(configuration: .init(fileURL: file, schemaVersion: 0, objectTypes: [Item.self]))
        try realm.write { for number in 0..<3 { realm.create(Item.self, value: ["number": number]) } }
      }
      let bytes = try Data(contentsOf: file)
      let (a, b) = (
        try Realm(configuration: .inMemory(objectTypes: [Item.self], seedFilePath: file)),
        try Realm(configuration: .inMemory(objectTypes: [Item.self], seedFilePath: file))
      )
      try a.write { a.deleteAll() }
      #expect(a.isEmpty && b.objects(Item.self).sum(ofProperty: "number") == 3)
      #expect(try Data(contentsOf: file) == bytes)
    }
  }

  @Test func aMissingSeedIsAnError() throws {
    try TemporaryFolder.with { folder in
      let missing = folder.appendingPathComponent("none.realm")
      let error = #expect(throws: CocoaError.self) {
        try Realm(configuration: .inMemory(objectTypes: [Item.self], seedFilePath: missing))
      }
      #expect(error?.code == .fileReadNoSuchFile)
    }
  }

  @Test func aSeedThatIsNoRealmIsRefused() throws {
    try TemporaryFolder.with { folder in
      let file = folder.appendingPathComponent("text.realm")
      try Data("no realm, but text that is long enough".utf8).write(to: file)
      let error = #expect(throws: Realm.Error.self) {
        try Realm(configuration: .inMemory(objectTypes: [Item.self], seedFilePath: file))
      }
      #expect(error?.code == .invalidDatabase)
    }
  }
}
