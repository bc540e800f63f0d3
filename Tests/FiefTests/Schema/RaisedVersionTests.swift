import FiefTestSupport
import Foundation
import RealmSwift
import Testing

/// Classes of several versions of an application; each version lists its own.
private class Past: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Part: EmbeddedObject {
  @Persisted var name = ""
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private enum First {
  class Dog: Past {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted(indexed: true) var age = 0
    @Persisted var parts: List<Part>
    @Persisted var toy: Toy?
  }
  class Toy: Past {
    @Persisted var name = ""
  }
  static let types: [ObjectBase.Type] = [Dog.self, Toy.self, Part.self]
}

private enum Second {
  class Dog: Past {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = "Rex"
    @Persisted(indexed: true) var city = "Ulm"
    @Persisted var nick: String? = "R"
    @Persisted var weight = 7.5
    @Persisted var isGood = true
    @Persisted var born = Date()
    @Persisted var chip: UUID
    @Persisted var tags: List<String>
    @Persisted var house: House?
  }
  class House: Past {
    @Persisted var street = ""
  }
  static let types: [ObjectBase.Type] = [Dog.self, House.self]
}

private enum Third {
  class Dog: Past {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: Int
    @Persisted var age: Int?
    @Persisted var city: String
  }
  static let types: [ObjectBase.Type] = [Dog.self]
}

private enum Fourth {
  class Dog: Past {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted(indexed: .unique) var chip: String
  }
  static let types: [ObjectBase.Type] = [Dog.self]
}

private enum Fifth {
  class Dog: Past {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
  }
  class Toy: Past {
    @Persisted(indexed: .unique) var name: String
  }
}

@Suite struct RaisedVersionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func configuration(
    _ types: [ObjectBase.Type], _ version: UInt64, _ change: (inout Realm.Configuration) -> Void = { _ in }
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: folder.url.appendingPathComponent("dogs.realm"), schemaVersion: version, objectTypes: types)
    change(&configuration)
    return configuration
  }

  /// Two dogs of the first version.
  private func makeDogs() throws {
    let realm = try Realm(configuration: configuration(First.types, 0))
    try realm.write {
      for (id, name) in ["Ada", "Bob"].enumerated() {
        realm.create(
          First.Dog.self,
          value: ["id": id, "name": name, "age": 3 + id, "parts": [["name": "tail"]], "toy": ["name": "ball"]])
      }
    }
  }

  private func error(opening configuration: Realm.Configuration) -> Realm.Error? {
    do {
      _ = try Realm(configuration: configuration)
      return nil
    } catch {
      return error as? Realm.Error
    }
  }

  private func storedVersion() throws -> UInt64 { try schemaVersionAtURL(configuration([], 0).fileURL!) }

  @Test func aRaisedVersionAddsPropertiesWithZeroAndRemovesOthers() throws {
    try makeDogs()
    let raised = configuration(Second.types, 1)
    do {
      let realm = try Realm(configuration: raised)
      let dog = try #require(realm.object(ofType: Second.Dog.self, forPrimaryKey: 1))
      #expect(dog.name == "Bob" && dog.city == "" && dog.nick == nil && dog.weight == 0 && !dog.isGood)
      #expect(dog.born == Date(timeIntervalSince1970: 0) && dog.chip.uuidString.allSatisfy { "0-".contains($0) })
      #expect(dog.tags.isEmpty && dog.house == nil && realm.objects(Second.House.self).isEmpty)
      #expect(realm.objects(Second.Dog.self).where { $0.city == "" }.count == 2)
      #expect(realm.schema["Dog"]?["age"] == nil)
    }
    #expect(try storedVersion() == 1)
    #expect(try Realm.verify(fileURL: raised.fileURL!).problems == [])
    // A removed property loses its values: declaring it again does not restore them.
    let again = try Realm(configuration: configuration(First.types, 2))
    let dog = try #require(again.object(ofType: First.Dog.self, forPrimaryKey: 1))
    #expect(dog.name == "Bob" && dog.age == 0 && dog.parts.isEmpty && dog.toy == nil)
  }

  @Test func theRaisedVersionIsStoredWhenNothingElseChanges() throws {
    try makeDogs()
    _ = try Realm(configuration: configuration(First.types, 7))
    #expect(try storedVersion() == 7)
    #expect(error(opening: configuration(First.types, 6))?.code == .fail)
  }

  @Test func objectsOfAClassThatIsGoneStayInTheFile() throws {
    try makeDogs()
    do {
      let realm = try Realm(configuration: configuration(Second.types, 1))
      #expect(realm.schema["Toy"] == nil)
    }
    let realm = try Realm(configuration: configuration(First.types, 2))
    #expect(realm.objects(First.Toy.self).map(\.name) == ["ball", "ball"])
  }

  @Test func theSameVersionIsRefusedWithEachDifferenceAndWhatToDo() throws {
    try makeDogs()
    let refusal = try #require(error(opening: configuration(Second.types, 0)))
    #expect(refusal.code == .schemaMismatch && refusal.fileURL?.lastPathComponent == "dogs.realm")
    for line in [
      "- Property 'Dog.city' has been added.", "- Property 'Dog.age' has been removed.",
      "raised: the file has 0, so set it to 1.", "deleteRealmIfMigrationNeeded",
    ] {
      #expect(refusal.localizedDescription.contains(line))
    }
    let realm = try Realm(configuration: configuration(First.types, 0))
    #expect(realm.objects(First.Dog.self).map(\.age) == [3, 4])
  }

  @Test func changedTypesAreRefusedUnderTheSameVersionAndNothingIsChanged() throws {
    try makeDogs()
    let refusal = try #require(error(opening: configuration(Third.types, 0)))
    #expect(refusal.code == .schemaMismatch)
    let text = refusal.localizedDescription
    #expect(text.contains("- Property 'Dog.name' has been changed from 'string' to 'int'."))
    #expect(text.contains("- Property 'Dog.age' has been made optional."))
    #expect(text.contains("migrationBlock"))
    #expect(try storedVersion() == 0)
    let realm = try Realm(configuration: configuration(First.types, 0))
    #expect(realm.objects(First.Dog.self).map(\.name) == ["Ada", "Bob"])
  }

  @Test func aRaisedVersionMakesChangedPropertiesZeroAndKeepsThoseThatBecomeOptional() throws {
    try makeDogs()
    let realm = try Realm(configuration: configuration(Third.types, 1))
    #expect(realm.objects(Third.Dog.self).map(\.name) == [0, 0])
    #expect(realm.objects(Third.Dog.self).map(\.age) == [3, 4])
    #expect(try storedVersion() == 1)
  }

  @Test func anAddedPropertyThatAllowsAValueOnceIsRefusedWhereSeveralObjectsAre() throws {
    try makeDogs()
    let refusal = try #require(error(opening: configuration(Fourth.types, 1)))
    #expect(refusal.code == .uniqueConstraint && refusal.localizedDescription.contains("Dog"))
    #expect(try storedVersion() == 0)
    let realm = try Realm(configuration: configuration(First.types, 0))
    #expect(realm.objects(First.Dog.self).map(\.parts.count) == [1, 1])
  }

  @Test func aLowerVersionIsRefusedUnlessTheFileMayBeEmptied() throws {
    try makeDogs()
    _ = try Realm(configuration: configuration(First.types, 3))
    let refusal = try #require(error(opening: configuration(First.types, 2)))
    #expect(refusal.code == .fail && refusal.localizedDescription.contains("less than last set version 3"))
    let realm = try Realm(configuration: configuration(First.types, 2) { $0.deleteRealmIfMigrationNeeded = true })
    #expect(realm.isEmpty)
    #expect(try storedVersion() == 2)
  }

  @Test func aFileOfManyClassesIsEmptiedWhenItsSchemaDiffers() throws {
    try makeDogs()
    let realm = try Realm(configuration: configuration(Third.types, 0) { $0.deleteRealmIfMigrationNeeded = true })
    #expect(realm.isEmpty && realm.schema["Toy"] == nil)
    try realm.write { realm.create(Third.Dog.self, value: ["id": 1, "name": 5]) }
    #expect(realm.objects(Third.Dog.self).first?.name == 5)
  }

  // MARK: Read-only

  private func reading(_ types: [ObjectBase.Type], _ version: UInt64 = 0) -> Realm.Configuration {
    configuration(types, version) { $0.readOnly = true }
  }

  @Test func aReadOnlyFileThatLacksAClassOpensAndTheClassIsEmpty() throws {
    try makeDogs()
    let before = try contents()
    do {
      let realm = try Realm(configuration: reading(First.types + [Second.House.self]))
      #expect(realm.objects(Second.House.self).isEmpty && realm.objects(First.Dog.self).count == 2)
    }
    #expect(try contents() == before)
  }

  @Test func aReadOnlyFileMayHaveMoreThanTheClassesAskFor() throws {
    try makeDogs()
    let realm = try Realm(configuration: reading([Fifth.Dog.self]))
    #expect(realm.objects(Fifth.Dog.self).map(\.name) == ["Ada", "Bob"])
  }

  @Test func aReadOnlyFileThatLacksAnIndexOpensAlsoWhenItWouldForbidWhatIsThere() throws {
    try makeDogs()
    let before = try contents()
    do {
      let realm = try Realm(configuration: reading([Fifth.Toy.self]))
      #expect(realm.objects(Fifth.Toy.self).where { $0.name == "ball" }.count == 2)
    }
    #expect(try contents() == before)
  }

  @Test func aReadOnlyFileThatLacksAPropertyIsRefused() throws {
    try makeDogs()
    let refusal = try #require(error(opening: reading(Fourth.types)))
    #expect(refusal.code == .fail && refusal.localizedDescription.contains("'Dog.chip' has been added"))
    #expect(refusal.localizedDescription.contains("read-only"))
  }

  @Test func aReadOnlyFileIsRefusedUnderAnotherSchemaVersion() throws {
    try makeDogs()
    _ = try Realm(configuration: configuration(First.types, 3))
    for version: UInt64 in [0, 2, 4] {
      let refusal = try #require(error(opening: reading(First.types, version)))
      #expect(refusal.code == .fail && refusal.localizedDescription.contains("schemaVersion to 3"))
    }
    #expect(try Realm(configuration: reading(First.types, 3)).objects(First.Dog.self).count == 2)
  }

  private func contents() throws -> [Data] {
    try ["", ".journal"].map { try Data(contentsOf: folder.url.appendingPathComponent("dogs.realm" + $0)) }
  }
}
