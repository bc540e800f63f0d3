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
      if self == .tour, arguments.isEmpty { return Tour.run(terminal) }
      let (files, options) = try read(arguments)
      switch self {
      case .tour:
        if options.isEmpty { throw UsageError(problem: "'tour' takes a file with '--json' alone.") }
        return PackageTour.run(files[0], terminal)
      case .info: return FileInfo.run(files[0], asJSON: !options.isEmpty, terminal)
      case .verify: return FileCheck.run(files[0], terminal)
      case .schema: return FileSchema.run(files[0], terminal)
      case .modernize: return Modernizing.run(files, isWriting: !options.isEmpty, terminal)
      case .import: return RealmFileImporting.run(from: files[0], to: files[1], terminal)
      case .help:
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

  /// The option of the command; nil when it has none.
  private var option: String? {
    switch self {
    case .tour, .info: "--json"
    case .modernize: "--write"
    case .verify, .schema, .import, .help: nil
    }
  }

  /// The files among the arguments, as many as the command takes, and the options.
  private func read(_ arguments: [String]) throws(UsageError) -> (files: [String], options: [String]) {
    if self == .help, !arguments.isEmpty { throw UsageError(problem: "'help' takes no arguments.") }
    let files = arguments.filter { $0 == "-" || !$0.hasPrefix("-") }
    let options = arguments.filter { $0 != "-" && $0.hasPrefix("-") }
    if let unknown = options.first(where: { $0 != option }) {
      throw UsageError(problem: "'\(rawValue)' has no option '\(unknown)'.")
    }
    let (wanted, words) =
      switch self {
      case .help: (0, "no file")
      case .modernize: (max(1, files.count), "files")
      case .import: (2, "two files")
      case .tour, .info, .verify, .schema: (1, "one file")
      }
    if files.count != wanted || self != .modernize && files.contains("") {
      let given = files.isEmpty ? "none" : files.count != wanted ? "\(files.count)" : "an empty name"
      throw UsageError(problem: "'\(rawValue)' takes \(words); it was given \(given).")
    }
    return (files, options)
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
