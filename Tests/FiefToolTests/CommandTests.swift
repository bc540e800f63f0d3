#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Testing

  /// The text of `fief help`.
  private func usage() throws -> String { try Program.run("help").output }

  @Suite struct CommandTests {
    @Test(arguments: [[], ["help"], ["--help"], ["-h"]])
    func helpAndNoArgumentsPrintTheUsage(_ arguments: [String]) throws {
      let outcome = try Program.run(arguments)
      #expect(try outcome == Program.Outcome(status: 0, output: usage(), complaints: ""))
      #expect(outcome.output.hasPrefix("usage: fief COMMAND\n\ncommands:\n"))
      for line in [
        "  info FILE", "  query FILE CLASS [PREDICATE]", "  modernize FILES…", "  help [COMMAND]", "  --version",
        "  64  the command line makes no sense",
      ] {
        #expect(outcome.output.contains("\n\(line)"), "\(line)")
      }
      for line in outcome.output.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    }

    @Test func theVersionIsOneLine() throws {
      #expect(try Program.run("--version") == Program.Outcome(status: 0, output: "fief 0.1.0\n", complaints: ""))
    }

    @Test func anUnknownCommandIsRefusedWithTheUsageOnStandardError() throws {
      let complaint = "fief: There is no command 'tuor'.\n\n\(try usage())"
      #expect(try Program.run("tuor") == Program.Outcome(status: 64, output: "", complaints: complaint))
    }

    @Test func anUnknownOptionIsRefused() throws {
      let complaint = "fief: There is no option '--loud'.\n\n\(try usage())"
      #expect(try Program.run("--loud") == Program.Outcome(status: 64, output: "", complaints: complaint))
    }

    @Test(
      arguments: [
        (["tour", "slowly"], "'tour' takes no operands; it was given 1 operand."),
        (["tour", "--json"], "The option '--json' needs a value: FILE."),
        (["tour", "--json", "a", "b"], "'tour' takes no operands; it was given 1 operand."),
        (["info"], "'info' takes FILE; it was given nothing."),
        (["info", "a", "b"], "'info' takes FILE; it was given 2 operands."),
        (["verify", ""], "'verify' takes FILE; it was given an empty FILE."),
        (["import", "a"], "'import' takes DOCUMENT NEW; it was given 1 operand."),
        (["import", "a", "b", "c"], "'import' takes DOCUMENT NEW; it was given 3 operands."),
        (["info", "--xml", "a"], "'info' has no option '--xml'."),
        (["info", "--json", "--json", "a"], "The option '--json' was given twice."),
        (["info", "--json=yes", "a"], "The option '--json' takes no value."),
        (["verify", "--csv", "a"], "'verify' has no option '--csv'."),
        (["verify", "--\u{1B}[1m", "a"], "'verify' has no option '--\\u{1B}[1m'."),
        (
          ["show", "a", "B", "-5"],
          "'show' has no option '-5': what begins with '-' and is no option stands behind '--'."
        ),
        (["modernize"], "'modernize' takes FILES…; it was given nothing."),
        (["modernize", "--dry", "a"], "'modernize' has no option '--dry'."),
        (["verify", "--", "--help", "a"], "'verify' takes FILE; it was given 2 operands."),
      ])
    func argumentsAreCheckedBeforeAnythingIsDone(_ arguments: [String], _ problem: String) throws {
      let outcome = try Program.run(arguments)
      #expect(outcome.status == 64 && outcome.output == "")
      let lines = outcome.complaints.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.first == "fief: \(problem)")
      #expect(lines.dropFirst(2).first?.hasPrefix("usage: fief \(arguments[0])") == true)
      #expect(lines.dropLast().last == "More: fief help \(arguments[0])")
    }

    @Test(arguments: [["help", "info"], ["info", "--help"], ["info", "-h", "a", "b"], ["info", "--json", "--help"]])
    func eachCommandHasHelp(_ arguments: [String]) throws {
      let help = """
        usage: fief info [--json] [--encryption-key KEYFILE] FILE

        what is in a realm's file: classes, counts, sizes, versions

        options:
          --json                    print JSON, for programs
          --encryption-key KEYFILE  FILE is encrypted with the 64 bytes in KEYFILE

        """
      #expect(try Program.run(arguments) == Program.Outcome(status: 0, output: help, complaints: ""))
    }

    @Test func theHelpOfAllCommandsIsPrinted() throws {
      for line in try usage().split(separator: "\n").drop(while: { $0 != "commands:" }).dropFirst() {
        guard line.hasPrefix("  "), let name = line.split(separator: " ").first, name != "--version" else { break }
        let outcome = try Program.run("help", String(name))
        #expect(outcome.status == 0 && outcome.output.hasPrefix("usage: fief \(name)"))
        for line in outcome.output.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
      }
      #expect(try Program.run("help", "nothing").status == 64)
    }

    @Test func anEmptyArgumentIsNoCommand() throws {
      let outcome = try Program.run("")
      #expect(outcome.status == 64)
      #expect(outcome.complaints.hasPrefix("fief: There is no command ''."))
    }
  }
#endif
