import FiefTestSupport
import Foundation
import RealmSwift
import Testing

/// An application in five versions. Every step leads from each older version to the newest classes.
private enum One {
  class Person: PastClass {
    @Persisted var name = ""
    @Persisted var age = ""
    @Persisted var home: Home?
  }
  class Home: PastClass { @Persisted var street = "" }
  static let types: [ObjectBase.Type] = [Person.self, Home.self]
}

/// `name` has become `title`, and `age` a number.
private enum Two {
  class Person: PastClass {
    @Persisted var title = ""
    @Persisted var age = 0
    @Persisted var home: Home?
  }
  class Home: PastClass { @Persisted var street = "" }
  static let types: [ObjectBase.Type] = [Person.self, Home.self]
}

/// `title` has become `fullName`; there is a key.
private enum Three {
  class Person: PastClass {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var fullName = ""
    @Persisted var age: Int?
    @Persisted var home: Home?
  }
  class Home: PastClass { @Persisted var street = "" }
  static let types: [ObjectBase.Type] = [Person.self, Home.self]
}

/// Homes are parts of persons.
private enum Four {
  class Person: PastClass {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var fullName = ""
    @Persisted var age: Int?
    @Persisted var home: Home?
  }
  class Home: PastPart { @Persisted var street = "" }
  static let types: [ObjectBase.Type] = [Person.self, Home.self]
}

/// The class is called `Human`, and has a list of notes.
private enum Five {
  class Human: PastClass {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var fullName = ""
    @Persisted var age: Int?
    @Persisted var home: Home?
    @Persisted var notes: List<String>
  }
  class Home: PastPart { @Persisted var street = "" }
  static let types: [ObjectBase.Type] = [Human.self, Home.self]
}

/// Classes that were renamed from version to version: A to B, and B to C.
private enum Renamed {
  class A: PastClass {
    @Persisted var text = ""
    @Persisted var number = 0
  }
  class B: PastClass {
    @Persisted var text = ""
    @Persisted var number = 0
  }
  class C: PastClass {
    @Persisted var words = ""
    @Persisted var number = 0
    @Persisted var note = ""
  }
  class D: PastClass { @Persisted var number = 0 }

  static func file(_ types: [ObjectBase.Type] = [A.self]) throws -> Changing {
    let file = try Changing()
    try file.make(types) { realm in
      for text in ["7", "8"] { realm.create(A.self, value: ["text": text]) }
      if types.count > 1 { realm.create(D.self) }
    }
    return file
  }
}

private struct Chain {
  static let types = [One.types, Two.types, Three.types, Four.types, Five.types]

  /// The migration to a version, from any version below.
  static func block(to version: Int) -> MigrationBlock {
    Migrations {
      if version >= 2 {
        Migrations.Step(2) { migration in
          migration.renameProperty(onType: "Person", from: "name", to: "title")
          migration.enumerateObjects(ofType: "Person") { old, new in
            new?["age"] = Int(old?["age"] as? String ?? "") ?? 0
          }
        }
      }
      if version >= 3 {
        Migrations.Step(3) { migration in
          migration.renameProperty(onType: "Person", from: "title", to: "fullName")
          var id = 0
          migration.enumerateObjects(ofType: "Person") { _, new in
            id += 1
            new?["id"] = id
          }
        }
      }
      if version >= 5 { Migrations.Step(5, renaming: ["Person": "Human"]) }
    }.block
  }

  static func make(_ file: Changing, _ persons: [(String, String, Int)]) throws {
    let realm = try file.open(One.types, 1)
    try realm.write {
      let homes = (0..<3).map { realm.create(One.Home.self, value: ["street": "s\($0)"]) }
      for (name, age, home) in persons {
        realm.create(
          One.Person.self, value: ["name": name, "age": age, "home": home < 3 ? homes[home] as Any : NSNull()])
      }
    }
  }

  static func text(_ realm: Realm) -> [String] {
    realm.objects(Five.Human.self).map {
      "\($0.id) \($0.fullName) \($0.age.map(String.init) ?? "nil") \($0.home?.street ?? "-") \($0.notes.count)"
    }
  }
}

@Suite struct SchemaChainTests {
  private static let persons = [("Ann", "31", 0), ("Bob", "x", 1), ("Eve", "7", 1), ("Zoe", "", 5)]
  private static let expected = ["1 Ann 31 s0 0", "2 Bob 0 s1 0", "3 Eve 7 s1 0", "4 Zoe 0 - 0"]

