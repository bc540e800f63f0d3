import Foundation

extension FileBytes {
  /// The text of some bytes of the file, and whether it had to be repaired because they are not UTF-8.
  func text(_ span: Span) -> (text: String, isRepaired: Bool) {
    let slice = bytes[span.range]
    let text = String(decoding: slice, as: UTF8.self)
    // Invalid bytes are replaced, and then the text has other bytes. Only bytes from 0x80 on can be invalid.
    var all: UInt8 = 0
    for byte in slice { all |= byte }
    return (text, all >= 0x80 && !text.utf8.elementsEqual(slice))
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
