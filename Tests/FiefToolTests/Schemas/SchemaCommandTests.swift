#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  /// The forms in which `fief schema` prints the classes of a file, but for Swift.
  @Suite struct SchemaCommandTests {
    @Test func programsGetJSON() throws {
      let kennel = try KennelFile()
      #expect(
        try kennel.output("schema", "--json") == """
          {"classes":[{"embedded":true,"name":"Address","properties":[{"name":"city","type":"string"},\
          {"class":"Dog","name":"keeper","type":"object"}]},\
          {"name":"Dog","properties":[{"name":"name","optional":true,"type":"string"},\
          {"name":"age","optional":true,"type":"int"}]},\
          {"name":"Person","primaryKey":"id","properties":[{"name":"name","type":"string"},{"name":"id","type":"int"},\
          {"class":"Dog","collection":"list","name":"dogs","type":"object"},\
          {"class":"Person","name":"friend","type":"object"},{"class":"Address","name":"home","type":"object"},\
          {"name":"note","type":"any"}]}]}

          """)
    }

    @Test func aPrintedSchemaCanBeGivenToOtherCommands() throws {
      let kennel = try KennelFile()
      try TemporaryFolder.with { (folder: URL) throws in
        let (schema, new) = (folder.appendingPathComponent("schema.json"), folder.appendingPathComponent("new.realm"))
        try Data(kennel.output("schema", "--json").utf8).write(to: schema)
        let document = try Data(kennel.output("export", "--no-schema").utf8)
        let imported = try Program.run(
          ["import", "-", new.path, "--json", "--schema", schema.path], input: document)
        #expect(imported.status == 0, "\(imported)")
        #expect(try Program.run("diff", kennel.path, new.path).status == 0)
        #expect(try Program.run("rehearse", kennel.path, "--schema", schema.path).status == 0)
      }
    }

    @Test func diagramsHaveClassesAndLinks() throws {
      let kennel = try KennelFile()
      #expect(
        try kennel.output("schema", "--mermaid") == """
          classDiagram
            class C0["Address"] {
              <<embedded>>
              city : string
            }
            class C1["Dog"] {
              name : string?
              age : int?
            }
            class C2["Person"] {
              id : int, primary key
              name : string
              note : any
            }
            C0 --> "0..1" C1 : keeper
            C2 --> "*" C1 : dogs
            C2 --> "0..1" C2 : friend
            C2 *-- "0..1" C0 : home

          """)
      #expect(
        try kennel.output("schema", "--dot") == #"""
          digraph schema {
            rankdir=LR;
            node [shape=box, fontname="Helvetica"];
            C0 [label="Address (embedded)\l\lcity: string\l", style=rounded];
            C1 [label="Dog\l\lname: string?\lage: int?\l"];
            C2 [label="Person\l\lid: int, primary key\lname: string\lnote: any\l"];
            C0 -> C1 [label="keeper"];
            C2 -> C1 [label="dogs *"];
            C2 -> C2 [label="friend"];
            C2 -> C0 [label="home", dir=both, arrowtail=diamond];
          }

          """#)
    }

    @Test(arguments: ["--json", "--swift", "--mermaid", "--dot"])
    func hostileNamesCannotAct(_ form: String) throws {
      let store = try HostileStore()
      let before = try store.contents()
      let outcome = try Program.run("schema", store.path, form)
      #expect(outcome.status == 0 && outcome.complaints == "" && outcome.output.isSafeToPrint)
      switch form {
      case "--json":
        #expect(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) is [String: Any])
      case "--mermaid":
        #expect(outcome.output.contains("[\"#60;#47;script#62;#34;#39;#38;#32;#128021;\"]"))
      case "--dot": #expect(outcome.output.contains(#"[label="</script>\"'&amp; 🐕\l"#))
      default: #expect(outcome.output.contains(#"{ "</script>\"'& 🐕" }"#))
      }
      #expect(try store.contents() == before)
    }

    /// Mermaid finds its own words anywhere in a line, and Graphviz reads entities in its labels.
    @Test func wordsOfTheDiagramsAreNamesToo() throws {
      let kennel = try KennelFile()
      let document = kennel.path + ".json"
      let json = #"{"direction LR": [{"&quot; x": 1, "accTitle: note": 2, "{%%{init}%%}": 3}]}"#
      try Data(json.utf8).write(to: URL(fileURLWithPath: document))
      let path = kennel.path + ".words"
      #expect(try Program.run("import", document, path).status == 0)
      #expect(
        try Program.run("schema", path, "--mermaid").output == """
          classDiagram
            class C0["direction#32;LR"] {
              #38;quot#59;#32;x : int
              accTitle#58;#32;note : int
              #123;#37;#37;#123;init#125;#37;#37;#125; : int
            }

          """)
      #expect(
        try Program.run("schema", path, "--dot").output.contains(
          #"[label="direction LR\l\l&amp;quot; x: int\laccTitle: note: int\l{%%{init}%%}: int\l"]"#))
    }

    @Test func formsExcludeEachOther() throws {
      let kennel = try KennelFile()
      #expect(try kennel.run("schema", "--swift", "--dot").status == 64)
      for form in ["--json", "--swift", "--mermaid", "--dot"] {
        #expect(try Program.run("schema", kennel.path + ".none", form).status == 66)
      }
    }
  }
#endif
