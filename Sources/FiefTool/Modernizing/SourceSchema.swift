/// The schema that Realm finds in sources: what it stores of each model, with keys and indexes.
///
/// Realm considers each class of a hierarchy separately. Where a class declares anything with `@Persisted`, only that
/// is stored, and `indexedProperties()` and `ignoredProperties()` do not count. Elsewhere the properties of Objective-C
/// that are variables are stored, and the collections and their like.
struct SourceSchema {
  struct Property: Equatable {
    /// The type, or the value where no type is declared.
    let type: String
    let isIndexed: Bool
    /// The property at the other end of linking objects.
    let origin: String?
  }

  struct Model {
    let name: String
    /// The token of the name in its source.
    let nameToken: Int
    var properties: [String: Property] = [:]
    var primaryKey: String?
  }

  /// The models of each source, in its order.
  private(set) var models: [[Model]] = []

  private let context: SourceContext
  private var names: [String: DeclaredNames] = [:]
  /// The properties that `@Persisted(primaryKey: true)` declares, by class.
  private var wrapped: [String: String] = [:]

  /// - Parameter sources: the sources that belong together; nil stands for one that has no tokens.
  init(_ sources: [SwiftSource?]) {
    context = SourceContext(sources.compactMap { $0 })
    for case let source? in sources {
      for declaration in source.classes {
        names[declaration.name] = DeclaredNames(declaration, source)
        for property in Self.properties(of: declaration, source) {
          guard let persisted = property.member.attribute("Persisted") else { continue }
          if source.texts(persisted.tokens).contains("primaryKey") { wrapped[declaration.name] = property.name }
        }
      }
    }
    for source in sources { models.append(source.map(models(of:)) ?? []) }
  }

  private func models(of source: SwiftSource) -> [Model] {
    source.classes.filter { context.models.contains($0.name) }.map { declaration in
      var model = Model(name: declaration.name, nameToken: declaration.nameToken)
      let family = context.family(of: declaration.name)
      let indexed = declared("indexedProperties", by: family)?.indexed ?? []
      let ignored = declared("ignoredProperties", by: family)?.ignored ?? []
      model.primaryKey =
        declared("primaryKey", by: family)?.primaryKey ?? family.lazy.compactMap { wrapped[$0] }.first
      let properties = Self.properties(of: declaration, source)
      let isModern = properties.contains { $0.member.attribute("Persisted") != nil }
      for property in properties {
        if isModern {
          model.properties[property.name] = modern(property, source)
        } else if !ignored.contains(property.name) {
          model.properties[property.name] = legacy(property, of: declaration.name, indexed: indexed, in: source)
        }
      }
      return model
    }
  }

  /// The names of the nearest class of a family that declares a function.
  private func declared(_ function: String, by family: [String]) -> DeclaredNames? {
    family.lazy.compactMap { names[$0] }.first { $0.declarations.contains { $0.name == function } }
  }

  private static func properties(of declaration: TypeDeclaration, _ source: SwiftSource) -> [PropertyDeclaration] {
    declaration.members.compactMap { member in
      guard !member.isStatic, ["var", "let"].contains(source.text(member.keyword)) else { return nil }
      return PropertyDeclaration(member, source)
    }
  }

  private func modern(_ property: PropertyDeclaration, _ source: SwiftSource) -> Property? {
    guard let persisted = property.member.attribute("Persisted") else { return nil }
    let arguments = source.texts(persisted.tokens)
    return Property(
      type: Self.type(of: property, source), isIndexed: arguments.contains("indexed"),
      origin: arguments.firstIndex(of: "originProperty").map { arguments[$0 + 2] })
  }

  private func legacy(
    _ property: PropertyDeclaration, of name: String, indexed: [String], in source: SwiftSource
  ) -> Property? {
    let isIndexed = indexed.contains(property.name)
    if property.accessors == .computed || property.member.has("lazy") { return nil }
    if let legacy = LegacyValue(property, source) {
      return Property(type: Self.withoutSpaces(legacy.type), isIndexed: isIndexed, origin: legacy.origin)
    }
    guard
      LegacyValue.isMentioned(property, in: source, context)
        || context.objCReason(property, in: name, source) != nil && source.text(property.member.keyword) == "var"
    else { return nil }
    return Property(type: Self.type(of: property, source), isIndexed: isIndexed, origin: nil)
  }

  private static func type(of property: PropertyDeclaration, _ source: SwiftSource) -> String {
    property.type.isEmpty
      ? "of " + source.texts(property.value).joined(separator: " ")
      : withoutSpaces(source.texts(property.type).joined())
  }

  private static func withoutSpaces(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  /// The differences of a later schema of the same sources, as sentences with the token of the model's name.
  ///
  /// - Parameter source: the number of the source.
  func differences(to later: SourceSchema, ofSource source: Int) -> [ClassPlan.Remark] {
    guard models[source].count == later.models[source].count else {
      return [(0, "the schema changes: the number of models is another one")]
    }
    var remarks: [ClassPlan.Remark] = []
    for (old, new) in zip(models[source], later.models[source]) {
      func note(_ words: String) { remarks.append((old.nameToken, "the schema of '\(old.name)' changes: \(words)")) }
      for name in Set(old.properties.keys).union(new.properties.keys).sorted() {
        switch (old.properties[name], new.properties[name]) {
        case (let before?, let after?):
          if before.type != after.type { note("'\(name)' was \(before.type), and is \(after.type)") }
          if before.origin != after.origin { note("'\(name)' shows other linking objects") }
          if before.isIndexed != after.isIndexed {
            note("'\(name)' \(after.isIndexed ? "is indexed now" : "is not indexed any more")")
          }
        case (nil, _): note("'\(name)' is stored now")
        case (_, nil): note("'\(name)' is not stored any more")
        }
      }
      if old.primaryKey != new.primaryKey {
        note("the primary key was \(old.primaryKey ?? "none"), and is \(new.primaryKey ?? "none")")
      }
    }
    return remarks
  }
}
