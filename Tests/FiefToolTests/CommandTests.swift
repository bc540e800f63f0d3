#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Testing

  private let usage = """
    usage: fief COMMAND

    commands:
      tour [--json FILE]  a guided run of what an application does; with --json on the package described in FILE
      info [--json] FILE  what is in a realm's file: classes, counts, sizes, versions
      verify FILE         whether a realm's file is sound: every checksum, every link
      schema FILE         the classes of a realm's file, with their properties
      modernize FILES…    older model classes of Swift sources as @Persisted, as a patch; with --write in place
      import REALM NEW    the objects of REALM, a file of Realm's own library, in the new file NEW
      help                this text

    options:
      --version           the version of the program
      --help              this text

    exit codes:
      0   done; the file is sound
      1   the file is damaged, or no realm's file that this program can read
      2   the file can be opened, and its last commits may be missing
      64  the command line makes no sense
      65  the document is none that this program knows
      66  there is no such file
      70  the program is at fault
      74  the system did not let the file be read

    """

  @Suite struct CommandTests {
    @Test(arguments: [[], ["help"], ["--help"], ["-h"]])
    func helpAndNoArgumentsPrintTheUsage(_ arguments: [String]) throws {
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
      let complaint = "fief: 'tour' takes a file with '--json' alone.\n\n\(usage)"
      #expect(try Program.run("tour", "slowly") == Program.Outcome(status: 64, output: "", complaints: complaint))
    }

    @Test(
      arguments: [
        (["info"], "'info' takes one file; it was given none."),
        (["verify"], "'verify' takes one file; it was given none."),
        (["info", "a", "b"], "'info' takes one file; it was given 2."),
        (["verify", "a", "b"], "'verify' takes one file; it was given 2."),
        (["verify", ""], "'verify' takes one file; it was given an empty name."),
        (["tour", "--json"], "'tour' takes one file; it was given none."),
        (["import", "a"], "'import' takes two files; it was given 1."),
        (["import", "a", "b", "c"], "'import' takes two files; it was given 3."),
        (["tour", "--json", "a", "b"], "'tour' takes one file; it was given 2."),
        (["info", "--xml", "a"], "'info' has no option '--xml'."),
        (["verify", "--json", "a"], "'verify' has no option '--json'."),
        (["schema"], "'schema' takes one file; it was given none."),
        (["modernize"], "'modernize' takes files; it was given none."),
        (["modernize", "--dry", "a"], "'modernize' has no option '--dry'."),
      ])
    func whatLooksAtAFileTakesOneAndItsOptions(_ arguments: [String], _ problem: String) throws {
      let outcome = try Program.run(arguments)
      #expect(outcome == Program.Outcome(status: 64, output: "", complaints: "fief: \(problem)\n\n\(usage)"))
    }

    @Test func anEmptyArgumentIsNoCommand() throws {
      let outcome = try Program.run("")
      #expect(outcome.status == 64)
      #expect(outcome.complaints.hasPrefix("fief: There is no command ''."))
    }
  }
#endif
