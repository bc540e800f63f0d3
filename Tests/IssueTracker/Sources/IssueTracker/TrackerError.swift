import Foundation

/// A mistake of the user.
public enum TrackerError: LocalizedError, Equatable {
  /// No issue has this number.
  case noIssue(Int)
  /// The line is not a command.
  case notACommand(String)

  /// The mistake in a sentence.
  public var errorDescription: String? {
    switch self {
    case .noIssue(let number): "There is no issue #\(number)."
    case .notACommand(let line): "'\(line)' is not a command. The commands are:\n\(Command.help)"
    }
  }
}
