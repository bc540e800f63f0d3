/// The declarations of all sources together.
struct SourceContext {
  /// The classes that derive from the base classes of models.
  private(set) var models: Set<String> = []
  /// The enumerations that can be persisted.
  private(set) var enums: Set<String> = []
  /// The cases of all enumerations.
  private(set) var cases: [String: Set<String>] = [:]
  /// The types of the raw values of all enumerations.
  private(set) var rawTypes: [String: String] = [:]
  /// The first name behind the colon of each class, which is its superclass if it has one.
  private(set) var superclasses: [String: String] = [:]
  /// Other names of collections and their like: `typealias Dogs = List<Dog>`.
  private(set) var aliases: [String: String] = [:]

  /// How often `var` and `let` declare each name.
  private(set) var declarations: [String: Int] = [:]

  private var withObjCMembers: Set<String> = []
  /// The protocols behind the colons of classes and their extensions.
  private var adopted: [String: [String]] = [:]
  private var protocols = ObjCProtocols()
  /// The classes in front of calls of `primaryKey()` and its like, by function; empty for any class.
  private var calls: [String: Set<String>] = [:]

  static let bases: Set<String> = ["Object", "EmbeddedObject", "AsymmetricObject"]

  init(_ sources: [SwiftSource]) {
    for source in sources {
      let scanner = DeclarationScanner(source: source)
      for declaration in source.declarations {
        let (name, inherited) = (declaration.name, declaration.inherited)
        switch declaration.kind {
        case .class:
          superclasses[name] = inherited.first
          adopted[name, default: []] += inherited.dropFirst()
          if declaration.attributes.contains(where: { $0.name == "objcMembers" }) { withObjCMembers.insert(name) }
        case .enum:
          rawTypes[name] = inherited.first
          cases[name, default: []].formUnion(scanner.cases(in: declaration.body))
          if inherited.contains("PersistableEnum") || inherited.contains("RealmEnum") { enums.insert(name) }
        case .extension: adopted[name, default: []] += inherited
        case .protocol: protocols.add(declaration, source)
        }
      }
      for index in source.tokens.indices where ["var", "let"].contains(source.text(index)) {
        declarations[source.text(index + 1).trimmingBackticks, default: 0] += 1
      }
      for (alias, target) in scanner.aliases where LegacyValue.names.contains(target) { aliases[alias] = target }
    }
    for name in superclasses.keys where ancestors(of: name).contains(where: Self.bases.contains) { models.insert(name) }
    for source in sources {
      for index in source.tokens.indices {
        let function = source.text(index)
        guard DeclaredNames.functions.contains(function), source.text(index - 1) != "func" else { continue }
        let owner = source.isSign(index - 1, ".") ? source.text(index - 2) : ""
        calls[function, default: []].insert(models.contains(owner) ? owner : "")
      }
    }
  }

  /// A class and its superclasses, the nearest one first.
  func family(of name: String) -> [String] { [name] + ancestors(of: name) }

  /// The superclasses of a class, the nearest one first.
  func ancestors(of name: String) -> [String] {
    var names: [String] = []
    var next = superclasses[name]
    // A class that derives from itself does not compile, but ends here.
    while let base = next, base != name, !names.contains(base) {
      names.append(base)
      next = superclasses[base]
    }
    return names
  }

  // MARK: Visibility to Objective-C

  /// Whether a class is declared with `@objcMembers`.
  func hasObjCMembers(_ name: String) -> Bool { withObjCMembers.contains(name) }

  /// The attributes that make a property one of Objective-C.
  private static let objCAttributes = ["objc", "IBOutlet", "IBInspectable", "NSManaged", "GKInspectable"]

  /// Why Objective-C sees a property of a class, and Realm with it; nil when it does not.
  enum ObjCReason {
    case attribute, members, requirement
  }

  func objCReason(_ property: PropertyDeclaration, in name: String, _ source: SwiftSource) -> ObjCReason? {
    let member = property.member
    if member.attribute("nonobjc") != nil { return nil }
    if Self.objCAttributes.contains(where: { member.attribute($0) != nil }) { return .attribute }
    let family = family(of: name)
    if family.contains(where: withObjCMembers.contains), !isPrivate(member, source) { return .members }
    return protocols.requirements(of: family.flatMap { adopted[$0] ?? [] }).contains(property.name) ? .requirement : nil
  }

  /// The protocols of a class that no source declares. Those that are known to require no property are left out.
  func unknownProtocols(of name: String) -> [String] {
    protocols.unknown(of: family(of: name).flatMap { adopted[$0] ?? [] })
  }

  /// Whether only its file sees a member. `private(set)` does not count.
  func isPrivate(_ member: ClassMember, _ source: SwiftSource) -> Bool {
    member.modifiers.contains {
      ($0.name == "private" || $0.name == "fileprivate") && !source.isSign($0.token + 1, "(")
    }
  }

  // MARK: Calls of what classes declare

  /// Whether code may call `primaryKey()` or its like of a class.
  func isCalled(_ function: String, of name: String) -> Bool {
    calls[function]?.contains { $0.isEmpty || family(of: $0).contains(name) } ?? false
  }
}

/// The protocols of the sources, and the properties of Objective-C that they require.
private struct ObjCProtocols {
  /// Protocols that no model needs to declare, and the properties that they require as ones of Objective-C.
  private static let known: [String: Set<String>] = [
    "MKAnnotation": ["coordinate", "title", "subtitle"], "NSCopying": [], "NSMutableCopying": [], "NSCoding": [],
    "NSSecureCoding": [], "NSObjectProtocol": [], "Codable": [], "Encodable": [], "Decodable": [], "Identifiable": [],
    "ObjectKeyIdentifiable": [], "Hashable": [], "Equatable": [], "Comparable": [], "Sendable": [], "Error": [],
    "LocalizedError": [], "CustomStringConvertible": [], "CustomDebugStringConvertible": [],
    "LosslessStringConvertible": [], "CustomReflectable": [], "RawRepresentable": [], "ObservableObject": [],
    "AnyObject": [], "Transferable": [],
  ]

  private var declared: [String: (inherited: [String], required: Set<String>)] = [:]

  mutating func add(_ declaration: TypeDeclaration, _ source: SwiftSource) {
    let isObjC = declaration.attributes.contains { $0.name == "objc" }
    let properties = declaration.body.lazy.filter { isObjC && source.text($0) == "var" }
    declared[declaration.name] = (
      declaration.inherited, Set(properties.map { source.text($0 + 1).trimmingBackticks })
    )
  }

  /// The given protocols and those that they refine.
  private func all(_ names: [String]) -> Set<String> {
    var found: Set<String> = []
    var open = names
    while let name = open.popLast() {
      if found.insert(name).inserted { open += declared[name]?.inherited ?? [] }
    }
    return found
  }

  func requirements(of names: [String]) -> Set<String> {
    all(names).reduce(into: []) { $0.formUnion(declared[$1]?.required ?? Self.known[$1] ?? []) }
  }

  func unknown(of names: [String]) -> [String] {
    all(names).filter { declared[$0] == nil && Self.known[$0] == nil }.sorted()
  }
}
