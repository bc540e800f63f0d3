/// Replacements of tokens of a source.
struct SourceEdits {
  let source: SwiftSource
  /// The replaced bytes, and what stands for them.
  private var edits: [(range: Range<Int>, text: String)] = []

  init(_ source: SwiftSource) { self.source = source }

  var isEmpty: Bool { edits.isEmpty }

  mutating func replace(_ tokens: Range<Int>, by text: String) { edits.append((source.bytes(of: tokens), text)) }

  mutating func insert(_ text: String, before token: Int) {
    let position = source.tokens[token].range.lowerBound
    edits.append((position..<position, text))
  }

  mutating func add(_ other: SourceEdits) { edits += other.edits }

  /// Removes tokens, with the space behind them up to the next one.
  mutating func remove(_ tokens: Range<Int>) {
    let range = source.bytes(of: tokens)
    let end = source.bytes[range.upperBound...].firstIndex { !($0 == UInt8(ascii: " ") || 0x09...0x0D ~= $0) }
    // A comment behind them keeps its place.
    let isComment = end.map { source.bytes[$0] == UInt8(ascii: "/") } ?? false
    edits.append((range.lowerBound..<(isComment ? range.upperBound : end ?? source.bytes.count), ""))
  }

  /// Removes tokens, and the lines that are empty then.
  mutating func removeLines(_ tokens: Range<Int>) {
    let (bytes, range) = (source.bytes, source.bytes(of: tokens))
    var (start, end) = (range.lowerBound, range.upperBound)
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == 0x09 || byte == 0x0D }
    while start > 0, isBlank(bytes[start - 1]) { start -= 1 }
    while end < bytes.count, isBlank(bytes[end]) { end += 1 }
    let isAlone =
      (start == 0 || bytes[start - 1] == UInt8(ascii: "\n")) && (end == bytes.count || bytes[end] == UInt8(ascii: "\n"))
    guard isAlone else {
      edits.append((range, ""))
      return
    }
    if end < bytes.count { end += 1 }
    // An empty line above goes too, when another one or the end of the block follows.
    var above = start
    while above > 0, isBlank(bytes[above - 1]) || bytes[above - 1] == UInt8(ascii: "\n") { above -= 1 }
    let hasEmptyLine = bytes[above..<start].count { $0 == UInt8(ascii: "\n") } > 1
    var below = end
    while below < bytes.count, isBlank(bytes[below]) { below += 1 }
    if hasEmptyLine && (below == bytes.count || bytes[below] == UInt8(ascii: "\n") || bytes[below] == UInt8(ascii: "}"))
    {
      // The end of the line above stays.
      while above < start, bytes[above] != UInt8(ascii: "\n") { above += 1 }
      start = above + 1
    }
    edits.append((start..<end, ""))
  }

  /// The bytes of the source with the replacements; nil when two of them overlap.
  func applied() -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(source.bytes.count + 64 * edits.count)
    var position = 0
    let sorted = edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
        < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
    }
    for (_, edit) in sorted {
      guard edit.range.lowerBound >= position else { return nil }
      result += source.bytes[position..<edit.range.lowerBound]
      result += Array(edit.text.utf8)
      position = edit.range.upperBound
    }
    return result + source.bytes[position...]
  }
}
