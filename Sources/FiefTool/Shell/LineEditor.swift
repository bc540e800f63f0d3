/// A line that is being typed: what each key does with it. It knows no terminal; `LineReader` shows it.
///
/// | keys | do |
/// | --- | --- |
/// | ←, →, Control-B, Control-F | move by a character; with Alt or Control by a word |
/// | Home, End, Control-A, Control-E | move to an end |
/// | Backspace, Delete, Control-H, Control-D | delete a character |
/// | Control-W, Control-U, Control-K | delete a word, all before, all behind |
/// | ↑, ↓, Control-P, Control-N | earlier and later lines |
/// | Tab | completes; if there are several ways, what they share, and then lists them |
/// | Control-C | drops the line |
/// | Control-D in an empty line | ends the input |
struct LineEditor {
  /// The effect of a key beyond changing the line.
  enum Event: Equatable {
    case none
    /// The line is complete.
    case submitted(String)
    /// The line was dropped.
    case dropped
    /// There is no more input.
    case ended
    /// The ways to complete the line are to be listed.
    case choices([String])
    /// The screen is to be cleared.
    case clearing
  }

  /// The words that could stand at the end of a text, and how many of its last characters they replace.
  typealias Completions = (String) -> (replaced: Int, words: [String])

  private var characters: [Character] = []
  private var cursor = 0
  private let history: [String]
  /// The position in the history; its count for the new line.
  private var position: Int
  /// The new line while an earlier one is shown.
  private var draft: [Character] = []
  private let completions: Completions
  /// The bytes of a key or a character that is not complete.
  private var pending: [UInt8] = []

  /// - Parameters:
  ///   - history: earlier lines, the oldest first.
  ///   - completions: how the line goes on.
  init(history: [String], completions: @escaping Completions) {
    self.history = history
    self.completions = completions
    position = history.count
  }

  /// The line so far.
  var text: String { String(characters) }

  /// Takes the next byte that the terminal has sent.
  mutating func take(_ byte: UInt8) -> Event {
    if !pending.isEmpty {
      pending.append(byte)
      return pending[0] == 0x1B ? takeEscape() : takeCharacter()
    }
    switch byte {
    case 0x0D, 0x0A:
      let line = text
      (characters, cursor) = ([], 0)
      return .submitted(line)
    case 0x03:
      (characters, cursor) = ([], 0)
      return .dropped
    case 0x04 where characters.isEmpty: return .ended
    case 0x09: return complete()
    case 0x0C: return .clearing
    case 0x1B, 0xC2...0xF4: pending = [byte]
    case 0x20..<0x7F: insert(Unicode.Scalar(byte))
    default: Self.controls[byte].map { press($0) }
    }
    return .none
  }

  // MARK: Keys

  /// What a key does, whatever it sends.
  private enum Key {
    case left, right, start, end, wordLeft, wordRight, back, forward, wordBack, wordForward, before, behind, up, down
  }

  private static let controls: [UInt8: Key] = [
    0x01: .start, 0x02: .left, 0x04: .forward, 0x05: .end, 0x06: .right, 0x08: .back, 0x0B: .behind, 0x0E: .down,
    0x10: .up, 0x15: .before, 0x17: .wordBack, 0x7F: .back,
  ]
  /// The keys that send several bytes, without the first one.
  private static let escapes: [String: Key] = [
    "[D": .left, "OD": .left, "[C": .right, "OC": .right, "[A": .up, "OA": .up, "[B": .down, "OB": .down,
    "[H": .start, "OH": .start, "[1~": .start, "[7~": .start, "[F": .end, "OF": .end, "[4~": .end, "[8~": .end,
    "[3~": .forward, "b": .wordLeft, "[1;5D": .wordLeft, "[1;3D": .wordLeft, "f": .wordRight, "[1;5C": .wordRight,
    "[1;3C": .wordRight, "\u{7F}": .wordBack, "d": .wordForward,
  ]

  private mutating func press(_ key: Key) {
    switch key {
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .start: cursor = 0
    case .end: cursor = characters.count
    case .wordLeft: cursor = wordStart
    case .wordRight: cursor = wordEnd
    case .back: remove(max(0, cursor - 1)..<cursor)
    case .forward: remove(cursor..<min(characters.count, cursor + 1))
    case .wordBack: remove(wordStart..<cursor)
    case .wordForward: remove(cursor..<wordEnd)
    case .before: remove(0..<cursor)
    case .behind: remove(cursor..<characters.count)
    case .up: go(-1)
    case .down: go(1)
    }
  }

