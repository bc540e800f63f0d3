/// The edits that rewrite one class, or the reasons for which it stays.
struct ClassPlan {
  typealias Remark = (token: Int, words: String)

  let declaration: TypeDeclaration
  let source: SwiftSource
  let context: SourceContext
  private(set) var edits: SourceEdits
  /// The reasons against the rewriting.
  private(set) var reasons: [Remark] = []
  /// Remarks on the rest that stays, which are no reasons.
  private(set) var remarks: [Remark] = []
  /// The names of properties that lost their `value`.
  private(set) var unwrapped: [String] = []

  private let lists: DeclaredNames
  /// Whether the class declares something with `@Persisted`: then Realm stores nothing else.
  private let isModern: Bool
  /// The properties that an index or a key was declared for so far.
  private var settled: Set<String> = []

  init(_ declaration: TypeDeclaration, in source: SwiftSource, _ context: SourceContext) {
    self.declaration = declaration
    self.source = source
    self.context = context
    edits = SourceEdits(source)
    lists = DeclaredNames(declaration, source)
    isModern = declaration.members.contains { !$0.isStatic && $0.attribute("Persisted") != nil }
  }

  /// Notes why a property prevents the rewriting.
  private mutating func refuse(_ property: PropertyDeclaration, _ words: String) {
    reasons.append((property.nameToken, words))
  }

  mutating func make() {
    reasons += lists.reasons
    for attribute in declaration.attributes {
      if attribute.name == "objc", attribute.hasArguments {
        let words = "class '\(declaration.name)' still has an @objc name, under which Realm stores it"
        remarks.append((attribute.tokens.lowerBound, words))
      } else if attribute.name == "objc" || attribute.name == "objcMembers" {
        edits.remove(attribute.tokens)
      }
    }
    for member in declaration.members where !member.isStatic {
      guard ["var", "let"].contains(source.text(member.keyword)) else { continue }
      if let property = PropertyDeclaration(member, source) {
        rewrite(property)
      } else if mayBeStored(member), isModern {
        remarks.append(
          (member.keyword, "these properties are not stored, because Realm ignores them beside @Persisted"))
      } else if mayBeStored(member) {
        reasons.append((member.keyword, "a declaration of several properties"))
      }
    }
    for name in lists.keyed where !settled.contains(name) {
      reasons.append((declaration.nameToken, "'\(name)', which a key or an index names, is no property of the class"))
    }
    for function in lists.declarations {
      if !context.isCalled(function.name, of: declaration.name) {
        edits.removeLines(function.tokens)
      } else if !edits.isEmpty {
        remarks.append((function.tokens.lowerBound, "\(function.name)() stays, because it is called"))
      }
    }
  }

  /// Whether Realm may store one of several properties that are declared together.
  private func mayBeStored(_ member: ClassMember) -> Bool {
    let holdsLegacyValue = source.texts(member.tokens).contains { LegacyValue.names.contains($0) }
    return member.attribute("objc") != nil || member.has("dynamic") || holdsLegacyValue
      || context.family(of: declaration.name).contains(where: context.hasObjCMembers)
  }

  // MARK: Properties

  private mutating func rewrite(_ property: PropertyDeclaration) {
    let member = property.member
    let path = "'\(property.name)'"
    if lists.ignored.contains(property.name) {
      settled.insert(property.name)
      if LegacyValue(property, source) != nil {
        refuse(property, "\(path) is an ignored collection, which @Persisted does not ignore")
      }
      return strip(member)
    }
    if let persisted = member.attribute("Persisted") { return declare(property, persisted) }
    if property.accessors == .computed {
      if member.attribute("objc") != nil {
        remarks.append((property.nameToken, "\(path) is computed, and still @objc"))
      }
      return
    }
    if isModern { return leave(property) }
    if let legacy = LegacyValue(property, source) { return rewrite(property, legacy) }
    if LegacyValue.isMentioned(property, in: source, context) {
      return refuse(property, "the declaration of \(path) has an unknown form")
    }
    let isVariable = source.text(member.keyword) == "var"
    switch context.objCReason(property, in: declaration.name, source) {
    // Realm stores no constant.
    case .requirement: if isVariable { rewriteDynamic(property) }
    case .members where member.has("dynamic"),
      .attribute where member.has("dynamic") && member.attribute("objc") != nil:
      rewriteDynamic(property)
    case .attribute where isVariable || member.attribute("objc") != nil, .members where isVariable,
      nil where member.has("dynamic"):
      refuse(property, "\(path) is not declared as '@objc dynamic'")
    case .attribute, .members: break
    case nil: if isVariable { noteUnknownProtocols(property) }
    }
  }

