import Foundation

/// The output of a command: results on standard output, errors on standard error.
///
/// Results are collected, and written when there are many or when the command ends; a terminal gets each at once. If
/// the reader of a pipe has closed it, the rest is dropped. A long output asks now and then, with `checkReader`,
/// whether anybody still reads.
///
/// Names and texts of files are said as they are: whatever would control the terminal is escaped here, but for line
/// breaks.
final class Terminal {
  /// The width of the terminal in columns; nil when the output goes elsewhere.
  let width: Int?
  /// Whether colours and bold letters are shown.
  private let hasStyles: Bool
  private let isTerminal: Bool
  private var waiting: [UInt8] = []
  private var end = End.open

  private enum End {
    case open
    /// Nobody reads.
    case closed
    /// The system refused to write.
    case failed(reason: String)
  }

  init() {
    isTerminal = TerminalSystem.isTerminal(TerminalSystem.standardOutput)
    width = isTerminal ? TerminalSystem.width : nil
    let environment = ProcessInfo.processInfo.environment
    hasStyles = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// Prints a result.
  func say(_ text: String, terminator: String = "\n") { put(text.printable(keepingLines: true), terminator) }

  /// Prints a result with styles.
  func say(_ text: StyledText) {
    put(text.parts.map { styled($0.text.printable(keepingLines: true), $0.style) }.joined(), "\n")
  }

  /// Prints data that programs read as it is. A terminal shows escapes in place of what would control it.
  func say(data text: String, terminator: String = "\n") {
    put(shown(text), terminator)
  }

  private func put(_ text: String, _ terminator: String) {
    waiting.append(contentsOf: text.utf8)
    waiting.append(contentsOf: terminator.utf8)
    if isTerminal || waiting.count >= 1 << 16 { flush() }
  }

  /// Data as it is shown: exact, but for what would control a terminal. Tabs only move.
  private func shown(_ data: String) -> String {
    guard isTerminal else { return data }
    let parts = data.split(separator: "\t", omittingEmptySubsequences: false)
    return parts.map { String($0).printable(keepingLines: true) }.joined(separator: "\t")
  }

  /// Prints bytes of a result, as long as anybody reads. A terminal shows escapes in place of what would control it.
  func write(_ bytes: Data) throws {
    if isTerminal {
      waiting.append(contentsOf: shown(String(decoding: bytes, as: UTF8.self)).utf8)
    } else {
      waiting.append(contentsOf: bytes)
    }
    if isTerminal || waiting.count >= 1 << 16 { flush() }
    try checkReader()
  }

  /// Prints an error, behind the results so far.
  func complain(_ text: String) {
    flush()
    Progress.pause()
    _ = TerminalSystem.write(Array("\(text.printable(keepingLines: true))\n".utf8), to: TerminalSystem.standardError)
  }

  /// Ends a long output early.
  ///
  /// - Throws: `OutputClosed` if the reader has closed the pipe; `Failure` if the output cannot be written.
  func checkReader() throws {
    switch end {
    case .open: return
    case .closed: throw OutputClosed()
    case .failed(let reason): throw Failure(reason, .unreadable)
    }
  }

  /// Whether the reader has not closed the pipe, as far as is known.
  var isRead: Bool { if case .closed = end { false } else { true } }

  /// Writes what is left.
  ///
  /// - Returns: the exit code if the output could not be written.
  func finish() -> ExitCode? {
    flush()
    guard case .failed(let reason) = end else { return nil }
    complain("fief: \(reason)")
    return .unreadable
  }

  /// Writes the results so far.
  func flush() {
    guard !waiting.isEmpty else { return }
    defer { waiting.removeAll(keepingCapacity: true) }
    guard case .open = end else { return }
    Progress.pause()
    switch TerminalSystem.write(waiting, to: TerminalSystem.standardOutput) {
    case nil: break
    case EPIPE?: end = .closed
    case let code?: end = .failed(reason: "The output cannot be written: \(TerminalSystem.words(code)).")
    }
  }

  /// A way to show text.
  enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case cyan = "36"
  }

  /// Text in a style, on a terminal that shows styles; elsewhere the text alone.
  private func styled(_ text: String, _ style: Style?) -> String {
    guard hasStyles, let style else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }
}

/// Nobody reads the output any more. It ends the command, and is no error.
struct OutputClosed: Error {}
