import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Word: Object {
  @Persisted var text = ""
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The first run of an application on a machine, where folders are missing.
@Suite struct FreshMachineTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func configuration(_ path: String, readOnly: Bool = false) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: folder.url.appendingPathComponent(path), readOnly: readOnly, objectTypes: [Word.self])
  }

  private func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(path).path)
  }

  @Test func openingMakesAllFoldersOnTheWayToTheFile() throws {
    let configuration = configuration("a/b/c/words.realm")
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(Word.self, value: ["text": "one"]) }
    }
    #expect(try Realm(configuration: configuration).objects(Word.self).first?.text == "one")
  }

  @Test func openingForReadingMakesNoFolders() throws {
    #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration("a/b/words.realm", readOnly: true)) }
    #expect(!isThere("a"))
  }

  @Test func aFolderThatCannotBeMadeIsNamed() throws {
    try Data("text".utf8).write(to: folder.url.appendingPathComponent("a"))
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration("a/b/words.realm")) }
    #expect(error?.localizedDescription.contains(folder.url.appendingPathComponent("a").path) == true)
    #expect(error?.fileURL != nil && isThere("a"))
  }

  @Test func removingFilesWhoseFolderIsMissingRemovesNothing() throws {
    #expect(try !Realm.deleteFiles(for: configuration("a/b/words.realm")))
    #expect(try !Realm.deleteFiles(for: configuration("words.realm")))
    #expect(!isThere("a"))
  }

  @Test func aFileBehindALinkIsOneStoreFromItsFirstOpeningOn() throws {
    let files = FileManager.default
    try files.createDirectory(at: folder.url.appendingPathComponent("real"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      at: folder.url.appendingPathComponent("link"), withDestinationURL: folder.url.appendingPathComponent("real"))
    let realm = try Realm(configuration: configuration("link/new/words.realm"))
    #expect(try Realm(configuration: configuration("link/new/words.realm")) == realm)
    #expect(try Realm(configuration: configuration("real/new/words.realm")) == realm)
  }

  @Test func aLinkToAFileThatIsYetToBeMadeLeadsToOneStore() throws {
    let link = folder.url.appendingPathComponent("link.realm").path
    let other = folder.url.appendingPathComponent("other.realm").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "other.realm")
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: "words.realm")
    let realm = try Realm(configuration: configuration("link.realm"))
    try realm.write { realm.create(Word.self) }
    for name in ["link.realm", "other.realm", "words.realm"] {
      #expect(try Realm(configuration: configuration(name)) == realm, "\(name)")
    }
    // The links are links still.
    for path in [link, other] {
      #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil)
    }
  }

  @Test func aJournalWithoutItsFileIsExplained() throws {
    let configuration = configuration("words.realm")
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(Word.self) }
    }
    try FileManager.default.removeItem(at: try #require(configuration.fileURL))
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    let text = error?.localizedDescription ?? ""
    #expect(text.contains("words.realm is missing") && text.contains("words.realm.journal"))
    #expect(text.contains("deleteFiles(for:)"))
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(try Realm(configuration: configuration).isEmpty)
  }

  #if os(Linux)
    @Test func theDefaultFileAndOneBesideItOpenBelowAnEmptyHome() async {
      await #expect(processExitsWith: .success) {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("home-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        setenv("HOME", home.path, 1)
        unsetenv("XDG_DATA_HOME")
        let standard = Realm.Configuration.defaultFileURL
        guard standard.path.hasPrefix(home.path + "/.local/share/") else { exit(1) }
        let second = standard.deletingLastPathComponent().appendingPathComponent("second.realm")
        for url in [second, standard] {
          guard try !Realm.deleteFiles(for: Realm.Configuration(fileURL: url)) else { exit(2) }
          let realm = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [Word.self]))
          try realm.write { realm.create(Word.self) }
        }
      }
    }
  #endif
}
