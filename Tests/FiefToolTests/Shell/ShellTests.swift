#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  @Suite struct ShellTests {
    private func run(_ path: String, _ lines: String..., options: [String] = []) throws -> Program.Outcome {
      try Program.run(["shell", path] + options, input: Data(lines.joined(separator: "\n").utf8))
    }

    @Test func objectsAreAskedFor() throws {
      let kennel = try KennelFile()
      let before = try Data(contentsOf: URL(fileURLWithPath: kennel.path))
      let outcome = try run(
        kennel.path, ".classes", "# a remark", "", "Dog age = 3 AND name != nil", "query Dog \"age = 3\" --count",
        "query Dog age = 3 --json", "show Dog #3", ".schema Dog", "changes", ".quit", "nonsense")
      #expect(outcome.status == 0 && outcome.complaints == "")
      #expect(
        outcome.output == """
          Address  1
          Dog      4
          Person   2
          #   name  age
          #0  Rex     3
          2
          [
          {"$id":0,"age":3,"name":"Rex"},
          {"$id":3,"age":3,"name":null}
          ]
          Dog #3
            name  nil
            age   3
          Dog
            name    string?
            age     int?
          none

          """)
      #expect(try Data(contentsOf: URL(fileURLWithPath: kennel.path)) == before)
    }

    @Test func changesAreDroppedUnlessTheyAreKept() throws {
      let kennel = try KennelFile()
      let dropped = try run(kennel.path, "edit Dog #0 age=9", "query Dog 'age = 9' --count")
      #expect(dropped.status == 0 && dropped.output == "Dog #0\n  age  3 → 9\n1\n")
      #expect(dropped.complaints == "fief: The changes were dropped: 'commit' or '--keep' keeps them.\n")
      #expect(try kennel.output("query", "Dog", "age = 9", "--count") == "0\n")
      let kept = try run(kennel.path, "edit Dog #0 age=9", "create Dog name=Neu", options: ["--keep"])
      #expect(
        kept == .init(status: 0, output: "Dog #0\n  age  3 → 9\nDog #4\nkept: 2 changed objects\n", complaints: ""))
      #expect(try kennel.output("query", "Dog", "age = 9 OR name = 'Neu'", "--count") == "2\n")
      let saidSo = try run(kennel.path, "delete Dog age = 9", options: ["--drop"])
      #expect(saidSo == .init(status: 0, output: "deleted: 1 of Dog\n", complaints: ""))
      #expect(try kennel.output("query", "Dog", "--count") == "5\n")
      let embedded = try run(kennel.path, "delete Address TRUEPREDICATE", options: ["--drop"])
      #expect(embedded == .init(status: 0, output: "deleted: 1 of Address\n", complaints: ""))
    }

    @Test func aTransactionIsKeptOrDroppedAsAWhole() throws {
      let kennel = try KennelFile()
      let outcome = try run(
        kennel.path, "create Person id=7 name=\"A B\" friend=1", "edit Person 1 friend=7", "changes", "rollback",
        "changes", "edit Person 1 name=Eve", "commit", "edit Person 2 name=Adam")
      #expect(outcome.status == 0)
      #expect(
        outcome.output == """
          Person 7
          Person 1
            friend  Person 2 → Person 7
            Person[1]
          -   friend: Person[2]
          +   friend: Person[7]
          + Person[7]
          +   id: 7
          +   dogs: []
          +   friend: Person[1]
          +   home: nil
          +   name: "A B"
          +   note: nil
          none
          Person 1
            name  Ann → Eve
          kept: 1 changed object
          Person 2
            name  Bob → Adam

          """)
      #expect(try kennel.output("query", "Person", "name = 'Eve' OR name = 'Bob'", "--count") == "2\n")
    }

    @Test(
      arguments: [
        ("cat", 64, "There is no command and no class 'cat'"), ("Dog age >", 64, "At byte 5"),
        ("edit Dog #0 age=x", 64, "is no value for 'age'"), ("edit Dog #9 age=1", 66, "There is no Dog #9."),
        ("create Person name=X", 64, "needs its primary key: id=…"),
        ("create Person id=1", 65, "primary key"), ("create Address city=X", 64, "is embedded"),
        ("show Dog", 64, "takes FILE CLASS KEY"), ("commit", 64, "no changes to keep"),
        ("rollback", 64, "no changes to drop"), ("show 'Dog", 64, "is not closed"),
        ("query Dog --sort", 64, "needs a value"), ("query Dog --help", 64, "fief help query"),
      ])
    func anErrorEndsItAndDropsTheChanges(_ line: String, _ status: Int32, _ words: String) throws {
      let kennel = try KennelFile()
      let isFirst = ["commit", "rollback"].contains(line)
      let outcome = try run(kennel.path, isFirst ? "" : "edit Dog #1 age=77", line, "commit", options: ["--keep"])
      #expect(outcome.status == status && outcome.complaints.contains(words), "\(outcome)")
      #expect(isFirst || outcome.complaints.hasSuffix("fief: The changes were dropped.\n"))
      #expect(try kennel.output("query", "Dog", "age = 77", "--count") == "0\n")
    }

    #if !os(Windows)
      @Test(arguments: ["--keep", "--drop"])
      func aScriptRunsToItsEndWithoutItsReader(_ ending: String) throws {
        let kennel = try KennelFile()
        let (process, complaints) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // The output does not fit into a pipe, so that the shell is still printing when its reader leaves.
        let lines = ["edit Dog #0 age=77"] + Array(repeating: "show Person 1", count: 2_000) + ["edit Dog #1 age=77"]
        let file = kennel.path + ".script"
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
        let script = #"{ "$0" shell "$1" "$2" <"$3"; echo "status $?" >&2; } | head -n 1 >/dev/null"#
        process.arguments = ["-c", script, Program.url.path, kennel.path, ending, file]
        process.standardError = complaints
        try process.run()
        let said = String(decoding: try complaints.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(said == "status 0\n")
        #expect(try kennel.output("query", "Dog", "age = 77", "--count") == (ending == "--keep" ? "2\n" : "0\n"))
      }
    #endif

    @Test func theNameOfTheFileMayLookLikeAnOption() throws {
      let kennel = try KennelFile()
      _ = try kennel.output("copy", kennel.folder.url.appendingPathComponent("-k.realm").path)
      let (process, output, input) = (Process(), Pipe(), Pipe())
      process.executableURL = Program.url
      process.currentDirectoryURL = kennel.folder.url
      process.arguments = ["shell", "--", "-k.realm"]
      process.standardOutput = output
      process.standardInput = input
      try input.fileHandleForWriting.write(contentsOf: Data("query Dog --count\nedit Dog #0 age=9\nrollback\n".utf8))
      try input.fileHandleForWriting.close()
      try process.run()
      let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0 && said == "4\nDog #0\n  age  3 → 9\n")
    }

    @Test func aFileThatIsOpenElsewhereIsReadAndNotChangedBlindly() throws {
      let realm = try TestRealm()
      let opened = try Realm(configuration: realm.configuration)
      let outcome = try run(realm.path, "query Dog --count")
      #expect(outcome == .init(status: 0, output: "2\n", complaints: ""))
      withExtendedLifetime(opened) {}
    }

    #if !os(Windows)
      @Test func theNameOfAFileCannotActInAnError() throws {
        let folder = try TemporaryFolder()
        var configuration = Realm.Configuration(fileURL: folder.url.appendingPathComponent("a\u{1B}[31m.realm"))
        configuration.dynamicSchema = HostileStore.schema
        configuration.isExclusive = true
        let opened = try Realm(configuration: configuration)
        let outcome = try run(folder.url.path + "/a\u{1B}[31m.realm", "create Node id=1")
        #expect(outcome.status == 74 && outcome.output == "")
        #expect(outcome.complaints.contains("a\\u{1B}[31m.realm") && outcome.complaints.isSafeToPrint, "\(outcome)")
        withExtendedLifetime(opened) {}
      }
    #endif

    @Test func hostileTextsCannotAct() throws {
      let store = try HostileStore()
      let outcome = try run(
        store.path, ".classes", ".schema", "Node text != nil", "show Node 8", "edit Node 0 text=\u{1B}[31m\u{202E}",
        "changes", "delete Node TRUEPREDICATE", "changes")
      #expect(outcome.status == 0 && outcome.output.isSafeToPrint && outcome.complaints.isSafeToPrint)
      let bad = try run(store.path, "\u{1B}[31m")
      #expect(bad.status == 64 && bad.complaints.isSafeToPrint)
      #expect(try run(store.path + ".none", "x").status == 66)
    }
  }

  #if os(Linux) && canImport(Glibc)
    import Glibc

    /// The shell on a terminal, as somebody who types sees it.
    @Suite struct ShellTerminalTests {
      /// A terminal of its own with the shell on it.
      private final class TypedShell {
        let process = Process()
        let user: FileHandle
        private let device: FileHandle
        private(set) var seen = ""

        init(_ path: String) throws {
          let number = open("/dev/ptmx", O_RDWR | O_NOCTTY)
          // The requests have no names in Swift: unlocking the device of a terminal, and asking for its number.
          var (unlocked, device) = (Int32(0), UInt32(0))
          try #require(number >= 0)
          try #require(ioctl(number, 0x4004_5431, &unlocked) == 0 && ioctl(number, 0x8004_5430, &device) == 0)
          user = FileHandle(fileDescriptor: number, closeOnDealloc: true)
          self.device = try #require(FileHandle(forUpdatingAtPath: "/dev/pts/\(device)"))
          process.executableURL = Program.url
          process.arguments = ["shell", path]
          process.environment = ["TERM": "xterm", "COLUMNS": "100", "NO_COLOR": "1"]
          process.standardInput = self.device
          process.standardOutput = self.device
          process.standardError = self.device
          try process.run()
        }

        /// Types keys, and reads until a text appears behind them, and then the prompt: keys that come between are
        /// those of an ordinary terminal.
        func type(_ keys: String, until text: String, prompts: Bool = true) throws {
          seen = ""
          try user.write(contentsOf: Data(keys.utf8))
          func isSeen() -> Bool {
            guard let range = seen.range(of: text) else { return false }
            return !prompts || seen[range.upperBound...].contains("fief")
          }
          while !isSeen() {
            var ready = [pollfd(fd: user.fileDescriptor, events: Int16(POLLIN), revents: 0)]
            try #require(poll(&ready, 1, 15_000) == 1, "'\(text)' did not appear: \(seen)")
            let data = user.availableData
            try #require(!data.isEmpty, "'\(text)' did not appear: \(seen)")
            seen += String(decoding: data, as: UTF8.self)
          }
        }

        /// Closes the terminal, as its window does.
        func close() throws { try user.close() }

        deinit { if process.isRunning { process.terminate() } }

        /// Whether the terminal collects lines and shows what is typed, as it does outside of the shell.
        var isOrdinary: Bool {
          var settings = termios()
          return tcgetattr(device.fileDescriptor, &settings) == 0
            && settings.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == tcflag_t(ICANON | ECHO | ISIG)
        }
      }

      @Test(.timeLimit(.minutes(2))) func linesAreEditedCompletedAndBroughtBack() throws {
        let kennel = try KennelFile()
        let shell = try TypedShell(kennel.path)
        try shell.type("", until: "the commands.")
        try shell.type("sh\tPer\t1\r", until: "linked from")
        try shell.type("\u{1B}[A\u{7F}2\r", until: "Person 2\r\n")
        try shell.type("Person na\t= 'Bob' --cou\t\r", until: "\n1\r\n")
        try shell.type("edit Person 1 na\tEve\r", until: "Ann → Eve")
        try shell.type("\u{4}", until: "Keep the changes?", prompts: false)
        #expect(!shell.isOrdinary)
        try shell.type("y\r", until: "kept: 1 changed object", prompts: false)
        shell.process.waitUntilExit()
        #expect(shell.process.terminationStatus == 0 && shell.isOrdinary)
        #expect(try kennel.output("query", "Person", "name = 'Eve'", "--count") == "1\n")
      }

      @Test(.timeLimit(.minutes(2))) func aClosedTerminalEndsTheShell() throws {
        let kennel = try KennelFile()
        let shell = try TypedShell(kennel.path)
        try shell.type("edit Person 1 name=Eve\r", until: "Ann → Eve")
        try shell.close()
        shell.process.waitUntilExit()
        #expect(try kennel.output("query", "Person", "name = 'Eve'", "--count") == "0\n")
      }

      @Test(.timeLimit(.minutes(2)), arguments: [SIGTERM, SIGHUP, SIGINT])
      func theTerminalIsRestoredWhenASignalEndsTheShell(_ signal: Int32) throws {
        let kennel = try KennelFile()
        let shell = try TypedShell(kennel.path)
        try shell.type("edit Person 1 name=Eve\r", until: "Ann → Eve")
        #expect(!shell.isOrdinary)
        kill(shell.process.processIdentifier, signal)
        shell.process.waitUntilExit()
        #expect(shell.process.terminationReason == .uncaughtSignal && shell.process.terminationStatus == signal)
        #expect(shell.isOrdinary)
        #expect(try kennel.output("query", "Person", "name = 'Eve'", "--count") == "0\n")
      }
    }
  #endif
#endif
