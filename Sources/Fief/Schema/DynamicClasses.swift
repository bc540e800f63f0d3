import FiefGraph
import Synchronization

/// The classes of a store as they are seen by names alone: one for each table, whether the program has a class for it
/// or not.
///
/// Properties of a class that the program has keep their names and numbers; those of another are called as their
/// columns. All links point at `DynamicObject`. Made when first asked for; a store keeps its tables' form while it is
/// open.
final class DynamicClasses: Sendable {
  private let made = Mutex<[TableKey: ClassBinding]?>(nil)

  func all(of store: Store) -> [TableKey: ClassBinding] {
    if let known = made.withLock({ $0 }) { return known }
    let bindings = Self.make(store)
    return made.withLock { known in
      if let known { return known }
      known = bindings
      return bindings
    }
  }

  private static func make(_ store: Store) -> [TableKey: ClassBinding] {
    let tables = store.published.current.allTables.map(\.schema).filter { !$0.key.isReserved }
    let names = Dictionary(uniqueKeysWithValues: tables.map { ($0.key, $0.name) })
    var bindings: [TableKey: ClassBinding] = [:]
    for table in tables {
      let model = ModelClass(dynamic: table, like: store.binding(of: table.key)?.model, names: names)
      // Every property was made of a column that is there.
      bindings[table.key] = try? ClassBinding(model, table)
    }
    ClassBinding.connectByName(bindings)
    return bindings
  }
}

extension TableKey {
  /// Whether it is one of the two tables for collections inside any-values.
  var isReserved: Bool { self == .nestedLists || self == .nestedDictionaries }
}

extension Store {
  /// A table's class as it is seen by names alone.
  func dynamicBinding(of table: TableKey) -> ClassBinding? { dynamicClasses.all(of: self)[table] }

  /// The class that is stored under a name, as it is seen by names alone.
  func dynamicBinding(named name: String) -> ClassBinding? {
    published.current.table(named: name).flatMap { dynamicBinding(of: $0.schema.key) }
  }
}

extension Session {
  /// An accessor of a row that knows it by names alone; nil when there is no such table.
  func dynamicAccessor(_ link: ObjectLink) -> DynamicObject? {
    store.dynamicBinding(of: link.table).flatMap { accessor($0, link.key) as? DynamicObject }
  }
}

extension ModelClass {
  /// A table as a class of dynamic objects.
  convenience init(dynamic table: TableSchema, like model: ModelClass?, names: [TableKey: String]) {
    var properties: [ModelProperty] = []
    for property in model?.properties ?? [] {
      let column = table.column(named: property.storedName)
      guard column != nil || !property.isStored else { continue }
      var facts = column.map { _TypeFacts(dynamic: $0.type, names) } ?? property.facts
      facts.targetName =
        facts.targetName ?? property.facts.target.map { $0._realmObjectName() ?? $0.className() }
      if facts.target != nil { facts.target = DynamicObject.self }
      properties.append(ModelProperty(property, facts))
    }
    if model == nil {
      for column in table.columns {
        properties.append(ModelProperty(column, of: table, properties.count, _TypeFacts(dynamic: column.type, names)))
      }
    }
    self.init(
      dynamic: table.name,
      kind: table.kind == .embedded ? .embedded : table.kind == .asymmetric ? .asymmetric : .object,
      properties)
  }
}

extension _TypeFacts {
  init(dynamic type: ColumnType, _ names: [TableKey: String]) {
    self.init(type.kind, target: type.kind == .link ? DynamicObject.self : nil)
    shape = type.shape
    isOptional = type.isOptional
    width = type.width
    targetName = type.target.flatMap { names[$0] }
  }
}
