import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private let first = DynamicSchema([
  .init(
    "Person",
    [.init("name", .string), .init("age", .string), .init("home", .object, linkingTo: "Home"), .init("old", .int)]),
  .init("Home", [.init("street", .string)]), .init("Note", [.init("text", .string)]),
])

private let second = DynamicSchema([
  .init(
    "Human", primaryKey: "id",
    [
      .init("id", .int), .init("fullName", .string, index: .unique), .init("age", .int, isOptional: true),
      .init("home", .object, linkingTo: "Home"), .init("homes", .object, .list, linkingTo: "Home"),
    ]), .init("Home", isEmbedded: true, [.init("street", .string)]),
])

/// Migrations to schemas that are made at run time, with code.
@Suite struct DynamicMigrationTests {
  private let file: Changing

  init() throws {
    file = try Changing()
    let realm = try Realm(configuration: configuration(first, 1))
    try realm.write {
      let home = realm.dynamicCreate("Home", value: ["street": "Elm"])
      realm.dynamicCreate("Person", value: ["name": "Ann", "age": "31", "home": home, "old": 4] as [String: Any])
      realm.dynamicCreate("Person", value: ["name": "Bob", "age": "?", "home": home] as [String: Any])
      realm.dynamicCreate("Note", value: ["text": "a note"])
    }
  }

  private func configuration(
    _ schema: DynamicSchema, _ version: UInt64, _ block: MigrationBlock? = nil
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(fileURL: file.url, schemaVersion: version, migrationBlock: block)
    configuration.dynamicSchema = schema
    return configuration
  }

  private static let block: MigrationBlock = { migration, _ in
    migration.renameClass(from: "Person", to: "Human")
    migration.renameProperty(onType: "Human", from: "name", to: "fullName")
    var id = 0
    migration.enumerateObjects(ofType: "Human") { old, new in
      id += 1
      new?["id"] = id
      new?["age"] = Int(old?["age"] as? String ?? "")
      new?["homes"] = [["street": "Oak"], old?["home"] as Any] as [Any]
    }
    migration.create("Human", value: ["id": 9, "fullName": "Eve", "home": ["street": "Fir"]] as [String: Any])
    migration.deleteData(forType: "Note")
  }

  private static let expected = """
    Human[1]
      id: 1
      age: 31
      fullName: "Ann"
      home: Home
        street: "Elm"
      homes: [
        Home
          street: "Oak"
        Home
          street: "Elm"
      ]

    Human[2]
      id: 2
      age: nil
      fullName: "Bob"
      home: Home
        street: "Elm"
      homes: [
        Home
          street: "Oak"
        Home
          street: "Elm"
      ]

    Human[9]
      id: 9
      age: nil
      fullName: "Eve"
      home: Home
        street: "Fir"
      homes: []

    """

  @Test func theBlockRunsWithTheSchemasOfTheFileAndOfTheConfiguration() throws {
    let noted = Noted<[String]>()
    do {
      let realm = try Realm(
        configuration: configuration(second, 2) { migration, version in
          noted.note(migration.oldSchema.objectSchema.map(\.className).sorted() + ["\(version)"])
          noted.note(migration.newSchema.objectSchema.map(\.className).sorted())
          noted.note(migration.newSchema["Human"]?.properties.map(\.name) ?? [])
          noted.note([migration.newSchema["Human"]?.primaryKeyProperty?.name ?? "-"])
          try Self.block(migration, version)
        })
      #expect(realm.dump() == Self.expected)
      #expect(realm.schema["Note"] == nil)
    }
    #expect(
      noted.values == [
        ["Home", "Note", "Person", "1"], ["Home", "Human"], ["id", "fullName", "age", "home", "homes"], ["id"],
      ])
    #expect(try file.problems() == [])
    #expect(try Realm(configuration: configuration(second, 2)).dump() == Self.expected)
  }

  @Test func stepsRunAndARealmInMemoryMigratesItsSeed() throws {
    let before = try file.bytes()
    var inMemory = Realm.Configuration.inMemory(seedFilePath: file.url)
    inMemory.dynamicSchema = second
    inMemory.schemaVersion = 2
    inMemory.migrationBlock = Migrations { Migrations.Step(2) { try Self.block($0, 1) } }.block
    #expect(try Realm.rehearseMigration(configuration: inMemory).failure == nil)
    #expect(try Realm(configuration: inMemory).dump() == Self.expected)
    #expect(try file.bytes() == before)
  }

  @Test func aRehearsalAndTheDifferenceNameClassesAndProperties() throws {
    let before = try file.bytes()
    let report = try Realm.rehearseMigration(configuration: configuration(second, 2, Self.block))
    #expect(report.failure == nil && report.losses.map(\.propertyName) == ["age", "old"])
    #expect(report.classes.first { $0.className == "Human" }?.createdCount == 1)
    #expect(report.classes.first { $0.className == "Home" }?.copiedCount == 3)
    let changes = try Realm.schemaDifference(fileURL: file.url, to: second).changes.map(\.description)
    #expect(changes.contains("Class 'Human' has been added."))
    #expect(try Realm.schemaDifference(fileURL: file.url, to: first).isEmpty)
    #expect(throws: Realm.Error.self) {
      try Realm.schemaDifference(fileURL: file.url, to: DynamicSchema([.init("", [])]))
    }
    var both = configuration(second, 2)
    both.objectTypes = []
    let error = #expect(throws: Realm.Error.self) { try Realm.rehearseMigration(configuration: both) }
    #expect(error?.localizedDescription.contains("objectTypes") ?? false)
    #expect(try file.bytes() == before)
  }

  @Test(arguments: 0..<6) func aMistakeOfTheBlockIsThrownAndTheFileStaysByteForByte(mistake: Int) throws {
    let before = try file.bytes()
    let error = #expect(throws: Realm.Error.self) {
      try Realm(
        configuration: configuration(second, 2) { migration, _ in
          migration.renameClass(from: "Person", to: "Human")
          migration.enumerateObjects(ofType: "Human") { old, new in
            switch mistake {
            case 0: new?["fulName"] = "Eve"
            case 1: old?["name"] = "Eve"
            case 2: new?["age"] = "many"
            case 3: migration.create("Being")
            case 4: new?["home"] = old
            default: new?["homes"] = [3]
            }
          }
        })
    }
    let words = ["fulName", "Human.name", "Human.age", "Being", "Human.home", "Human.homes"]
    let text = error?.localizedDescription ?? ""
    #expect(text.contains(words[mistake]) || mistake == 1 && text.contains("Person.name"), "\(text)")
    #expect(try file.bytes() == before && file.storedVersion() == 1)
  }

  @Test func repeatedKeysAreRefused() throws {
    let before = try file.bytes()
    let error = #expect(throws: Realm.Error.self) {
      try Realm.performMigration(
        for: configuration(second, 2) { migration, _ in migration.renameClass(from: "Person", to: "Human") })
    }
    #expect(error?.localizedDescription.contains("Human.id") ?? false)
    #expect(try file.bytes() == before)
  }

  @Test func uniqueValuesMayRepeatUntilTheBlockEnds() throws {
    try Realm.performMigration(for: configuration(second, 2, Self.block))
    do {
      let realm = try Realm(
        configuration: configuration(second, 3) { migration, _ in
          var names = ["Bob", "Eve", "Ann"]
          migration.enumerateObjects(ofType: "Human") { _, new in new?["fullName"] = names.removeFirst() }
        })
      #expect(realm.dynamicObjects("Human").map { $0.fullName as? String } == ["Bob", "Eve", "Ann"])
    }
    let error = #expect(throws: Realm.Error.self) {
      try Realm(
        configuration: configuration(second, 4) { migration, _ in
          migration.enumerateObjects(ofType: "Human") { _, new in new?["fullName"] = "Same" }
        })
    }
    #expect(error?.localizedDescription.contains("fullName") ?? false)
    #expect(try file.problems() == [])
  }
}

