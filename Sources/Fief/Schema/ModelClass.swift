import FiefGraph
import Synchronization

/// What one class of the application says of itself, worked out once in the life of the process.
///
/// It knows no store: names, types and declarations only. How a store keeps the class is `ClassBinding`'s.
@usableFromInline
final class ModelClass: @unchecked Sendable {
  /// How objects of the class live.
  enum Kind {
    case object, embedded, asymmetric
  }

  let type: ObjectBase.Type
  let kind: Kind
  /// The name under which it is stored.
  let name: String
  let layout: FieldLayout
  /// The properties by their numbers, linking objects included.
  let properties: [ModelProperty]
  /// The number of the primary key.
  let primaryKey: Int?
  /// The indexes over several properties.
  let compoundIndexes: [CompoundIndex]
  /// What is wrong with the class by itself; whole sentences.
  private(set) var problems: [String]
  private let numbers: [String: Int]

  /// Class and module, for telling classes of one name apart.
  var qualifiedName: String { String(reflecting: type) }

  /// The number of the property with that Swift name.
  func number(of name: String) -> Int? { numbers[name] }

  /// The class by a name for humans: without module and enclosing types.
  static func shortName(of type: ObjectBase.Type) -> String {
    let name = String(describing: type)
    return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
  }

  /// A class that is known by the names of its properties alone.
  init(dynamic name: String, kind: Kind, _ properties: [ModelProperty]) {
    type = DynamicObject.self
    self.kind = kind
    self.name = name
    layout = FieldLayout.of(DynamicObject.self)
    self.properties = properties
    numbers = Dictionary(properties.map { ($0.name, $0.number) }) { first, _ in first }
    primaryKey = properties.first(where: \.isPrimaryKey)?.number
    compoundIndexes = []
    problems = []
  }

  private init(_ type: ObjectBase.Type) {
    self.type = type
    kind = type is AsymmetricObject.Type ? .asymmetric : type is EmbeddedObject.Type ? .embedded : .object
    let name = type._realmObjectName() ?? type.className()
    self.name = name
    layout = FieldLayout.of(type)
    // Declarations are arguments of the wrappers' initialisers, so they are read from an instance.
    let example = type.init()
    let mapping = type.propertiesMapping()
    let olderKey = type.olderPrimaryKey
    let olderIndexes = Set(type.olderIndexes)
    problems = layout.problems.map { "Property '\(name).\($0.name)' \($0.problem)." }
    properties = layout.fields.enumerated().map { number, field in
      let place = example.address + field.offset
      let access = field.type._fieldAccess
      return ModelProperty(
        number: number, name: field.name, storedName: mapping[field.name] ?? field.name, field: field,
        declaration: access.declaration(place), origin: access.origin(place), isOlderKey: olderKey == field.name,
        isOlderIndexed: olderIndexes.contains(field.name))
    }
    numbers = Dictionary(properties.map { ($0.name, $0.number) }) { first, _ in first }
    compoundIndexes = type.declaredCompoundIndexes
    let keys = properties.filter(\.isPrimaryKey)
    primaryKey = keys.first?.number
    problems += ModelChecks.check(self, keys: keys, olderKey: olderKey, olderIndexes: olderIndexes)
  }

  /// What the class says of itself. Fast after the first time.
  static func of(_ type: ObjectBase.Type) -> ModelClass {
    let key = ObjectIdentifier(type)
    if let known = known.withLock({ $0[key] }) { return known }
    // Made outside the lock: making an instance runs the application's code, which may come back here.
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
struct ModelProperty: Sendable {
  /// Its place among the properties of the class: what its wrapper knows it by.
  let number: Int
  /// Its name in the application.
  let name: String
  /// Its name in stores.
  let storedName: String
  let facts: _TypeFacts
  let access: _FieldAccess
  /// Where its field lies in an instance.
  let offset: Int
  let isPrimaryKey: Bool
  let isIndexed: Bool
  let isUnique: Bool
  /// Whether its words are indexed.
  let hasWordIndex: Bool
  let deleteRule: DeleteRule
  /// The Swift name of the property at the other end, of linking objects.
  let origin: String?

  init(
    number: Int, name: String, storedName: String, field: FieldLayout.Field, declaration: Declaration, origin: String?,
    isOlderKey: Bool, isOlderIndexed: Bool
  ) {
    self.number = number
    self.name = name
    self.storedName = storedName
    facts = field.type._fieldFacts
    access = field.type._fieldAccess
    offset = field.offset
    isPrimaryKey = declaration.contains(.primaryKey) || isOlderKey
    isUnique = declaration.contains(.unique)
    hasWordIndex = declaration.contains(.fullText)
    isIndexed = declaration.contains(.indexed) || isUnique || isOlderIndexed
    deleteRule = declaration.contains(.cascade) ? .cascade : declaration.contains(.deny) ? .deny : .nullify
    self.origin = origin
  }

  /// The same property, as it is seen by names alone.
  init(_ property: ModelProperty, _ facts: _TypeFacts) {
    number = property.number
    name = property.name
    storedName = property.storedName
    self.facts = facts
    access = .dynamic(facts)
    offset = -1
    isPrimaryKey = property.isPrimaryKey
    isIndexed = property.isIndexed
    isUnique = property.isUnique
    hasWordIndex = property.hasWordIndex
    deleteRule = property.deleteRule
    origin = property.origin
  }

  /// A column as a property that is seen by names alone.
  init(_ column: Column, of table: TableSchema, _ number: Int, _ facts: _TypeFacts) {
    self.number = number
    name = column.name
    storedName = column.name
    self.facts = facts
    access = .dynamic(facts)
    offset = -1
    isPrimaryKey = table.primaryKey == column.key
    isIndexed = table.indexes.contains { $0.columns == [column.key] && !$0.isFullText }
    hasWordIndex = table.indexes.contains { $0.columns == [column.key] && $0.isFullText }
    isUnique = table.indexes.contains { $0.columns == [column.key] && $0.isUnique }
    deleteRule = column.deleteRule
    origin = nil
  }

  /// Whether it is a column, and not the other end of one.
  var isStored: Bool { !facts.isBacklinks }
}
