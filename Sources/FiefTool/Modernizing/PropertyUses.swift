/// The places of a source that use properties which were a `RealmOptional` or a `RealmProperty`, and are values now.
struct PropertyUses {
  private let source: SwiftSource
  private let context: SourceContext
  /// By the name of a property, the classes that have it.
  private let owners: [String: [String]]
  private let classes: [TypeDeclaration]
  /// The classes and the extensions.
  private let bodies: [TypeDeclaration]

  init(
    of properties: [(className: String, property: String)], in source: SwiftSource, _ context: SourceContext
  ) {
    (self.source, self.context) = (source, context)
    owners = Dictionary(properties.map { ($0.property, [$0.className]) }, uniquingKeysWith: +)
    classes = source.classes
    bodies = classes + source.declarations.filter { $0.kind == .extension }
  }

  /// The uses that stay as they are. Names are all that is known, so a note says that another thing may have the name.
  ///
  /// Where another declaration has the name, its uses without `value` behind a point are one note: most are not of the
  /// property.
  var notes: [ModelRewriter.Note] {
    if owners.isEmpty { return [] }
    var notes: [ModelRewriter.Note] = []
    var uncertain: [String: [Int]] = [:]
    for index in source.tokens.indices {
      switch source.tokens[index].kind {
      case .word:
        guard let use = use(at: index) else { continue }
        let name = source.text(index).trimmingBackticks
        if use.owner == nil, context.declarations[name, default: 0] > owners[name]?.count ?? 0 {
          uncertain[name, default: []].append(source.line(index))
        } else {
          notes.append(note(index, use.words))
        }
      case .string: notes += self.notes(ofString: index)
      default: break
      }
    }
    for (name, lines) in uncertain.sorted(by: { $0.key < $1.key }) {
      let count = Set(lines).count
      let others = count > 1 ? ", and so on \(count - 1) more lines of this file" : ""
      notes.append(ModelRewriter.Note(line: lines[0], words: plainUse(of: name, owner: nil) + others))
    }
    return notes.reduce(into: []) { notes, note in if notes.last != note { notes.append(note) } }
  }

  /// The words for a use without `value`.
  ///
  /// - Parameter owner: the class; nil when only the name is known.
  private func plainUse(of name: String, owner: String?) -> String {
    let path = "'\(owner ?? owners[name]?.joined(separator: ", ") ?? "").\(name)'"
    return "\(path) is a plain value now: if this is that property, see whether its use still fits"
  }

  /// The words of a note on a name, and the class of the property if that is certain.
  private func use(at index: Int) -> (words: String, owner: String?)? {
    let name = source.text(index).trimmingBackticks
    guard let owners = owners[name], !isDeclared(index) else { return nil }
    let isMember = source.isSign(index - 1, ".")
    let isOfSelf = isMember && source.text(index - 2) == "self" && !source.isSign(index - 3, ".")
    if isMember, !isOfSelf, !hasReceiver(index) { return nil }
    let own = isMember && !isOfSelf ? nil : owner(of: index, owners)
    // Without a receiver, the name is the property's only where the class is extended or derived from.
    if !isMember || isOfSelf, own == nil { return nil }
    if source.isSign(index + 1, "."), source.text(index + 2) == "value" {
      let isRewritten = classes.contains {
        owners.contains($0.name) && ClassPlan.isOwnUse(index, of: name, by: $0, source)
      }
      if isRewritten { return nil }
      let owner = own ?? owners[0]
      return ("'\(owner).\(name)' has no 'value' any more: if this is that property, remove '.value'", owner)
    }
    if isMember, source.isSign(index + 1, "(") { return nil }
    // Of a path, the class may be known.
    let owner = own ?? (isMember ? owners.first { $0 == source.text(index - 2) } : nil)
    return (plainUse(of: name, owner: owner), owner)
  }

  /// The interpolations of a string, which is one token.
  private func notes(ofString index: Int) -> [ModelRewriter.Note] {
    let text = source.text(index)
    guard text.contains("\\") else { return [] }
    let words = text.unicodeScalars.split { !SwiftLexer.isWord($0) }.map { String($0) }
    return Set(words).sorted().compactMap { word in
      guard let owners = owners[word], text.contains("(\(word)") || text.contains(".\(word)") else { return nil }
      guard let owner = text.contains(".\(word)") ? owners[0] : owner(of: index, owners) else { return nil }
      return note(
        index, "'\(owner).\(word)' is a plain value now: if this string shows that property, remove '.value' from it")
    }
  }

  private func note(_ index: Int, _ words: String) -> ModelRewriter.Note {
    ModelRewriter.Note(line: source.line(index), words: words)
  }

  /// The class of a property in whose body, extension or subclass a token stands.
  private func owner(of index: Int, _ owners: [String]) -> String? {
    for type in bodies where type.body.contains(index) {
      if let owner = owners.first(where: context.family(of: type.name).contains) { return owner }
    }
    return nil
  }

  /// Whether a name is declared or is a label here, rather than used.
  private func isDeclared(_ index: Int) -> Bool {
    let last = source.text(index - 1)
    if ["var", "let", "func", "case", "_"].contains(last) || source.text(index + 1) == "in" { return true }
    guard source.isSign(index + 1, ":") else { return false }
    switch last {
    case "?", "[", ".": return false
    case ",": return !isInSquareBrackets(index)
    default: return true
    }
  }

  private func isInSquareBrackets(_ index: Int) -> Bool {
    var next = index - 1
    while next >= 0 {
      if ["(", "[", "{"].contains(source.text(next)) { return source.isSign(next, "[") }
      let isClosing = [")", "]", "}"].contains(source.text(next))
      next = (isClosing ? source.start(of: next) : next) - 1
    }
    return false
  }

  /// Whether something stands before the point in front of a name; a case of an enumeration has nothing there.
  private func hasReceiver(_ index: Int) -> Bool {
    let (receiver, point) = (index - 2, index - 1)
    guard receiver >= 0, !["(", "[", "{", ",", ":", "="].contains(source.text(receiver)) else { return false }
    return source.isFirstOfLine(point) || source.isAttached(point)
  }
}
