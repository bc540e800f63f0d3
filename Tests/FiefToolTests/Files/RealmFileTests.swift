#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import FiefRealmFileSamples
  import FiefTestSupport
  import Foundation
  import Testing

  /// `fief info` and `fief import` for files of Realm.
  @Suite struct RealmFileTests {
    private static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("FiefRealmFilesTests/Files")

    private func sample(_ name: String) -> String { Self.samples.appendingPathComponent("\(name).realm").path }

    @Test func infoShowsFormatAndCounts() throws {
      let file = sample("small")
      let wanted = """
        \(file)
          kind             a file of Realm, format 24
          version          3
          schema version   3
          size             65536 bytes
          objects          122

          Address          12
          All              40
          Dog              30
          Person           10
          Toy              30

        """
      #expect(try Program.run("info", file) == Program.Outcome(status: 0, output: wanted, complaints: ""))
    }

    @Test func infoForProgramsNamesTheKind() throws {
      let outcome = try Program.run("info", "--json", sample("empty"))
      let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
      #expect(json?["kind"] as? String == "realm")
      #expect(json?["format"] as? Int == 24)
      #expect((json?["classes"] as? [Any])?.count == 5)
    }

    @Test func importMakesASoundFileAndLeavesTheOriginal() throws {
      try TemporaryFolder.with { folder in
        let new = folder.appendingPathComponent("new.realm").path
        let before = try Data(contentsOf: URL(fileURLWithPath: sample("small")))
        // Tests run at the same time, and an import locks its file.
        let old = folder.appendingPathComponent("old.realm").path
        try before.write(to: URL(fileURLWithPath: old))
        let wanted = "122 objects, 150 links\n  Address: 12\n  All: 40\n  Dog: 30\n  Person: 10\n  Toy: 30\n"
        #expect(
          try Program.run("import", old, new)
            == Program.Outcome(status: 0, output: wanted, complaints: ""))
        #expect(try Program.run("verify", new).status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == before)
        #expect(try Program.run("import", old, new).status == 74)
      }
    }

    /// The schema of the file would be another one than was asked for.
    @Test(arguments: [["--key", "Dog.name"], ["--date", "Dog.born"], ["--class", "Dog"], ["--ignore-unknown"]])
    func optionsOfDocumentsAreRefused(_ options: [String]) throws {
      try TemporaryFolder.with { folder in
        let new = folder.appendingPathComponent("new.realm").path
        let outcome = try Program.run(["import", sample("small"), new] + options)
        #expect(outcome.status == 64 && outcome.complaints.contains("is for documents"), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: new))
      }
    }

    @Test func importTakesAClassWithoutProperties() throws {
      try TemporaryFolder.with { folder in
        let (old, new) = (folder.appendingPathComponent("old.realm"), folder.appendingPathComponent("new.realm").path)
        try Data(RealmFileWriter.withoutProperties(rows: 300)).write(to: old)
        #expect(
          try Program.run("import", old.path, new)
            == Program.Outcome(status: 0, output: "300 objects, 0 links\n  Marker: 300\n", complaints: ""))
        #expect(try Program.run("verify", new).status == 0)
        #expect(try Program.run("info", new).output.contains("Marker"))
        #expect(try Program.run("schema", new).output.contains("Marker"))
      }
    }

    @Test func namesOfTablesCannotAct() throws {
      try TemporaryFolder.with { folder in
        let (old, new) = (folder.appendingPathComponent("old.realm"), folder.appendingPathComponent("new.realm").path)
        // A name that is no class is not checked.
        let name = "\u{1B}[31m\u{9B}2J\n  Dog: 7"
        var writer = RealmFileWriter()
        var tables = [("metadata", writer.metadata(key: 0, version: 7))]
        for (key, name) in [(1, "class_A"), (2, name)] {
          let rows = writer.refs([writer.tagged(1), writer.integers([4])])
          tables.append((name, writer.table(key: Int64(key), [RealmFileWriter.Column("n", 0)], rows: rows)))
        }
        try Data(writer.finish(top: writer.group(tables))).write(to: old)
        let info = try Program.run("info", old.path)
        #expect(info.status == 0 && info.output.isSafeToPrint, "\(info)")
        #expect(info.output.contains("  other tables     \\u{1B}[31m\\u{9B}2J\\u{A}  Dog: 7\n"))
        // Programs get the name as it is.
        let forPrograms = try Program.run("info", old.path, "--json")
        #expect(forPrograms.status == 0 && forPrograms.output.isSafeToPrint, "\(forPrograms)")
        let json = try JSONSerialization.jsonObject(with: Data(forPrograms.output.utf8)) as? [String: Any]
        #expect(json?["otherTables"] as? [String] == [name])
        let copied = try Program.run("import", old.path, new)
        #expect(copied.status == 0 && copied.output.isSafeToPrint, "\(copied)")
        #expect(copied.output.contains("The table '\\u{1B}[31m\\u{9B}2J\\u{A}  Dog: 7' is not one of the application"))
        #expect(copied.output.split(separator: "\n").count == 3, "\(copied)")
      }
    }

    @Test func anExportSaysThatItLeavesAsymmetricObjectsOut() throws {
      try TemporaryFolder.with { folder in
        let file = folder.appendingPathComponent("old.realm")
        var writer = RealmFileWriter()
        let rows = writer.refs([writer.tagged(2), writer.integers([4, 5])])
        let sightings = writer.table(key: 1, [RealmFileWriter.Column("n", 0)], rows: rows, kind: 2)
        let tables = [("metadata", writer.metadata(key: 0, version: 0)), ("class_Sighting", sightings)]
        try Data(writer.finish(top: writer.group(tables))).write(to: file)
        let all = try Program.run("export", file.path)
        #expect(all.status == 0 && !all.output.contains("Sighting"), "\(all)")
        #expect(all.complaints == "fief: 2 objects of 'Sighting' left out: no class reads asymmetric objects.\n")
        let named = try Program.run("export", file.path, "Sighting")
        #expect(named.status == 64 && named.complaints.contains("'Sighting' are asymmetric"), "\(named)")
      }
    }

    @Test func filesThatCannotBeImportedAreRefused() throws {
      try TemporaryFolder.with { folder in
        let new = folder.appendingPathComponent("new.realm").path
        let encrypted = try Program.run("import", sample("encrypted"), new)
        #expect(encrypted.status == 1)
        #expect(encrypted.complaints.contains("looks like an encrypted file of Realm"))
        let info = try Program.run("info", sample("encrypted"))
        #expect(info.status == 1 && info.output.isEmpty)
        #expect(info.complaints.contains("looks like an encrypted file of Realm"))
        #expect(try Program.run("import", folder.appendingPathComponent("none").path, new).status == 66)
        #expect(!FileManager.default.fileExists(atPath: new))
      }
    }
  }
#endif
