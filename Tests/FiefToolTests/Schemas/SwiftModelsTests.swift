#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import FiefTestSupport
  import Foundation
  import RealmSwift
  import Testing

  /// `fief schema --swift`. `GeneratedModels.swift` is both the expected text and a part of the tests, so it compiles.
  @Suite struct SwiftModelsTests {
    /// A schema whose names are keywords, types, members of objects, or nothing that Swift could read.
    private static let schema = DynamicSchema([
      .init(
        "Data", primaryKey: "class",
        [
          .init("class", .string, isOptional: true), .init("default", .bool), .init("init", .int),
          .init("self", .double),
          .init("Type", .float, isOptional: true), .init("description", .string), .init("realm", .string),
          .init("hash", .data), .init("name", .date), .init("_name", .string, isOptional: true), .init("in", .any),
          .init("a b", .int, index: .plain), .init("a_b", .int, index: .unique), .init("1st", .UUID),
          .init("日本", .objectId), .init("e\u{301}", .decimal128), .init("🐕 \"'\\", .int, .list, isOptional: true),
          .init("text", .string, index: .fullText), .init("...", .bool, .map),
        ], compoundIndexes: [CompoundIndex(["a b", "name"]), CompoundIndex(["1st", "日本"], unique: true)]),
      .init(
        "class", primaryKey: "id",
        [
          .init("id", .UUID), .init("one", .object, linkingTo: "Data", deleteRule: .deny),
          .init("many", .object, .list, linkingTo: "class", deleteRule: .cascade),
          .init("set", .object, .set, linkingTo: "Data"), .init("map", .object, .map, linkingTo: "</script>\"'& 🐕"),
          .init("oneOfclass", .int), .init("part", .object, linkingTo: "Part"),
        ]),
      .init(
        "Part", isEmbedded: true,
        [
          .init("parts", .object, .list, linkingTo: "Part"), .init("named", .object, .map, linkingTo: "Part"),
          .init("data", .data, isOptional: true), .init("link", .object, linkingTo: "Data"),
        ]),
      .init("</script>\"'& 🐕", [.init("x", .string, .set), .init("y", .decimal128, isOptional: true)]),
      .init("Data_", primaryKey: "n", [.init("n", .int, isOptional: true)]),
    ])

    private static let classes: [ObjectBase.Type] = [
      DataObject.self, classObject.self, Part.self, __script______.self, Data_.self,
    ]

    private static let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "GeneratedModels.swift")

    @Test func theClassesOpenTheFile() throws {
      try TemporaryFolder.with { folder in
        let file = folder.appendingPathComponent("odd.realm")
        do {
          var configuration = Realm.Configuration(fileURL: file, schemaVersion: 7)
          configuration.dynamicSchema = Self.schema
          let realm = try Realm(configuration: configuration)
          try realm.write {
            realm.dynamicCreate(
              "Data", value: ["class": "a", "self": 1.5, "a b": 3, "realm": "of old"] as [String: Any])
            let data = realm.dynamicObject(ofType: "Data", forPrimaryKey: "a")
            realm.dynamicCreate(
              "class", value: ["id": UUID(), "one": data as Any, "part": ["parts": [["data": nil]]]] as [String: Any])
          }
        }
        let outcome = try Program.run("schema", file.path, "--swift")
        #expect(outcome.status == 0 && outcome.complaints == "")
        let expected = try String(decoding: Foundation.Data(contentsOf: Self.source), as: UTF8.self)
        #expect(outcome.output == expected)
        // No difference, so that the version of the schema stays.
        let configuration = Realm.Configuration(fileURL: file, schemaVersion: 7, objectTypes: Self.classes)
        let realm = try Realm(configuration: configuration)
        let data = try #require(realm.object(ofType: DataObject.self, forPrimaryKey: "a"))
        #expect(data.self_ == 1.5 && data.a_b_ == 3 && data.realm_ == "of old")
        #expect(data.oneOfclassObject.first?.part?.parts.count == 1)
        try realm.write { data.`default` = true }
        #expect(realm.objects(DataObject.self).where { $0.`default` }.count == 1)
      }
    }

    /// Classes that were made of a file make the same classes again.
    @Test func theClassesMakeTheSameFile() throws {
      try TemporaryFolder.with { folder in
        let file = folder.appendingPathComponent("odd.realm")
        do {
          _ = try Realm(configuration: .init(fileURL: file, schemaVersion: 7, objectTypes: Self.classes))
        }
        let output = try Program.run("schema", file.path, "--swift").output
        #expect(try output == String(decoding: Foundation.Data(contentsOf: Self.source), as: UTF8.self))
      }
    }

    /// `any`, `each` and `some` are words of their own in a type, so that no property could have such a class.
    @Test func classesWithTheNamesOfWordsInTypesGetOthers() throws {
      try TemporaryFolder.with { folder in
        let file = folder.appendingPathComponent("words.realm")
        let words = ["any", "each", "some"]
        do {
          var configuration = Realm.Configuration(fileURL: file)
          configuration.dynamicSchema = DynamicSchema(
            words.map { .init($0, [.init("next", .object, linkingTo: $0)]) })
          _ = try Realm(configuration: configuration)
        }
        let output = try Program.run("schema", file.path, "--swift").output
        for word in words { #expect(output.contains("class \(word)Object: Object {"), "\(output)") }
      }
    }

    private class Widths: Object {
      @Persisted var a: Int8
      @Persisted var b: Int16?
      @Persisted var c: List<Int32>
      @Persisted var d: Map<String, Int8?>
    }

    @Test func widthsAndClassesWithoutPropertiesAreNoted() throws {
      try TemporaryFolder.with { folder in
        let file = folder.appendingPathComponent("widths.realm")
        do { _ = try Realm(configuration: .init(fileURL: file, objectTypes: [Widths.self])) }
        let output = try Program.run("schema", file.path, "--swift").output
        for line in ["a: Int8", "b: Int16?", "c: List<Int32>", "d: Map<String, Int8?>"] {
          #expect(output.contains("  @Persisted var \(line)\n"))
        }
        let empty = folder.appendingPathComponent("empty.realm")
        do {
          var configuration = Realm.Configuration(fileURL: empty)
          configuration.dynamicSchema = DynamicSchema([
            .init("Empty", []), .init("A", [.init("e", .object, linkingTo: "Empty")]),
          ])
          _ = try Realm(configuration: configuration)
        }
        let outcome = try Program.run("schema", empty.path, "--swift")
        #expect(outcome.status == 0 && outcome.complaints.contains("'Empty' has no properties"))
        #expect(outcome.output.contains("// 'e' links to a class without properties"))
      }
    }
  }
#endif