  @Test func allVersionsAtOnceStepByStepAndInMemoryLeadToTheSame() throws {
    try Seeds.run(count: Effort.of(debug: 12, release: 300)) { _, random in
      let persons = (0..<random.below(30)).map {
        ("p\($0)", random.bool(0.7) ? "\(random.below(90))" : "?", random.below(5))
      }
      var results: [[String]] = []
      for isAtOnce in [true, false] {
        let file = try Changing()
        try Chain.make(file, persons)
        for version in isAtOnce ? [5] : (2...5).filter({ $0 == 5 || random.bool(0.6) }) {
          let configuration = file.configuration(Chain.types[version - 1], UInt64(version), Chain.block(to: version))
          let report = try Realm.rehearseMigration(configuration: configuration)
          let before = report.classes.reduce(into: [String: Int]()) { $0[$1.className] = $1.storedCount }
          #expect(report.failure == nil && report.duplicates.isEmpty, "\(report)")
          let realm = try Realm(configuration: configuration)
          for type in Chain.types[version - 1].compactMap({ $0 as? Object.Type }) {
            let name = type.className()
            let made = report.classes.first { $0.className == name }
            let count = realm.dynamicObjects(name).count
            #expect((before[name] ?? 0) + (made?.createdCount ?? 0) - (made?.deletedCount ?? 0) == count)
          }
        }
        #expect(try file.problems() == [])
        results.append(Chain.text(try file.open(Five.types, 5)))
      }
      #expect(results[0] == results[1] && results[0].count == persons.count)
    }
  }

  // MARK: Files that earlier builds have written

