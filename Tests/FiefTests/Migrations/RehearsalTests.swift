import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private enum First {
  class Dog: PastClass {
    @Persisted var id = 0
    @Persisted var name = ""
    @Persisted var weight = 0.0
    @Persisted var colour = ""
    @Persisted var toys: List<Toy>
  }
  class Toy: PastClass { @Persisted var name = "" }
  static let types: [ObjectBase.Type] = [Dog.self, Toy.self]
}

private enum Second {
  class Dog: PastClass {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var callName = ""
    @Persisted var weight = 0
    @Persisted var toys: List<Toy>
    @Persisted var chip: String?
  }
  class Toy: PastPart { @Persisted var name = "" }
  class Badge: PastClass { @Persisted var text = "" }
  static let types: [ObjectBase.Type] = [Dog.self, Toy.self, Badge.self]

  static let block: MigrationBlock = { migration, _ in
    migration.renameProperty(onType: "Dog", from: "name", to: "callName")
    migration.enumerateObjects(ofType: "Dog") { old, new in
      guard let old, let new else { return }
      if old["id"] as? Int == 3 { return migration.delete(new) }
      new["weight"] = Int(old["weight"] as? Double ?? 0)
      new["chip"] = "c\(old["id"] ?? 0)"
    }
    migration.create("Badge", value: ["text": "gold"])
  }
}

private enum Third {
  class Dog: PastClass {
    @Persisted var toys: List<Toy>
    @Persisted var toy: Toy?
    @Persisted var notes: AnyRealmValue
    @Persisted var age = 0
  }
  class Toy: PastClass { @Persisted var name = "" }
  static let types: [ObjectBase.Type] = [Dog.self, Toy.self]
}

private enum Fourth {
  class Dog: PastClass { @Persisted var age = 0 }
}

@Suite struct RehearsalTests {
  private let file: Changing

  init() throws { file = try Changing() }

  private func make(_ ids: [Int]) throws {
    try file.make(First.types) { realm in
      let ball = realm.create(First.Toy.self, value: ["name": "ball"])
      realm.create(First.Toy.self, value: ["name": "lost"])
      for id in ids {
        realm.create(
          First.Dog.self,
          value: ["id": id, "name": "d\(id)", "weight": Double(id) + 0.5, "colour": "red", "toys": [ball]])
      }
    }
  }

