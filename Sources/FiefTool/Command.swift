/// The commands of the program.
///
/// A new command needs a case here, a line in `help`, and a file of its own.
enum Command: String, CaseIterable {
  case tour
  case info
  case verify
  case schema
  case modernize
  case `import`
  case help

  /// The command with its arguments, and a short description.
  var help: (form: String, summary: String) {
    switch self {
    case .tour:
      ("tour [--json FILE]", "a guided run of what an application does; with --json on the package described in FILE")
    case .info: ("info [--json] FILE", "what is in a realm's file: classes, counts, sizes, versions")
    case .verify: ("verify FILE", "whether a realm's file is sound: every checksum, every link")
    case .schema: ("schema FILE", "the classes of a realm's file, with their properties")
    case .modernize:
      ("modernize FILES…", "older model classes of Swift sources as @Persisted, as a patch; with --write in place")
    case .import: ("import REALM NEW", "the objects of REALM, a file of Realm's own library, in the new file NEW")
    case .help: ("help", "this text")
    }
  }

  /// Runs the command that the arguments name.
  static func run(_ arguments: [String], _ terminal: Terminal) -> ExitCode {
    switch arguments.first {
    case nil, "--help", "-h":
      terminal.say(usage)
      return .done
    case "--version":
      terminal.say("fief \(version)")
      return .done
    case let name?:
      guard let command = Command(rawValue: name) else {
        return refuse(
          name.hasPrefix("-") ? "There is no option '\(name)'." : "There is no command '\(name)'.", terminal)
      }
      return command.run(Array(arguments.dropFirst()), terminal)
    }
  }

  private func run(_ arguments: [String], _ terminal: Terminal) -> ExitCode {
    do throws(UsageError) {
      switch self {
      case .tour:
        if arguments.isEmpty { return Tour.run(TourStep.all, terminal) }
        let (file, options) = try file(in: arguments, options: ["--json"])
        guard options.contains("--json") else { throw UsageError(problem: "'tour' takes a file with '--json' alone.") }
        return PackageTour.run(file, terminal)
      case .info:
        let (file, options) = try file(in: arguments, options: ["--json"])
        return FileInfo.run(file, asJSON: options.contains("--json"), terminal)
      case .verify: return FileCheck.run(try file(in: arguments, options: []).file, terminal)
      case .schema: return FileSchema.run(try file(in: arguments, options: []).file, terminal)
      case .modernize:
        let (files, options) = try self.files(in: arguments, options: ["--write"])
        if files.isEmpty { throw UsageError(problem: "'modernize' takes files; it was given none.") }
        return Modernizing.run(files, isWriting: options.contains("--write"), terminal)
      case .import:
        let files = try self.files(in: arguments, count: 2, options: []).files
        return RealmFileImporting.run(from: files[0], to: files[1], terminal)
      case .help:
        if !arguments.isEmpty { throw UsageError(problem: "'\(rawValue)' takes no arguments.") }
        terminal.say(Self.usage)
        return .done
      }
    } catch {
      return Self.refuse(error.problem, terminal)
    }
  }

  // MARK: Arguments

  /// Invalid arguments.
  private struct UsageError: Error {
    let problem: String
  }

  /// The only file among the arguments, and the options, which must be among the accepted ones.
  private func file(
    in arguments: [String], options: Set<String>
  ) throws(UsageError) -> (file: String, options: Set<String>) {
    let (files, given) = try self.files(in: arguments, count: 1, options: options)
    return (files[0], given)
  }

  /// The files among the arguments, of which there must be `count`, if it is given, and the options, which must be
  /// among the accepted ones.
  private func files(
    in arguments: [String], count: Int? = nil, options: Set<String>
  ) throws(UsageError) -> (files: [String], options: Set<String>) {
    var files: [String] = []
    var given: Set<String> = []
    for argument in arguments {
      if argument == "-" || !argument.hasPrefix("-") {
        files.append(argument)
      } else if options.contains(argument) {
        given.insert(argument)
      } else {
        throw UsageError(problem: "'\(rawValue)' has no option '\(argument)'.")
      }
    }
    if let count, files.count != count || files.contains("") {
      let given = files.isEmpty ? "none" : files.count != count ? "\(files.count)" : "an empty name"
      throw UsageError(problem: "'\(rawValue)' takes \(count == 1 ? "one file" : "two files"); it was given \(given).")
    }
    return (files, given)
  }

  private static func refuse(_ problem: String, _ terminal: Terminal) -> ExitCode {
    terminal.complain("fief: \(problem)\n\n\(usage)")
    return .usage
  }

  static let version = "0.1.0"

  static let usage = """
    usage: fief COMMAND

    commands:
    \(allCases.map { "  \($0.help.form.padded(to: 20))\($0.help.summary)" }.joined(separator: "\n"))

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
}