  private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  /// Every version of the file, as a build has written it. `FIEF_WRITE_GOLDEN=1` writes missing files.
  @Test(arguments: 1...5) func aFileOfEachVersionIsOpenedByThisBuild(version: Int) throws {
    let source = Self.golden.appendingPathComponent("chain-\(version).hex")
    if !FileManager.default.fileExists(atPath: source.path),
      ProcessInfo.processInfo.environment["FIEF_WRITE_GOLDEN"] == "1"
    {
      let file = try Changing()
      try Chain.make(file, Self.persons)
      if version > 1 { _ = try file.open(Chain.types[version - 1], UInt64(version), Chain.block(to: version)) }
      try write(file, to: source)
    }
    let digits = try String(contentsOf: source, encoding: .utf8).compactMap(\.hexDigitValue)
    let file = try Changing()
    try Data(stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
      .write(to: file.url)
    #expect(try file.storedVersion() == UInt64(version))
    #expect(Chain.text(try file.open(Five.types, 5, Chain.block(to: 5))) == Self.expected)
  }

  private func write(_ file: Changing, to target: URL) throws {
    let copy = file.folder.url.appendingPathComponent("copy.realm")
    do {
      let realm = try Realm(
        configuration: file.configuration(
          Chain.types[Int(try file.storedVersion()) - 1], try file.storedVersion()))
      try realm.writeCopy(toFile: copy)
    }
    let bytes = [UInt8](try Data(contentsOf: copy))
    let lines = stride(from: 0, to: bytes.count, by: 32).map { start in
      bytes[start..<min(start + 32, bytes.count)].map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        .joined()
    }
    try FileManager.default.createDirectory(at: Self.golden, withIntermediateDirectories: true)
    try (lines.joined(separator: "\n") + "\n").write(to: target, atomically: true, encoding: .utf8)
  }

  // MARK: Steps

  @Test func theStepsAboveTheVersionOfTheFileRunInTheirOrder() throws {
    let file = try Changing()
    try Chain.make(file, Self.persons)
    let called = Noted<Int>()
    let migrations = Migrations {
      Migrations.Step(4) { _ in called.note(4) }
      Migrations.Step(2) { _ in called.note(2) }
      Migrations.Step(9) { _ in called.note(9) }
      for version: UInt64 in [1, 3] { Migrations.Step(version) { _ in called.note(Int(version)) } }
    }
    #expect(migrations.schemaVersion == 9 && migrations.steps.map(\.version) == [1, 2, 3, 4, 9])
    _ = try file.open(One.types, 4, migrations.block)
    #expect(called.values == [2, 3, 4])
    _ = try file.open(One.types, 20, migrations.only(9).block)
    #expect(called.values == [2, 3, 4, 9] && migrations.only(5).steps.isEmpty)
  }

  @Test func migrationsOfAConfigurationAreItsBlockAndRaiseItsVersion() throws {
    let file = try Changing()
    try Chain.make(file, Self.persons)
    let called = Noted<Int>()
    var configuration = Realm.Configuration(fileURL: file.url, schemaVersion: 1, objectTypes: One.types)
    configuration.migrations = Migrations { Migrations.Step(3) { _ in called.note(3) } }
    #expect(configuration.schemaVersion == 3)
    _ = try Realm(configuration: configuration)
    #expect(called.values == [3])
    configuration.schemaVersion = 7
    configuration.migrations = configuration.migrations?.only(3)
    #expect(configuration.schemaVersion == 7 && configuration.migrationBlock != nil)
    configuration.migrations = nil
    #expect(configuration.schemaVersion == 7 && configuration.migrationBlock == nil)
  }

  @Test func anErrorOfAStepLeavesTheFileAsItWas() throws {
    struct Halt: Error {}
    let file = try Changing()
    try Chain.make(file, Self.persons)
    let before = try file.bytes()
    let migrations = Migrations {
      Migrations.Step(2) { $0.deleteData(forType: "Home") }
      Migrations.Step(3) { _ in throw Halt() }
    }
    #expect(throws: Halt.self) { _ = try file.open(One.types, 3, migrations.block) }
    #expect(try file.bytes() == before)
  }

  /// Each step is written for the classes of its time.
  @Test(arguments: [false, true]) func stepsCallAClassByTheNamesThatItHasThen(isAtOnce: Bool) throws {
    let block = Migrations {
      Migrations.Step(1, renaming: ["A": "B"]) { migration in
        migration.enumerateObjects(ofType: "B") { old, new in
          new?["number"] = Int(old?["text"] as? String ?? "") ?? 0
        }
      }
      Migrations.Step(2, renaming: ["B": "C"]) { migration in
        migration.renameProperty(onType: "B", from: "text", to: "words")
        migration.enumerateObjects(ofType: "B") { _, new in new?["note"] = "n\(new?["number"] as? Int ?? 0)" }
        migration.create("B", value: ["number": 9])
      }
    }.block
    let file = try Renamed.file()
    if !isAtOnce { _ = try file.open([Renamed.B.self], 1, block) }
    let realm = try file.open([Renamed.C.self], 2, block)
    #expect(realm.objects(Renamed.C.self).map { "\($0.words) \($0.number) \($0.note)" } == ["7 7 n7", "8 8 n8", " 9 "])
  }

  @Test(arguments: ["A", "B", "C"]) func dataIsDeletedByAnyNameOfAClass(_ name: String) throws {
    let file = try Renamed.file()
    let found = Noted<Bool>()
    let migrations = Migrations {
      Migrations.Step(1, renaming: ["A": "B"]) { found.note($0.deleteData(forType: name)) }
      Migrations.Step(2, renaming: ["B": "C"])
    }
    let realm = try file.open([Renamed.C.self], 2, migrations.block)
    #expect(realm.isEmpty && found.values == [true])
  }

  @Test func aClassMayGetItsFirstNameBack() throws {
    let file = try Renamed.file()
    let migrations = Migrations {
      Migrations.Step(1, renaming: ["A": "B"]) { migration in
        migration.enumerateObjects(ofType: "B") { _, new in new?["number"] = 1 }
      }
      Migrations.Step(2, renaming: ["B": "A"])
    }
    let realm = try file.open([Renamed.A.self], 2, migrations.block)
    #expect(realm.objects(Renamed.A.self).map { "\($0.text) \($0.number)" } == ["7 1", "8 1"])
  }

  @Test func aNameThatMeansTwoClassesInAStepFailsTheMigration() throws {
    let file = try Renamed.file([Renamed.A.self, Renamed.D.self])
    let before = try file.bytes()
    func block(_ name: String) -> MigrationBlock {
      Migrations {
        Migrations.Step(1, renaming: ["A": "B"]) { migration in
          migration.enumerateObjects(ofType: name) { _, new in new?["number"] = 1 }
        }
        Migrations.Step(2, renaming: ["B": "C"])
        Migrations.Step(3, renaming: ["D": "B"]) { migration in
          migration.enumerateObjects(ofType: "B") { _, new in new?["number"] = 3 }
        }
      }.block
    }
    let types: [ObjectBase.Type] = [Renamed.B.self, Renamed.C.self]
    let error = file.error(types, 3, block("B"))
    #expect(error?.localizedDescription.contains("'B' means several classes") == true, "\(error as Any)")
    #expect(try file.bytes() == before)
    let realm = try file.open(types, 3, block("A"))
    #expect(realm.objects(Renamed.C.self).map(\.number) == [1, 1])
    #expect(realm.objects(Renamed.B.self).map(\.number) == [3])
  }

  @Test func theNamesOfAStepAreThoseBeforeIt() throws {
    let file = try Changing()
    try file.make([Renamed.A.self, Renamed.B.self]) { $0.create(Renamed.A.self) }
    let migrations = Migrations { Migrations.Step(1, renaming: ["A": "B", "B": "C"]) }
    let error = file.error([Renamed.B.self, Renamed.C.self], 1, migrations.block)
    #expect(error?.localizedDescription.contains("'A' cannot be renamed to 'B'") == true, "\(error as Any)")
  }

  @Test func twoStepsOfOneVersionTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Migrations {
        Migrations.Step(2) { _ in }
        Migrations.Step(2) { _ in }
      }
    }
    expectSentence("Two steps lead to schema version 2", of: result)
  }
}