  /// Leaves a property that Realm does not store, because others of its class are declared with `@Persisted`.
  private mutating func leave(_ property: PropertyDeclaration) {
    let isLegacy = LegacyValue.isMentioned(property, in: source, context)
    guard isLegacy || property.member.attribute("objc") != nil || property.member.has("dynamic") else { return }
    strip(property.member)
    let advice =
      isLegacy
      ? "this library stores it, unless ignoredProperties() names it"
      : "declare it with @Persisted if it is to be stored"
    let words =
      "'\(property.name)' is not stored by Realm, which ignores older declarations beside @Persisted: \(advice)"
    remarks.append((property.nameToken, words))
  }

  /// Notes that a protocol may make a property one of Objective-C, which Realm stores then.
  private mutating func noteUnknownProtocols(_ property: PropertyDeclaration) {
    let member = property.member
    guard member.attributes.isEmpty, !context.isPrivate(member, source),
      !["lazy", "weak", "unowned"].contains(where: member.has)
    else { return }
    let unknown = context.unknownProtocols(of: declaration.name).joined(separator: ", ")
    if unknown.isEmpty { return }
    let words =
      "'\(property.name)' is stored by Realm if an @objc protocol requires it, which may be \(unknown): declare it "
      + "with @Persisted then"
    remarks.append((property.nameToken, words))
  }

  /// Removes `@objc` and `dynamic`.
  private mutating func strip(_ member: ClassMember) {
    if let objc = member.attribute("objc") { edits.remove(objc.tokens) }
    stripDynamic(member)
  }

  private mutating func stripDynamic(_ member: ClassMember) {
    guard let dynamic = member.modifiers.first(where: { $0.name == "dynamic" })?.token else { return }
    edits.remove(dynamic..<dynamic + 1)
  }

  private mutating func rewriteDynamic(_ property: PropertyDeclaration) {
    let member = property.member
    let path = "'\(property.name)'"
    if source.text(member.keyword) == "let" { return refuse(property, "\(path) is a constant") }
    let objc = member.attribute("objc")
    if let objc, objc.hasArguments { return refuse(property, "\(path) has an Objective-C name") }
    if let modifier = ["lazy", "weak", "unowned", "override"].first(where: member.has) {
      return refuse(property, "\(path) is \(modifier)")
    }
    let type = PropertyTypeWords(property, in: source, context)
    if let problem = type.problem(context) { return refuse(property, "\(path) \(problem)") }
    guard let attribute = attribute(for: property, type) else { return }
    let first = member.tokens.lowerBound
    if let objc {
      edits.replace(objc.tokens, by: attribute)
    } else if member.modifiers.first?.name == "dynamic", member.attributes.isEmpty {
      return edits.replace(first..<first + 1, by: attribute)
    } else {
      edits.insert(attribute + " ", before: first)
    }
    stripDynamic(member)
  }

