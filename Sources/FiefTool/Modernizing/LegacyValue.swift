/// The value of an older declaration: `List<Dog>()`, `RealmOptional<Int>()`, `LinkingObjects(fromType:property:)`.
struct LegacyValue {
  static let names: Set<String> = [
    "List", "MutableSet", "Map", "RealmOptional", "RealmProperty", "LinkingObjects",
  ]

  /// The type of the property from now on.
  let type: String
  /// The type of the value of a `RealmOptional` or a `RealmProperty`; nil for collections.
  var value: String?
  /// The value to begin with, when it is not that of the type.
  var initial: String?
  /// The literal of the property at the other end of linking objects.
  var origin: String?

  private static let modules: Set<String> = ["RealmSwift", "Realm", "Fief"]

  /// Returns nil for any other property.
  init?(_ property: PropertyDeclaration, _ source: SwiftSource) {
    var next = Self.name(of: property.value, source)
    let end = property.value.upperBound
    let name = source.text(next)
    guard !property.value.isEmpty, Self.names.contains(name), !property.member.has("static") else { return nil }
    // A type that is written with its module keeps it: `List` alone may be SwiftUI's.
    var module = source.text(property.value.lowerBound..<next)
    let typeName = Self.name(of: property.type, source)
    if module.isEmpty { module = source.text(property.type.lowerBound..<typeName) }
    var arguments = ""
    let generics = source.skippingGenerics(next + 1)
    if generics > next + 1 {
      arguments = source.text(next + 2..<generics - 1)
      next = generics
    } else {
      next += 1
      // `let dogs: List<Dog> = List()`
      let type = property.type
      if type.upperBound - typeName > 3, source.text(typeName) == name,
        source.skippingGenerics(typeName + 1) == type.upperBound
      {
        arguments = source.text(typeName + 2..<type.upperBound - 1)
      } else if name != "LinkingObjects" || !type.isEmpty {
        return nil
      }
    }
    if !property.type.isEmpty, source.text(typeName) != name { return nil }
    guard source.isSign(next, "("), source.end(of: next) + 1 == end else { return nil }
    let inner = next + 1..<end - 1
    switch name {
    case "LinkingObjects":
      guard let (target, origin) = Self.linking(inner, source) else { return nil }
      if !arguments.isEmpty && arguments != target { return nil }
      type = "\(module)LinkingObjects<\(target)>"
      self.origin = origin
    case "RealmOptional", "RealmProperty":
      let words = name == "RealmOptional" ? arguments + "?" : arguments
      let isPlain = words.hasSuffix("?") || words == "AnyRealmValue"
      guard isPlain, words.dropLast().unicodeScalars.allSatisfy(SwiftLexer.isWord) else { return nil }
      type = words
      value = words
      if inner.count == 1, source.text(inner.lowerBound) != "nil" {
        initial = source.text(inner.lowerBound)
      } else if inner.count > 1 {
        return nil
      }
    default:
      guard inner.isEmpty else { return nil }
      type = "\(module)\(name)<\(arguments)>"
    }
  }

  /// Whether a declaration names one of the older types, or an alias of one, and so may be persisted.
  static func isMentioned(_ property: PropertyDeclaration, in source: SwiftSource, _ context: SourceContext) -> Bool {
    [property.type, property.value].contains { range in
      guard !range.isEmpty else { return false }
      let name = source.text(Self.name(of: range, source))
      return names.contains(name) || context.aliases[name] != nil
    }
  }

  /// The first token of a type or a value, behind the name of the module.
  private static func name(of range: Range<Int>, _ source: SwiftSource) -> Int {
    let first = range.lowerBound
    guard range.count > 2, modules.contains(source.text(first)), source.isSign(first + 1, ".") else { return first }
    return first + 2
  }

  /// The arguments of `LinkingObjects(fromType: Person.self, property: "dogs")`.
  private static func linking(_ inner: Range<Int>, _ source: SwiftSource) -> (target: String, origin: String)? {
    let words = source.texts(inner)
    guard let comma = words.firstIndex(of: ","), words.starts(with: ["fromType", ":"]), comma > 4,
      words[comma - 2] == ".", words[comma - 1] == "self", words.count == comma + 4,
      words[comma + 1] == "property", words[comma + 2] == ":", words[comma + 3].hasPrefix("\"")
    else { return nil }
    return (words[2..<comma - 2].joined(), words[comma + 3])
  }
}
