#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Testing

  private let usage = """
    usage: fief COMMAND

    commands:
      tour        a guided run of the graph kernel, a minute to read
      help        this text

    options:
      --version   the version of the program
      --help      this text

    """

  @Suite struct CommandTests {
    @Test(arguments: [[], ["help"], ["--help"], ["-h"]])
    func whoAsksForHelpOrForNothingGetsTheUsage(_ arguments: [String]) throws {
      let outcome =
        arguments.isEmpty ? try Program.run() : try Program.run(arguments[0])
      #expect(outcome == Program.Outcome(status: 0, output: usage, complaints: ""))
    }

    @Test func theVersionIsOneLine() throws {
      #expect(try Program.run("--version") == Program.Outcome(status: 0, output: "fief 0.1.0\n", complaints: ""))
    }

    @Test func anUnknownCommandIsRefusedWithTheUsageOnStandardError() throws {
      let complaint = "fief: There is no command 'tuor'.\n\n\(usage)"
      #expect(try Program.run("tuor") == Program.Outcome(status: 64, output: "", complaints: complaint))
    }

    @Test func anUnknownOptionIsRefused() throws {
      let complaint = "fief: There is no option '--loud'.\n\n\(usage)"
      #expect(try Program.run("--loud") == Program.Outcome(status: 64, output: "", complaints: complaint))
    }

    @Test func anArgumentTooManyIsRefusedBeforeAnythingIsDone() throws {
      let complaint = "fief: 'tour' takes no arguments.\n\n\(usage)"
      #expect(try Program.run("tour", "slowly") == Program.Outcome(status: 64, output: "", complaints: complaint))
    }

    @Test func anEmptyArgumentIsNoCommand() throws {
      let outcome = try Program.run("")
      #expect(outcome.status == 64)
      #expect(outcome.complaints.hasPrefix("fief: There is no command ''."))
    }
  }
#endif
