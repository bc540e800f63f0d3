#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  @Suite struct FileSchemaTests {
    class Everything: Object {
      @Persisted(primaryKey: true) var id: ObjectId
      @Persisted(indexed: true) var name: String?
      @Persisted var part: Part?
      @Persisted var marks: MutableSet<Int?>
      @Persisted var friends: Map<String, Everything?>
      @Persisted var list: List<Double>
      @Persisted var any: AnyRealmValue
    }

    class Part: EmbeddedObject {
      @Persisted var city = ""
    }

    @Test func aSchemaIsPrintedClassByClass() throws {
      try TemporaryFolder.with { folder in
        let url = folder.appendingPathComponent("all.realm")
        do { _ = try Realm(configuration: .init(fileURL: url, objectTypes: [Everything.self, Part.self])) }
        let bytes = try Data(contentsOf: url)
        let outcome = try Program.run("schema", url.path)
        #expect(outcome.status == 0 && outcome.complaints == "")
        #expect(
          outcome.output == """
            Everything
              id       object id, primary key
              name     string?, indexed
              part     Part
              marks    set of int?
              friends  map of Everything
              list     list of double
              any      mixed
            Part (embedded)
              city     string

            """)
        #expect(try Data(contentsOf: url) == bytes)
      }
    }

    @Test func aFileWithoutClassesSaysSo() throws {
      try TemporaryFolder.with { folder in
        let url = folder.appendingPathComponent("none.realm")
        do { _ = try Realm(configuration: .init(fileURL: url, objectTypes: [])) }
        #expect(try Program.run("schema", url.path) == .init(status: 0, output: "no classes\n", complaints: ""))
      }
    }

    @Test func missingForeignAndDamagedFilesAreErrors() throws {
      let realm = try TestRealm()
      try realm.compact()
      try realm.damage { $0 / 2 }
      #expect(try Program.run("schema", realm.path).status == 1)
      #expect(try Program.run("schema", realm.path + ".none").status == 66)
      try Data("no realm at all, but some text".utf8).write(to: realm.url)
      #expect(try Program.run("schema", realm.path).status == 1)
    }
  }
#endif