  /// The attribute, with the key or the index of the property; nil when its type has none.
  private mutating func attribute(for property: PropertyDeclaration, _ type: PropertyTypeWords) -> String? {
    let isKey = lists.primaryKey == property.name
    guard isKey || lists.indexed.contains(property.name) else { return "@Persisted" }
    settled.insert(property.name)
    if isKey ? type.canBeKey : type.canBeIndexed(context) {
      return "@Persisted(\(isKey ? "primaryKey" : "indexed"): true)"
    }
    refuse(property, "the type of '\(property.name)' may not be one for \(isKey ? "a primary key" : "an index")")
    return nil
  }

  /// Adds a key or an index to a property that is declared with `@Persisted`.
  private mutating func declare(_ property: PropertyDeclaration, _ persisted: SourceAttribute) {
    let isKey = lists.primaryKey == property.name
    guard isKey || lists.indexed.contains(property.name) else { return }
    settled.insert(property.name)
    if persisted.hasArguments {
      if source.texts(persisted.tokens).contains(isKey ? "primaryKey" : "indexed") { return }
      return refuse(property, "'\(property.name)' has arguments of @Persisted and is a key or indexed")
    }
    if let attribute = attribute(for: property, PropertyTypeWords(property, in: source, context)) {
      edits.replace(persisted.tokens, by: attribute)
    }
  }

  private mutating func rewrite(_ property: PropertyDeclaration, _ legacy: LegacyValue) {
    let member = property.member
    if member.attribute("objc") != nil || property.accessors == .observers
      || ["lazy", "weak", "override"].contains(where: member.has)
    {
      return refuse(property, "the declaration of '\(property.name)' has an unknown form")
    }
    // The name and what stands behind it are written anew.
    let rest = property.nameToken..<property.end
    if source.hasComment(in: rest) {
      return refuse(property, "a comment stands within the declaration of '\(property.name)'")
    }
    var attribute = "@Persisted"
    if let origin = legacy.origin {
      attribute = "@Persisted(originProperty: \(origin))"
    } else if let value = legacy.value {
      guard let declared = self.attribute(for: property, PropertyTypeWords(text: value, context)) else { return }
      attribute = declared
    } else if lists.primaryKey == property.name || lists.indexed.contains(property.name) {
      settled.insert(property.name)
      return refuse(property, "'\(property.name)' is a collection, and a key or indexed")
    }
    let (first, keyword) = (member.tokens.lowerBound, member.keyword)
    if keyword != first { edits.insert(attribute + " ", before: first) }
    edits.replace(keyword..<keyword + 1, by: keyword == first ? attribute + " var" : "var")
    let initial = legacy.initial.map { " = " + $0 } ?? ""
    edits.replace(rest, by: "\(source.text(property.nameToken)): \(legacy.type)\(initial)")
    if legacy.value != nil { unwrap(property.name) }
  }

  // MARK: Uses of `value`

  /// Removes `.value` behind a property where the class itself uses it.
  private mutating func unwrap(_ name: String) {
    unwrapped.append(name)
    for index in declaration.body where Self.isOwnUse(index, of: name, by: declaration, source) {
      edits.replace(index + 1..<index + 3, by: "")
    }
  }

  /// Whether a token begins `name.value` in a class, and is certain to be the class's own property.
  static func isOwnUse(_ index: Int, of name: String, by declaration: TypeDeclaration, _ source: SwiftSource) -> Bool {
    guard declaration.body.contains(index), source.text(index) == name, source.isSign(index + 1, "."),
      source.text(index + 2) == "value"
    else { return false }
    if source.isSign(index - 1, ".") { return source.text(index - 2) == "self" && !source.isSign(index - 3, ".") }
    // Nothing else in the class may have that name.
    let others = declaration.body.count { other in
      source.text(other) == name
        && (["let", "var", "in"].contains(source.text(other - 1)) || source.isSign(other + 1, ":")
          || source.text(other + 1) == "in" || source.isSign(other - 1, "_") || source.text(other - 1) == "_")
    }
    return others == 1
      && declaration.members.contains { $0.keyword + 1 < source.tokens.count && source.text($0.keyword + 1) == name }
  }
}
