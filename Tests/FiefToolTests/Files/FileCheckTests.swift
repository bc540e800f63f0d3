#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import FiefTestSupport
  import Foundation
  import Testing

  @Suite struct FileCheckTests {
    @Test func aFileAsItsProgramLeftItIsSound() throws {
      let realm = try TestRealm()
      let before = try realm.contents()
      let outcome = try Program.run("verify", realm.path)
      #expect(outcome.status == 0)
      #expect(outcome.complaints == "")
      #expect(outcome.output.hasPrefix("\(realm.path) is sound: version "))
      #expect(outcome.output.hasSuffix(", 3 objects in 2 classes.\n"))
      #expect(try realm.contents() == before)
    }

    @Test func aFlippedByteInTheSnapshotIsFoundWhereverItIs() throws {
      let realm = try TestRealm()
      try realm.compact()
      let size = try #require(try realm.contents()["dogs.realm"]?.count)
      for position in stride(from: 0, to: size, by: max(1, size / 16)) {
        try realm.damage { _ in position }
        let outcome = try Program.run("verify", realm.path)
        // A flip in the bytes that identify the file makes it another kind of file, which is not reported as damaged.
        let answers = [
          outcome.output.hasPrefix("\(realm.path) is damaged:\n  "), outcome.complaints.hasPrefix("fief: "),
        ]
        #expect(outcome.status == 1, "byte \(position) of \(size)")
        #expect(answers.contains(true) && answers.contains(false), "byte \(position) of \(size)")
        try realm.damage { _ in position }
      }
      #expect(try Program.run("verify", realm.path).status == 0)
    }

    @Test func damageIsReportedByTheExitStatus() throws {
      let realm = try TestRealm()
      try realm.compact()
      try realm.damage { $0 / 2 }
      let outcome = try Program.run("verify", realm.path)
      #expect(outcome.status == 1)
      #expect(outcome.output.hasPrefix("\(realm.path) is damaged:\n  "))
      #expect(outcome.complaints == "")
    }

    @Test func aFlippedByteInTheJournalIsFound() throws {
      let realm = try TestRealm()
      try #require(try realm.contents()["dogs.realm.journal"] != nil)
      try realm.damage(".journal") { $0 / 2 }
      #expect(try Program.run("verify", realm.path).status == 1)
    }

    @Test func aFileThatLostItsEndIsDamaged() throws {
      let realm = try TestRealm()
      let bytes = try Data(contentsOf: realm.url)
      try bytes.dropLast(9).write(to: realm.url)
      #expect(try Program.run("verify", realm.path).status == 1)
    }

    /// Complete commits are counted. The files do not show whether an acknowledged commit is missing after them.
    @Test func aJournalWithoutItsEndLeavesAFileInDoubt() throws {
      let realm = try TestRealm()
      let journal = URL(fileURLWithPath: realm.path + ".journal")
      try Data(contentsOf: journal).dropLast(70).write(to: journal)
      let before = try realm.contents()
      let outcome = try Program.run("verify", realm.path)
      #expect(outcome.status == 2)
      #expect(outcome.complaints == "")
      let lines = outcome.output.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.first?.firstMatch(of: /is whole up to version \d+, and in doubt behind it:$/) != nil)
      let bytes = try #require(lines.last?.firstMatch(of: /^  The last (\d+) bytes of the journal make no whole/)?.1)
      let json = try Program.run("info", realm.path, "--json").output
      let info = try JSONDecoder().decode(Info.self, from: Data(json.utf8))
      #expect(info.state == "cutOff")
      #expect(info.cutOff?.bytes == Int(bytes))
      #expect(info.cutOff?.commits == 1)
      #expect(try Program.run("info", realm.path).output.contains("\(bytes) bytes, at least 1 commit\n"))
      #expect(try realm.contents() == before)
    }

    /// The JSON for a file in doubt.
    private struct Info: Decodable {
      struct CutOff: Decodable {
        let bytes: Int
        let commits: Int
      }
      let state: String
      let cutOff: CutOff?
    }

    @Test(arguments: ["verify", "info"])
    func aFileOfAnotherKindIsNoRealm(_ command: String) throws {
      try TemporaryFolder.with { folder in
        let letter = folder.appendingPathComponent("letter.txt")
        try Data("This is a letter to nobody, and longer than any header.\n".utf8).write(to: letter)
        let outcome = try Program.run(command, letter.path)
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.complaints.hasPrefix("fief: "))
        #expect(outcome.complaints.contains("letter.txt"))
      }
    }

    @Test(arguments: ["verify", "info"])
    func aFolderIsNoRealm(_ command: String) throws {
      let outcome = try TemporaryFolder.with { try Program.run(command, $0.path) }
      #expect(outcome.status == 1)
    }

    @Test(arguments: ["verify", "info"])
    func aFileThatIsNotThereIsMissing(_ command: String) throws {
      try TemporaryFolder.with { folder in
        for name in ["nothing.realm", "nowhere/nothing.realm"] {
          let outcome = try Program.run(command, folder.appendingPathComponent(name).path)
          #expect(outcome.status == 66, "\(name)")
          #expect(outcome.output == "")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      }
    }
  }
#endif
