public import FiefCopying
import FiefGraph
import FiefRuntime
import Synchronization

/// The description of one class of the application: what it declares. It is created once per process.
///
/// It is a class of rows without a store, with columns of 0. `ClassBinding` is its pairing with a table.
@usableFromInline
package final class ModelClass: _RowClass, @unchecked Sendable {
  package let type: ObjectBase.Type
  /// The name for descriptions: that of the Swift class, if there is one.
  let shownName: String
  let layout: FieldLayout
  /// The properties by their numbers, linking objects included.
  package let properties: [ModelProperty]
  /// The indexes over several properties.
  package let compoundIndexes: [CompoundIndex]
  /// The names that the class declares by `primaryKey()` and `indexedProperties()`.
  package let legacyKey: String?
  package let legacyIndexes: Set<String>
  /// The problems of the declarations, as sentences. Opening a realm finds the others.
  package let problems: [String]

  /// Module and class, to distinguish classes with one name.
  package var qualifiedName: String { String(reflecting: type) }

  /// Returns the name of the class without module and enclosing types.
  static func shortName(of type: ObjectBase.Type) -> String {
    let name = String(describing: type)
    return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
  }

  init(dynamic name: String, kind: TableKind, _ properties: [ModelProperty]) {
    type = DynamicObject.self
    shownName = name
    layout = FieldLayout.of(DynamicObject.self)
    self.properties = properties
    compoundIndexes = []
    legacyKey = nil
    legacyIndexes = []
    problems = []
    super.init(name: name, kind: kind, table: nil, all: ContiguousArray(properties))
  }

  private init(_ type: ObjectBase.Type) {
    self.type = type
    shownName = type.className()
    let name = type._realmObjectName() ?? shownName
    layout = FieldLayout.of(type)
    // Declarations are arguments of the wrappers' initializers, so they are read from an instance.
    let example = type.init()
    let mapping = type.propertiesMapping()
    let olderKey = type.legacyPrimaryKey
    let olderIndexes = Set(type.legacyIndexes)
    legacyKey = olderKey
    legacyIndexes = olderIndexes
    problems = layout.problems.map { "Property '\(name).\($0.name)' \($0.problem)." }
    properties = layout.fields.enumerated().map { number, field in
      ModelProperty(
        number, field, of: example, storedName: mapping[field.name] ?? field.name,
        isOlderKey: olderKey == field.name, isOlderIndexed: olderIndexes.contains(field.name))
    }
    compoundIndexes = type.declaredCompoundIndexes
    let kind: TableKind =
      type is AsymmetricObject.Type ? .asymmetric : type is EmbeddedObject.Type ? .embedded : .ordinary
    super.init(
      name: name, superclasses: Self.superclasses(of: type), kind: kind, table: nil, all: ContiguousArray(properties))
  }

  /// The names of the classes above a class. None of them is described, which would make an instance of it.
  private static func superclasses(of type: ObjectBase.Type) -> [String] {
    var names: [String] = []
    var above = _getSuperclass(type) as? ObjectBase.Type
    while let present = above {
      names.append(present._realmObjectName() ?? present.className())
      above = _getSuperclass(present) as? ObjectBase.Type
    }
    return names
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

/// One property of a class, as it is declared.
package final class ModelProperty: RowProperty, @unchecked Sendable {
  // Sendable, as it is immutable, and the types that it names are metatypes.

  package let storedName: String
  package let facts: _TypeFacts
  let access: any PropertyAccess.Type
  /// The offset of its field in an instance; -1 for a property of a dynamic class, which has no field.
  let offset: Int
  /// The offset of the tag of its wrapper in an instance; nil for an older property object, and without a field.
  let tag: Int?
  var isWrapper: Bool { tag != nil }
  /// The options of its wrapper: keys, indexes, delete rules.
  package let declaration: _Declaration
  /// For linking objects, the Swift name of the property at the other end.
  package let origin: String?

  private init(
    _ number: Int, name: String, storedName: String, facts: _TypeFacts, access: any PropertyAccess.Type,
    offset: Int = -1, tag: Int? = nil, declaration: _Declaration, origin: String?
  ) {
    self.storedName = storedName
    self.facts = facts
    self.access = access
    self.offset = offset
    self.tag = tag
    self.declaration = declaration
    self.origin = origin
    super.init(
      number: number, name: name, type: facts.columnType, isPrimaryKey: declaration.contains(.primaryKey),
      isIncreasing: declaration.contains(.increasing),
      isStored: !facts.isBacklinks, embedsTarget: facts.target is EmbeddedObject.Type || facts.embedsDynamically,
      startsEmpty: facts.isEmptyAtFirst, targetName: facts.storedTarget, targetTypeName: facts.targetTypeName)
  }

  /// A property with a field.
  ///
  /// - Parameters:
  ///   - example: an instance, from which its options are read.
  ///   - isOlderKey: whether `primaryKey()` names it.
  ///   - isOlderIndexed: whether `indexedProperties()` names it.
  convenience init(
    _ number: Int, _ field: FieldLayout.Field, of example: ObjectBase, storedName: String,
    isOlderKey: Bool, isOlderIndexed: Bool
  ) {
    let address = unsafe example.address
    var declaration = field.declaration(in: example)
    if isOlderKey { declaration.insert(.primaryKey) }
    if isOlderIndexed { declaration.insert(.indexed) }
    self.init(
      number, name: field.name, storedName: storedName, facts: field.type.facts, access: field.type,
      offset: field.offset, tag: field.tag, declaration: declaration,
      origin: unsafe field.type.facts.isBacklinks ? field.type.origin(at: address + field.offset) : nil)
  }

  /// A property of a dynamic class.
  ///
  /// - Parameters:
  ///   - property: the property of the program's class, which gives the names; nil for a column without one.
  ///   - column: the column in the table; nil for linking objects.
  convenience init?(
    dynamic number: Int, like property: ModelProperty?, _ column: Column?, in table: TableSchema,
    names: [TableKey: TableSchema], _ access: any PropertyAccess.Type
  ) {
    guard let name = property?.name ?? column?.name, column != nil || property?.isStored == false else { return nil }
    self.init(
      number, name: name, storedName: property?.storedName ?? name,
      facts: _TypeFacts(dynamic: column?.type, like: property?.facts, names), access: access,
      declaration: property?.declaration ?? column.map { _Declaration($0, of: table) } ?? [],
      origin: property?.origin)
  }
}

extension RowProperty {
  /// The declaration. Every property of a class of this module has one.
  package var model: ModelProperty { unsafe unsafeDowncast(declared, to: ModelProperty.self) }
}

extension RowClass {
  /// The declaration. Every class of this module has one.
  package var model: ModelClass { unsafe unsafeDowncast(declaration, to: ModelClass.self) }
}
