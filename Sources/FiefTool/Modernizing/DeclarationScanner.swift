/// Finds the declarations of types in a source, nested ones included.
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
  /// The keywords before which `class` is a modifier.
  private static let behindClass: Set<String> = ["func", "var", "let", "subscript"]

  let source: SwiftSource

  var declarations: [TypeDeclaration] { source.tokens.indices.compactMap(declaration) }

  private func declaration(at keyword: Int) -> TypeDeclaration? {
    guard let kind = TypeDeclaration.Kind(rawValue: source.text(keyword)), source.isName(keyword + 1),
      !source.isSign(keyword - 1, "."), let brace = brace(from: keyword + 1)
    else { return nil }
    let first = source.text(keyword + 1)
    if kind == .class, Self.behindClass.contains(first) || Self.modifiers.contains(first) { return nil }
    let name = kind == .extension ? lastName(from: keyword + 1) : keyword + 1
    let body = brace + 1..<source.end(of: brace)
    return TypeDeclaration(
      kind: kind, name: source.text(name), nameToken: name, inherited: inherited(behind: name, before: brace),
      attributes: attributes(before: keyword), body: body, members: kind == .class ? members(of: body) : [])
  }

  /// The names of `typealias` declarations, and the first words of what they stand for, without a module.
  var aliases: [(name: String, target: String)] {
    source.tokens.indices.compactMap { index in
      guard source.text(index) == "typealias", source.isName(index + 1) else { return nil }
      let next = source.skippingGenerics(index + 2)
      guard source.isSign(next, "="), source.isName(next + 1) else { return nil }
      return (source.text(index + 1), source.text(lastName(from: next + 1)))
    }
  }

  /// The names behind `case` at the level of an enumeration's body.
  func cases(in body: Range<Int>) -> [String] {
    var names: [String] = []
    var next = body.lowerBound
    while next < body.upperBound {
      guard source.text(next) == "case" else {
        next = source.end(of: next) + 1
        continue
      }
      repeat {
        names.append(source.text(next + 1).trimmingBackticks)
        next += 2
        // Values of a case, and its raw value, which is a literal.
        while next < body.upperBound, !source.isSign(next, ","), !source.isSign(next, ";"), !source.isFirstOfLine(next)
        {
          next = source.end(of: next) + 1
        }
      } while next < body.upperBound && source.isSign(next, ",")
    }
    return names
  }

  /// Of `RealmSwift.Object`, the last name.
  private func lastName(from index: Int) -> Int {
    var next = index
    while source.isSign(next + 1, "."), source.isName(next + 2) { next += 2 }
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
      guard source.isName(next) else { break }
      next = lastName(from: next)
      names.append(source.text(next))
      next = source.skippingGenerics(next + 1)
      guard source.isSign(next, ",") || source.isSign(next, "&") else { break }
      next += 1
    }
    return names
  }

  /// The opening brace of a declaration's body.
  private func brace(from index: Int) -> Int? {
    var next = index
    while next < source.tokens.count {
      if source.isSign(next, "{") { return next }
      if source.isSign(next, "}") || source.isSign(next, ";") { return nil }
      next = source.end(of: next) + 1
    }
    return nil
  }

  /// The attributes in front of a declaration's keyword.
  private func attributes(before keyword: Int) -> [SourceAttribute] {
    var attributes: [SourceAttribute] = []
    var last = keyword - 1
    while last >= 0 {
      if Self.modifiers.contains(source.text(last)), !source.isSign(last - 1, "@") {
        last -= 1
        continue
      }
      let isCall = source.isSign(last, ")")
      let name = isCall ? source.start(of: last) - 1 : last
      guard isCall || source.isName(name), source.isSign(name - 1, "@") else { break }
      attributes.insert(SourceAttribute(name: source.text(name), tokens: name - 1..<last + 1), at: 0)
      last = name - 2
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
        next = source.end(of: next) + 1
      }
    }
    return members
  }

  private func member(at start: Int, in body: Range<Int>, isConditional: Bool) -> ClassMember? {
    var attributes: [SourceAttribute] = []
    var modifiers: [(String, Int)] = []
    var next = start
    while next < body.upperBound {
      let text = source.text(next)
      if source.isSign(next, "@"), source.isName(next + 1) {
        var end = next + 2
        if source.isSign(end, "("), source.isAttached(end) { end = source.end(of: end) + 1 }
        attributes.append(SourceAttribute(name: source.text(next + 1), tokens: next..<end))
        next = end
      } else if Self.modifiers.contains(text) || text == "class" && isModifier(next) {
        modifiers.append((text, next))
        next += 1
        if source.isSign(next, "(") { next = source.end(of: next) + 1 }
      } else {
        break
      }
    }
    guard next < body.upperBound, Self.keywords.contains(source.text(next)) else { return nil }
    let keyword = next
    repeat { next = source.end(of: next) + 1 } while next < body.upperBound && !isStart(next)
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
    guard source.isFirstOfLine(index) || source.isSign(index - 1, ";") || source.isSign(index - 1, "}") else {
      return false
    }
    let text = source.text(index)
    return source.isSign(index, "@") || Self.keywords.contains(text) || Self.modifiers.contains(text)
      || ["#if", "#elseif", "#else", "#endif"].contains(text)
  }
}
