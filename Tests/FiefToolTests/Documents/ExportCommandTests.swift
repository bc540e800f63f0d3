#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  @Suite struct ExportCommandTests {
    private static let formats = ["--json", "--ndjson", "--csv"]

    /// Exports a file, imports the document, and returns what differs.
    private func difference(_ file: String, _ format: String, in folder: URL) throws -> String? {
      let name = format == "--csv" ? "folder" : "document"
      let (document, new) = (folder.appendingPathComponent(name).path, folder.appendingPathComponent("new.realm").path)
      let exported = try Program.run("export", file, format, "-o", document)
      #expect(exported == Program.Outcome(status: 0, output: "", complaints: ""))
      let imported = try Program.run("import", document, new, format)
      #expect(imported.status == 0 && imported.complaints == "", "\(imported.complaints)")
      #expect(imported.output.isSafeToPrint)
      #expect(try Program.run("verify", new).status == 0)
      func open(_ path: String) throws -> Realm {
        try Realm(fileURL: URL(fileURLWithPath: path), dynamic: true, readOnly: true)
      }
      return Realm.difference(try open(file), try open(new))
    }

    @Test(arguments: Seeds.first(6), formats)
    func anExportedFileIsImportedWithoutADifference(seed: Seed, format: String) throws {
      try TemporaryFolder.with { (folder: URL) throws in
        let file = folder.appendingPathComponent("random.realm")
        do {
          var configuration = Realm.Configuration(fileURL: file)
          configuration.dynamicSchema = RandomContents.schema
          var random = seed.random
          try RandomContents.fill(try Realm(configuration: configuration), &random)
        }
        #expect(try difference(file.path, format, in: folder) == nil)
      }
    }

    /// Where names of files ignore case, one of two equal names would replace the other.
    @Test func classesThatDifferInCaseAloneHaveFilesThatDifferInMore() throws {
      try TemporaryFolder.with { (folder: URL) throws in
        let file = folder.appendingPathComponent("pack.realm")
        do {
          var configuration = Realm.Configuration(fileURL: file)
          configuration.dynamicSchema = DynamicSchema([
            .init("Dog", [.init("name", .string)]), .init("dog", [.init("name", .string)]),
            .init("Cat", [.init("name", .string)]),
          ])
          let realm = try Realm(configuration: configuration)
          try realm.write {
            for name in ["Dog", "dog", "Cat"] { realm.dynamicCreate(name, value: ["name": "a \(name)"]) }
          }
        }
        #expect(try difference(file.path, "--csv", in: folder) == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("folder").path)
        #expect(Set(names) == ["%44og.csv", "dog.csv", "Cat.csv", "schema.json"])
      }
    }

    @Test(arguments: formats)
    func hostileStringsComeBackEqual(_ format: String) throws {
      let store = try HostileStore()
      let before = try store.contents()
      try TemporaryFolder.with { (folder: URL) throws in #expect(try difference(store.path, format, in: folder) == nil)
      }
      #expect(try store.contents() == before)
    }

    @Test(arguments: formats)
    func theSchemaComesBackWithIndexesAndRules(_ format: String) throws {
      try TemporaryFolder.with { (folder: URL) throws in
        let file = folder.appendingPathComponent("a.realm")
        do {
          var configuration = Realm.Configuration(fileURL: file)
          configuration.dynamicSchema = DynamicSchema([
            .init(
              "A", primaryKey: "id",
              [
                .init("id", .int, isOptional: true), .init("u", .string, index: .unique),
                .init("t", .string, isOptional: true, index: .fullText), .init("p", .date, index: .plain),
                .init("l", .object, .list, linkingTo: "A", deleteRule: .cascade),
                .init("d", .object, linkingTo: "A", deleteRule: .deny),
              ], compoundIndexes: [CompoundIndex(["u", "p"], unique: true), CompoundIndex(["t", "id"])]),
            .init("Only", primaryKey: "key", [.init("key", .string, isOptional: true)]), .init("Empty", []),
          ])
          let realm = try Realm(configuration: configuration)
          try realm.write { realm.dynamicCreate("Only") }
        }
        #expect(try difference(file.path, format, in: folder) == nil)
        let new = folder.appendingPathComponent("new.realm")
        let (old, copy) = (
          try Realm(fileURL: file, dynamic: true, readOnly: true),
          try Realm(fileURL: new, dynamic: true, readOnly: true)
        )
        #expect(old.schema == copy.schema && copy.schema.objectSchema.count == 3)
        let tables = [old, copy].map { $0.graph.table(named: "A") }
        let indexes = tables.map { table in
          (table?.schema.indexes ?? []).map { index in
            "\(index.columns.compactMap { table?.schema.column($0)?.name }) \(index.isUnique) \(index.isFullText)"
          }.sorted()
        }
        #expect(indexes[0] == indexes[1] && indexes[0].count == 5)
        #expect(tables[0]?.schema.columns.map(\.deleteRule) == tables[1]?.schema.columns.map(\.deleteRule))
      }
    }

    @Test func classesAndConditionsChoose() throws {
      let kennel = try KennelFile()
      let arguments = ["export", kennel.path, "Dog", "--where", "age >= 3", "--no-schema"]
      #expect(
        try Program.run(arguments).output == """
          {
          "Dog": [
          {"$id":0,"age":3,"name":"Rex"},
          {"$id":1,"age":10,"name":"Fido"},
          {"age":3,"name":null}
          ]
          }

          """)
      #expect(
        try Program.run(arguments + ["--ndjson"]).output == """
          {"$class":"Dog","$id":0,"age":3,"name":"Rex"}
          {"$class":"Dog","$id":1,"age":10,"name":"Fido"}
          {"$class":"Dog","age":3,"name":null}

          """)
      #expect(try Program.run(arguments + ["--csv"]).output == "$id,name,age\n0,Rex,3\n1,Fido,10\n3,,3\n")
      // Links to dogs that are not written are left out; those by primary key stay.
      #expect(
        try kennel.output("export", "Person", "--where", "id == 1", "--no-schema", "--ndjson") == """
          {"$class":"Person","dogs":[],"friend":{"id":2},"home":{"city":"Rome","keeper":null},"id":1,"name":"Ann",\
          "note":["a",{"k":1.5}]}

          """)
    }

    @Test(
      arguments: [
        (["--csv"], 64, "give a folder with '-o'"), (["--where", "age > 1"], 64, "needs one CLASS"),
        (["Dog", "Person", "--where", "age > 1"], 64, "needs one CLASS"), (["Dgo"], 64, "did you mean 'Dog'?"),
        (["Address"], 64, "written with their owners"), (["Dog", "--where", "aeg > 1"], 64, "did you mean 'age'?"),
        (["--json", "--csv"], 64, "exclude each other"), (["-o", "/nowhere/at/all.json"], 74, "cannot be written"),
      ])
    func whatCannotBeExportedHasItsExitCode(_ arguments: [String], _ status: Int32, _ words: String) throws {
      let kennel = try KennelFile()
      let outcome = try Program.run(["export", kennel.path] + arguments)
      #expect(outcome.status == status && outcome.output == "" && outcome.complaints.contains(words), "\(outcome)")
    }

    @Test func aFolderIsNoFile() throws {
      let kennel = try KennelFile()
      let (folder, new) = (kennel.folder.url.path, kennel.folder.url.appendingPathComponent("new.realm").path)
      let written = try kennel.run("export", "Dog", "-o", folder)
      #expect(written.status == 74 && written.complaints.hasSuffix("is a folder: name a file to write.\n"))
      for arguments in [["import", folder, new, "--json"], ["modernize", folder]] {
        let read = try Program.run(arguments)
        #expect(read.status == 74 && read.complaints.hasSuffix("is a folder: name a file to read.\n"), "\(read)")
      }
    }

    @Test func anExistingDocumentIsReplacedAsAWhole() throws {
      let kennel = try KennelFile()
      try TemporaryFolder.with { (folder: URL) throws in
        let file = folder.appendingPathComponent("dogs.json")
        try Data("old".utf8).write(to: file)
        #expect(try kennel.run("export", "Dgo", "-o", file.path).status == 64)
        #expect(try Data(contentsOf: file) == Data("old".utf8))
        _ = try kennel.output("export", "Dog", "-o", file.path)
        #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self) == kennel.output("export", "Dog"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["dogs.json"])
      }
    }

    #if !os(Windows)
      @Test func aDocumentBehindALinkIsReplacedAndKeepsItsPermissions() throws {
        let kennel = try KennelFile()
        let files = FileManager.default
        try TemporaryFolder.with { (folder: URL) throws in
          let (file, link) = (folder.appendingPathComponent("dogs.json"), folder.appendingPathComponent("link.json"))
          try Data("old".utf8).write(to: file)
          try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
          try files.createSymbolicLink(atPath: link.path, withDestinationPath: "dogs.json")
          _ = try kennel.output("export", "Dog", "-o", link.path)
          #expect(try files.destinationOfSymbolicLink(atPath: link.path) == "dogs.json")
          #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self) == kennel.output("export", "Dog"))
          let attributes = try files.attributesOfItem(atPath: file.path)
          #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
          #expect(try files.contentsOfDirectory(atPath: folder.path).sorted() == ["dogs.json", "link.json"])
        }
      }

      @Test func aPipeIsWrittenTo() throws {
        let kennel = try KennelFile()
        try TemporaryFolder.with { (folder: URL) throws in
          let pipe = folder.appendingPathComponent("pipe").path
          try #require(mkfifo(pipe, 0o600) == 0)
          // A pipe that is open for both opens at once, and its buffer takes the document without a reader.
          let handle = try #require(FileHandle(forUpdatingAtPath: pipe))
          let expected = Data(try kennel.output("export", "Dog").utf8)
          _ = try kennel.output("export", "Dog", "-o", pipe)
          #expect(try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType != .typeRegular)
          // Ends a wait for bytes that have not come.
          try handle.write(contentsOf: Data(count: expected.count))
          #expect(try handle.read(upToCount: expected.count) == expected)
        }
      }
    #endif

    @Test(arguments: ["export", "browse"])
    func theFileThatIsReadIsNotWritten(_ command: String) throws {
      let kennel = try KennelFile()
      let before = try Data(contentsOf: URL(fileURLWithPath: kennel.path))
      let outcome = try Program.run(command, kennel.path, "-o", kennel.path)
      #expect(outcome.status == 64 && outcome.complaints.contains("is the file that is read"), "\(outcome)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: kennel.path)) == before)
    }

    @Test(arguments: ["", ".journal", ".lock"])
    func noFileOfAnotherRealmIsReplaced(ending: String) throws {
      let (kennel, other) = (try KennelFile(), try KennelFile())
      let file = URL(fileURLWithPath: other.path + ending)
      let before = try Data(contentsOf: file)
      let outcome = try Program.run("export", kennel.path, "-o", file.path)
      #expect(outcome.status == 64 && outcome.complaints.contains("is a file of a realm"), "\(outcome)")
      #expect(try Data(contentsOf: file) == before)
    }

    @Test func neitherAFileOfRealmNorOneThatCannotBeReadIsReplaced() throws {
      let (kennel, other) = (try KennelFile(), try KennelFile())
      let before = try Data(contentsOf: URL(fileURLWithPath: other.path))
      try FileManager.default.setAttributes([.posixPermissions: 0o200], ofItemAtPath: other.path)
      let outcome = try Program.run("export", kennel.path, "-o", other.path)
      // The administrator reads it nevertheless, and is told what it is.
      #expect(outcome.status == 74 || outcome.status == 64, "\(outcome)")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other.path)
      #expect(try Data(contentsOf: URL(fileURLWithPath: other.path)) == before)
      let original = Data(repeating: 0, count: 16) + Data("T-DB".utf8) + Data(repeating: 9, count: 100)
      try original.write(to: URL(fileURLWithPath: other.path))
      let refusal = try Program.run("export", kennel.path, "-o", other.path)
      #expect(refusal.status == 64 && refusal.complaints.contains("is a file of a realm"), "\(refusal)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: other.path)) == original)
    }

    @Test func aFileOfRealmIsExportedToo() throws {
      let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("FiefRealmFilesTests/Files/small.realm")
      try TemporaryFolder.with { (folder: URL) throws in
        let (document, new) = (folder.appendingPathComponent("a.json").path, folder.appendingPathComponent("b").path)
        #expect(try Program.run("export", sample.path, "-o", document).status == 0)
        #expect(
          try Program.run("import", document, new).output.hasSuffix(
            "\n110 objects\n  All: 40\n  Dog: 30\n  Person: 10\n  Toy: 30\n"))
        #expect(try Program.run("diff", sample.path, new).status == 0)
      }
    }
  }
#endif
