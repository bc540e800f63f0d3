/// A class in a source, with the members of its body.
struct ClassDeclaration {
  let name: String
  /// The token of the name.
  let nameToken: Int
  /// The names behind the colon, without modules and generic arguments. The first one may be the superclass.
  let inherited: [String]
  let attributes: [SourceAttribute]
  /// The tokens between the braces.
  let body: Range<Int>
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

/// An enumeration in a source.
struct EnumDeclaration {
  let name: String
  let attributes: [SourceAttribute]
  /// The tokens behind the colon.
  let inherited: Range<Int>
  let cases: [String]
}

/// An extension in a source.
struct ExtensionDeclaration {
  /// The name of the type, without what encloses it.
  let name: String
  let inherited: [String]
  /// The tokens between the braces.
  let body: Range<Int>
}

/// A protocol in a source.
struct ProtocolDeclaration {
  let name: String
  let isObjC: Bool
  let inherited: [String]
  /// The names of the properties that it requires.
  let properties: [String]
}

/// Finds the classes and enumerations of a source, nested ones included.
struct DeclarationScanner {
  private static let modifiers: Set<String> = [
    "public", "private", "fileprivate", "internal", "open", "package", "static", "final", "override", "required",
    "convenience", "lazy", "weak", "unowned", "dynamic", "optional", "mutating", "nonmutating", "indirect",
    "nonisolated", "isolated",
  ]
  private static let keywords: Set<String> = [
    "var", "let", "func", "init", "deinit", "subscript", "class", "struct", "enum", "actor", "protocol", "extension",
    "typealias", "associatedtype", "case", "import", "operator", "precedencegroup", "macro",
  ]
  /// What makes `class` a modifier.
  private static let behindClass: Set<String> = ["func", "var", "let", "subscript"]

  let source: SwiftSource

  var classes: [ClassDeclaration] {
    source.tokens.indices.compactMap { index in source.text(index) == "class" ? declaration(at: index) : nil }
  }

  var enums: [EnumDeclaration] {
    source.tokens.indices.compactMap { index in
      guard source.text(index) == "enum", isName(index + 1), !source.isSign(index - 1, ".") else { return nil }
      let next = source.skippingGenerics(index + 2)
      guard source.isSign(next, ":"), let brace = brace(from: next) else { return nil }
      return EnumDeclaration(
        name: source.text(index + 1), attributes: attributes(before: index), inherited: next + 1..<brace,
        cases: cases(in: brace + 1..<source.end(of: brace)))
    }
  }

  var extensions: [ExtensionDeclaration] {
    source.tokens.indices.compactMap { index in
      guard source.text(index) == "extension", isName(index + 1), let brace = brace(from: index + 1) else { return nil }
      let name = lastName(from: index + 1)
      return ExtensionDeclaration(
        name: source.text(name), inherited: inherited(behind: name, before: brace),
        body: brace + 1..<source.end(of: brace))
    }
  }

  var protocols: [ProtocolDeclaration] {
    source.tokens.indices.compactMap { index in
      guard source.text(index) == "protocol", isName(index + 1), let brace = brace(from: index + 1) else { return nil }
      let body = brace + 1..<source.end(of: brace)
      return ProtocolDeclaration(
        name: source.text(index + 1), isObjC: attributes(before: index).contains { $0.name == "objc" },
        inherited: inherited(behind: index + 1, before: brace),
        properties: body.filter { source.text($0) == "var" }.map { source.text($0 + 1).trimmingBackticks })
    }
  }

  /// The names of `typealias` declarations, and the first words of what they stand for, without a module.
  var aliases: [(name: String, target: String)] {
    source.tokens.indices.compactMap { index in
      guard source.text(index) == "typealias", isName(index + 1) else { return nil }
      let next = source.skippingGenerics(index + 2)
      guard source.isSign(next, "="), isName(next + 1) else { return nil }
      return (source.text(index + 1), source.text(lastName(from: next + 1)))
    }
  }

  /// The names behind `case` at the level of an enumeration's body.
  private func cases(in body: Range<Int>) -> [String] {
    var names: [String] = []
    var next = body.lowerBound
    while next < body.upperBound {
      if source.text(next) == "case" {
        repeat {
          next += 1
          names.append(source.text(next).trimmingBackticks)
          next += 1
          // Values of a case, and its raw value, which is a literal.
          while next < body.upperBound, !source.isSign(next, ","), !source.isSign(next, ";"),
            !source.isFirstOfLine(next)
          {
            next = skip(next)
          }
        } while next < body.upperBound && source.isSign(next, ",")
      } else {
        next = skip(next)
      }
    }
    return names
  }

  /// Of `RealmSwift.Object`, the last name.
  private func lastName(from index: Int) -> Int {
    var next = index
    while source.isSign(next + 1, "."), isName(next + 2) { next += 2 }
    return next
  }

  /// The names behind the colon of a declaration, without modules, generic arguments and attributes.
  private func inherited(behind name: Int, before brace: Int) -> [String] {
    var names: [String] = []
    var next = source.skippingGenerics(name + 1)
    guard source.isSign(next, ":") else { return [] }
    next += 1
    while next < brace, source.text(next) != "where" {
      if source.isSign(next, "@") {
        next += 2
        continue
      }
      guard isName(next) else { break }
      next = lastName(from: next)
      names.append(source.text(next))
      next = source.skippingGenerics(next + 1)
      guard source.isSign(next, ",") || source.isSign(next, "&") else { break }
      next += 1
    }
    return names
  }

