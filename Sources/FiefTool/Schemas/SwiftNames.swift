import FiefGraph

/// Names of Swift for stored names: as they are where possible, and unique.
struct SwiftNames {
  private var taken: Set<String>

  /// - Parameter taken: names that mean something else.
  init(taken: Set<String> = []) { self.taken = taken }

  /// The names for stored names, by these. Those that can stay as they are do, whatever their order is.
  ///
  /// - Parameters:
  ///   - stored: different stored names.
  ///   - alternative: what follows a name that means something else.
  mutating func names(for stored: [String], alternative: String = "_") -> [[UInt8]: String] {
    var names: [[UInt8]: String] = [:]
    for isKept in [true, false] {
      for name in stored where (Self.identifier(of: name) == name && !taken.contains(name)) == isKept {
        if names[Array(name.utf8)] != nil { continue }
        names[Array(name.utf8)] = self.name(for: name, alternative: alternative)
      }
    }
    return names
  }

  /// The next name.
  ///
  /// - Parameters:
  ///   - stored: the stored name.
  ///   - alternative: what follows a name that means something else.
  mutating func name(for stored: String, alternative: String = "_") -> String {
    let identifier = Self.identifier(of: stored)
    var name = identifier
    var number = 1
    while taken.contains(name) {
      name = number == 1 ? identifier + alternative : "\(identifier)\(alternative)\(number)"
      number += 1
    }
    taken.insert(name)
    return name
  }

  /// Takes a name, so that no other gets it.
  mutating func take(_ name: String) { taken.insert(name) }

  /// The name with an underscore for each character that an identifier cannot have.
  static func identifier(of name: String) -> String {
    var identifier = ""
    for scalar in name.unicodeScalars {
      let properties = scalar.properties
      // A character that normalization changes would be read back as another name.
      let isLetter =
        scalar == "_" || properties.isXIDContinue && scalar.properties.canonicalCombiningClass == .notReordered
      identifier.unicodeScalars.append(isLetter ? scalar : "_")
    }
    guard let first = identifier.unicodeScalars.first else { return "_unnamed" }
    if identifier.allSatisfy({ $0 == "_" }) { return identifier + "unnamed" }
    return first == "_" || first.properties.isXIDStart ? identifier : "_" + identifier
  }

  /// Whether a name stands in backticks where it is declared.
  static func isKeyword(_ name: String) -> Bool { keywords.contains(name) }

  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
    "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
    "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// Names of properties that objects have, or that no property can have.
  static let ofObjects: Set<String> = [
    "Type", "debugDescription", "description", "hash", "hashValue", "init", "isFrozen", "isInvalidated", "objectSchema",
    "realm", "self",
  ]

  /// Names of types that the source uses, and words that name no class.
  static let ofTypes: Set<String> = keywords.union([
    "AnyRealmValue", "AsymmetricObject", "Bool", "CompoundIndex", "Data", "Date", "Decimal128", "Double",
    "EmbeddedObject", "Float", "Int", "Int16", "Int32", "Int64", "Int8", "LinkingObjects", "List", "Map", "MutableSet",
    "Object", "ObjectId", "Persisted", "String", "UUID", "_", "any", "each", "some",
  ])

  /// A string in the source.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      default:
        if scalar.controlsText || scalar.properties.canonicalCombiningClass != .notReordered {
          literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        } else {
          literal.unicodeScalars.append(scalar)
        }
      }
    }
    return literal + "\""
  }
}
