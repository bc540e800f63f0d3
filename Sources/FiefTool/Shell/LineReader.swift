import Foundation

/// Reads the lines of a shell: with editing, history and completion on a terminal, and as they come elsewhere.
final class LineReader {
  private let terminal: Terminal
  private let isEditing: Bool
  private var history: [String] = []
  /// Bytes that were read behind the end of a line, as when several lines are pasted.
  private var rest: [UInt8] = []
  private let completions: LineEditor.Completions

  /// More lines are not kept.
  private static let longest = 1_000

  init(_ terminal: Terminal, completions: @escaping LineEditor.Completions) {
    self.terminal = terminal
    self.completions = completions
    isEditing = RawTerminal.isAvailable
  }

  /// The next line; nil at the end of the input.
  ///
  /// - Parameter isKept: whether the line can be brought back later.
  func line(_ prompt: String, isKept: Bool = true) -> String? {
    guard isEditing else {
      if TerminalSystem.isTerminal(TerminalSystem.standardInput) {
        terminal.say(prompt, terminator: "")
        terminal.flush()
      }
      return readLine(strippingNewline: true)
    }
    terminal.flush()
    let line = RawTerminal.reading { edit(prompt) }
    if isKept, let line, !line.allSatisfy(\.isWhitespace), line != history.last {
      history.append(line)
      if history.count > Self.longest { history.removeFirst() }
    }
    return line
  }

  private func edit(_ prompt: String) -> String? {
    var editor = LineEditor(history: history, completions: completions)
    show(editor.shown(behind: prompt, width: TerminalSystem.width))
    while true {
      if rest.isEmpty {
        rest = RawTerminal.keys()
        if rest.isEmpty {
          show("\n")
          return nil
        }
      }
      while !rest.isEmpty {
        switch editor.take(rest.removeFirst()) {
        case .none: continue
        case .submitted(let line):
          show("\r\u{1B}[K\(prompt)\(line.printable)\n")
          return line
        case .dropped: show("^C\n")
        case .ended:
          show("\n")
          return nil
        case .choices(let words): show("\n\(columns(words))\n")
        case .clearing: show("\u{1B}[H\u{1B}[2J")
        }
        show(editor.shown(behind: prompt, width: TerminalSystem.width))
      }
      show(editor.shown(behind: prompt, width: TerminalSystem.width))
    }
  }

  /// Words side by side.
  private func columns(_ words: [String]) -> String {
    let texts = words.prefix(200).map(\.printable)
    let width = (texts.map(\.columns).max() ?? 0) + 2
    let count = max(1, TerminalSystem.width / width)
    var lines: [String] = []
    for start in stride(from: 0, to: texts.count, by: count) {
      lines.append(texts[start..<min(texts.count, start + count)].map { $0.padded(to: width) }.joined())
    }
    if words.count > texts.count { lines.append("… and \(words.count - texts.count) more") }
    return lines.joined(separator: "\n")
  }

  private func show(_ text: String) { _ = TerminalSystem.write(Array(text.utf8), to: TerminalSystem.standardOutput) }
}
