import Fief
import FiefCopying
import Foundation

/// JSON for programs: one value in one line, names in order. Nothing in it can control a terminal.
enum JSONOutput {
  /// A value as JSON in one line.
  static func text(_ tree: DocumentTree) -> String {
    harmless(String(decoding: DocumentPrinter.print(tree, [.withoutEscapingSlashes]), as: UTF8.self))
  }

  /// JSON text with escapes in place of the characters that control how text is shown. These stand in strings only.
  static func harmless(_ json: String) -> String {
    if json.utf8.allSatisfy({ $0 < 0x7F }) { return json }
    var text = ""
    for scalar in json.unicodeScalars {
      if scalar == "\n" || !scalar.controlsText {
        text.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return text
  }

  /// The same for the bytes of whole values.
  static func harmless(_ json: Data) -> Data {
    json.allSatisfy { $0 < 0x7F } ? json : Data(harmless(String(decoding: json, as: UTF8.self)).utf8)
  }

  /// Prints an array of values, each in a line of its own, as they come.
  ///
  ///     [
  ///     {"name":"Rex"},
  ///     {"name":"Fido"}
  ///     ]
  static func array(_ values: some Sequence<DocumentTree>, _ terminal: Terminal) throws {
    terminal.say(data: "[", terminator: "")
    var separator = "\n"
    for value in values {
      terminal.say(data: separator + text(value), terminator: "")
      separator = ",\n"
      try terminal.checkReader()
    }
    terminal.say(data: "\n]")
  }

  /// Prints values, each in a line of its own and without anything around them.
  static func lines(_ values: some Sequence<DocumentTree>, _ terminal: Terminal) throws {
    for value in values {
      terminal.say(data: text(value))
      try terminal.checkReader()
    }
  }
}
