/// What the program can be asked to do.
///
/// A new command is a case here, a line in `summary`, and a file of its own.
enum Command: String, CaseIterable {
  case tour
  case help

  /// What the command does, in a few words.
  var summary: String {
    switch self {
    case .tour: "a guided run of the graph kernel, a minute to read"
    case .help: "this text"
    }
  }

  /// Does what the arguments ask for.
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
      guard arguments.count == 1 else { return refuse("'\(name)' takes no arguments.", terminal) }
      return command.run(terminal)
    }
  }

  private func run(_ terminal: Terminal) -> ExitCode {
    switch self {
    case .tour: return Tour.run(terminal)
    case .help:
      terminal.say(Self.usage)
      return .done
    }
  }

  private static func refuse(_ problem: String, _ terminal: Terminal) -> ExitCode {
    terminal.complain("fief: \(problem)\n\n\(usage)")
    return .usage
  }

  static let version = "0.1.0"

  static let usage = """
    usage: fief COMMAND

    commands:
    \(allCases.map { "  \($0.rawValue.padded(to: 12))\($0.summary)" }.joined(separator: "\n"))

    options:
      --version   the version of the program
      --help      this text
    """
}
