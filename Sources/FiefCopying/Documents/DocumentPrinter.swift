import Foundation

/// Writes a tree as JSON in the format of Foundation's encoder, in one pass and without recursion.
package struct DocumentPrinter {
  private let tree: DocumentTree
  private let isPretty: Bool
  private let escapesSlashes: Bool
  private var bytes: [UInt8] = []
  /// The open containers, and the number of elements or members of each that were written.
  private var open: [(span: DocumentTree.Span, isObject: Bool, written: Int)] = []

  private init(_ tree: DocumentTree, _ formatting: JSONEncoder.OutputFormatting) {
    self.tree = tree
    isPretty = formatting.contains(.prettyPrinted)
    escapesSlashes = !formatting.contains(.withoutEscapingSlashes)
    bytes.reserveCapacity(16 * tree.count)
  }

  /// The JSON of a tree. Linear in the size of the output. Names are always sorted, regardless of `formatting`.
  package static func print(_ tree: DocumentTree, _ formatting: JSONEncoder.OutputFormatting) -> Data {
    var printer = DocumentPrinter(tree, formatting)
    printer.print()
    assert(printer.open.isEmpty && !printer.bytes.isEmpty, "All containers of a printed tree are closed.")
    return Data(printer.bytes)
  }

  private mutating func print() {
    value(tree.root)
    while let (span, isObject, written) = open.last {
      guard written < span.count else {
        open.removeLast()
        // Foundation writes an empty line in empty containers.
        if isPretty && span.count == 0 { bytes.append(0x0A) }
        line()
        bytes.append(UInt8(ascii: isObject ? "}" : "]"))
        continue
      }
      open[open.count - 1].written += 1
      if written > 0 { bytes.append(UInt8(ascii: ",")) }
      line()
      if isObject {
        text(tree.name(written, of: span))
        bytes.append(contentsOf: isPretty ? " : ".utf8 : ":".utf8)
        value(tree.value(written, of: span))
      } else {
        value(tree.elements(span)[span.first + written])
      }
    }
  }

  private mutating func line() {
    guard isPretty else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * open.count))
  }

  /// Writes a scalar, or the beginning of a container.
  private mutating func value(_ value: DocumentTree.Value) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
    case .int(let value): bytes.append(contentsOf: value.description.utf8)
    case .double(let value):
      let text = value.description
      // -0 keeps its fraction: without one it would be read as an integer, which has no sign.
      bytes.append(contentsOf: text.hasSuffix(".0") && value != 0 ? text.dropLast(2).utf8 : text[...].utf8)
    case .decimal(let value): bytes.append(contentsOf: value.description.utf8)
    case .string(let value): text(value)
    case .array(let span):
      bytes.append(UInt8(ascii: "["))
      open.append((span, false, 0))
    case .object(let span):
      bytes.append(UInt8(ascii: "{"))
      open.append((span, true, 0))
    }
  }

  private mutating func text(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    // Most strings need no escape: they are copied as a whole, and examined where they are.
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    let end = bytes.count
    var index = start
    while index < end, !mustBeEscaped(bytes[index]) { index += 1 }
    if index < end {
      let rest = Array(bytes[index...])
      bytes.removeLast(end - index)
      for byte in rest { if mustBeEscaped(byte) { escape(byte) } else { bytes.append(byte) } }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x2F && escapesSlashes
  }

  private mutating func escape(_ byte: UInt8) {
    assert(mustBeEscaped(byte), "Other characters are printed as they are.")
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0..<0x20:
      bytes.append(contentsOf: "u00".utf8)
      for digit in [byte >> 4, byte & 15] { bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
    default: bytes.append(byte)
    }
  }
}
