/// A pattern of `LIKE`: `?` matches one user-perceived character, `*` any number of them. `\` escapes the next
/// character.
///
///     text      c a f é | s        its bytes (folded, if case or marks do not count),
///     borders   1 1 1 1   1        and where characters begin: `*` and `?` move from border to border
///
/// Literal parts match byte for byte, and must begin and end at borders.
struct LikePattern: Sendable {
  private enum Part: Sendable {
    case bytes([UInt8])
    case one
    case any
  }

  private let parts: [Part]
  private let options: TextOptions

  init(_ pattern: String, options: TextOptions) {
    var parts: [Part] = []
    var literal = String.UnicodeScalarView()
    func close() {
      if !literal.isEmpty { parts.append(.bytes(options.folded(String(literal)))) }
      literal = String.UnicodeScalarView()
    }
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        literal.append(scalar)
        isEscaped = false
      case "\\": isEscaped = true
      case "?":
        close()
        parts.append(.one)
      case "*":
        close()
        if case .any = parts.last {} else { parts.append(.any) }
      default: literal.append(scalar)
      }
    }
    if isEscaped { literal.append("\\") }
    close()
    assert(literal.isEmpty, "Every part of a pattern was closed.")
    self.parts = parts
    self.options = options
  }

  /// Whether the whole string matches. The time is at most the product of both lengths: backtracking to the last `*`
  /// suffices.
  func matches(_ text: String) -> Bool {
    var bytes: [UInt8] = []
    var isBorder: [Bool] = []
    for character in text {
      let part = options.folded(String(character))
      if part.isEmpty { continue }
      bytes += part
      isBorder.append(true)
      isBorder += repeatElement(false, count: part.count - 1)
    }
    isBorder.append(true)
    assert(isBorder.count == bytes.count + 1, "Each byte, and the end, may be a border.")
    func border(after index: Int) -> Int? { isBorder[(index + 1)...].firstIndex(of: true) }

    var (index, part) = (0, 0)
    var back: (index: Int, part: Int)?
    while true {
      var isMatch = true
      if part == parts.count {
        isMatch = index == bytes.count
        if isMatch { return true }
      } else {
        switch parts[part] {
        case .any:
          back = (index, part + 1)
          part += 1
          continue
        case .one:
          if index < bytes.count, let next = border(after: index) { index = next } else { isMatch = false }
        case .bytes(let literal):
          let end = index + literal.count
          isMatch = end <= bytes.count && isBorder[end] && bytes[index..<end].elementsEqual(literal)
          if isMatch { index = end }
        }
      }
      if isMatch {
        part += 1
        continue
      }
      // The last `*` takes one more character.
      guard let last = back, last.index < bytes.count, let next = border(after: last.index) else { return false }
      back = (next, last.part)
      (index, part) = (next, last.part)
    }
  }
}
