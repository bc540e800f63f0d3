#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  @Suite struct EditCommandsTests {
    @Test func propertiesAreSetAndTheChangesPrinted() throws {
      let kennel = try KennelFile()
      let outcome = try kennel.run(
        "edit", "Person", "2", "name=a = b", "friend=2", "dogs:=[\"#3\",0]", "home:={\"city\":\"Oslo\",\"keeper\":1}",
        "note:=[1,{\"k\":null}]")
      #expect(outcome.status == 0 && outcome.complaints == "")
      #expect(
        outcome.output == """
          Person 2
            name    Bob → a = b
            dogs    [] → [{"$ref":3},{"$ref":0}]
            friend  Person 1 → Person 2
            home    nil → {"city":"Oslo","keeper":{"$ref":1}}
            note    Dog #0 → [1,{"k":null}]

          """)
      #expect(
        try kennel.output("show", "Person", "2") == """
          Person 2
            id      2
            name    a = b
            dogs    [2]
              Dog #3
              Dog #0
            friend  Person 2
            home    Address
              city    Oslo
              keeper  Dog #1
            note    [1,{"k":null}]
          linked from
            Person 1  friend
            Person 2  friend

          """)
    }

    @Test func programsGetTheObject() throws {
      let kennel = try KennelFile()
      let outcome = try kennel.run("edit", "Dog", "#0", "name:=null", "age=nil", "--json")
      #expect(outcome == .init(status: 0, output: "{\"$id\":0,\"age\":null,\"name\":null}\n", complaints: ""))
      #expect(try kennel.output("edit", "Dog", "#0", "name:=null") == "Dog #0  nothing changed\n")
      // A text is a text.
      #expect(
        try kennel.output("edit", "Dog", "#0", "name=nil", "--json") == "{\"$id\":0,\"age\":null,\"name\":\"nil\"}\n")
    }

    @Test func allTypesAreRead() throws {
      let store = try TemporaryFolder()
      let url = store.url.appendingPathComponent("types.realm")
      var configuration = Realm.Configuration(fileURL: url)
      configuration.dynamicSchema = DynamicSchema([
        .init(
          "T",
          [
            .init("bool", .bool), .init("float", .float), .init("double", .double), .init("data", .data),
            .init("date", .date), .init("id", .objectId), .init("uuid", .UUID), .init("decimal", .decimal128),
            .init("dates", .date, .list), .init("uuids", .UUID, .set), .init("map", .int, .map), .init("any", .any),
          ])
      ])
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write { _ = realm.dynamicCreate("T") }
      }
      let words = [
        "bool=true", "float=1.5", "double=-0.25", "data=AQI=", "date=2026-01-31T12:00:00.123456789Z",
        "id=0123456789abcdef01234567", "uuid=00000000-0000-0000-0000-00000000000A", "decimal=12345678901234567890.5",
        "dates:=[\"2026-01-31T12:00:00Z\"]", "uuids:=[\"00000000-0000-0000-0000-00000000000B\"]", "map:={\"a\":1}",
        "any=text",
      ]
      let outcome = try Program.run(["edit", url.path, "T", "#0", "--json"] + words)
      #expect(outcome.status == 0, "\(outcome.complaints)")
      #expect(
        outcome.output == """
          {"$id":0,"any":"text","bool":true,"data":"AQI=","date":"2026-01-31T12:00:00.123456789Z",\
          "dates":["2026-01-31T12:00:00Z"],"decimal":"12345678901234567890.5","double":-0.25,"float":1.5,\
          "id":"0123456789abcdef01234567","map":{"a":1},"uuid":"00000000-0000-0000-0000-00000000000A",\
          "uuids":["00000000-0000-0000-0000-00000000000B"]}

          """)
      let emptied = try Program.run("edit", url.path, "T", "#0", "dates:=null", "uuids:=null", "map:=null")
      #expect(emptied.status == 0 && emptied.output.contains("{\"a\":1} → {}\n"), "\(emptied)")
    }

    @Test(
      arguments: [
        (["Dog", "#0", "age=x"], 64, "'x' is no value for 'age'"),
        (["Dog", "#0", "age=9223372036854775808"], 64, "is no value for 'age'"),
        (["Dog", "#0", "age:=1.5"], 64, "is no value for 'age'"),
        (["Dog", "#0", "age:=\"3\""], 64, "is no value for 'age'"),
        (["Dog", "#0", "age:=["], 64, "is no JSON"),
        (["Dog", "#0", "agee=3"], 64, "did you mean 'age'?"),
        (["Dog", "#0", "age"], 64, "write name=value"),
        (["Dog", "#9", "age=3"], 66, "There is no Dog #9."),
        (["Cat", "#0", "age=3"], 64, "The file has no class 'Cat'"),
        (["Person", "1", "id=3"], 64, "is the primary key, which never changes"),
        (["Person", "1", "friend=9"], 66, "There is no Person 9."),
        (["Person", "1", "dogs=0"], 64, "is a list of Dog: give JSON, as dogs:=…"),
        (["Person", "1", "dogs:=[9]"], 66, "There is no Dog 9."),
        (["Person", "1", "home:={\"town\":1}"], 64, "has no property 'town'"),
        (["Person", "1", "name:=null"], 64, "is no value for 'name'"),
        (["Person", "1", "home.city=Rome"], 64, "'home.city' is a part of 'home', which is set as a whole: home:={…}"),
        (["Person", "1", "name=ok", "friend=9"], 66, "There is no Person 9."),
        (["Person", "1"], 64, "takes FILE CLASS KEY NAME=VALUE…"),
      ])
    func whatIsWrongChangesNothing(_ arguments: [String], _ status: Int32, _ words: String) throws {
      let kennel = try KennelFile()
      let before = try kennel.output("query", "Person", "--json") + kennel.output("query", "Dog", "--json")
      let outcome = try Program.run(["edit", kennel.path] + arguments)
      #expect(outcome.status == status && outcome.output == "", "\(outcome)")
      #expect(outcome.complaints.contains(words), "\(outcome.complaints)")
      #expect(try kennel.output("query", "Person", "--json") + kennel.output("query", "Dog", "--json") == before)
    }

    @Test func aTextBecomesNoOtherNumberThanItSpells() throws {
      let store = try TemporaryFolder()
      let url = store.url.appendingPathComponent("numbers.realm")
      var configuration = Realm.Configuration(fileURL: url)
      configuration.dynamicSchema = DynamicSchema([
        .init("T", [.init("float", .float), .init("double", .double), .init("decimal", .decimal128)])
      ])
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write { _ = realm.dynamicCreate("T") }
      }
      func edit(_ word: String) throws -> Program.Outcome {
        try Program.run(["edit", url.path, "T", "#0", "--json", word])
      }
      let before = try Program.run("query", url.path, "T", "--json").output
      for word in [
        "double=1e400", "double=-1e400", "double:=1e400", "double:=\"1e400\"", "float=1e39", "float:=1e39",
        "float:=\"1e39\"", "decimal=abc", "decimal=", "decimal=1,5", "decimal:=true", "decimal=1e7000",
      ] {
        let outcome = try edit(word)
        #expect(outcome.status == 64 && outcome.output == "", "\(word): \(outcome)")
        #expect(outcome.complaints.contains("is no value for '"), "\(outcome.complaints)")
      }
      #expect(try Program.run("query", url.path, "T", "--json").output == before)
      #expect(try edit("double=-inf").status == 0)
      #expect(try edit("decimal=nan").status == 0)
      #expect(try edit("float=1e38").status == 0)
    }

    @Test func deepJSONIsRefused() throws {
      let kennel = try KennelFile()
      let deep = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
      let outcome = try kennel.run("edit", "Person", "1", "note:=\(deep)")
      #expect(outcome.status == 64 && outcome.complaints.contains("nested deeper than 100 levels"))
    }

    @Test func deletingAsksOrIsSaidToBeMeant() throws {
      let kennel = try KennelFile()
      let refused = try kennel.run("delete", "Dog", "age = 3")
      #expect(refused.status == 64 && refused.output == "")
      #expect(refused.complaints.hasPrefix("fief: 2 objects of Dog would be deleted. Nothing was: '--yes'"))
      #expect(try kennel.output("query", "Dog", "--count") == "4\n")
      #expect(try kennel.output("delete", "Dog", "age = 3", "--yes") == "deleted: 2 of Dog\n")
      #expect(try kennel.output("query", "Dog", "--count") == "2\n")
      let none = try kennel.run("delete", "Dog", "age = 99", "--yes")
      #expect(none == .init(status: 0, output: "no objects of Dog meet the condition\n", complaints: ""))
      let json = try kennel.output("delete", "Dog", "TRUEPREDICATE", "--yes", "--json")
      let gone = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
      #expect(gone == ["deleted": [["name": "Dog", "objects": 2]]])
      #expect(try kennel.run("delete", "Dog", "TRUEPREDICATE", "--json").status == 64)
      let wrong = try kennel.run("delete", "Dog", "age >", "--yes")
      #expect(wrong.status == 64 && wrong.complaints.contains("At byte 5"))
    }

    #if os(Linux) || os(macOS)
      /// The command waits for a program that is inside a write, which changes what meets the condition.
      @Test func whatNoLongerMeetsTheConditionStays() throws {
        let kennel = try KennelFile()
        let realm = try Realm(fileURL: URL(fileURLWithPath: kennel.path), dynamic: true)
        realm.beginWrite()
        for dog in Array(realm.dynamicObjects("Dog").filter("age = 3")) { dog["age"] = 4 }
        realm.dynamicCreate("Dog", value: ["name": "Neu", "age": 3] as [String: Any])
        let (process, output) = (Process(), Pipe())
        process.executableURL = Program.url
        process.arguments = ["delete", kennel.path, "Dog", "age = 3", "--yes"]
        process.standardOutput = output
        try process.run()
        // The lock file names a process that waits for the turn to write.
        while process.isRunning, try !isWaitedFor(kennel.path) { Thread.sleep(forTimeInterval: 0.01) }
        try realm.commitWrite()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(String(decoding: said, as: UTF8.self) == "deleted: 1 of Dog\n")
        #expect(try kennel.output("query", "Dog", "--count") == "4\n")
        #expect(try kennel.output("query", "Dog", "age = 3", "--count") == "0\n")
      }

      private func isWaitedFor(_ path: String) throws -> Bool {
        let lock = try Data(contentsOf: URL(fileURLWithPath: path + ".lock"))
        return String(decoding: lock, as: UTF8.self).contains("wait ")
      }
    #endif

    @Test func deletedEmbeddedObjectsAreCounted() throws {
      let kennel = try KennelFile()
      #expect(try kennel.output("delete", "Address", "city = 'Rome'", "--yes") == "deleted: 1 of Address\n")
      #expect(try kennel.output("query", "Person", "home == nil", "--count") == "2\n")
    }

    @Test func whatMayNotBeDeletedStays() throws {
      let folder = try TemporaryFolder()
      let url = folder.url.appendingPathComponent("deny.realm")
      var configuration = Realm.Configuration(fileURL: url)
      configuration.dynamicSchema = DynamicSchema([
        .init(
          "House", primaryKey: "id",
          [.init("id", .int), .init("room", .object, linkingTo: "Room", deleteRule: .cascade)]),
        .init("Room", [.init("guest", .object, linkingTo: "Guest", deleteRule: .deny)]), .init("Guest", []),
      ])
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write {
          realm.dynamicCreate("House", value: ["id": 1, "room": ["guest": [String: Any]()]] as [String: Any])
          realm.dynamicCreate("House", value: ["id": 2, "room": [String: Any]()] as [String: Any])
        }
      }
      let denied = try Program.run("delete", url.path, "House", "id = 1", "--yes")
      #expect(denied.status == 65 && denied.complaints.contains("guest"))
      let asked = try Program.run("delete", url.path, "House", "id = 2")
      #expect(asked.complaints.contains("1 object of House (with all that goes with them: 1 of House, 1 of Room)"))
      #expect(
        try Program.run("delete", url.path, "House", "id = 2", "--yes").output == "deleted: 1 of House, 1 of Room\n")
    }

    @Test func hostileTextsCannotAct() throws {
      let store = try HostileStore()
      for text in HostileStore.texts where !text.contains("\u{0}") {
        let outcome = try Program.run("edit", store.path, "Node", "0", "text=\(text)")
        #expect(outcome.status == 0 && outcome.output.isSafeToPrint, "\(outcome)")
        let json = try Program.run("show", store.path, "Node", "0", "--json").output
        let shown = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect((shown?["object"] as? [String: Any])?["text"] as? String == text)
      }
      let odd = try Program.run(
        "edit", store.path, HostileStore.oddClass, HostileStore.oddKeys[1], "\(HostileStore.oddText):=[\"=\"]")
      #expect(odd.status == 0 && odd.output.isSafeToPrint)
      let outcome = try Program.run("delete", store.path, "\u{1B}[31m", "TRUEPREDICATE", "--yes")
      #expect(outcome.status == 64 && outcome.complaints.isSafeToPrint)
    }

    @Test func aFileOfAnotherKindIsNotChanged() throws {
      let folder = try TemporaryFolder()
      let url = folder.url.appendingPathComponent("text.realm")
      try Data("no realm at all, but some text".utf8).write(to: url)
      #expect(try Program.run("edit", url.path, "Dog", "1", "a=1").status == 1)
      #expect(try Program.run("delete", url.path, "Dog", "a = 1", "--yes").status == 1)
      #expect(try Program.run("compact", url.path).status == 1)
      #expect(try Data(contentsOf: url) == Data("no realm at all, but some text".utf8))
      #expect(try Program.run("edit", url.path + ".none", "Dog", "1", "a=1").status == 66)
    }
  }
#endif
