#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  @Suite struct ShowCommandTests {
    @Test func anObjectIsPrintedWithWhatItLinksToAndWhatLinksToIt() throws {
      let kennel = try KennelFile()
      #expect(
        try kennel.output("show", "Person", "1") == """
          Person 1
            id      1
            name    Ann
            dogs    [2]
              Dog #0
              Dog #1
            friend  Person 2
            home    Address
              city    Rome
              keeper  Dog #0
            note    ["a",{"k":1.5}]
          linked from
            Person 2  friend

          """)
      #expect(
        try kennel.output("show", "Dog", "#0") == """
          Dog #0
            name  Rex
            age   3
          linked from
            Person 1  home.keeper
            Person 1  dogs
            Person 2  note

          """)
      #expect(try kennel.output("show", "Dog", "0") == kennel.output("show", "Dog", "#0"))
    }

    @Test func cyclesArePrintedOnce() throws {
      let kennel = try KennelFile()
      #expect(
        try kennel.output("show", "Person", "2", "--depth", "9") == """
          Person 2
            id      2
            name    Bob
            dogs    [0]
            friend  Person 1
              id      1
              name    Ann
              dogs    [2]
                Dog #0
                  name  Rex
                  age   3
                Dog #1
                  name  Fido
                  age   10
              friend  Person 2 (above)
              home    Address
                city    Rome
                keeper  Dog #0 (above)
              note    ["a",{"k":1.5}]
            home    nil
            note    Dog #0 (above)
          linked from
            Person 1  friend

          """)
    }

    @Test func programsGetJSON() throws {
      let kennel = try KennelFile()
      #expect(
        try kennel.output("show", "Dog", "#0", "--json") == """
          {"class":"Dog","linkedFrom":[{"object":{"$class":"Person","id":1},"path":"home.keeper"},\
          {"object":{"$class":"Person","id":1},"path":"dogs"},\
          {"object":{"$class":"Person","id":2},"path":"note"}],"object":{"$id":0,"age":3,"name":"Rex"}}

          """)
      let deep = try kennel.output("show", "Person", "2", "--json", "--depth", "2")
      let json = try JSONSerialization.jsonObject(with: Data(deep.utf8)) as? [String: Any]
      let linked = json?["linked"] as? [[String: Any]]
      #expect(linked?.compactMap { $0["class"] as? String } == ["Person", "Dog", "Dog"])
    }

    @Test func everythingIsReachedByAnyDepth() throws {
      let kennel = try KennelFile()
      let whole = try kennel.output("show", "Person", "2", "--json", "--depth", "9")
      #expect(try kennel.output("show", "Person", "2", "--json", "--depth", "\(Int.max)") == whole)
      let page = try kennel.output("show", "Person", "2", "--depth", "9")
      #expect(try kennel.output("show", "Person", "2", "--depth", "\(Int.max)") == page)
    }

    @Test func theNumberOfAnObjectIsNoKeyOfAnother() throws {
      let store = try TemporaryFolder()
      let url = store.url.appendingPathComponent("keys.realm")
      var configuration = Realm.Configuration(fileURL: url)
      configuration.dynamicSchema = DynamicSchema([.init("T", primaryKey: "id", [.init("id", .int)])])
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write { for id in [Int.min, 7] { realm.dynamicCreate("T", value: ["id": id]) } }
      }
      #expect(try Program.run("show", url.path, "T", "#1").output == "T 7\n  id  7\n")
      #expect(try Program.run("show", url.path, "T", "#0").output == "T \(Int.min)\n  id  \(Int.min)\n")
      #expect(try Program.run("show", url.path, "T", "--", "\(Int.min)").output == "T \(Int.min)\n  id  \(Int.min)\n")
      let missing = try Program.run("show", url.path, "T", "#2")
      #expect(missing.status == 66 && missing.complaints == "fief: There is no T #2.\n")
      #expect(try Program.run("show", url.path, "T", "x").status == 64)
    }

    @Test func longCollectionsAreCutUnlessAllIsAskedFor() throws {
      let store = try HostileStore()
      let key = HostileStore.oddKeys[0]
      let short = try Program.run("show", store.path, HostileStore.oddClass, key)
      #expect(short.status == 0 && short.output.isSafeToPrint)
      #expect(short.output.contains("[\(HostileStore.texts.count)]"))
      #expect(short.output.contains("… \(HostileStore.texts.count - 20) more elements"))
      let all = try Program.run("show", store.path, HostileStore.oddClass, key, "--all")
      #expect(all.output.isSafeToPrint && !all.output.contains("more elements") && all.output.contains("%s%n"))
    }

    @Test func hostileStringsCannotAct() throws {
      let store = try HostileStore()
      let before = try store.contents()
      for position in HostileStore.texts.indices {
        for options in [[], ["--json"], ["--depth", "30"]] {
          let outcome = try Program.run(["show", store.path, "Node", "\(position)"] + options)
          #expect(outcome.status == 0 && outcome.output.isSafeToPrint && outcome.complaints == "")
        }
      }
      #expect(try store.contents() == before)
    }

    @Test(
      arguments: [
        (["Person", "3"], 66, "There is no Person 3."), (["Dog", "#9"], 66, "There is no Dog #9."),
        (["Person", "Ann"], 64, "'Ann' cannot be a key of 'Person': 'id' is int."),
        (["Persn", "1"], 64, "did you mean 'Person'?"), (["Dog", "Rex"], 66, "There is no Dog Rex."),
        (["Dog", "\u{1B}"], 66, #"There is no Dog \u{1B}."#), (["Person", "1", "--depth", "x"], 64, "a whole number"),
      ])
    func whatIsNotThereHasItsExitCode(_ arguments: [String], _ status: Int32, _ words: String) throws {
      let kennel = try KennelFile()
      let outcome = try Program.run(["show", kennel.path] + arguments)
      #expect(outcome.status == status && outcome.output == "" && outcome.complaints.contains(words), "\(outcome)")
    }
  }
#endif
