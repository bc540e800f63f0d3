/// Rewrites the older declarations of model classes in a source as `@Persisted`.
///
/// A class is rewritten as a whole or not at all: Realm ignores older declarations beside `@Persisted` ones, so half a
/// class would lose properties. An uncertain declaration is noted, with its line, and its class stays as it is.
struct ModelRewriter {
  /// Something that was left as it is.
  struct Note: Equatable {
    let line: Int
    let words: String
  }

  let source: SwiftSource
  let context: SourceContext
  private(set) var edits: SourceEdits
  private(set) var notes: [Note] = []
  /// The properties whose `value` goes away: the names of their classes and of themselves.
  private(set) var unwrapped: [(className: String, property: String)] = []

  init(_ source: SwiftSource, _ context: SourceContext) {
    self.source = source
    self.context = context
    edits = SourceEdits(source)
  }

  /// Rewrites all classes and enumerations of the source.
  mutating func run() {
    for declaration in source.declarations {
      switch declaration.kind {
      case .class: rewriteClass(declaration)
      case .enum: rewriteEnum(declaration)
      case .extension, .protocol: break
      }
    }
  }

  private mutating func rewriteEnum(_ declaration: TypeDeclaration) {
    let head = declaration.nameToken + 1..<declaration.body.lowerBound
    guard let old = head.first(where: { source.text($0) == "RealmEnum" }) else { return }
    edits.replace(old..<old + 1, by: "PersistableEnum")
    for attribute in declaration.attributes where attribute.name == "objc" { edits.remove(attribute.tokens) }
  }

  private mutating func rewriteClass(_ declaration: TypeDeclaration) {
    let hasLegacyDeclarations = declaration.members.contains { $0.attribute("objc") != nil && $0.has("dynamic") }
    guard context.models.contains(declaration.name) else {
      if hasLegacyDeclarations || declaration.attributes.contains(where: { $0.name == "objcMembers" }) {
        note(
          declaration.nameToken,
          "class '\(declaration.name)' has @objc properties, and none of these files shows it to be a model")
      }
      return
    }
    var plan = ClassPlan(declaration, in: source, context)
    plan.make()
    guard plan.reasons.isEmpty else {
      for reason in plan.reasons { note(reason.token, "class '\(declaration.name)' stays as it is: \(reason.words)") }
      return
    }
    edits.add(plan.edits)
    for remark in plan.remarks { note(remark.token, remark.words) }
    unwrapped += plan.unwrapped.map { (declaration.name, $0) }
  }

  private mutating func note(_ token: Int, _ words: String) {
    notes.append(Note(line: source.line(token), words: words))
  }
}
