#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  /// How commands that only read open a file; `schema` stands for all of them.
  @Suite struct StoredFileTests {
    @Test func aFileThatIsOpenElsewhereIsRead() throws {
      let files = try TestRealm()
      let realm = try Realm(configuration: files.configuration)
      try realm.write { realm.add(TestRealm.Dog()) }
      let before = try files.contents()
      let outcome = try Program.run("schema", files.path)
      #expect(outcome.status == 0 && outcome.output.contains("Person") && outcome.complaints == "")
      #expect(try files.contents() == before)
      withExtendedLifetime(realm) {}
    }

    @Test func aFileOfRealmIsReadAndStaysAsItIs() throws {
      let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("FiefRealmFilesTests/Files/small.realm")
      try TemporaryFolder.with { folder in
        let old = folder.appendingPathComponent("old.realm")
        try FileManager.default.copyItem(at: sample, to: old)
        let outcome = try Program.run("schema", old.path)
        #expect(outcome.status == 0 && outcome.complaints == "")
        #expect(outcome.output.contains("Address (embedded)") && outcome.output.contains("dogs"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["old.realm"])
        #expect(try Data(contentsOf: old) == Data(contentsOf: sample))
        try Data(contentsOf: old).prefix(20_000).write(to: old)
        #expect(try Program.run("schema", old.path).status == 1)
      }
    }

    @Test func namesAreShownHarmlessly() throws {
      let store = try HostileStore()
      let before = try store.contents()
      for command in ["schema", "info", "verify"] {
        let outcome = try Program.run(command, store.path)
        #expect(outcome.status == 0 && outcome.output.isSafeToPrint, "\(command): \(outcome)")
      }
      #expect(try Program.run("schema", store.path).output.contains(HostileStore.oddClass))
      #expect(try store.contents() == before)
    }

    @Test func whatCannotBeReadHasItsExitCode() throws {
      try TemporaryFolder.with { (folder: URL) throws in
        for name in ["none.realm", "nowhere/none.realm"] {
          #expect(try Program.run("schema", folder.appendingPathComponent(name).path).status == 66, "\(name)")
        }
        #expect(try Program.run("schema", folder.path).status == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      }
    }
  }
#endif
