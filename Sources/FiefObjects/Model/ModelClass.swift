import FiefCopying
import FiefGraph
import FiefRuntime
import Synchronization

/// The description of one class of the application. It is created once per process.
///
/// It has names, types and declarations, independent of any store. `ClassBinding` describes how a store keeps the
/// class.
@usableFromInline
package final class ModelClass: @unchecked Sendable {
  package let type: ObjectBase.Type
  let kind: TableKind
  /// The stored name.
  package let name: String
  /// The name for descriptions: that of the Swift class, if there is one.
  var shownName: String { type == DynamicObject.self ? name : type.className() }
  let layout: FieldLayout
  /// The properties by their numbers, linking objects included.
  package let properties: [ModelProperty]
  /// The class for code that knows no types of the language, as it is declared: in no store, with columns of 0. Set
  /// once, by the initialisers.
  private(set) var rows: RowClass!
  /// The number of the primary key.
  let primaryKey: Int?
  /// The indexes over several properties.
  let compoundIndexes: [CompoundIndex]
  /// What the class declares by `primaryKey()` and `indexedProperties()`.
  let legacyKey: String?
  let legacyIndexes: Set<String>
  /// The problems of the declarations, as sentences. `ModelChecks` finds the others.
  let problems: [String]
  let numbers: [String: Int]

  /// Module and class, to distinguish classes with one name.
  var qualifiedName: String { String(reflecting: type) }

  /// Returns the number of the property with a Swift name.
  package func number(of name: String) -> Int? { numbers[name] }

  /// Returns the name of the class without module and enclosing types.
  static func shortName(of type: ObjectBase.Type) -> String {
    let name = String(describing: type)
    return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
  }

  /// Creates a dynamic class from its properties.
  init(dynamic name: String, kind: TableKind, _ properties: [ModelProperty]) {
    type = DynamicObject.self
    self.kind = kind
    self.name = name
    layout = FieldLayout.of(DynamicObject.self)
    self.properties = properties
    numbers = Dictionary(properties.map { ($0.name, $0.number) }) { first, _ in first }
    primaryKey = properties.first(where: \.isPrimaryKey)?.number
    compoundIndexes = []
    legacyKey = nil
    legacyIndexes = []
    problems = []
    rows = declaredRows()
  }

  private init(_ type: ObjectBase.Type) {
    self.type = type
    kind = type is AsymmetricObject.Type ? .asymmetric : type is EmbeddedObject.Type ? .embedded : .ordinary
    let name = type._realmObjectName() ?? type.className()
    self.name = name
    layout = FieldLayout.of(type)
    // Declarations are arguments of the wrappers' initializers, so they are read from an instance.
    let example = type.init()
    let mapping = type.propertiesMapping()
    let olderKey = type.legacyPrimaryKey
    let olderIndexes = Set(type.legacyIndexes)
    self.legacyKey = olderKey
    self.legacyIndexes = olderIndexes
    problems = layout.problems.map { "Property '\(name).\($0.name)' \($0.problem)." }
    properties = layout.fields.enumerated().map { number, field in
      unsafe ModelProperty(
        number, field, at: example.address + field.offset, storedName: mapping[field.name] ?? field.name,
        isOlderKey: olderKey == field.name, isOlderIndexed: olderIndexes.contains(field.name))
    }
    numbers = Dictionary(properties.map { ($0.name, $0.number) }) { first, _ in first }
    compoundIndexes = type.declaredCompoundIndexes
    primaryKey = properties.first(where: \.isPrimaryKey)?.number
    rows = declaredRows()
  }

  private func declaredRows() -> RowClass {
    // This object holds the class, which is used no longer than this.
    unsafe RowClass(
      Borrowed(self), name: name, kind: kind, table: nil,
      all: ContiguousArray(properties.map { RowProperty($0, ColumnKey(rawValue: 0), $0.facts.columnType) }),
      numbers: numbers)
  }

  /// Returns the description of a class. Fast after the first call.
  package static func of(_ type: ObjectBase.Type) -> ModelClass {
    let key = ObjectIdentifier(type)
    if let known = known.withLock({ $0[key] }) { return known }
    // Created outside the lock: creating an instance runs application code, which may call this again.
    let made = SchemaBuilding.describing(type) { ModelClass(type) }
    return known.withLock { known in
      if let other = known[key] { return other }
      known[key] = made
      return made
    }
  }

  private static let known = Mutex<[ObjectIdentifier: ModelClass]>([:])
}

