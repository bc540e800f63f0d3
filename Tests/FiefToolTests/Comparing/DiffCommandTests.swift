#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  @Suite struct DiffCommandTests {
    /// A copy of a file beside it.
    private func copy(_ path: String) throws -> String {
      #expect(try Program.run("copy", path, path + ".copy").status == 0)
      return path + ".copy"
    }

    @Test func equalFilesHaveNoDifference() throws {
      let kennel = try KennelFile()
      let copy = try copy(kennel.path)
      #expect(try Program.run("diff", kennel.path, copy) == .init(status: 0, output: "no difference\n", complaints: ""))
      #expect(
        try Program.run("diff", kennel.path, copy, "--json") == .init(status: 0, output: "[\n]\n", complaints: ""))
    }

    @Test func whatDiffersIsPrintedAsLinesAndAsJSON() throws {
      let kennel = try KennelFile()
      let copy = try copy(kennel.path)
      #expect(try Program.run("edit", copy, "Person", "2", "name=Eve", "dogs:=[0]").status == 0)
      #expect(try Program.run("delete", copy, "Dog", "name = 'Max'", "--yes").status == 0)
      let text = try Program.run("diff", kennel.path, copy)
      #expect(text.status == 3 && text.complaints == "")
      #expect(
        text.output == """
          - Dog#1 of a
          -   age: nil
          -   name: "Max"
            Person[2]
          -   dogs: []
          +   dogs: [
          +     Dog#3
          +   ]
          -   name: "Bob"
          +   name: "Eve"

          """)
      let json = try Program.run("diff", kennel.path, copy, "--json")
      #expect(json.status == 3)
      #expect(
        json.output == """
          [
          {"change":"removed","class":"Dog","object":{"$id":2,"age":null,"name":"Max"}},
          {"change":"changed","class":"Person","object":{"id":2},"properties":\
          [{"a":[],"b":[{"$ref":0}],"name":"dogs"},{"a":"Bob","b":"Eve","name":"name"}]}
          ]

          """)
      let back = try Program.run("diff", copy, kennel.path, "--json")
      #expect(back.output.contains(#"{"change":"added","class":"Dog""#))
      #expect(try Program.run("diff", kennel.path, copy, "--limit", "0").output == "… and 2 more objects\n")
    }

    #if !os(Windows)
      @Test(arguments: [["--json"], ["--limit", "5000"]])
      func differentFilesStayDifferentForAReaderThatLeaves(_ options: [String]) throws {
        let kennel = try KennelFile()
        let copy = try copy(kennel.path)
        do {
          let realm = try Realm(fileURL: URL(fileURLWithPath: copy), dynamic: true)
          try realm.write {
            for age in 0..<5_000 {
              realm.dynamicCreate("Dog", value: ["name": "Dog \(age)", "age": age] as [String: Any])
            }
          }
        }
        let (process, complaints) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // The output does not fit into a pipe, so that the program is still printing when its reader leaves.
        let script = #"{ "$0" diff "$@"; echo "status $?" >&2; } | head -n 1 >/dev/null"#
        process.arguments = ["-c", script, Program.url.path, kennel.path, copy] + options
        process.standardError = complaints
        try process.run()
        let said = try complaints.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(String(decoding: said, as: UTF8.self) == "status 3\n")
      }
    #endif

    @Test func hostileTextsCannotAct() throws {
      let store = try HostileStore()
      let empty = store.folder.url.appendingPathComponent("empty.realm")
      do {
        var configuration = Realm.Configuration(fileURL: empty)
        configuration.dynamicSchema = HostileStore.schema
        _ = try Realm(configuration: configuration)
      }
      for options in [[], ["--json"]] {
        let outcome = try Program.run(["diff", store.path, empty.path] + options)
        #expect(outcome.status == 3 && outcome.output.isSafeToPrint && outcome.complaints == "")
      }
    }

    @Test func whatMakesNoSenseIsRefused() throws {
      let kennel = try KennelFile()
      #expect(try Program.run("diff", kennel.path).status == 64)
      #expect(try Program.run("diff", kennel.path, kennel.path, "--json", "--limit", "1").status == 64)
      #expect(try Program.run("diff", kennel.path, kennel.path + ".none").status == 66)
    }
  }
#endif
