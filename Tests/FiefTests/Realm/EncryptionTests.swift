import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Penguin: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var plumage = ""
}

private class Sighting: AsymmetricObject {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var place = ""
}

/// A separate folder for each test, which is removed afterwards.
private final class Folder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func configuration(
    _ name: String = "penguins.realm", cipher: (any FileCipher)? = InsecureStandInCipher(),
    _ change: (inout Realm.Configuration) -> Void = { _ in }
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: url.appendingPathComponent(name), objectTypes: [Penguin.self, Sighting.self])
    configuration.cipher = cipher
    change(&configuration)
    return configuration
  }

  /// All files with their bytes.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      files[name] = try Data(contentsOf: url.appendingPathComponent(name))
    }
    return files
  }
}

@Suite struct EncryptionTests {
  private static let words = ["Bartholomew", "Iridescent", "Penguin", "plumage", "Archipelago", "Sighting"]

  private func write(_ configuration: Realm.Configuration, _ name: String = "Bartholomew") throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Penguin(value: [name, "Iridescent feathers"]), update: .modified) }
  }

  private func names(_ configuration: Realm.Configuration) throws -> [String] {
    try Realm(configuration: configuration).objects(Penguin.self).map(\.name).sorted()
  }

  private func words(in folder: Folder) throws -> [String] {
    let files = try folder.files()
    return Self.words.filter { word in files.values.contains { $0.range(of: Data(word.utf8)) != nil } }
  }

  private func code(_ body: () throws -> Void) -> Realm.Error.Code? {
    do { try body() } catch { return (error as? Realm.Error)?.code }
    return nil
  }

  @Test func anEncryptedRealmIsUsedLikeAnyOtherAndShowsNoWord() throws {
    let folder = try Folder()
    let configuration = folder.configuration { $0.history = .versions(10) }
    for name in ["Bartholomew", "Waddles"] { try write(configuration, name) }
    do {
      let realm = try Realm(configuration: configuration)
      try realm.compact()
      try realm.write { realm.create(Sighting.self, value: ["place": "Archipelago"]) }
      try realm.writeCopy(
        toFile: folder.url.appendingPathComponent("copy.realm"), cipher: InsecureStandInCipher(key: 9))
    }
    #expect(try names(configuration) == ["Bartholomew", "Waddles"])
    #expect(try names(folder.configuration { $0.readOnly = true }) == ["Bartholomew", "Waddles"])
    #expect(try folder.files().count >= 4)
    #expect(try words(in: folder) == [])
    // A plain copy shows them all but the documents, which are not copied.
    let plain = folder.url.appendingPathComponent("plain.realm")
    try Realm(configuration: configuration).writeCopy(toFile: plain)
    #expect(try words(in: folder).contains("Bartholomew"))
    #expect(try names(folder.configuration("plain.realm", cipher: nil)) == ["Bartholomew", "Waddles"])
    #expect(
      try names(folder.configuration("copy.realm", cipher: InsecureStandInCipher(key: 9))) == [
        "Bartholomew", "Waddles",
      ])
  }

  @Test func aWrongOrAMissingKeyIsAnErrorOfItsOwnAndChangesNothing() throws {
    let folder = try Folder()
    try write(folder.configuration())
    let files = try folder.files()
    let url = try #require(folder.configuration().fileURL)
    let other = InsecureStandInCipher(key: 8)
    for cipher in [nil, other] as [(any FileCipher)?] {
      let wrong = folder.configuration(cipher: cipher)
      #expect(code { _ = try Realm(configuration: wrong) } == .wrongKey)
      #expect(
        code { _ = try Realm(configuration: folder.configuration(cipher: cipher) { $0.readOnly = true }) } == .wrongKey)
      #expect(
        code { _ = try Realm.recover(from: url, to: folder.url.appendingPathComponent("new.realm"), cipher: cipher) }
          == .wrongKey)
    }
    #expect(code { _ = try schemaVersionAtURL(url) } == .wrongKey)
    #expect(code { _ = try schemaVersionAtURL(url, cipher: other) } == .wrongKey)
    #expect(code { _ = try Realm.verify(fileURL: url, cipher: other) } == .wrongKey)
    // Resetting is for migrations, and not for files that cannot be read.
    #expect(
      code {
        _ = try Realm(configuration: folder.configuration(cipher: nil) { $0.deleteRealmIfMigrationNeeded = true })
      } == .wrongKey)
    #expect(try folder.files() == files)
    do { _ = try Realm(configuration: folder.configuration(cipher: nil)) } catch Realm.Error.wrongKey {}
    let plain = try Folder()
    try write(plain.configuration(cipher: nil))
    #expect(code { _ = try Realm(configuration: plain.configuration()) } == .wrongKey)
    #expect(try names(plain.configuration(cipher: nil)) == ["Bartholomew"])
  }

  @Test func whatCanBeKnownWithoutTheKeyIsKnown() throws {
    let folder = try Folder()
    try write(folder.configuration { $0.schemaVersion = 3 })
    let url = try #require(folder.configuration().fileURL)
    let locked = try Realm.verify(fileURL: url)
    #expect(locked.problems.isEmpty && !locked.isSound && locked.info?.encryption?.isLocked == true)
    #expect(locked.info?.tables.isEmpty == true && locked.info?.version == 2)
    let report = try Realm.verify(fileURL: url, cipher: InsecureStandInCipher())
    #expect(report.isSound && report.info?.encryption?.isLocked == false)
    #expect(report.info?.encryption?.keyIdentifier == InsecureStandInCipher().keyIdentifier)
    #expect(try schemaVersionAtURL(url, cipher: InsecureStandInCipher()) == 3)
  }

  @Test func realmsOfOneOpenStoreHaveOneKey() throws {
    let folder = try Folder()
    let realm = try Realm(configuration: folder.configuration())
    for cipher in [nil, InsecureStandInCipher(key: 8)] as [(any FileCipher)?] {
      #expect(code { _ = try Realm(configuration: folder.configuration(cipher: cipher)) } == .wrongKey)
    }
    #expect(try Realm(configuration: folder.configuration()).isEmpty)
    #expect(try Realm(configuration: realm.configuration).isEmpty)
  }

  @Test func aSeedIsPlainOrHasTheKey() throws {
    let folder = try Folder()
    try write(folder.configuration("plain.realm", cipher: nil))
    try write(folder.configuration("encrypted.realm"))
    try write(folder.configuration("other.realm", cipher: InsecureStandInCipher(key: 8)))
    for seed in ["plain", "encrypted"] {
      let configuration = folder.configuration("from-\(seed).realm") {
        $0.seedFilePath = folder.url.appendingPathComponent("\(seed).realm")
      }
      #expect(try names(configuration) == ["Bartholomew"])
    }
    let wrong = folder.configuration("from-other.realm") {
      $0.seedFilePath = folder.url.appendingPathComponent("other.realm")
    }
    #expect(code { _ = try Realm(configuration: wrong) } == .wrongKey)
    #expect(!Realm.fileExists(for: wrong))
  }

  @Test func aRealmInMemoryBeginsWithAnEncryptedSeed() throws {
    let folder = try Folder()
    try write(folder.configuration("plain.realm", cipher: nil))
    try write(folder.configuration("encrypted.realm"))
    func seeded(_ name: String, _ cipher: (any FileCipher)?) -> Realm.Configuration {
      var memory = Realm.Configuration.inMemory(
        objectTypes: [Penguin.self, Sighting.self], seedFilePath: folder.url.appendingPathComponent(name))
      memory.cipher = cipher
      return memory
    }
    for name in ["plain.realm", "encrypted.realm"] {
      #expect(try names(seeded(name, InsecureStandInCipher())) == ["Bartholomew"])
    }
    for cipher in [nil, InsecureStandInCipher(key: 8)] as [(any FileCipher)?] {
      #expect(code { _ = try Realm(configuration: seeded("encrypted.realm", cipher)) } == .wrongKey)
    }
    // Others that use the realm in memory need no key.
    let realm = try Realm(configuration: seeded("encrypted.realm", InsecureStandInCipher()))
    var configuration = realm.configuration
    configuration.cipher = nil
    #expect(try names(configuration) == ["Bartholomew"])
  }

  @Test func theMigrationOfASeedIsRehearsedAsItWouldBeOpened() throws {
    let folder = try Folder()
    try write(folder.configuration("plain.realm", cipher: nil))
    try write(folder.configuration("encrypted.realm"))
    func seeded(_ name: String, _ cipher: InsecureStandInCipher) -> Realm.Configuration {
      var memory = Realm.Configuration.inMemory(
        objectTypes: [Penguin.self, Sighting.self], seedFilePath: folder.url.appendingPathComponent(name))
      memory.cipher = cipher
      memory.schemaVersion = 1
      return memory
    }
    for name in ["plain.realm", "encrypted.realm"] {
      let configuration = seeded(name, InsecureStandInCipher())
      #expect(try Realm.rehearseMigration(configuration: configuration).failure == nil)
      #expect(try names(configuration) == ["Bartholomew"])
    }
    let other = seeded("encrypted.realm", InsecureStandInCipher(key: 8))
    #expect(code { _ = try Realm.rehearseMigration(configuration: other) } == .wrongKey)
  }

  @Test func anEncryptedFileIsComparedWithClasses() throws {
    let folder = try Folder()
    try write(folder.configuration())
    let url = try #require(folder.configuration().fileURL)
    let cipher = InsecureStandInCipher()
    let types = [Penguin.self, Sighting.self] as [ObjectBase.Type]
    #expect(try Realm.schemaDifference(fileURL: url, to: types, cipher: cipher).changes.isEmpty)
    #expect(try !Realm.schemaDifference(fileURL: url, to: [Penguin.self], cipher: cipher).changes.isEmpty)
    #expect(code { _ = try Realm.schemaDifference(fileURL: url, to: types) } == .wrongKey)
    #expect(try Realm.rehearseMigration(configuration: folder.configuration { $0.schemaVersion = 1 }).failure == nil)
    #expect(
      code { _ = try Realm.rehearseMigration(configuration: folder.configuration(cipher: nil)) } == .wrongKey)
  }

  @Test func damagedFilesAreSavedWithTheirKey() throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    try write(configuration)
    let url = try #require(configuration.fileURL)
    let journal = URL(fileURLWithPath: url.path + ".journal")
    var bytes = try Data(contentsOf: journal)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: journal)
    #expect(code { _ = try Realm(configuration: configuration) } == .damaged)
    let fresh = folder.url.appendingPathComponent("fresh.realm")
    let report = try Realm.recover(from: url, to: fresh, cipher: InsecureStandInCipher())
    #expect(!report.isComplete)
    #expect(try words(in: folder) == [])
    _ = try Realm(configuration: folder.configuration("fresh.realm"))
  }

  @Test func aRealmOpensItsOwnFileWithTheDefaultConfigurationAndAsynchronously() async throws {
    let folder = try Folder()
    try write(folder.configuration())
    let count = try await Task { @MainActor in
      try await Realm(configuration: folder.configuration()).objects(Penguin.self).count
    }.value
    #expect(count == 1)
  }

  @Test func aRealmInMemoryAndTwoKeysAreRefused() throws {
    var memory = Realm.Configuration.inMemory(objectTypes: [Penguin.self])
    memory.cipher = InsecureStandInCipher()
    #expect(code { _ = try Realm(configuration: memory) } == .fail)
    let folder = try Folder()
    let both = folder.configuration { $0.encryptionKey = Data(count: 64) }
    #expect(code { _ = try Realm(configuration: both) } == .fail)
    #expect(try folder.files().isEmpty)
  }

  @Test func aKeyOfAnotherLengthIsRefused() throws {
    let folder = try Folder()
    let error = #expect(throws: Realm.Error.self) {
      try Realm(configuration: folder.configuration(cipher: nil) { $0.encryptionKey = Data(count: 32) })
    }
    #expect(error?.code == .fail && error?.localizedDescription.contains("32 bytes") == true)
  }

  #if !canImport(CryptoKit)
    @Test func anEncryptionKeyShowsTheLinesOfACipherWhereThereIsNone() throws {
      let folder = try Folder()
      let key = Data(repeating: 7, count: 64)
      let error = #expect(throws: Realm.Error.self) {
        try Realm(configuration: folder.configuration(cipher: nil) { $0.encryptionKey = key })
      }
      #expect(error?.code == .fail)
      for words in ["encryptionKey", "Configuration.cipher", "import Crypto", "AES.GCM.seal", "swift-crypto"] {
        #expect(error?.localizedDescription.contains(words) == true, "\(words)")
      }
      #expect(try folder.files().isEmpty)
    }
  #else
    @Test func anEncryptionKeyEncryptsTheFiles() throws {
      let folder = try Folder()
      let configuration = folder.configuration(cipher: nil) { $0.encryptionKey = Data(repeating: 7, count: 64) }
      try write(configuration)
      #expect(try names(configuration) == ["Bartholomew"])
      #expect(try words(in: folder) == [])
      let other = folder.configuration(cipher: nil) { $0.encryptionKey = Data(repeating: 8, count: 64) }
      #expect(code { _ = try Realm(configuration: other) } == .wrongKey)
    }
  #endif

  @Test func configurationsDifferByTheirKeysAndHideThem() {
    var (a, b) = (Realm.Configuration(), Realm.Configuration())
    a.cipher = InsecureStandInCipher()
    #expect(a != b && a.description.contains("cipher = (hidden)"))
    b.cipher = InsecureStandInCipher()
    #expect(a == b)
    b.cipher = InsecureStandInCipher(key: 8)
    #expect(a != b)
  }
}
