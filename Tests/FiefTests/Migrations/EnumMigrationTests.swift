import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private enum Level: Int, PersistableEnum { case low = 1, high = 10 }
private enum Mood: String, PersistableEnum { case calm, wild }
private enum Plain: Int, PersistableEnum { case none = 0, some = 1 }

/// A custom type that refuses zero.
private struct Positive: FailableCustomPersistable, Equatable {
  typealias PersistedType = Int
  var number: Int
  init?(persistedValue: Int) {
    if persistedValue <= 0 { return nil }
    number = persistedValue
  }
  var persistableValue: Int { number }
}

private enum First {
  class Dog: PastClass {
    @Persisted var name = ""
    @Persisted var size = ""
  }
  static let types: [ObjectBase.Type] = [Dog.self]
}

private enum Second {
  class Dog: PastClass {
    @Persisted var name = ""
    @Persisted var size = Level.high
    @Persisted var level = Level.high
    @Persisted var bare: Level
    @Persisted(indexed: true) var mood = Mood.wild
    @Persisted var maybe: Level?
    @Persisted var plain = Plain.some
    @Persisted var positive = Positive(persistedValue: 7)!
    @Persisted var moods: List<Mood>
  }
  static let types: [ObjectBase.Type] = [Dog.self]
}

private enum Third {
  class Dog: PastClass {
    @Persisted var name = ""
    @Persisted var level = Level.high
  }
  static let types: [ObjectBase.Type] = [Dog.self]
}

/// Enums without a case for zero in properties that a migration adds.
@Suite struct EnumMigrationTests {
  private let file: Changing

  init() throws {
    file = try Changing()
    try file.make(First.types) { realm in
      for name in ["Rex", "Max"] { realm.create(First.Dog.self, value: ["name": name, "size": "s"]) }
    }
  }

  private func check(_ dog: Second.Dog) {
    #expect(dog.size == .high && dog.level == .high && dog.bare == .low && dog.mood == .wild && dog.maybe == nil)
    // Zero is a value of this one, and stays.
    #expect(dog.plain == .none)
    #expect(dog.positive.number == 7 && dog.moods.isEmpty)
    #expect(dog.description.contains("level = 10;") && dog.detached().bare == .low)
  }

  @Test(arguments: [false, true]) func theDeclaredDefaultIsWhereZeroIsNoCase(hasBlock: Bool) throws {
    var configuration = file.configuration(Second.types, 1)
    if hasBlock { configuration.migrationBlock = { _, _ in } }
    let report = try Realm.rehearseMigration(configuration: configuration)
    #expect(
      report.defaults.map { "\($0.className).\($0.propertyName) \($0.value) \($0.count)" } == [
        "Dog.size 10 2", "Dog.level 10 2", "Dog.bare 1 2", "Dog.mood 'wild' 2", "Dog.positive 7 2",
      ])
    #expect("\(report)".contains("Properties that begin with their default:") && report.failure == nil)
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Second.Dog.self).count == 2)
    for dog in realm.objects(Second.Dog.self) { check(dog) }
    #expect(realm.objects(Second.Dog.self).where { $0.mood == .wild }.count == 2)
  }

  @Test func theBlockSeesTheDefaultAndMaySetAnotherValue() throws {
    let configuration = file.configuration(Second.types, 1) { migration, _ in
      migration.enumerateObjects(ofType: "Dog") { old, new in
        #expect(new?["level"] as? Int == 10)
        new?["level"] = old?["name"] as? String == "Rex" ? Level.low.rawValue : 10
      }
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Second.Dog.self).map(\.level) == [.low, .high])
  }

  @Test func theLogNamesTheProperty() async {
    await #expect(processExitsWith: .success) {
      let lines = Noted<String>()
      Logger.shared = Logger(level: .info) { _, line in lines.note(line) }
      let file = try Changing()
      try file.make(First.types) { $0.create(First.Dog.self, value: ["name": "Rex"]) }
      _ = try Realm(configuration: file.configuration(Second.types, 1))
      let found = lines.values.filter { $0.contains("'Dog.level' of 1 objects to its default 10") }
      try #require(found.count == 1, "\(lines.values)")
    }
  }

  /// Such as a case that was removed, or a number that code without classes has stored.
  @Test func aRawValueWithoutACaseIsPrinted() throws {
    let configuration = file.configuration(Third.types, 1)
    let realm = try Realm(configuration: configuration)
    let dog = try #require(realm.objects(Third.Dog.self).first)
    try realm.write { realm.dynamicObjects("Dog").first?["level"] = 5 }
    #expect(dog.description.contains("level = 5;"), "\(dog)")
    #expect("\(realm.objects(Third.Dog.self))".contains("level = 5;"))
  }

  @Test func readingARawValueWithoutACaseNamesThePropertyAndWhatToDo() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = Realm.Configuration.inMemory(objectTypes: Third.types)
      configuration.schemaVersion = 1
      let realm = try Realm(configuration: configuration)
      let dog = try realm.write { realm.create(Third.Dog.self) }
      try realm.write { realm.dynamicObjects("Dog").first?["level"] = 5 }
      print(dog.level)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("'Dog.level'") && text.contains("in a migrationBlock or through a DynamicObject"))
  }
}
