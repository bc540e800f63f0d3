import FiefGraph
import FiefValues
import Foundation

/// The spelling of names, strings and values in formats.
enum Spelling {
  /// Words with a meaning somewhere in a format, in lower case. A property with such a name is printed as `#name`
  /// everywhere. The parser requires the mark only at words that are constants, in a comparison with another property.
  static let reserved: Set<String> = [
    "and", "or", "not", "in", "between", "like", "contains", "beginswith", "endswith", "matches", "any", "some", "all",
    "none", "true", "false", "yes", "no", "null", "nil", "truepredicate", "falsepredicate", "subquery", "self", "sort",
    "distinct", "limit", "infinity", "inf", "nan", "function", "cast", "geowithin", "first", "last", "size",
  ]

  /// Prints a name as a part of a path. Reserved words get a `#`, and names that are not words are quoted after a `#`.
  static func printName(_ name: String, isFirst: Bool, into text: inout String) {
    let bytes = name.utf8
    let isWord = bytes.first.map { isNameStart($0) } == true && bytes.allSatisfy { isNamePart($0) }
    if !isWord {
      text += "#"
      printQuoted(name, into: &text)
      return
    }
    if reserved.contains(name.lowercased()) { text += "#" }
    text += name
  }

  static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }

  static func isNamePart(_ byte: UInt8) -> Bool { isNameStart(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  /// Prints a string in double quotes, with escapes where they are needed.
  static func printQuoted(_ string: String, into text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0": text += "\\0"
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  static func printNumber(_ number: Double, into text: inout String) {
    text += number.isNaN ? "nan" : number.isInfinite ? (number < 0 ? "-inf" : "inf") : "\(number)"
  }
}

extension QueryConstant {
  func print(into text: inout String) {
    switch self {
    case .value(let value): value.print(into: &text)
    case .list(let values):
      text += "{"
      for (index, value) in values.enumerated() {
        if index > 0 { text += ", " }
        value.print(into: &text)
      }
      text += "}"
    case .shape(let shape): shape.print(into: &text)
    case .name(let name): Spelling.printQuoted(name, into: &text)
    case .open(let constant): constant.print(into: &text)
    case .nested(let constant): constant.print(into: &text)
    case .members(let alternatives):
      for (index, alternative) in alternatives.enumerated() {
        if index > 0 { text += " | " }
        alternative.print(into: &text)
      }
    }
  }
}

extension OpenConstant {
  func print(into text: inout String) {
    if isList { text += "{" }
    for (index, member) in members.enumerated() {
      if index > 0 { text += ", " }
      switch member {
      case .value(let value): value.print(into: &text)
      case .variable(let name): text += "$\(name)"
      case .number(let literal): text += literal.text
      }
    }
    if isList { text += "}" }
  }
}

extension Value {
  func print(into text: inout String) {
    switch self {
    case .null: text += "nil"
    case .bool(let value): text += value ? "TRUE" : "FALSE"
    case .int(let value): text += "\(value)"
    // A float is printed as a double of equal value, and compares as one.
    case .float(let value): Spelling.printNumber(Double(value), into: &text)
    case .double(let value): Spelling.printNumber(value, into: &text)
    case .string(let value): Spelling.printQuoted(value, into: &text)
    case .data(let value): text += "B64\"\(value.base64EncodedString())\""
    case .date(let value): text += "date(\(value.seconds), \(value.nanoseconds))"
    case .objectId(let value): text += "oid(\(value.stringValue))"
    case .uuid(let value): text += "uuid(\(value.uuidString.lowercased()))"
    case .decimal(let value): text += "decimal(\(value.stringValue))"
    case .link(let link): text += "link(\(link.table.rawValue), \(link.key.rawValue))"
    }
  }
}

extension GeoShape {
  func print(into text: inout String) {
    func printPoint(_ point: GeoPoint) {
      text += "["
      Spelling.printNumber(point.longitude, into: &text)
      text += ", "
      Spelling.printNumber(point.latitude, into: &text)
      text += "]"
    }
    switch self {
    case .box(let box):
      text += "geoBox("
      printPoint(box.bottomLeft)
      text += ", "
      printPoint(box.topRight)
      text += ")"
    case .circle(let circle):
      text += "geoCircle("
      printPoint(circle.center)
      text += ", "
      Spelling.printNumber(circle.radiusInRadians, into: &text)
      text += ")"
    case .polygon(let polygon):
      text += "geoPolygon("
      for (index, ring) in ([polygon.outerRing] + polygon.holes).enumerated() {
        if index > 0 { text += ", " }
        text += "{"
        for (number, point) in ring.enumerated() {
          if number > 0 { text += ", " }
          printPoint(point)
        }
        text += "}"
      }
      text += ")"
    }
  }
}
