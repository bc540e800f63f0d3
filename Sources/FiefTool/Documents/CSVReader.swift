import FiefRuntime

/// Reads values separated by commas, as RFC 4180 has them. Line ends are LF or CR LF; a byte order mark is skipped.
struct CSVReader {
  /// A field that stands without quotes and is empty is null.
  struct Field: Equatable {
    let text: String
    let isQuoted: Bool

    /// The text; nil for null.
    var value: String? { text.isEmpty && !isQuoted ? nil : text }
  }

  /// A row with the line on which it begins, from 1.
  struct Row {
    let line: Int
    let fields: [Field]
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private let meter: WorkMeter?

  /// - Parameter meter: counts the bytes.
  init(_ bytes: [UInt8], counting meter: WorkMeter? = nil) {
    self.bytes = bytes
    self.meter = meter
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private static let (quote, comma, newline, carriageReturn) = (
    UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r")
  )

  /// The next row; nil at the end. Empty lines are skipped.
  ///
  /// - Throws: `Failure` for a quote that is not closed, or that stands inside a field, and for text that is not UTF-8.
  mutating func next() throws(Failure) -> Row? {
    let begin = position
    defer { meter?.advance(by: position - begin) }
    while position < bytes.count, let length = lineEnd() {
      position += length
      line += 1
    }
    if position == bytes.count { return nil }
    let start = line
    var fields: [Field] = []
    while true {
      fields.append(try field())
      if position == bytes.count { break }
      if let length = lineEnd() {
        position += length
        line += 1
        break
      }
      position += 1
    }
    return Row(line: start, fields: fields)
  }

  /// The length of the line's end at the position; nil if the line goes on.
  private func lineEnd() -> Int? {
    if bytes[position] == Self.newline { return 1 }
    guard bytes[position] == Self.carriageReturn else { return nil }
    return position + 1 < bytes.count && bytes[position + 1] == Self.newline ? 2 : 1
  }

  /// Reads a field up to its comma or the end of the line.
  private mutating func field() throws(Failure) -> Field {
    guard position < bytes.count, bytes[position] == Self.quote else {
      let start = position
      while position < bytes.count, bytes[position] != Self.comma, lineEnd() == nil {
        if bytes[position] == Self.quote { throw Failure("Line \(line): a quote stands inside of a field.", .badData) }
        position += 1
      }
      return Field(text: try text(Array(bytes[start..<position])), isQuoted: false)
    }
    let start = line
    position += 1
    var content: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == Self.quote {
        guard position < bytes.count, bytes[position] == Self.quote else {
          guard position == bytes.count || bytes[position] == Self.comma || lineEnd() != nil else {
            throw Failure("Line \(line): a field goes on behind its closing quote.", .badData)
          }
          return Field(text: try text(content), isQuoted: true)
        }
        position += 1
      }
      if byte == Self.newline { line += 1 }
      content.append(byte)
    }
    throw Failure("Line \(start): a quote is not closed.", .badData)
  }

  private func text(_ bytes: [UInt8]) throws(Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure("Line \(line): the text is not UTF-8.", .badData)
    }
    return text
  }
}
