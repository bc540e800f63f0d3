#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  @Suite struct FileInfoTests {
    @Test func aFileIsSummarizedInNumbers() throws {
      let realm = try TestRealm()
      let outcome = try Program.run("info", realm.path)
      #expect(outcome.status == 0)
      #expect(outcome.complaints == "")
      let lines = outcome.output.split(separator: "\n").map(String.init)
      #expect(lines.first == realm.path)
      for line in [
        "  state            closed in order", "  schema version   3", "  objects          3", "  Dog              2",
        "  Person           1",
      ] {
        #expect(lines.contains(line), "\(line) is not in \(outcome.output)")
      }
    }

    /// The documented format of the option `--json`.
    private struct Record: Decodable, Equatable {
      struct Part: Decodable, Equatable {
        var bytes: Int
        var version: Int?
        var commits: Int?
        var versions: Int?
      }
      struct Class: Decodable, Equatable {
        var name: String
        var objects: Int
      }
      var store: UUID
      var state: String
      var version: Int
      var schemaVersion: Int
      var snapshot: Part
      var journal: Part
      var history: Part?
      var classes: [Class]
    }

    @Test(arguments: [["--json", ""], ["", "--json"]])
    func aFileIsPrintedAsJSON(_ order: [String]) throws {
      let realm = try TestRealm()
      let arguments = order.map { $0.isEmpty ? realm.path : $0 }
      let outcome = try Program.run("info", arguments[0], arguments[1])
      #expect(outcome.status == 0)
      let record = try JSONDecoder().decode(Record.self, from: Data(outcome.output.utf8))
      #expect(record.state == "closed")
      #expect(record.schemaVersion == 3)
      #expect(record.classes == [.init(name: "Dog", objects: 2), .init(name: "Person", objects: 1)])
      // The sizes must equal those in the file system.
      let contents = try realm.contents()
      #expect(record.snapshot.bytes == contents["dogs.realm"]?.count)
      #expect(record.journal.bytes == contents["dogs.realm.journal"]?.count ?? 0)
      #expect(record.version >= (record.snapshot.version ?? .max))
    }

    @Test func theHistoryIsSummarizedIfThereIsOne() throws {
      let files = try TestRealm()
      func line() throws -> Substring? {
        try Program.run("info", files.path).output.split(separator: "\n").first { $0.hasPrefix("  history") }
      }
      #expect(try line() == nil)
      var configuration = files.configuration
      configuration.history = .versions(10)
      do {
        let realm = try Realm(configuration: configuration)
        for _ in 0..<3 { try realm.write { realm.add(TestRealm.Dog()) } }
        try realm.compact()
      }
      let size = try #require(files.contents()["dogs.realm.history"]?.count)
      #expect(try line()?.contains("\(size) bytes, ") ?? false)
      let json = try Program.run("info", "--json", files.path).output
      let record = try JSONDecoder().decode(Record.self, from: Data(json.utf8))
      #expect(record.history?.bytes == size && record.history?.versions ?? 0 >= 3)
      #expect(try Program.run("verify", files.path).status == 0)
    }

    @Test func anOpenFileIsSummarizedToo() throws {
      let files = try TestRealm()
      let realm = try Realm(configuration: files.configuration)
      try realm.write { realm.add(TestRealm.Dog()) }
      let outcome = try Program.run("info", files.path)
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("ended without releasing it; nothing is lost"))
      #expect(outcome.output.contains("Dog              3"))
      withExtendedLifetime(realm) {}
    }

    @Test func lookingAtAFileChangesNothing() throws {
      let realm = try TestRealm()
      let before = try realm.contents()
      _ = try Program.run("info", realm.path)
      _ = try Program.run("info", "--json", realm.path)
      #expect(try realm.contents() == before)
    }

    @Test func aDamagedFileIsNotConvertedToJSON() throws {
      let realm = try TestRealm()
      try realm.damage { $0 / 2 }
      let outcome = try Program.run("info", realm.path)
      #expect(outcome.status == 1)
      #expect(outcome.output == "")
      #expect(outcome.complaints.hasPrefix("fief: "))
    }
  }
#endif
