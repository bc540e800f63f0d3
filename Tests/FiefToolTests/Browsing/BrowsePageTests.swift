#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  @Suite struct BrowsePageTests {
    /// The class of a page's data, by its name.
    private func classes(_ page: Page) throws -> [String: [String: Any]] {
      let data = try #require(page.data() as? [String: Any])
      let classes = try #require(data["classes"] as? [[String: Any]])
      return Dictionary(uniqueKeysWithValues: classes.map { ($0["name"] as? String ?? "", $0) })
    }

    private func property(_ name: String, of described: [String: Any]?) throws -> [String: Any] {
      let properties = try #require(described?["properties"] as? [[String: Any]])
      return try #require(properties.first { $0["name"] as? String == name })
    }

    @Test func thePageHoldsAllObjects() throws {
      let realm = try TestRealm()
      let outcome = try Program.run("browse", realm.path)
      #expect(outcome.status == 0 && outcome.complaints == "")
      let page = Page(outcome.output)
      #expect(page.isHarmless)
      #expect(page.text.contains("<p>3 objects in 2 classes, version 3</p>"))
      let classes = try classes(page)
      let (dog, person) = (classes["Dog"], classes["Person"])
      #expect(dog?["rows"] as? Int == 2 && dog?["key"] as? Int == -1 && dog?["keys"] as? NSArray == [[0, 2]])
      #expect(try property("name", of: dog)["values"] as? [String] == ["Rex", "Fido"])
      #expect(person?["key"] as? Int == 0)
      let dogs = try property("dogs", of: person)
      #expect(dogs["values"] as? NSArray == [[0, 1]] && dogs["target"] as? Int == 0)
      #expect(dogs["typeWords"] as? String == "list of Dog" && dogs["shape"] as? String == "list")
    }

    @Test func allKindsOfValuesAreWritten() throws {
      try TemporaryFolder.with { folder in
        let url = folder.appendingPathComponent("kinds.realm")
        var configuration = Realm.Configuration(fileURL: url)
        let kinds: [(String, PropertyType)] = [
          ("bool", .bool), ("int", .int), ("float", .float), ("double", .double), ("data", .data), ("date", .date),
          ("id", .objectId), ("uuid", .UUID), ("decimal", .decimal128), ("any", .any),
        ]
        configuration.dynamicSchema = DynamicSchema([
          .init(
            "All",
            kinds.map { .init($0.0, $0.1, isOptional: $0.1 != .any) }
              + [.init("list", .int, .list), .init("map", .double, .map), .init("link", .object, linkingTo: "All")])
        ])
        do {
          let realm = try Realm(configuration: configuration)
          try realm.write {
            let first = realm.dynamicCreate(
              "All",
              value: [
                "bool": true, "int": Int.max, "float": Float(1.5), "double": Double.infinity,
                "data": Data([1, 0xAB] + Array(repeating: 7, count: 20)), "date": Date(timeIntervalSince1970: 0.5),
                "id": try ObjectId(string: "0123456789abcdef01234567"),
                "uuid": UUID(uuidString: "00000000-0000-0000-0000-00000000000A") as Any,
                "decimal": try Decimal128(string: "2.25"), "list": [1, 2], "map": ["b": 2.5, "a": Double.nan],
                "any": [1, ["k": 1.5], nil] as [Any?],
              ] as [String: Any])
            let second = realm.dynamicCreate("All", value: ["link": first])
            second["any"] = first
            realm.dynamicCreate("All", value: ["int": -7])
            realm.delete(second)
          }
        }
        let page = Page(try Program.run("browse", url.path).output)
        let all = try classes(page)["All"]
        #expect(all?["keys"] as? NSArray == [[0, 1], [2, 1]])
        func values(_ name: String) throws -> NSArray? { try property(name, of: all)["values"] as? NSArray }
        #expect(try values("bool") == [1, NSNull()])
        #expect(try values("int") == ["9223372036854775807", -7])
        #expect(try values("float") == [1.5, NSNull()])
        #expect(try values("double") == ["inf", NSNull()])
        #expect(try values("data") == ["22 bytes 01ab0707070707070707070707070707…", NSNull()])
        #expect(try values("date") == ["1970-01-01T00:00:00.5Z", NSNull()])
        #expect(try values("id") == ["0123456789abcdef01234567", NSNull()])
        #expect(try values("uuid") == ["00000000-0000-0000-0000-00000000000A", NSNull()])
        #expect(try values("decimal") == ["2.25", NSNull()])
        #expect(try values("list") == [[1, 2], NSNull()])
        #expect(try values("map") == [[["a", "nan"], ["b", 2.5]], NSNull()])
        #expect(
          try values("any") == [["list", [["int", 1], ["map", [["k", ["double", 1.5]]]], NSNull()]], NSNull()])
        // A property that no object has needs no space.
        #expect(try values("link") == nil)
      }
    }

    @Test func hostileTextsAreOnlyTexts() throws {
      let store = try HostileStore()
      let before = try store.contents()
      let file = store.folder.url.appendingPathComponent("hostile.html")
      let outcome = try Program.run("browse", store.path, "-o", file.path)
      #expect(outcome.status == 0 && outcome.output.hasPrefix("\(file.path): "))
      let page = try Page(file)
      #expect(page.isHarmless)
      let classes = try classes(page)
      let texts = try property("text", of: classes["Node"])
      let values = try #require(texts["values"] as? [String])
      for (text, value) in zip(HostileStore.texts, values) {
        if text.count <= 2_000 {
          #expect(value == text)
        } else {
          #expect(value.hasSuffix("… (\(text.count) characters)"))
        }
      }
      #expect(classes[HostileStore.oddClass] != nil)
      try FileManager.default.removeItem(at: file)
      #expect(try store.contents() == before)
    }

    @Test func aNameOfAFileIsOnlyAText() throws {
      let realm = try TestRealm()
      #if !os(Windows)
        let odd = realm.folder.url.appendingPathComponent("<b>\u{202E}\".realm")
        try Data(contentsOf: realm.url).write(to: odd)
        try Data(contentsOf: URL(fileURLWithPath: realm.path + ".journal")).write(
          to: URL(fileURLWithPath: odd.path + ".journal"))
        let page = Page(try Program.run("browse", odd.path).output)
        #expect(page.isHarmless && page.text.contains("<title>&lt;b&gt;\\u{202E}&quot;.realm</title>"))
      #endif
    }

    @Test func thePartsHaveTheirRoles() throws {
      let realm = try TestRealm()
      let page = Page(try Program.run("browse", realm.path).output)
      for part in [
        "<html lang=\"en\">", "<a class=\"skip\" href=\"#main\"", "role=\"search\" aria-label=\"Search all objects\"",
        "<label class=\"hidden\" for=\"search\">", "<nav class=\"side\" aria-labelledby=\"classes-title\">",
        "<main id=\"main\"", "role=\"status\"", "prefers-color-scheme:dark", "aria-sort", "scope: \"col\"",
        "scope: \"row\"", "aria-current", "<noscript>",
      ] { #expect(page.text.contains(part), "\(part)") }
      // Data never becomes markup.
      for call in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
        #expect(!page.text.contains(call))
      }
    }

    /// So 100,000 such objects fit into 20 MB, and more than once.
    @Test func anObjectTakesFewBytes() throws {
      try TemporaryFolder.with { folder in
        let url = folder.appendingPathComponent("many.realm")
        let count = 5_000
        do {
          let realm = try Realm(
            configuration: .init(fileURL: url, objectTypes: [TestRealm.Dog.self, TestRealm.Person.self]))
          try realm.write {
            for id in 0..<count {
              let dog = TestRealm.Dog()
              dog.name = "a dog with the name \(id % 100)"
              let person = TestRealm.Person()
              person.id = id
              person.dogs.append(dog)
              realm.add(person)
            }
          }
        }
        let small = try TestRealm()
        let empty = try Program.run("browse", small.path).output.utf8.count
        let size = try Program.run("browse", url.path).output.utf8.count
        #expect((size - empty) / (2 * count) < 40)
      }
    }

    @Test func missingForeignAndDamagedFilesAreErrors() throws {
      let realm = try TestRealm()
      #expect(try Program.run("browse", realm.path + ".none").status == 66)
      #expect(try Program.run("browse").status == 64)
      #expect(try Program.run("browse", realm.path, "-o", realm.folder.url.path + "/none/x.html").status == 74)
      try realm.compact()
      try realm.damage { $0 / 2 }
      #expect(try Program.run("browse", realm.path).status == 1)
    }
  }
#endif