/// One property of a class.
package final class ModelProperty: PropertyField, @unchecked Sendable {
  // Sendable, as it is immutable, and the types that it names are metatypes.

  /// Its index among the properties of the class, which its wrapper stores.
  package let number: Int
  /// Its Swift name.
  package let name: String
  /// Its stored name.
  package let storedName: String
  package let facts: _TypeFacts
  let access: any PropertyAccess.Type
  /// The offset of its field in an instance; -1 for a property of a dynamic class, which has no field.
  let offset: Int
  /// Whether its field is a wrapper, and no older property object.
  let isWrapper: Bool
  /// What its wrapper declares: keys, indexes, delete rules.
  let declaration: _Declaration
  /// For linking objects, the Swift name of the property at the other end.
  let origin: String?

  var isPrimaryKey: Bool { declaration.contains(.primaryKey) }
  var isUnique: Bool { declaration.contains(.unique) }
  var isIndexed: Bool { !declaration.isDisjoint(with: [.indexed, .unique]) }
  var deleteRule: DeleteRule { declaration.deleteRule }

  /// A property with a field.
  ///
  /// - Parameters:
  ///   - address: the field in an instance. What it declares is read from there.
  ///   - isOlderKey: whether `primaryKey()` names it.
  ///   - isOlderIndexed: whether `indexedProperties()` names it.
  init(
    _ number: Int, _ field: FieldLayout.Field, at address: UnsafeMutableRawPointer, storedName: String,
    isOlderKey: Bool, isOlderIndexed: Bool
  ) {
    self.number = number
    name = field.name
    self.storedName = storedName
    facts = field.type.facts
    access = field.type
    offset = field.offset
    isWrapper = field.type.isWrapper
    var declaration = unsafe isWrapper ? _WrapperHeader.declaration(at: address) : []
    if isOlderKey { declaration.insert(.primaryKey) }
    if isOlderIndexed { declaration.insert(.indexed) }
    self.declaration = declaration
    origin = unsafe facts.isBacklinks ? field.type.origin(at: address) : nil
  }

  /// A property of a dynamic class.
  ///
  /// - Parameters:
  ///   - property: the property of the program's class, which gives the names; nil for a column without one.
  ///   - column: the column in the table; nil for linking objects.
  init?(
    dynamic number: Int, like property: ModelProperty?, _ column: Column?, in table: TableSchema,
    names: [TableKey: TableSchema], _ access: any PropertyAccess.Type
  ) {
    guard let name = property?.name ?? column?.name, column != nil || property?.isStored == false else { return nil }
    self.number = number
    self.name = name
    storedName = property?.storedName ?? name
    facts = _TypeFacts(dynamic: column?.type, like: property?.facts, names)
    self.access = access
    offset = -1
    isWrapper = false
    declaration = property?.declaration ?? column.map { _Declaration($0, of: table) } ?? []
    origin = property?.origin
  }

  /// Whether it has a column of its own. Linking objects do not.
  package var isStored: Bool { !facts.isBacklinks }

  package var targetName: String? { facts.storedTarget }

  package var targetTypeName: String {
    if facts.target == DynamicObject.self, let name = facts.targetName { return name }
    return facts.target?.className() ?? "Object"
  }

  /// The declared type of the property or of its elements, for messages.
  func declaredWords(isElement: Bool) -> String {
    let described = RowProperty(self, ColumnKey(rawValue: 0), facts.columnType)
    return isElement ? described.elementTypeName : described.typeName
  }
}

extension RowProperty {
  /// The declaration. Every property of a class of this module has one.
  var bound: ModelProperty { unsafe unsafeDowncast(field, to: ModelProperty.self) }

  /// A property as a store keeps it, or with a column of 0 as it is declared.
  ///
  /// - Parameters:
  ///   - graph: during a migration, the graph whose tables decide about primary keys and kinds.
  ///   - primaryKey: during a migration, the number of the primary key that the table has.
  convenience init(
    _ property: ModelProperty, _ column: ColumnKey, _ type: ColumnType, migrating graph: Graph? = nil,
    primaryKey: Int? = nil
  ) {
    let facts = property.facts
    let targetKind = graph.flatMap { graph in type.target.flatMap { graph[$0]?.schema.kind } }
    self.init(
      number: property.number, name: property.name, column: column, type: type,
      isPrimaryKey: graph == nil ? property.isPrimaryKey : property.number == primaryKey,
      isStored: property.isStored,
      embedsTarget: targetKind.map { $0 == .embedded }
        ?? (facts.target is EmbeddedObject.Type || facts.embedsDynamically),
      startsEmpty: facts.isEmptyAtFirst, field: property)
  }
}

extension RowClass {
  /// The declaration. Every class of this module has one.
  var model: ModelClass { unsafe declaration.cast(to: ModelClass.self).counted }
}