/// What a rehearsal reports of elements that may be null from now on: their cells are stored anew.
@Suite struct LoosenedListTests {
  @Test func aListThatMayHoldNullsIsNeitherChangedNorLost() throws {
    let file = try Changing()
    func configuration(_ name: String, isOptional: Bool, _ version: UInt64, _ block: MigrationBlock?)
      -> Realm.Configuration
    {
      var configuration = Realm.Configuration(fileURL: file.url, schemaVersion: version, migrationBlock: block)
      configuration.dynamicSchema = DynamicSchema([.init("A", [.init(name, .int, .list, isOptional: isOptional)])])
      return configuration
    }
    do {
      let realm = try Realm(configuration: configuration("p", isOptional: false, 1, nil))
      try realm.write { for n in 1...3 { realm.dynamicCreate("A", value: ["p": Array(1...n)]) } }
    }
    let kept = try Realm.rehearseMigration(configuration: configuration("p", isOptional: true, 2, nil))
    #expect(kept.losses.isEmpty && kept.classes.map(\.changedCount) == [0])
    let renamed = try Realm.rehearseMigration(
      configuration: configuration("q", isOptional: true, 2) { migration, _ in
        migration.renameProperty(onType: "A", from: "p", to: "q")
        migration.enumerateObjects(ofType: "A") { old, new in
          if (old?["p"] as? List<Int>)?.count == 2 { new?["q"] = [5, nil] as [Int?] }
        }
      })
    #expect(renamed.failure == nil && renamed.losses.isEmpty && renamed.classes.map(\.changedCount) == [1])
    // An empty cell is what the new column begins with, but not what the object had.
    let emptied = try Realm.rehearseMigration(
      configuration: configuration("p", isOptional: true, 2) { migration, _ in
        migration.enumerateObjects(ofType: "A") { _, new in new?["p"] = [Int?]() }
      })
    #expect(emptied.failure == nil && emptied.classes.map(\.changedCount) == [3])
    let twice = try Realm.rehearseMigration(
      configuration: configuration("q", isOptional: true, 2) { migration, _ in
        migration.renameProperty(onType: "A", from: "p", to: "q")
        migration.renameProperty(onType: "A", from: "p", to: "q")
      })
    #expect("\(String(describing: twice.failure))".contains("renamed already"))
  }

  @Test func deletedObjectsThatAreNotVisitedAreNotCountedAsRead() throws {
    let file = try Changing()
    var configuration = Realm.Configuration(fileURL: file.url)
    configuration.dynamicSchema = DynamicSchema([.init("A", [.init("p", .int)])])
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { for n in 1...3 { realm.dynamicCreate("A", value: ["p": n]) } }
    }
    configuration.schemaVersion = 1
    configuration.migrationBlock = { migration, _ in
      migration.deleteData(forType: "A")
      migration.enumerateObjects(ofType: "A") { _, _ in }
    }
    let report = try Realm.rehearseMigration(configuration: configuration)
    #expect(report.classes.map(\.readCount) == [0] && report.classes.map(\.deletedCount) == [3])
  }
}
