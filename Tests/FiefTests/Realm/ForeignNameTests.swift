#if os(Linux) || os(macOS)
  import FiefTestSupport
  import Foundation
  import RealmSwift
  import Testing

  private class Dog: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
  }

  private class Tail: Object {
    @Persisted var length = 0
  }

  /// An entry that is not the realm's has a name that the library derives from the realm's path, and every call that
  /// uses files is made: the entry stays as it is, and an error names it.
  @Suite struct ForeignNameTests {
    /// The kinds of entries.
    enum Kind: CaseIterable, Sendable {
      case text, empty, snapshot, journal, history, folder, link, danglingLink, pipe
    }

    /// The ends of the names that are derived from a path, or were in earlier versions.
    static let ends = [
      ".journal", ".history", ".lock", ".import", ".import.lock", ".import.journal", ".original", ".original.lock",
      ".original.tmp", ".cut-off-1", ".0123456789abcdef.tmp", ".0123456789abcdef01234567.tmp",
      ".journal.0123456789abcdef01234567.tmp",
    ]

    private static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("FiefRealmFilesTests/Files/small.realm")

    /// The entry under a name: its kind, identity and contents.
    private struct Standing: Equatable {
      let mode: mode_t
      let number: UInt64
      let contents: Data?
      let target: String?

      init?(_ path: String) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return nil }
        mode = facts.st_mode
        number = UInt64(facts.st_ino)
        let isFile = facts.st_mode & S_IFMT == S_IFREG
        contents = isFile ? FileManager.default.contents(atPath: path) : nil
        target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      }
    }

    /// A folder with a realm `other.realm`, and perhaps `dogs.realm`, which have all files.
    private final class Place {
      let folder: TemporaryFolder
      let url: URL
      var path: String { url.path }

      init() throws {
        folder = try TemporaryFolder()
        // The path as errors name it.
        url = folder.url.resolvingSymlinksInPath().appendingPathComponent("dogs.realm")
        for name in ["dogs.realm", "other.realm"] { try live(configuration(name, keeping: true)) }
      }

      /// Copies the files of another place.
      init(_ place: Place, withDogs isThere: Bool) throws {
        folder = try TemporaryFolder()
        url = folder.url.resolvingSymlinksInPath().appendingPathComponent("dogs.realm")
        for name in ["other.realm"] + (isThere ? ["dogs.realm"] : []) {
          for end in ["", ".journal", ".history"] {
            try FileManager.default.copyItem(at: place.file(name + end), to: file(name + end))
          }
        }
      }

      func file(_ name: String) -> URL { url.deletingLastPathComponent().appendingPathComponent(name) }

      func configuration(_ name: String = "dogs.realm", keeping isKeeping: Bool = false) -> Realm.Configuration {
        var configuration = Realm.Configuration(
          fileURL: file(name), schemaVersion: 4, objectTypes: [Dog.self], fileMode: 0o600)
        if isKeeping { configuration.history = .versions(100) }
        return configuration
      }

      /// Writes to a realm, and compacts it.
      func live(_ configuration: Realm.Configuration) throws {
        let realm = try Realm(configuration: configuration)
        for name in ["a", "b"] {
          try realm.write { _ = realm.create(Dog.self, value: ["id": 1, "name": name], update: .modified) }
          try realm.compact()
        }
        try realm.write { _ = realm.create(Dog.self, value: ["id": 1, "name": "c"], update: .modified) }
      }

      func put(_ kind: Kind, at path: String) throws {
        let files = FileManager.default
        try? files.removeItem(atPath: path)
        func copy(_ end: String) throws { try files.copyItem(atPath: file("other.realm").path + end, toPath: path) }
        switch kind {
        case .text: try Data("Dear diary, nobody may read this.\n".utf8).write(to: URL(fileURLWithPath: path))
        case .empty: try Data().write(to: URL(fileURLWithPath: path))
        case .snapshot: try copy("")
        case .journal: try copy(".journal")
        case .history: try copy(".history")
        case .folder:
          try files.createDirectory(atPath: path, withIntermediateDirectories: true)
          try Data("inside".utf8).write(to: URL(fileURLWithPath: path + "/file"))
        case .link:
          let target = file("target").path
          try Data("target".utf8).write(to: URL(fileURLWithPath: target))
          try files.createSymbolicLink(atPath: path, withDestinationPath: target)
        case .danglingLink: try files.createSymbolicLink(atPath: path, withDestinationPath: file("nowhere").path)
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        }
      }
    }

    /// A use of files; `isThere` is whether a realm is at the path before.
    private struct Call: Sendable {
      let name: String
      let isThere: Bool
      let run: @Sendable (Place) throws -> Void
    }

    private static let calls: [Call] = [
      Call(name: "create", isThere: false) { try $0.live($0.configuration()) },
      Call(name: "create with a history", isThere: false) { try $0.live($0.configuration(keeping: true)) },
      Call(name: "seed", isThere: false) { place in
        var configuration = place.configuration()
        configuration.seedFilePath = place.file("other.realm")
        try place.live(configuration)
      },
      Call(name: "copy", isThere: false) { place in
        try Realm(configuration: place.configuration("other.realm")).writeCopy(toFile: place.url)
      },
      Call(name: "recover", isThere: false) { _ = try Realm.recover(from: $0.file("other.realm"), to: $0.url) },
      Call(name: "import", isThere: false) { place in
        // An import locks its source, and other tests import the same sample meanwhile.
        let source = place.file("sample.realm")
        try FileManager.default.copyItem(at: sample, to: source)
        try Realm.importRealmFile(from: source, to: place.url, configuration: place.configuration())
      },
      Call(name: "import in place", isThere: false) { place in
        try FileManager.default.copyItem(at: sample, to: place.url)
        var configuration = place.configuration()
        configuration.importsRealmFiles = true
        configuration.migrationBlock = { _, _ in }
        try place.live(configuration)
      },
      Call(name: "delete nothing", isThere: false) { _ = try Realm.deleteFiles(for: $0.configuration()) },
      Call(name: "open", isThere: true) { try $0.live($0.configuration()) },
      Call(name: "open with a history", isThere: true) { try $0.live($0.configuration(keeping: true)) },
      Call(name: "open read-only", isThere: true) { place in
        var configuration = place.configuration(keeping: true)
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        _ = realm.changes(since: 1)
      },
      Call(name: "empty for another schema", isThere: true) { place in
        var configuration = place.configuration()
        configuration.objectTypes = [Tail.self]
        configuration.schemaVersion = 5
        configuration.deleteRealmIfMigrationNeeded = true
        try Realm(configuration: configuration).compact()
      },
      Call(name: "use as a seed", isThere: true) { place in
        var configuration = Realm.Configuration.inMemory(objectTypes: [Dog.self], seedFilePath: place.url)
        configuration.schemaVersion = 4
        _ = try Realm(configuration: configuration)
      },
      Call(name: "verify", isThere: true) { _ = try Realm.verify(fileURL: $0.url) },
      Call(name: "ask for the version", isThere: true) { _ = try schemaVersionAtURL($0.url) },
      Call(name: "recover from it", isThere: true) { _ = try Realm.recover(from: $0.url, to: $0.file("fresh.realm")) },
      Call(name: "copy it", isThere: true) { place in
        try Realm(configuration: place.configuration()).writeCopy(toFile: place.file("copy.realm"))
      },
      Call(name: "delete", isThere: true) { _ = try Realm.deleteFiles(for: $0.configuration()) },
    ]

    @Test(arguments: Kind.allCases) func whatIsNotTheRealmsStaysUnderEveryNameThroughEveryCall(_ kind: Kind) throws {
      let template = try Place()
      for end in Self.ends {
        // Nothing is ever done to the later names, so a few kinds will do there.
        if Self.ends.firstIndex(of: end) ?? 0 > 3 && ![.text, .snapshot, .danglingLink].contains(kind) { continue }
        for call in Self.calls {
          let place = try Place(template, withDogs: call.isThere)
          try place.put(kind, at: place.path + end)
          let before = try #require(Standing(place.path + end))
          let circumstances = "\(call.name), \(kind) at \(end)"
          do {
            try call.run(place)
          } catch {
            #expect("\(error)".contains(place.path + end), "\(circumstances): \(error)")
          }
          // An empty lock file beside a realm is the realm's own.
          let isRealms = call.isThere || Realm.fileExists(for: place.configuration())
          if kind == .empty && end == ".lock" && isRealms { continue }
          // A journal without a realm is what is left of one, and whoever deletes the realm means it.
          if kind == .journal && end == ".journal" && call.name == "delete nothing" { continue }
          #expect(Standing(place.path + end) == before, "\(circumstances)")
          if kind == .folder { #expect(Standing(place.path + end + "/file") != nil, "\(circumstances)") }
          #expect(Standing(place.file("nowhere").path) == nil, "\(circumstances)")
        }
      }
    }

    /// An open realm under the name of another one's history loses no write: it cannot be opened there.
    @Test func aRealmCannotHaveANameThatAnotherRealmNeeds() throws {
      try TemporaryFolder.with { folder in
        let url = folder.appendingPathComponent("a.realm")
        for end in ["history", "journal", "lock", "import"] {
          let error = #expect(throws: Realm.Error.self) {
            try Realm(configuration: .init(fileURL: url.appendingPathExtension(end), objectTypes: [Dog.self]))
          }
          #expect(
            error?.code == .fileAccess && error?.localizedDescription.contains("the store a.realm needs it") == true)
        }
        _ = try Realm(configuration: .init(fileURL: url, objectTypes: [Dog.self]))
      }
    }

    @Test func anImportInPlaceThatCouldNotBeOpenedIsRefusedBeforeIt() throws {
      let place = try Place(Place(), withDogs: false)
      var configuration = place.configuration()
      configuration.importsRealmFiles = true
      for end in [".journal", ".lock"] {
        try FileManager.default.copyItem(at: Self.sample, to: place.url)
        try Data("a text that is not the realm's".utf8).write(to: URL(fileURLWithPath: place.path + end))
        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(error?.code == .fileExists && error?.localizedDescription.contains(place.path + end) == true)
        #expect(try Data(contentsOf: place.url) == Data(contentsOf: Self.sample))
        #expect(!FileManager.default.fileExists(atPath: place.path + ".original"))
        try FileManager.default.removeItem(atPath: place.path + end)
        try FileManager.default.removeItem(at: place.url)
      }
    }

    @Test func aCopyOntoTheRealmsOwnFileFindsAFile() throws {
      let place = try Place()
      let realm = try Realm(configuration: place.configuration())
      let error = #expect(throws: Realm.Error.self) { try realm.writeCopy(toFile: place.url) }
      #expect(error?.code == .fileExists)
    }

    // MARK: Files that may only be read

    /// Root may write everything, so the test runs in a process of its own, as another user if it has to.
    @Test func aFileThatMayOnlyBeReadSpoilsNoLockFileAndCanBeDeleted() async {
      await #expect(processExitsWith: .success) {
        let folder = try TemporaryFolder()
        let path = folder.url.path
        if getuid() == 0 {
          try #require(chown(path, 65534, 65534) == 0 && setgid(65534) == 0 && setuid(65534) == 0)
        }
        guard access(path, W_OK) == 0 else { return print("Files that may only be read are not tried: no folder.") }
        let url = folder.url.appendingPathComponent("a.realm")
        let configuration = Realm.Configuration(fileURL: url, objectTypes: [Dog.self])
        func open() throws {
          let realm = try Realm(configuration: configuration)
          try realm.write { _ = realm.create(Dog.self, value: ["id": realm.objects(Dog.self).count]) }
        }
        func expectDenial() {
          let error = #expect(throws: Realm.Error.self) { try open() }
          #expect(error?.code == .filePermissionDenied && error?.localizedDescription.contains(url.path) == true)
        }
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
        let all = ["a.realm", "a.realm.journal", "a.realm.lock"]

        // Without a lock file: none is left.
        try open()
        unlink(url.path + ".lock")
        for end in ["", ".journal"] { chmod(url.path + end, 0o444) }
        expectDenial()
        #expect(try names() == Array(all.prefix(2)))
        for end in ["", ".journal"] { chmod(url.path + end, 0o644) }
        try open()
        // With a lock file that may only be read.
        for end in ["", ".journal", ".lock"] { chmod(url.path + end, 0o444) }
        expectDenial()
        for end in ["", ".journal"] { chmod(url.path + end, 0o644) }
        try open()
        #expect(try names() == all)
        // Deleting needs the folder alone, and leaves a lock file that can be used.
        unlink(url.path + ".lock")
        for end in ["", ".journal"] { chmod(url.path + end, 0o444) }
        #expect(try Realm.deleteFiles(for: configuration))
        #expect(try names() == ["a.realm.lock"] && access(url.path + ".lock", W_OK) == 0)
        try open()
        #expect(try names() == all)
      }
    }
  }
#endif
