/// Rewrites the older declarations of model classes in a source as `@Persisted`.
///
/// A class is rewritten as a whole or not at all: Realm ignores older declarations beside `@Persisted` ones, so half a
/// class would lose properties. What is not certain is noted, with its line, and its class stays as it is.
struct ModelRewriter {
  /// What all sources declare together.
  struct Context {
    /// The classes that derive from the base classes of models.
    var models: Set<String>
    /// The enumerations that can be persisted.
    var enums: Set<String>
    /// The types of the raw values of all enumerations.
    var rawTypes: [String: String]
  }

  /// Something that was left as it is.
  struct Note: Equatable {
    let line: Int
    let words: String
  }

  static let bases: Set<String> = ["Object", "EmbeddedObject", "AsymmetricObject"]

  let source: SwiftSource
  let context: Context
  private(set) var edits = SourceEdits()
  private(set) var notes: [Note] = []
  /// The properties whose `value` goes away: the names of their classes and of themselves.
  private(set) var unwrapped: [(className: String, property: String)] = []

  init(_ source: SwiftSource, _ context: Context) {
    self.source = source
    self.context = context
  }

  /// Rewrites all classes and enumerations of the source.
  mutating func run() {
    let scanner = DeclarationScanner(source: source)
    for declaration in scanner.classes { rewrite(declaration) }
    for declaration in scanner.enums { rewrite(declaration) }
  }

  private mutating func rewrite(_ declaration: EnumDeclaration) {
    guard let old = declaration.inherited.first(where: { source.text($0) == "RealmEnum" }) else { return }
    edits.replace(source.tokens[old].range, by: "PersistableEnum")
    for attribute in declaration.attributes where attribute.name == "objc" {
      edits.remove(source.bytes(of: attribute.tokens), of: source.bytes)
    }
  }

  private mutating func rewrite(_ declaration: ClassDeclaration) {
    let hasOlder = declaration.members.contains { $0.attribute("objc") != nil && $0.has("dynamic") }
    guard context.models.contains(declaration.name) else {
      if hasOlder || declaration.attributes.contains(where: { $0.name == "objcMembers" }) {
        note(
          declaration.nameToken,
          "class '\(declaration.name)' has @objc properties, and none of these files shows it to be a model")
      }
      return
    }
    var plan = ClassPlan(declaration, source, context)
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

  /// Notes the places that use `value` of a property that lost it, outside of its own class.
  static func uses(of properties: [(className: String, property: String)], in source: SwiftSource) -> [Note] {
    let names = Dictionary(properties.map { ($0.property, $0.className) }) { first, _ in first }
    let scanner = DeclarationScanner(source: source)
    let bodies = scanner.classes.filter { declaration in properties.contains { $0.className == declaration.name } }
    return source.tokens.indices.compactMap { index in
      guard source.text(index + 2) == "value", source.isSign(index + 1, "."), let owner = names[source.text(index)],
        !bodies.contains(where: { $0.name == owner && ClassPlan.isOwnUse(index, of: source.text(index), $0, source) })
      else { return nil }
      return Note(
        line: source.line(index),
        words: "'\(owner).\(source.text(index))' has no 'value' any more: if this is that property, remove '.value'")
    }
  }
}
