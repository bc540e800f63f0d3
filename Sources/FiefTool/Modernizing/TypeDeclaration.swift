/// A class, an enumeration, an extension or a protocol in a source.
struct TypeDeclaration {
  enum Kind: String {
    case `class`, `enum`, `extension`, `protocol`
  }

  let kind: Kind
  /// The name; of the type that an extension extends, without what encloses it.
  let name: String
  /// The token of the name.
  let nameToken: Int
  /// The names behind the colon, without modules and generic arguments. The first one may be the superclass.
  let inherited: [String]
  let attributes: [SourceAttribute]
  /// The tokens between the braces.
  let body: Range<Int>
  /// The declarations in the body of a class.
  let members: [ClassMember]
}

/// An attribute: `@objc`, `@Persisted(primaryKey: true)`.
struct SourceAttribute {
  let name: String
  /// All of its tokens.
  let tokens: Range<Int>

  /// Whether it has arguments.
  var hasArguments: Bool { tokens.count > 2 }
}

/// A declaration in the body of a class.
struct ClassMember {
  let tokens: Range<Int>
  let attributes: [SourceAttribute]
  /// The modifiers, such as `dynamic`, with their tokens.
  let modifiers: [(name: String, token: Int)]
  /// The token of `var`, `let`, `func` and the like.
  let keyword: Int
  /// Whether it stands in an `#if`.
  let isConditional: Bool

  func has(_ modifier: String) -> Bool { modifiers.contains { $0.name == modifier } }

  func attribute(_ name: String) -> SourceAttribute? { attributes.first { $0.name == name } }

  /// Whether it belongs to the class rather than to its objects.
  var isStatic: Bool { has("static") || has("class") }
}
