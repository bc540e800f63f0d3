#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  #if DEBUG
    @testable import FiefTool
  #endif

  /// A file with persons, who have keys, dogs, who have none, and addresses inside persons.
  final class KennelFile {
    let folder: TemporaryFolder
    var path: String { folder.url.appendingPathComponent("kennel.realm").path }

    init() throws {
      folder = try TemporaryFolder()
      var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path))
      configuration.dynamicSchema = DynamicSchema([
        .init(
          "Person", primaryKey: "id",
          [
            .init("name", .string), .init("id", .int), .init("dogs", .object, .list, linkingTo: "Dog"),
            .init("friend", .object, linkingTo: "Person"), .init("home", .object, linkingTo: "Address"),
            .init("note", .any),
          ]),
        .init("Dog", [.init("name", .string, isOptional: true), .init("age", .int, isOptional: true)]),
        .init(
          "Address", isEmbedded: true, [.init("city", .string), .init("keeper", .object, linkingTo: "Dog")]),
      ])
      let realm = try Realm(configuration: configuration)
      try realm.write {
        let dogs = [("Rex", 3), ("Fido", 10), ("Max", nil), (nil, 3)].map { name, age in
          realm.dynamicCreate("Dog", value: ["name": name as Any, "age": age as Any])
        }
        realm.dynamicCreate(
          "Person",
          value: [
            "id": 1, "name": "Ann", "dogs": [dogs[0], dogs[1]], "home": ["city": "Rome", "keeper": dogs[0]],
            "note": ["a", ["k": 1.5]],
          ] as [String: Any])
        let ann = realm.dynamicObject(ofType: "Person", forPrimaryKey: 1)
        realm.dynamicCreate(
          "Person", value: ["id": 2, "name": "Bob", "friend": ann as Any, "note": dogs[0]] as [String: Any])
        ann?["friend"] = realm.dynamicObject(ofType: "Person", forPrimaryKey: 2)
      }
    }

    func run(_ arguments: String...) throws -> Program.Outcome {
      try Program.run([arguments[0], path] + arguments.dropFirst())
    }

    /// The output of a command that succeeds.
    func output(_ arguments: String...) throws -> String {
      let outcome = try Program.run([arguments[0], path] + arguments.dropFirst())
      #expect(outcome.status == 0 && outcome.complaints == "", "\(outcome)")
      return outcome.output
    }
  }

  @Suite struct QueryCommandTests {
    @Test func objectsStandInAlignedColumns() throws {
      let kennel = try KennelFile()
      #expect(
        try kennel.output("query", "Person")
          == """
          id  name  dogs  friend    home                                 note
           1  Ann   [2]   Person 2  {"city":"Rome","keeper":{"$ref":0}}  ["a",{"k":1.5}]
           2  Bob   [0]   Person 1  nil                                  Dog #0

          """)
      #expect(
        try kennel.output("query", "Dog", "--sort", "age:desc,name") == """
          #   name  age
          #1  Fido   10
          #3  nil     3
          #0  Rex     3
          #2  Max   nil

          """)
      #expect(try kennel.output("query", "Dog", "age == 77") == "#  name  age\n")
    }

    @Test func columnsLeadOverLinks() throws {
      let kennel = try KennelFile()
      let columns = "name,home.city,friend.name,dogs.name,dogs.@count,friend.dogs,friend.dogs.age"
      #expect(
        try kennel.output("query", "Person", "--columns", columns) == """
          name  home.city  friend.name  dogs.name  dogs.@count  friend.dogs  friend.dogs.age
          Ann   Rome       Bob          Rex, Fido            2  [0]
          Bob   nil        Ann                               0  [2]          3, 10

          """)
      #expect(
        try kennel.output("query", "Person", "id == 2", "--columns", columns, "--json") == """
          [
          {"dogs.@count":0,"dogs.name":[],"friend.dogs":[{"$ref":0},{"$ref":1}],"friend.dogs.age":[3,10],\
          "friend.name":"Ann","home.city":null,"name":"Bob"}
          ]

          """)
    }

    @Test func programsGetJSON() throws {
      let kennel = try KennelFile()
      let ann = """
        {"dogs":[{"$ref":0},{"$ref":1}],"friend":{"id":2},"home":{"city":"Rome","keeper":{"$ref":0}},"id":1,\
        "name":"Ann","note":["a",{"k":1.5}]}
        """
      let bob = """
        {"dogs":[],"friend":{"id":1},"home":null,"id":2,"name":"Bob","note":{"$class":"Dog","$ref":0}}
        """
      #expect(try kennel.output("query", "Person", "--json") == "[\n\(ann),\n\(bob)\n]\n")
      #expect(try kennel.output("query", "Person", "--ndjson") == "\(ann)\n\(bob)\n")
      #expect(try kennel.output("query", "Person", "id == 9", "--json") == "[\n]\n")
      #expect(
        try kennel.output("query", "Dog", "--limit", "1", "--ndjson") == #"{"$id":0,"age":3,"name":"Rex"}"# + "\n")
    }

    @Test func nullAndTheEmptyStringDifferInCSV() throws {
      let store = try HostileStore()
      let all = try Program.run("query", store.path, "Node", "--columns", "id,text,next", "--csv")
      #expect(all.status == 0 && all.output.hasPrefix("id,text,next\n0,plain,Node 1\n1,\"\",Node 2\n2,\" \",Node 3\n"))
      #expect(
        all.output.contains("\n4,\"say \"\"no\"\"\",Node 5\n5,\"a,b;c\td\",Node 6\n6,\"two\nlines\r\nand a third\","))
      #expect(try KennelFile().output("query", "Dog", "--csv") == "#,name,age\n0,Rex,3\n1,Fido,10\n2,Max,\n3,,3\n")
    }

    @Test func groupsAreCounted() throws {
      let kennel = try KennelFile()
      #expect(
        try kennel.output("query", "Dog", "--group", "age") == """
          age  count
          nil      1
          3        2
          10       1

          """)
      let byCount = ["query", "Dog", "--group", "age", "--sort", "count:desc,age:desc", "--limit", "2"]
      let outcome = try Program.run(["query", kennel.path] + byCount.dropFirst() + ["--ndjson"])
      #expect(outcome.output == "{\"age\":3,\"count\":2}\n{\"age\":10,\"count\":1}\n")
      #expect(
        try kennel.output("query", "Person", "--group", "friend.name", "--csv") == "friend.name,count\nAnn,1\nBob,1\n")
      #expect(try kennel.run("query", "Dog", "--group", "age", "--sort", "name").status == 64)
    }

    @Test func aCountAndAnExplanationTakeThePlaceOfObjects() throws {
      let kennel = try KennelFile()
      #expect(try kennel.output("query", "Dog", "age == 3", "--count") == "2\n")
      #expect(try kennel.output("query", "Dog", "--count", "--limit", "3", "--json") == "{\"count\":3}\n")
      #expect(try kennel.output("query", "Dog", "age == 3", "--explain").contains("2 of 4 rows"))
      #expect(try kennel.output("query", "Dog", "--explain", "--json").hasPrefix("{\"explanation\":\""))
    }

    @Test(
      arguments: [
        (["Dgo"], "The file has no class 'Dgo': did you mean 'Dog'?"),
        (["Dog", "aeg > 3"], "At byte 0 of \"aeg > 3\": There is no property 'aeg' in 'Dog': did you mean 'age'?"),
        (["Dog", "age >"], "Invalid query"), (["Dog", "--sort", "nam"], "did you mean 'name'?"),
        (["Dog", "--columns", "name,agee"], "'Dog' has no property 'agee': did you mean 'age'?"),
        (["Dog", "--columns", "name.x"], "goes on behind 'name', which is string? and no link"),
        (["Dog", "--group", "nothing"], "There is no property 'nothing'"),
        (["Dog", "--limit", "-1"], "takes a whole number from 0 on, and not '-1'"),
        (["Dog", "--json", "--csv"], "exclude each other"),
        (["Dog", "--count", "--group", "age"], "exclude each other"),
        (["\u{1B}[1mDog"], #"'\u{1B}[1mDog'"#),
      ])
    func whatMakesNoSenseIsRefused(_ arguments: [String], _ words: String) throws {
      let kennel = try KennelFile()
      let outcome = try Program.run(["query", kennel.path] + arguments)
      #expect(outcome.status == 64 && outcome.output == "")
      #expect(outcome.complaints.contains(words) && outcome.complaints.isSafeToPrint, "\(outcome.complaints)")
    }

    @Test func hostileStringsCannotAct() throws {
      let store = try HostileStore()
      let before = try store.contents()
      let texts = HostileStore.texts
      for name in ["Node", "Part", HostileStore.oddClass] {
        for format in ["", "--json", "--ndjson"] {
          let outcome = try Program.run(["query", store.path, name] + (format.isEmpty ? [] : [format]))
          #expect(outcome.status == 0 && outcome.complaints == "")
          #expect(outcome.output.isSafeToPrint, "\(name) \(format)")
        }
      }
      let lines = try Program.run("query", store.path, "Node").output.split(separator: "\n")
      #expect(lines.count == texts.count + 1)
      let json = try Program.run("query", store.path, "Node", "--json").output
      let nodes = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
      #expect(nodes.compactMap { $0["text"] as? String }.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
      let odd = try Program.run(
        "query", store.path, HostileStore.oddClass, "--columns", HostileStore.oddText, "--ndjson")
      let object =
        try JSONSerialization.jsonObject(with: Data(odd.output.split(separator: "\n")[0].utf8)) as? [String: Any]
      #expect((object?[HostileStore.oddText] as? [String])?.count == texts.count)
      #expect(try store.contents() == before)
    }

    @Test func aReaderThatLeavesEndsTheOutput() throws {
      #if !os(Windows)
        let store = try HostileStore()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
          "-c", #"{ "$0" query "$1" Node --ndjson; echo "$?" >&2; } | head -c 10"#, Program.url.path, store.path,
        ]
        let (output, complaints) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaints
        try process.run()
        #expect(try output.fileHandleForReading.readToEnd()?.count == 10)
        #expect(try complaints.fileHandleForReading.readToEnd() == Data("0\n".utf8))
        process.waitUntilExit()
      #endif
    }

    #if DEBUG
      @Test(
        arguments: [
          ([3, 4], 20, [3, 4]), ([10, 30], 20, [9, 9]), ([3, 30], 20, [3, 15]), ([30, 30, 3], 20, [6, 6, 3]),
          ([9, 9, 9, 9], 19, [8, 8]), ([50], 20, [20]), ([8, 8, 8], 22, [6, 6, 6]),
        ])
      func wideColumnsShrinkFirst(_ widths: [Int], _ width: Int, _ fitting: [Int]) {
        #expect(TextTable.fitting(widths, width) == fitting)
      }
    #endif
  }
#endif
