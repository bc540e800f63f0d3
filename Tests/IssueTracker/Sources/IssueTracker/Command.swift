import Foundation

/// A line of the program's input.
public enum Command: Equatable, Sendable {
  case add(title: String)
  case list(State?)
  case find(words: String)
  case show(Int)
  case assign(Int, to: String)
  case label(Int, String)
  case comment(Int, author: String, text: String)
  case close(Int)
  case reopen(Int)
  case delete(Int)
  case undo
  case redo
  case write(URL)
  case read(URL)

  /// All commands, one a line.
  public static let help = """
      add TITLE                    undo
      list [open | closed]         redo
      find WORDS                   write FILE
      show NUMBER                  read FILE
      assign NUMBER NAME           close NUMBER
      label NUMBER LABEL           reopen NUMBER
      comment NUMBER NAME TEXT     delete NUMBER
    """

  /// Parses a line.
  ///
  /// - Throws: `TrackerError.notACommand`.
  public init(_ line: String) throws {
    // The last part has the rest of the line.
    func parts(_ count: Int) throws -> [String] {
      let parts = line.split(separator: " ", maxSplits: count - 1).map(String.init)
      guard parts.count == count else { throw TrackerError.notACommand(line) }
      return parts
    }
    func number(_ count: Int = 2) throws -> Int {
      guard let number = try Int(parts(count)[1]) else { throw TrackerError.notACommand(line) }
      return number
    }
    switch line.split(separator: " ").first {
    case "add": self = try .add(title: parts(2)[1])
    case "list" where line == "list": self = .list(nil)
    case "list":
      guard let state = try State(rawValue: parts(2)[1]) else { throw TrackerError.notACommand(line) }
      self = .list(state)
    case "find": self = try .find(words: parts(2)[1])
    case "show": self = try .show(number())
    case "assign": self = try .assign(number(3), to: parts(3)[2])
    case "label": self = try .label(number(3), parts(3)[2])
    case "comment": self = try .comment(number(4), author: parts(4)[2], text: parts(4)[3])
    case "close": self = try .close(number())
    case "reopen": self = try .reopen(number())
    case "delete": self = try .delete(number())
    case "undo": self = .undo
    case "redo": self = .redo
    case "write": self = try .write(URL(fileURLWithPath: parts(2)[1]))
    case "read": self = try .read(URL(fileURLWithPath: parts(2)[1]))
    default: throw TrackerError.notACommand(line)
    }
  }
}
