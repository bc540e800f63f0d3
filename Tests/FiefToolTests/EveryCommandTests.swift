#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  /// What holds for every command: a file of hostile strings cannot act, JSON is JSON, reading changes nothing, and a
  /// reader that leaves is no error.
  @Suite struct EveryCommandTests {
    /// A command line. `FILE` stands for the hostile file, `OTHER` for a copy with one change, `DOCUMENT`, `LINES` and
    /// `TABLE` for what it exports, `SOURCE` for a model class, and `NEW` for a file that is not there yet.
    struct Line: Sendable, CustomTestStringConvertible {
      let words: [String]
      var status: Int32 = 0
      /// Whether the output is JSON.
      var isJSON = false
      /// Whether the command changes `FILE`.
      var changes = false
      var input = ""

      init(_ words: String..., status: Int32 = 0, isJSON: Bool = false, changes: Bool = false, input: String = "") {
        (self.words, self.status, self.isJSON) = (words, status, isJSON || words.contains("--json"))
        (self.changes, self.input) = (changes, input)
      }

      var testDescription: String { words.joined(separator: " ") }
    }

    private static let odd = HostileStore.oddClass

    static let lines: [Line] = [
      Line("info", "FILE"), Line("info", "FILE", "--json"), Line("verify", "FILE"), Line("verify", "FILE", "--json"),
      Line("schema", "FILE"), Line("schema", "FILE", "--json"), Line("schema", "FILE", "--swift"),
      Line("schema", "FILE", "--mermaid"), Line("schema", "FILE", "--dot"),
      Line("query", "FILE", "Node"), Line("query", "FILE", "Node", "--json"), Line("query", "FILE", odd),
      Line("query", "FILE", "Node", "--group", "text"), Line("query", "FILE", odd, "--explain", "--json"),
      Line("show", "FILE", "Node", "8"), Line("show", "FILE", "Node", "8", "--depth", "2", "--json"),
      Line("show", "FILE", odd, HostileStore.oddKeys[1]), Line("export", "FILE"),
      Line("export", "FILE", "Node", "--no-schema", "--json"), Line("export", "FILE", "--ndjson"),
      Line("import", "DOCUMENT", "NEW"), Line("import", "LINES", "NEW"), Line("import", "TABLE", "NEW"),
      Line("graph", "FILE"), Line("graph", "FILE", "Node", "8", "-o", "-"), Line("browse", "FILE"),
      Line("diff", "FILE", "OTHER", status: 3), Line("diff", "FILE", "OTHER", "--json", status: 3),
      Line("diff", "FILE", "FILE"), Line("history", "FILE"), Line("history", "FILE", "--objects"),
      Line("history", "FILE", "--json", "--objects"), Line("rehearse", "FILE", "--schema", "DOCUMENT"),
      Line("rehearse", "FILE", "--schema", "DOCUMENT", "--json"),
      Line("edit", "FILE", "Node", "8", "text=\u{1B}[2J\u{202E}", changes: true),
      Line("edit", "FILE", odd, HostileStore.oddKeys[1], "link to=nil", "--json", changes: true),
      Line("delete", "FILE", "Node", "id > 3", "--yes", changes: true),
      Line("delete", "FILE", odd, "TRUEPREDICATE", "--yes", "--json", changes: true),
      Line("shell", "FILE", input: ".classes\n.schema\nNode id < 20\nshow Node 8\n.quit\n"),
      Line("shell", "FILE", "--keep", changes: true, input: "edit Node 8 text='\u{1B}[1m'\nchanges\n"),
      Line("copy", "FILE", "NEW"), Line("copy", "FILE", "NEW", "--json"),
      Line("compact", "FILE", changes: true), Line("compact", "FILE", "--json", changes: true),
      Line("recover", "FILE", "NEW"), Line("recover", "FILE", "NEW", "--json"),
      Line("modernize", "SOURCE"), Line("tour"), Line("help"),
      Line("help", "query"), Line("query", "--help"),
    ]

    /// One line of each command that opens a file.
    static let opening = lines.filter { $0.words.contains("FILE") }.reduce(into: [Line]()) { found, line in
      if !found.contains(where: { $0.words[0] == line.words[0] }) { found.append(line) }
    }

    @Test func theListHasEveryCommand() throws {
      let help = try Program.run("help").output
      let commands = help.split(separator: "\n").drop { $0 != "commands:" }.dropFirst().prefix { $0.hasPrefix("  ") }
      let names = commands.compactMap { $0.split(separator: " ").first.map(String.init) }.filter { $0 != "--version" }
      #expect(names.count > 15)
      #expect(Set(names).subtracting(Self.lines.map { $0.words[0] }) == [])
    }

    /// The meaning of the words of a line.
    private final class Stage {
      let store: HostileStore

      init() throws { store = try HostileStore() }

      private func file(_ name: String) -> String { store.folder.url.appendingPathComponent(name).path }

      /// The files of the hostile store with their bytes.
      func contents() throws -> [String: Data] {
        let names = ["", ".journal", ".history"].map { store.path + $0 }.filter(FileManager.default.fileExists)
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: $0))) })
      }

      /// The arguments of a line, whose files are made.
      func arguments(_ line: Line) throws -> [String] {
        try line.words.map { word in
          switch word {
          case "FILE": store.path
          case "NEW": file("new.realm")
          case "OTHER":
            try made("other.realm") { path in
              let copied = try Program.run("copy", store.path, path)
              let edited = try Program.run("edit", path, "Node", "8", "text=\u{1B}[31m", "any:=[\"\\u009b\"]")
              #expect(copied.status == 0 && edited.status == 0)
            }
          case "DOCUMENT": try made("all.json") { _ = try Program.run("export", store.path, "-o", $0) }
          case "LINES":
            try made("all.ndjson") { _ = try Program.run("export", store.path, "--ndjson", "-o", $0) }
          case "TABLE": try made("tables") { _ = try Program.run("export", store.path, "--csv", "-o", $0) }
          case "SOURCE":
            try made("Model.swift") { path in
              let source = "class A: Object {\n  @objc dynamic var a = \"</script>\"\n}\n"
              try Data(source.utf8).write(to: URL(fileURLWithPath: path))
            }
          default: word
          }
        }
      }

      private func made(_ name: String, _ make: (String) throws -> Void) throws -> String {
        let path = file(name)
        if !FileManager.default.fileExists(atPath: path) { try make(path) }
        return path
      }
    }

    @Test(arguments: lines)
    func hostileStringsCannotAct(line: Line) throws {
      let stage = try Stage()
      let arguments = try stage.arguments(line)
      let before = try stage.contents()
      let outcome = try Program.run(arguments, input: Data(line.input.utf8))
      #expect(outcome.status == line.status, "\(outcome.complaints)")
      #expect(outcome.output.isSafeToPrint && !outcome.output.isEmpty)
      #expect(outcome.complaints.isEmpty, "\(outcome.complaints)")
      if line.isJSON {
        _ = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
      }
      let after = try stage.contents()
      if line.changes { #expect(after != before) } else { #expect(after == before) }
    }

    #if !os(Windows)
      @Test(arguments: lines)
      func aReaderThatLeavesIsNoError(line: Line) throws {
        let stage = try Stage()
        let arguments = try stage.arguments(line)
        let process = Process()
        let (complaints, input) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // The reader is gone before the program begins.
        process.arguments =
          ["-c", #"{ sleep 0.1; "$0" "$@"; echo "status $?" >&2; } | true"#, Program.url.path] + arguments
        process.standardInput = input
        process.standardError = complaints
        try input.fileHandleForWriting.write(contentsOf: Data(line.input.utf8))
        try input.fileHandleForWriting.close()
        try process.run()
        let said = String(decoding: try complaints.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(said == "status \(line.status)\n", "\(said)")
      }
    #endif

    @Test(arguments: opening)
    func aMissingFileIsNamed(line: Line) throws {
      let stage = try Stage()
      let arguments = try stage.arguments(line).map { $0 == stage.store.path ? $0 + ".none" : $0 }
      let outcome = try Program.run(arguments, input: Data())
      #expect(outcome.status == 66 && outcome.output == "", "\(outcome)")
      #expect(outcome.complaints.hasPrefix("fief: ") && outcome.complaints.contains("hostile.realm.none"))
      #expect(outcome.complaints.split(separator: "\n").count == 1, "\(outcome.complaints)")
    }

    #if !os(Windows)
      @Test(arguments: opening)
      func theNameOfAFileCannotAct(line: Line) throws {
        let stage = try Stage()
        let odd = stage.store.path + "\u{1B}[31m\u{9B}2J\n.realm"
        #expect(try Program.run("copy", stage.store.path, odd).output.isSafeToPrint)
        let arguments = try stage.arguments(line).map { $0 == stage.store.path ? odd : $0 }
        let outcome = try Program.run(arguments, input: Data(line.input.utf8))
        #expect(outcome.status == line.status, "\(outcome.complaints)")
        #expect(outcome.output.isSafeToPrint && outcome.complaints.isSafeToPrint, "\(outcome)")
      }
    #endif

    @Test(arguments: opening)
    func aFileThatIsNoneIsRefused(line: Line) throws {
      let stage = try Stage()
      let text = stage.store.path + "\u{1B}[2J.txt"
      try Data("no realm at all, but some text".utf8).write(to: URL(fileURLWithPath: text))
      let arguments = try stage.arguments(line).map { $0 == stage.store.path ? text : $0 }
      let outcome = try Program.run(arguments, input: Data())
      #expect(outcome.status == 1 && outcome.output == "", "\(outcome)")
      #expect(outcome.complaints.hasPrefix("fief: ") && outcome.complaints.isSafeToPrint, "\(outcome.complaints)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: text)) == Data("no realm at all, but some text".utf8))
    }
  }
#endif