  @Test func theReportAgreesWithWhatTheMigrationThenDoesAndTheFileIsNotChanged() throws {
    try make([1, 2, 3])
    let before = try file.bytes()
    let configuration = file.configuration(Second.types, 1, Second.block)
    let report = try Realm.rehearseMigration(configuration: configuration)
    #expect(try file.bytes() == before)
    #expect(
      report.failure == nil && report.duplicates.isEmpty && report.storedVersion == 0 && report.schemaVersion == 1)
    let dogs = try #require(report.classes.first { $0.className == "Dog" })
    #expect(dogs.storedCount == 3 && dogs.readCount == 3 && dogs.createdCount == 0 && dogs.deletedCount == 1)
    #expect(dogs.changedCount == 2)
    let toys = try #require(report.classes.first { $0.className == "Toy" })
    #expect(toys.storedCount == 2 && toys.copiedCount == 1 && toys.createdCount == 1 && toys.deletedCount == 1)
    #expect(report.classes.first { $0.className == "Badge" }?.createdCount == 1)
    #expect(
      report.losses.map { "\($0.propertyName) \($0.kind) \($0.count) \($0.example)" } == [
        "weight rounded 2 1.5", "colour removed 2 \"red\"",
      ]
        || report.losses.map { "\($0.propertyName) \($0.kind) \($0.count)" } == [
          "weight rounded 2", "colour removed 2",
        ])
    for line in ["Dog: 3 stored", "weight: 2 rounded", "colour: 2 removed", "Class 'Badge' has been added"] {
      #expect("\(report)".contains(line), "\(report)")
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Second.Dog.self).map(\.weight) == [1, 2] && realm.objects(Second.Badge.self).count == 1)
    #expect(realm.objects(Second.Dog.self).map { $0.toys[0].name } == ["ball", "ball"])
  }

  @Test func aLostLinkIsNamedByTheClassOfItsObject() throws {
    try file.make(Third.types) { realm in
      let ball = realm.create(Third.Toy.self, value: ["name": "ball"])
      realm.create(Third.Dog.self, value: ["toys": [ball, ball], "toy": ball, "notes": [1, 2]])
    }
    let report = try Realm.rehearseMigration(configuration: file.configuration([Fourth.Dog.self], 1))
    #expect(
      report.losses.map { "\($0.propertyName) \($0.kind), such as \($0.example)" } == [
        "toys removed, such as 2 elements from Toy #0", "toy removed, such as Toy #0",
        "notes removed, such as a list or a dictionary",
      ])
  }

  @Test func aFileThatIsOpenCanBeRehearsed() throws {
    try make([1])
    let open = try file.open(First.types)
    let report = try Realm.rehearseMigration(configuration: file.configuration(Second.types, 1, Second.block))
    #expect(report.failure == nil && open.objects(First.Dog.self).count == 1)
  }

  @Test func repeatedKeysAreListedWithTheFailure() throws {
    try make([7, 7, 9, 9, 9, 5])
    let report = try Realm.rehearseMigration(configuration: file.configuration(Second.types, 1))
    #expect((report.failure as? Realm.Error)?.code == .fail)
    #expect(
      report.duplicates.map { "\($0.propertyNames) \($0.values) \($0.count)" } == ["[\"id\"] 7 2", "[\"id\"] 9 3"])
    #expect("\(report)".contains("It would fail") && "\(report)".contains("Dog.id: 9 in 3 objects"))
  }

  @Test(arguments: [
    PropertyType.int, .bool, .float, .double, .data, .date, .decimal128, .objectId, .UUID,
  ])
  func valuesAreLostWhereAnotherTypeBeginsWithZero(_ type: PropertyType) throws {
    func configuration(_ type: PropertyType, _ version: UInt64) -> Realm.Configuration {
      var configuration = Realm.Configuration(fileURL: file.url, schemaVersion: version)
      configuration.dynamicSchema = DynamicSchema([.init("Dog", [.init("mark", type)])])
      return configuration
    }
    do {
      let realm = try Realm(configuration: configuration(.string, 0))
      try realm.write { for mark in ["a", "", "b"] { realm.dynamicCreate("Dog", value: ["mark": mark]) } }
    }
    let report = try Realm.rehearseMigration(configuration: configuration(type, 1))
    #expect(report.losses.map { "\($0.propertyName) \($0.kind) \($0.count)" } == ["mark lost 2"])
    // What begins with zero has nothing to lose.
    _ = try Realm(configuration: configuration(type, 1))
    #expect(try Realm.rehearseMigration(configuration: configuration(.string, 2)).losses.isEmpty)
  }

  @Test func anErrorOfTheBlockIsInTheReport() throws {
    struct Halt: Error {}
    try make([1])
    let report = try Realm.rehearseMigration(
      configuration: file.configuration(Second.types, 1) { _, _ in throw Halt() })
    #expect(report.failure is Halt && report.duplicates.isEmpty && report.classes.isEmpty)
  }

  /// The losses are those of the contents that the migration has reached.
  @Test func aFailingRehearsalListsTheLossesUntilThen() throws {
    struct Halt: Error {}
    func losses(_ block: MigrationBlock?) throws -> [String] {
      let report = try Realm.rehearseMigration(configuration: file.configuration(Second.types, 1, block))
      #expect(report.failure != nil && "\(report)".contains("Values that are not carried over:"))
      return report.losses.map { "\($0.propertyName) \($0.kind) \($0.count)" }
    }
    // Two objects with one primary key: the block has ended.
    try make([1, 1])
    #expect(try losses(nil) == ["name removed 2", "weight lost 2", "colour removed 2"])
    #expect(try losses(Second.block) == ["weight rounded 2", "colour removed 2"])
    // The block fails at its end, in the middle, and at its beginning.
    #expect(
      try losses { migration, version in
        try Second.block(migration, version)
        throw Halt()
      } == ["weight rounded 2", "colour removed 2"])
    #expect(
      try losses { migration, _ in
        migration.renameProperty(onType: "Dog", from: "name", to: "callName")
        throw Halt()
      } == ["weight lost 2", "colour removed 2"])
    #expect(try losses { _, _ in throw Halt() } == ["name removed 2", "weight lost 2", "colour removed 2"])
    // A mistake is noted, and ends the migration when the block returns.
    #expect(
      try losses { migration, version in
        try Second.block(migration, version)
        migration.renameProperty(onType: "Dog", from: "none", to: "callName")
      } == ["weight rounded 2", "colour removed 2"])
  }

  @Test func anEqualVersionReportsTheRefusal() throws {
    try make([1])
    let report = try Realm.rehearseMigration(configuration: file.configuration(Second.types, 0))
    #expect((report.failure as? Realm.Error)?.code == .schemaMismatch && report.difference.needsMigration)
    let same = try Realm.rehearseMigration(configuration: file.configuration(First.types, 0))
    #expect(same.failure == nil && same.difference.isEmpty && "\(same.difference)" == "The schemas are equal.")
  }

  @Test func aReadOnlyRealmIsRefusedAsByItsOpening() throws {
    try make([1])
    var configuration = file.configuration(Second.types, 1, Second.block)
    configuration.readOnly = true
    let report = try Realm.rehearseMigration(configuration: configuration)
    let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    #expect(error?.code == .fail && report.classes.isEmpty)
    #expect(error.map { "\($0)" } == report.failure.map { "\($0)" })
  }

  @Test func thereIsNothingToRehearseWithoutAFile() throws {
    let missing = #expect(throws: Realm.Error.self) {
      try Realm.rehearseMigration(configuration: file.configuration(First.types))
    }
    #expect(missing?.code == .fileNotFound)
    let inMemory = #expect(throws: Realm.Error.self) { try Realm.rehearseMigration(configuration: .inMemory()) }
    #expect(inMemory?.code == .fail)
  }

  @Test func theDifferenceOfSchemasNamesEachClassAndProperty() throws {
    try make([])
    let difference = try Realm.schemaDifference(fileURL: file.url, to: Second.types)
    let needed = difference.changes.filter(\.needsMigration)
    #expect(
      needed.map { "\($0.className).\($0.propertyName ?? "-")" }.sorted() == [
        "Dog.-", "Dog.callName", "Dog.chip", "Dog.colour", "Dog.name", "Dog.weight", "Toy.-",
      ])
    let others = difference.changes.filter { !$0.needsMigration }.map(\.description)
    #expect(
      others.sorted() == ["Class 'Badge' has been added.", "Property 'Dog.callName' has got an index."])
    #expect("\(difference)".contains("! Property 'Dog.weight' has been changed from 'double' to 'int'."))
    #expect(try Realm.schemaDifference(fileURL: file.url, to: First.types).isEmpty)
    #expect(try Realm.schemaDifference(fileURL: file.url, to: [First.Toy.self]).changes.map(\.className) == ["Dog"])
  }
}
