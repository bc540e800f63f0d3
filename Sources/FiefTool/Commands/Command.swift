/// A command of the program: its name, its operands and options, its help, and its code.
///
///     Command(
///       "query", "FILE CLASS [PREDICATE]", "the objects of a class that meet a condition",
///       options: [.flag("--json", "print JSON"), .value("--sort", "KEY[:desc]", "order the objects", isRepeatable: true)],
///       details: "…"
///     ) { arguments, terminal in … }
///
/// The arguments are checked against the declaration before the code runs.
struct Command: Sendable {
  /// Runs the command. An error that it throws is printed, and becomes the exit code, as `Failure` says.
  typealias Body = @Sendable (Arguments, Terminal) throws -> ExitCode

  let name: String
  let operands: [Operand]
  let options: [Option]
  /// One line for the list of commands.
  let summary: String
  /// What the help of the command says below its options; may be empty.
  let details: String
  private let body: Body

  /// - Parameters:
  ///   - name: the word on the command line.
  ///   - operands: the operands in order, as `FILE CLASS [PREDICATE]` or `FILES…`: in brackets what may be left out,
  ///     with dots what may be repeated.
  ///   - summary: one line for the list of commands.
  ///   - options: the options, in the order of the help.
  ///   - details: what the help says below the options.
  ///   - body: the code.
  init(
    _ name: String, _ operands: String, _ summary: String, options: [Option] = [], details: String = "",
    body: @escaping Body
  ) {
    self.name = name
    self.operands = operands.split(separator: " ").map { Operand(String($0)) }
    self.options = options
    self.summary = summary
    self.details = details
    self.body = body
  }

  /// An operand of a command.
  struct Operand: Sendable {
    /// As in the help: `[PREDICATE]`, `FILES…`.
    let form: String
    let name: String
    let isOptional: Bool
    let isRepeated: Bool

    init(_ form: String) {
      self.form = form
      name = form.filter { !"[]…".contains($0) }
      isOptional = form.hasPrefix("[")
      isRepeated = form.contains("…")
    }
  }

  /// An option of a command.
  struct Option: Sendable {
    /// With its dashes: `--json`, `-o`.
    let name: String
    /// The word for its value in the help; nil for an option without a value.
    let value: String?
    /// Whether it may be given several times.
    let isRepeatable: Bool
    let help: String

    /// An option without a value.
    static func flag(_ name: String, _ help: String) -> Self {
      Option(name: name, value: nil, isRepeatable: false, help: help)
    }

    /// An option with a value, which is the next argument or stands behind `=`.
    static func value(_ name: String, _ value: String, _ help: String, isRepeatable: Bool = false) -> Self {
      Option(name: name, value: value, isRepeatable: isRepeatable, help: help)
    }

    var form: String { value.map { "\(name) \($0)" } ?? name }
  }

  /// The commands, in the order of the help.
  static let all: [Command] = [
    Tour.command,
    FileInfo.command,
    FileCheck.command,
    FileSchema.command,
    QueryCommand.command,
    ShowCommand.command,
    ExportCommand.command,
    ImportCommand.command,
    GraphCommand.command,
    BrowsePage.command,
    DiffCommand.command,
    HistoryCommand.command,
    RehearseCommand.command,
    EditCommands.edit,
    EditCommands.delete,
    FileCommands.copy,
    FileCommands.compact,
    FileCommands.recover,
    Modernizing.command,
    help,
  ]

  private static let help = Command("help", "[COMMAND]", "this text, or the help of a command") { arguments, terminal in
    guard let name = arguments.operands.first else {
      terminal.say(usage)
      return .done
    }
    terminal.say(try command(named: name).helpText)
    return .done
  }

  static let version = "0.1.0"

  // MARK: Running

  /// Runs the command that the arguments name, and sees to the end of its output.
  static func run(_ arguments: [String], _ terminal: Terminal) -> ExitCode {
    let code = answer(arguments, terminal)
    return terminal.finish() ?? code
  }

  private static func answer(_ arguments: [String], _ terminal: Terminal) -> ExitCode {
    do {
      switch arguments.first {
      case nil, "--help", "-h": terminal.say(usage)
      case "--version": terminal.say("fief \(version)")
      case let name?:
        let command = try command(named: name)
        do {
          return try command.run(Array(arguments.dropFirst()), terminal)
        } catch let error as UsageError {
          terminal.complain("fief: \(error.problem)\n\n\(command.usageLine)\nMore: fief help \(command.name)")
          return .usage
        }
      }
      return .done
    } catch let error as UsageError {
      terminal.complain("fief: \(error.problem)\n\n\(usage)")
      return .usage
    } catch is OutputClosed {
      return .done
    } catch {
      let failure = Failure(describing: error)
      terminal.complain("fief: \(failure.message)")
      return failure.code
    }
  }

  private static func command(named name: String) throws(UsageError) -> Command {
    if let command = all.first(where: { $0.name == name }) { return command }
    throw UsageError("There is no \(name.hasPrefix("-") ? "option" : "command") '\(name.printable)'.")
  }

  private func run(_ arguments: [String], _ terminal: Terminal) throws -> ExitCode {
    let arguments = try Arguments(arguments, of: self)
    guard arguments.asksForHelp else { return try body(arguments, terminal) }
    terminal.say(helpText)
    return .done
  }

  // MARK: Help

  /// The command with its operands and options in one line.
  private var form: String {
    ([name] + options.map { "[\($0.form)]\($0.isRepeatable ? "…" : "")" } + operands.map(\.form)).joined(
      separator: " ")
  }

  private var usageLine: String {
    let lines = "fief \(form)".lines(of: 110)
    return "usage: " + lines.joined(separator: "\n         ")
  }

  var helpText: String {
    var parts = ["\(usageLine)\n\n\(summary)"]
    if !options.isEmpty {
      let width = (options.map(\.form.count).max() ?? 0) + 2
      let lines = options.map { option in
        let help = option.help + (option.isRepeatable ? "; may be repeated" : "")
        let words = help.lines(of: max(40, 98 - width))
        return "  \(option.form.padded(to: width))"
          + words.joined(separator: "\n" + String(repeating: " ", count: width + 2))
      }
      parts.append("options:\n\(lines.joined(separator: "\n"))")
    }
    if !details.isEmpty { parts.append(details) }
    return parts.joined(separator: "\n\n")
  }

  static var usage: String {
    let forms = all.map { ([$0.name] + $0.operands.map(\.form)).joined(separator: " ") }
    let width = (forms.map(\.count).max() ?? 0) + 2
    return """
      usage: fief COMMAND

      commands:
      \(zip(forms, all).map { "  \($0.padded(to: width))\($1.summary)" }.joined(separator: "\n"))

      options:
        --version           the version of the program
        --help              this text; behind a command, the help of that command

      exit codes:
        0   done; the file is sound
        1   the file is damaged, or no realm's file that this program can read
        2   the file can be opened, and its last commits may be missing
        3   the compared files are different
        64  the command line makes no sense
        65  the document is none that this program knows
        66  there is no such file
        70  the program is at fault
        74  the system did not let the file be read or written
      """
  }
}
