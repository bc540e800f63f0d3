#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  @Suite struct RehearseCommandTests {
    private func file(_ name: String, _ schema: DynamicSchema, in folder: URL) throws -> String {
      let url = folder.appendingPathComponent(name)
      var configuration = Realm.Configuration(fileURL: url)
      configuration.dynamicSchema = schema
      _ = try Realm(configuration: configuration)
      return url.path
    }

    @Test func aMigrationIsToldAndNotMade() throws {
      let kennel = try KennelFile()
      let new = try file(
        "new.realm",
        DynamicSchema([
          .init("Dog", [.init("name", .int), .init("color", .string)]),
          .init("Person", primaryKey: "id", [.init("id", .int), .init("name", .string)]),
        ]), in: kennel.folder.url)
      let before = try Data(contentsOf: URL(fileURLWithPath: kennel.path))
      let text = try Program.run("rehearse", kennel.path, "--schema", new)
      #expect(text.status == 0 && text.complaints == "")
      for line in [
        "Migration from schema version 0 to 1", "Property 'Dog.color' has been added.",
        "Dog: 4 stored, 0 read, 0 created (0 copies)", "Dog.age: 3 removed, such as 3",
      ] { #expect(text.output.contains(line), "\(text.output)") }
      let json = try Program.run("rehearse", kennel.path, "--schema", new, "--json").output
      let report = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      #expect(report["schemaVersion"] as? Int == 1 && report["failure"] is NSNull)
      let losses = try #require(report["losses"] as? [NSDictionary])
      #expect(losses.contains(["class": "Dog", "property": "age", "kind": "removed", "count": 3, "example": "3"]))
      #expect(try Data(contentsOf: URL(fileURLWithPath: kennel.path)) == before)
    }

    @Test func aMigrationThatWouldFailHasItsExitCode() throws {
      let kennel = try KennelFile()
      let new = try file(
        "new.realm", DynamicSchema([.init("Dog", primaryKey: "age", [.init("age", .int, isOptional: true)])]),
        in: kennel.folder.url)
      let text = try Program.run("rehearse", kennel.path, "--schema", new)
      #expect(text.status == 65 && text.output.contains("It would fail: "))
      #expect(text.output.contains("Dog.age: 3 in 2 objects"))
      let json = try Program.run("rehearse", kennel.path, "--schema", new, "--json")
      #expect(json.status == 65 && json.output.contains(#""duplicates":[{"class":"Dog","count":2"#))
    }

    @Test func noSchemaVersionIsAboveTheLast() throws {
      let kennel = try KennelFile()
      let url = kennel.folder.url.appendingPathComponent("last.realm")
      var configuration = Realm.Configuration(fileURL: url, schemaVersion: .max - 1)
      configuration.dynamicSchema = DynamicSchema([.init("Dog", [.init("name", .string)])])
      _ = try Realm(configuration: configuration)
      let outcome = try Program.run("rehearse", url.path, "--schema", kennel.path)
      #expect(outcome.status == 65 && outcome.output == "")
      #expect(outcome.complaints.contains("has the last schema version that there is: \(UInt64.max - 1)."))
    }

    @Test func theNewClassesMayBeADocument() throws {
      let kennel = try KennelFile()
      let new = kennel.folder.url.appendingPathComponent("new.json")
      try Data(#"{"classes":[{"name":"Dog","properties":[{"name":"name","type":"string"}]}]}"#.utf8).write(to: new)
      let outcome = try Program.run("rehearse", kennel.path, "--schema", new.path)
      #expect(outcome.status == 0 && outcome.output.contains("Property 'Dog.age' has been removed."))
      try Data("{".utf8).write(to: new)
      #expect(try Program.run("rehearse", kennel.path, "--schema", new.path).status == 65)
    }

    @Test func allOfASchemaIsTakenOver() throws {
      let kennel = try KennelFile()
      let schema = DynamicSchema([
        .init(
          "All", primaryKey: "id",
          [
            .init("id", .string), .init("one", .int, isOptional: true, index: .unique),
            .init("two", .string, index: .fullText), .init("three", .date, .list, isOptional: true),
            .init("four", .object, .set, linkingTo: "All", deleteRule: .deny), .init("five", .any, .map),
            .init("six", .object, linkingTo: "Part", deleteRule: .nullify), .init("seven", .bool, index: .plain),
          ], compoundIndexes: [CompoundIndex("one", "seven", unique: true)]),
        .init("Part", isEmbedded: true, [.init("x", .decimal128)]),
      ])
      let a = try file("a.realm", schema, in: kennel.folder.url)
      let b = try file("b.realm", schema, in: kennel.folder.url)
      #expect(try Program.run("rehearse", a, "--schema", b).output.contains("The schemas are equal."))
    }

    @Test func hostileNamesCannotActAndNonsenseIsRefused() throws {
      let (store, kennel) = (try HostileStore(), try KennelFile())
      for (old, new) in [(store.path, kennel.path), (kennel.path, store.path)] {
        for options in [[], ["--json"]] {
          let outcome = try Program.run(["rehearse", old, "--schema", new] + options)
          #expect(outcome.output.isSafeToPrint && outcome.complaints.isSafeToPrint)
          #expect(outcome.status == 0 || outcome.status == 65)
        }
      }
      #expect(try Program.run("rehearse", kennel.path).status == 64)
      #expect(try Program.run("rehearse", kennel.path, "--schema", kennel.path + ".none").status == 66)
      #expect(try Program.run("rehearse", kennel.path + ".none", "--schema", kennel.path).status == 66)
    }
  }
#endif
