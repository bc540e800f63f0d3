import FiefDurability
import FiefRealmFileSamples
import FiefTestSupport
import Foundation
import RealmSwift
import Synchronization
import Testing

private class Toy: Object {
  @Persisted(primaryKey: true) var _id: UUID
  @Persisted var name: String
}

private class Dog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var toy: Toy?
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

private class Person: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted(indexed: true) var name: String
  @Persisted var age: Int?
  @Persisted var dogs: List<Dog>
  @Persisted var home: Address?
  @Persisted var places: List<Address>
}

private class Address: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var zip: Int
}

/// `Dog` as a later version of the application has it, under its name in the file.
private class OlderDog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: String
  @Persisted var breed: String

  override class func _realmObjectName() -> String? { "Dog" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Files of Realm through the public interface. `FiefRealmFilesTests` holds what is read of them against realm-core.
@Suite struct ImportingRealmFilesTests {
  private static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("FiefRealmFilesTests/Files")

  private func sample(_ name: String) -> URL { Self.samples.appendingPathComponent("\(name).realm") }

  private func configuration(
    _ url: URL, _ change: (inout Realm.Configuration) -> Void = { _ in }
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: url, schemaVersion: 3, objectTypes: [Toy.self, Dog.self, Person.self, Address.self])
    change(&configuration)
    return configuration
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// A copy of the sample `small` as `old.realm`.
  private func copy(in folder: URL) throws -> URL {
    let url = folder.appendingPathComponent("old.realm")
    try Data(contentsOf: sample("small")).write(to: url)
    return url
  }

  /// Calls a block with a copy of the sample `small`: tests run at the same time, and an import locks its file.
  private func withCopy<Result>(_ body: (URL) throws -> Result) throws -> Result {
    try TemporaryFolder.with { try body(copy(in: $0)) }
  }

  private func expectSmall(_ realm: Realm) {
    #expect(realm.objects(Dog.self).count == 30)
    #expect(realm.objects(Person.self).count == 10)
    #expect(realm.objects(Toy.self).count == 30)
    #expect(realm.objects(Person.self).first?.dogs.map(\.id) == [25, 16, 26, 6])
    #expect(realm.objects(Person.self)[1].home?.zip == 1)
    #expect(realm.object(ofType: Dog.self, forPrimaryKey: 25)?.owners.isEmpty == false)
    #expect(realm.objects(Toy.self).where { $0.name == realm.objects(Toy.self)[3].name }.count > 0)
  }

  @Test func anImportedFileOpensWithTheSameModels() throws {
    try TemporaryFolder.with { folder in
      let new = folder.appendingPathComponent("new.realm")
      var parts: [Double] = []
      let report = try withCopy { old in
        try Realm.importRealmFile(from: old, to: new, configuration: configuration(new)) { parts.append($0) }
      }
      #expect(report.objects == 122)
      #expect(report.links == 150)
      #expect(report.schemaVersion == 3)
      #expect(report.fileFormat == 24)
      #expect(report.isComplete)
      #expect(report.classes.map(\.name) == ["Address", "All", "Dog", "Person", "Toy"])
      #expect(parts.count > 3 && parts == parts.sorted() && parts.last == 1)
      #expect(try names(in: folder) == ["new.realm"])
      #expect(try schemaVersionAtURL(new) == 3)
      let realm = try Realm(configuration: configuration(new))
      expectSmall(realm)
      try realm.write { realm.create(Dog.self, value: ["id": 1000, "name": "Rex"]) }
      #expect(realm.objects(Dog.self).count == 31)
    }
  }

  @Test func openingAFileOfRealmNamesTheCall() throws {
    try TemporaryFolder.with { folder in
      let url = try copy(in: folder)
      let before = try Data(contentsOf: url)
      let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration(url)) }
      #expect(error?.code == .invalidDatabase)
      #expect(error?.localizedDescription.contains("Realm.importRealmFile(from:to:)") == true, "\(error as Any)")
      // Also beside a lock file of Realm, which is not one of ours.
      try Data(repeating: 1, count: 4096).write(to: url.appendingPathExtension("lock"))
      let second = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration(url)) }
      #expect(second?.localizedDescription.contains("importsRealmFiles") == true, "\(second as Any)")
      #expect(try Data(contentsOf: url) == before)
    }
  }

  @Test func theFirstOpeningImportsInPlaceAndKeepsTheOriginal() throws {
    try TemporaryFolder.with { folder in
      let url = try copy(in: folder)
      let before = try Data(contentsOf: url)
      let lock = Data([1, 40, 48, 0, 24, 2, 10, 0]) + Data(count: 1720)
      try lock.write(to: url.appendingPathExtension("lock"))
      let configuration = configuration(url) { $0.importsRealmFiles = true }
      try autoreleasing {
        let realm = try Realm(configuration: configuration)
        expectSmall(realm)
        try realm.write { realm.delete(realm.objects(Person.self)) }
      }
      #expect(try Data(contentsOf: url.appendingPathExtension("original")) == before)
      // The second opening finds a store.
      try autoreleasing {
        let realm = try Realm(configuration: configuration)
        #expect(realm.objects(Dog.self).count == 30)
        #expect(realm.objects(Person.self).isEmpty)
      }
      #expect(
        try names(in: folder) == [
          "old.realm", "old.realm.journal", "old.realm.lock", "old.realm.original",
        ])
    }
  }

  /// The references to a realm end with the closure.
  private func autoreleasing(_ body: () throws -> Void) rethrows { try body() }

  @Test func anInterruptedImportInPlaceIsDoneAgain() throws {
    try TemporaryFolder.with { folder in
      let url = try copy(in: folder)
      // What a crash leaves: the second name.
      try FileManager.default.linkItem(at: url, to: url.appendingPathExtension("original"))
      expectSmall(try Realm(configuration: configuration(url) { $0.importsRealmFiles = true }))
      #expect(
        try names(in: folder) == ["old.realm", "old.realm.journal", "old.realm.lock", "old.realm.original"])
    }
  }

  @Test func aSecondImportUnderTheSameNameKeepsBothOriginals() throws {
    try TemporaryFolder.with { folder in
      let url = try copy(in: folder)
      try Data("other".utf8).write(to: url.appendingPathExtension("original"))
      expectSmall(try Realm(configuration: configuration(url) { $0.importsRealmFiles = true }))
      #expect(try Data(contentsOf: url.appendingPathExtension("original")) == Data("other".utf8))
      #expect(try Data(contentsOf: url.appendingPathExtension("original-2")) == Data(contentsOf: sample("small")))
    }
  }

  @Test func otherModelsAreASchemaMismatchAndNothingChanges() throws {
    try TemporaryFolder.with { folder in
      let url = try copy(in: folder)
      let new = folder.appendingPathComponent("new.realm")
      let other = configuration(url) {
        $0.objectTypes = [OlderDog.self]
        $0.importsRealmFiles = true
      }
      let error = #expect(throws: Realm.Error.self) {
        try Realm.importRealmFile(from: url, to: new, configuration: other)
      }
      #expect(error?.code == .schemaMismatch)
      #expect(error?.localizedDescription.contains("'Dog.age' has been changed") == true, "\(error as Any)")
      #expect(error?.localizedDescription.contains("'Dog.breed' has been added") == true)
      #expect(throws: Realm.Error.self) { try Realm(configuration: other) }
      #expect(try names(in: folder) == ["old.realm"])
      #expect(try Data(contentsOf: url) == Data(contentsOf: sample("small")))
      // An older version of the application.
      #expect(throws: Realm.Error.self) {
        try Realm.importRealmFile(from: url, to: new, configuration: configuration(new) { $0.schemaVersion = 2 })
      }
      #expect(try names(in: folder) == ["old.realm"])
    }
  }

  @Test func anImportInPlaceIsMigratedByTheBlockThatRunsOnce() throws {
    try TemporaryFolder.with { folder in
      let url = try copy(in: folder)
      let runs = Mutex(0)
      let configuration = configuration(url) {
        $0.schemaVersion = 4
        $0.objectTypes = [OlderDog.self]
        $0.importsRealmFiles = true
        $0.migrationBlock = { migration, oldVersion in
          runs.withLock { $0 += 1 }
          #expect(oldVersion == 3)
          migration.enumerateObjects(ofType: "Dog") { old, new in
            new?["age"] = "\(old?["age"] as? Int ?? -1) years"
            new?["breed"] = "mixed"
          }
        }
      }
      let realm = try Realm(configuration: configuration)
      #expect(runs.withLock { $0 } == 1)
      #expect(realm.objects(OlderDog.self).count == 30)
      #expect(realm.objects(OlderDog.self).allSatisfy { $0.breed == "mixed" && $0.age.hasSuffix(" years") })
      #expect(try Data(contentsOf: url.appendingPathExtension("original")) == Data(contentsOf: sample("small")))
    }
  }

  /// The dogs of the sample, as a schema that is made at run time.
  private func dogs(_ more: [DynamicSchema.Property] = []) -> DynamicSchema {
    DynamicSchema([
      .init(
        "Dog", primaryKey: "id",
        [.init("id", .int), .init("name", .string), .init("age", .int), .init("toy", .object, linkingTo: "Toy")]
          + more),
      .init("Toy", primaryKey: "_id", [.init("_id", .UUID), .init("name", .string)]),
    ])
  }

  @Test func anImportInPlaceFollowsASchemaOfRunTime() throws {
    try TemporaryFolder.with { folder in
      let url = try copy(in: folder)
      var configuration = Realm.Configuration(fileURL: url, schemaVersion: 3)
      configuration.importsRealmFiles = true
      configuration.dynamicSchema = dogs([.init("breed", .string)])
      let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
      #expect(error?.code == .schemaMismatch)
      #expect(error?.localizedDescription.contains("'Dog.breed' has been added") == true, "\(error as Any)")
      #expect(try names(in: folder) == ["old.realm"])
      #expect(try Data(contentsOf: url) == Data(contentsOf: sample("small")))
      configuration.dynamicSchema = dogs()
      #expect(try Realm(configuration: configuration).dynamicObjects("Dog").count == 30)
      #expect(try names(in: folder).contains("old.realm.original"))
      // It is a file of this library now, and migrates as such.
      configuration.schemaVersion = 4
      configuration.dynamicSchema = dogs([.init("breed", .string)])
      #expect(try Realm(configuration: configuration).dynamicObjects("Dog").filter("breed == ''").count == 30)
    }
  }

  @Test func aReportHasOneLineForWhatWasLeftOut() throws {
    try TemporaryFolder.with { folder in
      let (old, new) = (folder.appendingPathComponent("old.realm"), folder.appendingPathComponent("new.realm"))
      var writer = RealmFileWriter()
      var tables = [("metadata", writer.metadata(key: 0, version: 7))]
      // A name that is no class is not checked.
      for (key, name) in [(1, "class_Marker"), (2, "x\n  Dog: 7")] {
        let rows = writer.refs([writer.tagged(1), writer.integers([4])])
        tables.append((name, writer.table(key: Int64(key), [RealmFileWriter.Column("n", 0)], rows: rows)))
      }
      try Data(writer.finish(top: writer.group(tables))).write(to: old)
      var configuration = Realm.Configuration(fileURL: new, schemaVersion: 7)
      configuration.dynamicSchema = DynamicSchema([.init("Marker", [.init("n", .int)])])
      let report = try Realm.importRealmFile(from: old, to: new, configuration: configuration)
      let line = "The table 'x\\u{A}  Dog: 7' is not one of the application, and was left out."
      #expect(report.leftOut == [line])
      #expect(report.description.split(separator: "\n").count == 3, "\(report)")
    }
  }

  /// Other libraries on Realm's core allow them.
  @Test(arguments: [false, true]) func aClassWithoutPropertiesIsImportedAndDeclared(_ inPlace: Bool) throws {
    try TemporaryFolder.with { folder in
      let old = folder.appendingPathComponent("old.realm")
      try Data(RealmFileWriter.withoutProperties(rows: 300)).write(to: old)
      var configuration = Realm.Configuration(fileURL: old, schemaVersion: 7)
      configuration.dynamicSchema = DynamicSchema([.init("Marker", [])])
      configuration.importsRealmFiles = inPlace
      if !inPlace {
        let new = folder.appendingPathComponent("new.realm")
        let report = try Realm.importRealmFile(from: old, to: new, configuration: configuration)
        #expect(report.classes.map(\.objects) == [300])
        configuration.fileURL = new
      }
      try autoreleasing {
        let realm = try Realm(configuration: configuration)
        let markers = realm.dynamicObjects("Marker")
        #expect(markers.count == 300)
        try realm.write {
          realm.delete(try #require(markers.first))
          realm.dynamicCreate("Marker")
          realm.dynamicCreate("Marker")
        }
        #expect(markers.count == 301)
        #expect(try #require(markers.last).description.contains("Marker"))
      }
      try autoreleasing {
        #expect(try Realm(configuration: configuration).dynamicObjects("Marker").count == 301)
        let realm = try Realm(fileURL: try #require(configuration.fileURL), dynamic: true)
        #expect(realm.schema["Marker"]?.properties.isEmpty == true)
      }
    }
  }

  /// A format that cannot be imported is not advised to be.
  @Test(arguments: [2, 9, 25] as [UInt8]) func openingAFileOfAnotherFormatNamesTheWayAtOnce(_ format: UInt8) throws {
    try TemporaryFolder.with { folder in
      let url = folder.appendingPathComponent("old.realm")
      var bytes = try Data(contentsOf: sample("small"))
      (bytes[20], bytes[21]) = (format, format)
      try bytes.write(to: url)
      for (imports, isReadOnly) in [(false, false), (true, false), (false, true), (true, true)] {
        let error = #expect(throws: Realm.Error.self) {
          try Realm(
            configuration: configuration(url) {
              $0.importsRealmFiles = imports
              $0.readOnly = isReadOnly
            })
        }
        #expect(error?.code == .unsupportedFileFormatVersion)
        let text = try #require(error?.localizedDescription)
        #expect(text.contains("version \(format) of Realm's file format"), "\(text)")
        #expect(text.contains("Realm Swift 10.8 to 10.46") == (format < 10), "\(text)")
        #expect(!text.contains("importRealmFile") && text.contains("not changed"), "\(text)")
      }
      #expect(try names(in: folder) == ["old.realm"])
      #expect(try Data(contentsOf: url) == bytes)
    }
  }

  @Test func openingWithoutClassesImportsNothing() throws {
    try TemporaryFolder.with { folder in
      let url = try copy(in: folder)
      let error = #expect(throws: Realm.Error.self) { try Realm(fileURL: url, dynamic: true) }
      #expect(error?.localizedDescription.contains("Realm.importRealmFile(from:to:)") == true, "\(error as Any)")
      #expect(try names(in: folder) == ["old.realm"])
    }
  }

  @Test func aFileThatIsOpenElsewhereIsRefused() throws {
    try TemporaryFolder.with { folder in
      let url = try copy(in: folder)
      let lock = url.appendingPathExtension("lock")
      try Data(repeating: 1, count: 4096).write(to: lock)
      let held = try RealFileSystem().open(lock.path, for: .reading)
      #expect(try held.lock())
      let new = folder.appendingPathComponent("new.realm")
      for attempt in [
        { _ = try Realm.importRealmFile(from: url, to: new, configuration: configuration(new)) },
        { _ = try Realm(configuration: configuration(url) { $0.importsRealmFiles = true }) },
      ] {
        let error = #expect(throws: Realm.Error.self) { try attempt() }
        #expect(error?.code == .alreadyOpen)
      }
      held.close()
      _ = try Realm.importRealmFile(from: url, to: new, configuration: configuration(new))
    }
  }

  #if !os(Windows)
    /// Realm's lock on Apple's mobile systems.
    @Test func aFileWhosePipeIsReadIsRefused() throws {
      try TemporaryFolder.with { folder in
        let url = try copy(in: folder)
        let management = folder.appendingPathComponent("old.realm.management")
        try FileManager.default.createDirectory(at: management, withIntermediateDirectories: false)
        let pipe = management.appendingPathComponent("lock.fifo").path
        func code() -> Realm.Error.Code? {
          let new = folder.appendingPathComponent(UUID().uuidString)
          do { try Realm.importRealmFile(from: url, to: new, configuration: configuration(new)) } catch {
            return (error as? Realm.Error)?.code
          }
          return nil
        }
        // Only a pipe counts.
        try Data().write(to: URL(fileURLWithPath: pipe))
        #expect(code() == nil)
        try FileManager.default.removeItem(atPath: pipe)
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        #expect(code() == nil)
        let reader = unsafe open(pipe, O_RDWR | O_NONBLOCK)
        try #require(reader >= 0)
        #expect(code() == .alreadyOpen)
        close(reader)
        #expect(code() == nil)
      }
    }
  #endif

  @Test func refusalsLeaveNoFile() throws {
    try TemporaryFolder.with { folder in
      let new = folder.appendingPathComponent("new.realm")
      func code(_ source: URL) -> Realm.Error.Code? {
        let error = #expect(throws: Realm.Error.self) {
          try Realm.importRealmFile(from: source, to: new, configuration: configuration(new))
        }
        return error?.code
      }
      #expect(code(sample("encrypted")) == .invalidDatabase)
      #expect(code(sample("none")) == .fileNotFound)
      let damaged = folder.appendingPathComponent("damaged.realm")
      try Data(contentsOf: sample("small")).prefix(30_000).write(to: damaged)
      #expect(code(damaged) == .damaged)
      var older = try Data(contentsOf: sample("small"))
      (older[20], older[21]) = (9, 9)
      try older.write(to: damaged)
      #expect(code(damaged) == .unsupportedFileFormatVersion)
      #expect(try names(in: folder) == ["damaged.realm"])
      try Data("mine".utf8).write(to: new)
      #expect(try withCopy { code($0) } == .fileExists)
      #expect(try Data(contentsOf: new) == Data("mine".utf8))
    }
  }

  @Test func anEncryptedFileIsRefusedByName() throws {
    for imports in [false, true] {
      let error = #expect(throws: Realm.Error.self) {
        try Realm(configuration: configuration(sample("encrypted")) { $0.importsRealmFiles = imports })
      }
      #expect(error?.code == .invalidDatabase)
      #expect(error?.localizedDescription.contains("an encrypted file of Realm") == true, "\(error as Any)")
    }
  }

  @Test func progressMayEndTheImport() throws {
    struct Enough: Error {}
    try TemporaryFolder.with { folder in
      let new = folder.appendingPathComponent("new.realm")
      #expect(throws: Enough.self) {
        try withCopy { old in
          try Realm.importRealmFile(from: old, to: new, configuration: configuration(new)) {
            if $0 > 0.5 { throw Enough() }
          }
        }
      }
      let left = try names(in: folder)
      #expect(left.isEmpty)
    }
  }

  @Test func aReadOnlyRealmDoesNotImport() throws {
    try TemporaryFolder.with { folder in
      let url = try copy(in: folder)
      let error = #expect(throws: Realm.Error.self) {
        try Realm(
          configuration: configuration(url) {
            $0.importsRealmFiles = true
            $0.readOnly = true
          })
      }
      #expect(error?.localizedDescription.contains("read-only") == true)
      #expect(try names(in: folder) == ["old.realm"])
    }
  }

  @Test func importsRealmFilesDoesNothingElse() throws {
    try TemporaryFolder.with { folder in
      let url = folder.appendingPathComponent("new.realm")
      let realm = try Realm(configuration: configuration(url) { $0.importsRealmFiles = true })
      #expect(realm.objects(Dog.self).isEmpty)
      #expect(try names(in: folder).allSatisfy { !$0.contains("original") })
    }
  }
}
