/// The type of a property as far as its declaration shows it.
struct PropertyTypeWords {
  private static let scalars: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "Bool", "Float", "Double", "String", "Data", "Date", "ObjectId",
    "Decimal128", "UUID", "AnyRealmValue",
  ]
  private static let keys: Set<String> = ["Int", "Int8", "Int16", "Int32", "Int64", "String", "ObjectId", "UUID"]
  private static let indexable = keys.union(["Bool", "Date", "AnyRealmValue"])
  /// Types of Foundation and others that are no model classes.
  private static let foreign: Set<String> = ["URL", "UIImage", "CGFloat", "CGPoint", "Any", "AnyObject", "Decimal"]

  /// The name of the type, without the question mark; nil when only the value shows it.
  private var name: String?
  private var isOptional = false
  /// Whether the declaration has a form that is known.
  private var isKnown = true
  /// The first words of the value, when there is no type.
  private var value: [String] = []
  private var isLiteral = false

  init(_ property: PropertyDeclaration, in source: SwiftSource, _ context: SourceContext) {
    if property.type.isEmpty {
      value = source.texts(property.value)
      if let first = property.value.first, source.tokens[first].kind != .word, source.tokens[first].kind != .sign {
        isLiteral = true
        let text = source.text(first)
        if property.value.count == 1 {
          name = source.tokens[first].kind == .string ? "String" : text.contains(".") ? "Double" : "Int"
        }
      } else if value.first == "-" || value == ["true"] || value == ["false"] {
        isLiteral = true
      } else if let named = Self.type(of: value, context) {
        (name, isLiteral) = (named, true)
      } else if let first = value.first, Self.scalars.contains(first) {
        isLiteral = true
      }
      return
    }
    var words = source.texts(property.type)
    isOptional = words.count > 1 && words.last == "?"
    if isOptional { words.removeLast() }
    isKnown = Self.isPath(words)
    name = words[words.count - 1]
  }

  /// Whether words are names with points between them: `Kind`, `Dog.Kind`.
  private static func isPath(_ words: [String]) -> Bool {
    words.count % 2 == 1
      && words.indices.allSatisfy {
        $0 % 2 == 1 ? words[$0] == "." : words[$0].unicodeScalars.allSatisfy(SwiftLexer.isWord)
      }
  }

  /// The type that a value of some words shows; nil for one that shows none.
  private static func type(of value: [String], _ context: SourceContext) -> String? {
    if value.count >= 3, ["UUID", "NSUUID"].contains(value[0]), value.suffix(2) == [".", "uuidString"] {
      return "String"
    }
    if value.count == 3, scalars.contains(value[0]), value.suffix(2) == ["(", ")"] { return value[0] }
    if value == ["ObjectId", ".", "generate", "(", ")"] { return "ObjectId" }
    guard value.count > 2, isPath(value), let last = value.last else { return nil }
    // `Kind.dog.rawValue`
    if value.count >= 5, last == "rawValue" {
      let raw = context.rawTypes[value[value.count - 5]]
      if let raw, scalars.contains(raw) { return raw }
    }
    // A case of an enumeration: `Kind.dog`, `Dog.Kind.dog`.
    let name = value[value.count - 3]
    return context.enums.contains(name) && context.cases[name]?.contains(last) == true ? name : nil
  }

  /// The type of the value in a `RealmOptional` or a `RealmProperty`: a name with or without a question mark.
  init(text: String, _ context: SourceContext) {
    isOptional = text.hasSuffix("?")
    name = isOptional ? String(text.dropLast()) : text
  }

  /// Why `@Persisted` may not accept the type; nil when it does.
  func problem(_ context: SourceContext) -> String? {
    guard let name else { return isLiteral ? nil : "has a type that its value does not show" }
    if !isKnown { return "has a type of an unknown form" }
    if Self.scalars.contains(name) {
      return name == "AnyRealmValue" && isOptional ? "is an optional AnyRealmValue" : nil
    }
    if context.enums.contains(name) { return nil }
    if name.hasPrefix("NS") || Self.foreign.contains(name) {
      return "has type '\(name)', which @Persisted does not accept"
    }
    if !isOptional {
      return "has type '\(name)', which none of these files declares as a PersistableEnum"
    }
    return nil
  }

  var canBeKey: Bool { name.map { Self.keys.contains($0) } ?? false }

  func canBeIndexed(_ context: SourceContext) -> Bool {
    if let name { return Self.indexable.contains(name) || context.enums.contains(name) }
    return value == ["true"] || value == ["false"]
  }
}
