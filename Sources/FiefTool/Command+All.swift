extension Command {
  /// The commands, in the order of the help.
  static let all: [Command] = [
    TourCommand.command,
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
    Shell.command,
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
        2   the file can be opened, and its last commits may be missing; 'recover' has lost something
        3   the compared files are different
        64  the command line makes no sense
        65  the document is none that this program knows; a change or a migration is refused
        66  there is no such file or object
        70  the program is at fault
        74  the system did not let the file be read or written; it exists already, or another process has it
      """
  }
}
