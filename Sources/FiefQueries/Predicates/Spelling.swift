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

  /// A name as a part of a path. Reserved words get a `#`, and names that are not words are quoted after a `#`.
  static func name(_ name: String) -> String {
    let bytes = name.utf8
    let isWord = bytes.first.map { isNameStart($0) } == true && bytes.allSatisfy { isNamePart($0) }
    if !isWord { return "#\(quoted(name))" }
    return reserved.contains(name.lowercased()) ? "#\(name)" : name
  }

  static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }

  static func isNamePart(_ byte: UInt8) -> Bool { isNameStart(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  /// A string in double quotes, with escapes where they are needed.
  static func quoted(_ string: String) -> String {
    var text = "\""
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
    return text + "\""
  }

  static func number(_ number: Double) -> String {
    number.isNaN ? "nan" : number.isInfinite ? (number < 0 ? "-inf" : "inf") : "\(number)"
  }

  static func point(_ point: GeoPoint) -> String { "[\(number(point.longitude)), \(number(point.latitude))]" }
}

extension QueryConstant {
  var spelling: String {
    switch self {
    case .value(let value): value.spelling
    case .list(let values): "{\(values.map(\.spelling).joined(separator: ", "))}"
    case .shape(let shape): shape.spelling
    case .name(let name): Spelling.quoted(name)
    case .open(let constant): constant.spelling
    case .nested(let constant): constant.spelling
    case .nestedMembers(let constants, let values):
      "{\((constants.map(\.spelling) + values.map(\.spelling)).joined(separator: ", "))}"
    case .members(let alternatives): alternatives.map(\.spelling).joined(separator: " | ")
    }
  }
}

extension OpenConstant {
  var spelling: String {
    let spellings = members.map { member in
      switch member {
      case .value(let value): value.spelling
      case .variable(let name): "$\(name)"
      case .number(let literal): literal.text
      }
    }
    return isList ? "{\(spellings.joined(separator: ", "))}" : spellings[0]
  }
}

extension Value {
  var spelling: String {
    switch self {
    case .null: "nil"
    case .bool(let value): value ? "TRUE" : "FALSE"
    case .int(let value): "\(value)"
    // A float is printed as a double of equal value, and compares as one.
    case .float(let value): Spelling.number(Double(value))
    case .double(let value): Spelling.number(value)
    case .string(let value): Spelling.quoted(value)
    case .data(let value): "B64\"\(value.base64EncodedString())\""
    case .date(let value): "date(\(value.seconds), \(value.nanoseconds))"
    case .objectId(let value): "oid(\(value.stringValue))"
    case .uuid(let value): "uuid(\(value.uuidString.lowercased()))"
    case .decimal(let value): "decimal(\(value.stringValue))"
    case .link(let link): "link(\(link.table.rawValue), \(link.key.rawValue))"
    }
  }
}

extension GeoShape {
  var spelling: String {
    switch self {
    case .box(let box): return "geoBox(\(Spelling.point(box.bottomLeft)), \(Spelling.point(box.topRight)))"
    case .circle(let circle):
      return "geoCircle(\(Spelling.point(circle.center)), \(Spelling.number(circle.radiusInRadians)))"
    case .polygon(let polygon):
      let rings = ([polygon.outerRing] + polygon.holes).map { "{\($0.map(Spelling.point).joined(separator: ", "))}" }
      return "geoPolygon(\(rings.joined(separator: ", ")))"
    }
  }
}
