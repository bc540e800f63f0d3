import Foundation

extension FileBytes {
  /// The longest string that takes no memory beside its cell, in bytes.
  static let shortText = 15

  /// The text of some bytes of the file. Bytes that are not UTF-8 are replaced.
  func text(_ span: Span) -> String { String(decoding: bytes[span.range], as: UTF8.self) }

  /// How many bytes the text of some bytes has, and whether some had to be replaced because they are not UTF-8.
  func measured(_ span: Span) -> (count: Int, isRepaired: Bool) {
    var all: UInt8 = 0
    for byte in bytes[span.range] { all |= byte }
    if all < 0x80 { return (span.count, false) }
    var (count, isRepaired) = (0, false)
    forEachSequence(in: span) { sequence in
      count += sequence?.count ?? Self.replacement.count
      if sequence == nil { isRepaired = true }
    }
    return (count, isRepaired)
  }

  /// A short string for the long one of some bytes of the file.
  func digest(of span: Span, isRepaired: Bool) -> String {
    guard isRepaired else { return Self.digest(of: bytes[span.range]) }
    var hasher = Hasher()
    forEachSequence(in: span) { sequence in
      if let sequence {
        for byte in sequence { hasher.combine(byte) }
      } else {
        for byte in Self.replacement { hasher.combine(byte) }
      }
    }
    return Self.text(of: hasher)
  }

  /// A short string for a long one. Equal strings have equal ones, and others do not, but for an accident of one in
  /// 2^64. It differs among processes, so no file can be made for it.
  static func digest(of text: some Sequence<UInt8>) -> String {
    var hasher = Hasher()
    for byte in text { hasher.combine(byte) }
    return Self.text(of: hasher)
  }

  /// A number for a string: equal ones have equal numbers. A long string has that of the short one in its place.
  static func number(of text: String) -> UInt64 {
    var hasher = Hasher()
    let short = text.utf8.count > shortText ? digest(of: text.utf8) : text
    for byte in short.utf8 { hasher.combine(byte) }
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  private static func text(of hasher: Hasher) -> String {
    String(UInt64(truncatingIfNeeded: hasher.finalize()), radix: 36)
  }

  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  /// Calls `body` with the bytes of each character code, and with nil for bytes that are not UTF-8.
  private func forEachSequence(in span: Span, _ body: (Unicode.UTF8.EncodedScalar?) -> Void) {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes[span.range].makeIterator()
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): body(scalar)
      case .error: body(nil)
      case .emptyInput: return
      }
    }
  }

  /// The bytes of some bytes of the file.
  func data(_ span: Span) -> Data { Data(bytes[span.range]) }
}

/// A range of bytes of the file that were checked to be there; null has a negative start.
struct Span {
  static let null = Span(start: -1, count: 0)

  let start: Int
  let count: Int

  var isNull: Bool { start < 0 }
  var range: Range<Int> { start..<start + count }
}