  private func isName(_ index: Int) -> Bool {
    source.tokens.indices.contains(index) && source.tokens[index].kind == .word
      && !source.text(index).hasPrefix("#")
  }

  /// The opening brace of a declaration's body.
  private func brace(from index: Int) -> Int? {
    var next = index
    while next < source.tokens.count {
      if source.isSign(next, "{") { return next }
      if source.isSign(next, "}") || source.isSign(next, ";") { return nil }
      next = source.isSign(next, "(") || source.isSign(next, "[") ? source.end(of: next) + 1 : next + 1
    }
    return nil
  }

  private func declaration(at keyword: Int) -> ClassDeclaration? {
    let name = keyword + 1
    guard isName(name), !Self.behindClass.contains(source.text(name)), !Self.modifiers.contains(source.text(name)),
      !source.isSign(keyword - 1, "."), let brace = brace(from: name)
    else { return nil }
    let body = brace + 1..<source.end(of: brace)
    return ClassDeclaration(
      name: source.text(name), nameToken: name, inherited: inherited(behind: name, before: brace),
      attributes: attributes(before: keyword),
      body: body, members: members(of: body))
  }

  /// The attributes in front of a declaration's keyword.
  private func attributes(before keyword: Int) -> [SourceAttribute] {
    var attributes: [SourceAttribute] = []
    var last = keyword - 1
    while last >= 0 {
      if Self.modifiers.contains(source.text(last)), !source.isSign(last - 1, "@") {
        last -= 1
      } else if source.isSign(last, ")"), source.isSign(source.start(of: last) - 2, "@") {
        let start = source.start(of: last) - 2
        attributes.insert(SourceAttribute(name: source.text(start + 1), tokens: start..<last + 1), at: 0)
        last = start - 1
      } else if isName(last), source.isSign(last - 1, "@") {
        attributes.insert(SourceAttribute(name: source.text(last), tokens: last - 1..<last + 1), at: 0)
        last -= 2
      } else {
        break
      }
    }
    return attributes
  }

  // MARK: Members

  private func members(of body: Range<Int>) -> [ClassMember] {
    var members: [ClassMember] = []
    var conditions = 0
    var next = body.lowerBound
    while next < body.upperBound {
      if source.text(next).hasPrefix("#"), source.tokens[next].kind == .word {
        switch source.text(next) {
        case "#if": conditions += 1
        case "#endif": conditions -= 1
        default: break
        }
        next += 1
        while next < body.upperBound, !source.isFirstOfLine(next) { next += 1 }
      } else if let member = member(at: next, in: body, isConditional: conditions > 0) {
        members.append(member)
        next = member.tokens.upperBound
      } else {
        next = skip(next)
      }
    }
    return members
  }

  private func skip(_ index: Int) -> Int {
    let isOpening = source.isSign(index, "{") || source.isSign(index, "(") || source.isSign(index, "[")
    return (isOpening ? source.end(of: index) : index) + 1
  }

  private func member(at start: Int, in body: Range<Int>, isConditional: Bool) -> ClassMember? {
    var attributes: [SourceAttribute] = []
    var modifiers: [(String, Int)] = []
    var next = start
    while next < body.upperBound {
      let text = source.text(next)
      if source.isSign(next, "@"), isName(next + 1) {
        var end = next + 2
        let isArgument =
          source.isSign(end, "(")
          && source.tokens[end - 1].range.upperBound == source.tokens[end].range.lowerBound
        if isArgument { end = source.end(of: end) + 1 }
        attributes.append(SourceAttribute(name: source.text(next + 1), tokens: next..<end))
        next = end
      } else if Self.modifiers.contains(text) || text == "class" && (isModifier(next)) {
        modifiers.append((text, next))
        next += 1
        if source.isSign(next, "(") { next = source.end(of: next) + 1 }
      } else {
        break
      }
    }
    guard next < body.upperBound, Self.keywords.contains(source.text(next)) else { return nil }
    let keyword = next
    next = skip(next)
    while next < body.upperBound, !isStart(next) { next = skip(next) }
    return ClassMember(
      tokens: start..<next, attributes: attributes, modifiers: modifiers, keyword: keyword,
      isConditional: isConditional)
  }

  /// Whether `class` stands before `func` and its like, with other modifiers between.
  private func isModifier(_ index: Int) -> Bool {
    var next = index + 1
    while Self.modifiers.contains(source.text(next)) { next += 1 }
    return Self.behindClass.contains(source.text(next))
  }

  /// Whether a declaration begins at a token.
  private func isStart(_ index: Int) -> Bool {
    let isSeparated =
      source.isFirstOfLine(index) || source.isSign(index - 1, ";") || source.isSign(index - 1, "}")
    guard isSeparated else { return false }
    let text = source.text(index)
    return source.isSign(index, "@") || Self.keywords.contains(text) || Self.modifiers.contains(text)
      || ["#if", "#elseif", "#else", "#endif"].contains(text)
  }
}
