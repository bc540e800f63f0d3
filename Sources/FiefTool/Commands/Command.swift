/// A command of the program: its name, its operands and options, its help, and its code.
///
///     Command(
///       "query", "FILE CLASS [PREDICATE]", "the objects of a class that meet a condition",
///       options: [
///         .flag("--json", "print JSON"),
///         .value("--sort", "KEY[:desc]", "order the objects", isRepeatable: true),
///       ],
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
  /// The text of the help below the options; may be empty.
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
    /// Earlier names, which the help does not show.
    let aliases: [String]

    /// An option without a value.
    static func flag(_ name: String, _ help: String) -> Self {
      Option(name: name, value: nil, isRepeatable: false, help: help, aliases: [])
    }

    /// An option with a value, which is the next argument or stands behind `=`.
    ///
    /// - Parameter aliases: earlier names, which the help does not show.
    static func value(
      _ name: String, _ value: String, _ help: String, isRepeatable: Bool = false, aliases: [String] = []
    ) -> Self {
      Option(name: name, value: value, isRepeatable: isRepeatable, help: help, aliases: aliases)
    }

    var form: String { value.map { "\(name) \($0)" } ?? name }
  }

  // MARK: Running

  /// Runs the command, or prints its help.
  func run(_ arguments: [String], _ terminal: Terminal) throws -> ExitCode {
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

  var usageLine: String {
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
}