  /// Goes on with a character of several bytes.
  private mutating func takeCharacter() -> Event {
    let length = pending[0] < 0xE0 ? 2 : pending[0] < 0xF0 ? 3 : 4
    guard 0x80...0xBF ~= pending[pending.count - 1] else {
      // The character was cut off: the byte begins anew.
      let last = pending[pending.count - 1]
      pending = []
      return take(last)
    }
    guard pending.count == length else { return .none }
    // A character that is not sound gives U+FFFD.
    for scalar in String(decoding: pending, as: UTF8.self).unicodeScalars { insert(scalar) }
    pending = []
    return .none
  }

  /// Goes on with a key that sends several bytes: `ESC [ 1 ; 5 C`, `ESC O H`, `ESC b`.
  private mutating func takeEscape() -> Event {
    let last = pending[pending.count - 1]
    if pending.count == 2 {
      if last == UInt8(ascii: "[") || last == UInt8(ascii: "O") { return .none }
    } else if !(0x40...0x7E ~= last) && pending.count < 16 {
      return .none
    }
    let key = String(decoding: pending.dropFirst(), as: UTF8.self)
    pending = []
    Self.escapes[key].map { press($0) }
    return .none
  }

  private var wordStart: Int {
    var start = cursor
    while start > 0 && characters[start - 1].isWhitespace { start -= 1 }
    while start > 0 && !characters[start - 1].isWhitespace { start -= 1 }
    return start
  }

  private var wordEnd: Int {
    var end = cursor
    while end < characters.count && characters[end].isWhitespace { end += 1 }
    while end < characters.count && !characters[end].isWhitespace { end += 1 }
    return end
  }

  // MARK: Changing

  private mutating func insert(_ scalar: Unicode.Scalar) {
    // A mark joins the character before it.
    if cursor > 0 {
      let joined = String(characters[cursor - 1]) + String(scalar)
      if joined.count == 1 {
        characters[cursor - 1] = Character(joined)
        return
      }
    }
    characters.insert(Character(scalar), at: cursor)
    cursor += 1
  }

  private mutating func remove(_ range: Range<Int>) {
    characters.removeSubrange(range)
    cursor = range.lowerBound
  }

  private mutating func go(_ step: Int) {
    guard 0...history.count ~= position + step else { return }
    if position == history.count { draft = characters }
    position += step
    characters = position == history.count ? draft : Array(history[position])
    cursor = characters.count
  }

  private mutating func complete() -> Event {
    let (replaced, words) = completions(String(characters[..<cursor]))
    guard let first = words.first, replaced <= cursor else { return .none }
    let shared = words.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    let given = String(characters[cursor - replaced..<cursor])
    if shared != given && shared.count >= replaced || words.count == 1 {
      // One way to go on is complete; a name of a property goes on with '=' by itself.
      let text = words.count == 1 && !shared.hasSuffix("=") ? shared + " " : shared
      characters.replaceSubrange(cursor - replaced..<cursor, with: text)
      cursor += text.count - replaced
      return .none
    }
    return .choices(words)
  }

  // MARK: Showing

  /// The line as a terminal shows it: from the beginning of its row, with the part around the cursor if it is long.
  ///
  /// - Parameters:
  ///   - prompt: what stands before the line.
  ///   - width: the columns of the terminal.
  func shown(behind prompt: String, width: Int) -> String {
    let space = max(8, width - prompt.columns - 1)
    let texts = characters.map { String($0).printable }
    var start = 0
    var used = texts[..<cursor].reduce(0) { $0 + $1.columns }
    while used > space - 1 {
      used -= texts[start].columns
      start += 1
    }
    var (visible, columns) = ("", 0)
    for text in texts[start...] {
      if columns + text.columns > space { break }
      visible += text
      columns += text.columns
    }
    let column = prompt.columns + used
    return "\r\u{1B}[K\(prompt)\(visible)\r" + (column > 0 ? "\u{1B}[\(column)C" : "")
  }
}
