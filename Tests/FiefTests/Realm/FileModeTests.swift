import Foundation
import RealmSwift
import Testing

private class Secret: Object {
  @Persisted var text = ""
}

#if !(os(Windows) || os(WASI))
  @Suite struct FileModeTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID().uuidString)")

    private func configuration(_ name: String = "a.realm", mode: UInt16?) -> Realm.Configuration {
      Realm.Configuration(
        fileURL: folder.appendingPathComponent(name), objectTypes: [Secret.self], fileMode: mode)
    }

    /// The modes of all files in the folder, by name.
    private func modes() throws -> [String: Int] {
      let files = FileManager.default
      return try Dictionary(
        uniqueKeysWithValues: files.contentsOfDirectory(atPath: folder.path).map { name in
          let facts = try files.attributesOfItem(atPath: folder.appendingPathComponent(name).path)
          return (name, facts[.posixPermissions] as? Int ?? 0)
        })
    }

    private func write(_ configuration: Realm.Configuration) throws {
      let realm = try Realm(configuration: configuration)
      try realm.write { _ = realm.create(Secret.self, value: ["text": "a"]) }
      try realm.compact()
      try realm.write { _ = realm.create(Secret.self, value: ["text": "b"]) }
    }

    private func expect(_ wanted: [String: Int], _ when: String) throws {
      let found = try modes()
      #expect(found == wanted, "\(when)")
    }

    /// Hardly any umask results in the second mode.
    @Test(arguments: [0o600, 0o622]) func filesOfANewRealmGetItsMode(mode: Int) throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let own = configuration(mode: UInt16(mode))
      let wanted = ["a.realm": mode, "a.realm.journal": mode, "a.realm.lock": mode]
      try write(own)
      try expect(wanted, "after a checkpoint and closing")
      try write(own)
      try expect(wanted, "after reopening")
      try write(configuration(mode: nil))
      try write(configuration(mode: 0o644))
      try expect(wanted, "after opening with other modes")
    }

    @Test func copiesGetTheModeOfTheirConfigurationOrOfTheRealm() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let realm = try Realm(configuration: configuration(mode: 0o600))
      try realm.writeCopy(toFile: folder.appendingPathComponent("b.realm"))
      try realm.writeCopy(configuration: configuration("c.realm", mode: nil))
      try realm.writeCopy(configuration: configuration("d.realm", mode: 0o622))
      let found = try modes()
      #expect(found["b.realm"] == 0o600 && found["c.realm"] == 0o600 && found["d.realm"] == 0o622)
      // The files beside a copy get its mode, and not a more open one.
      try write(configuration("d.realm", mode: 0o600))
      #expect(try modes()["d.realm.journal"] == 0o622)
    }

    @Test(arguments: [0, 0o400, 0o4600, 0o066] as [UInt16])
    func aModeWithWhichTheRealmCouldNotBeOpenedAgainIsRefused(mode: UInt16) throws {
      #expect(throws: Realm.Error(.fail)) { try Realm(configuration: configuration(mode: mode)) }
      #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
  }
#endif
