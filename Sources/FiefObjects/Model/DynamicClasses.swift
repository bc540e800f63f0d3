import FiefGraph
import FiefSessions
import Synchronization

/// The classes of a store for access by name: one for each table, even if the program has no class for it.
///
/// Properties of a class in the program keep their names; other properties are named like their columns.
/// All links point at `DynamicObject`. The classes are created on first use. They stay valid because a store keeps the
/// layout of its tables while it is open.
package final class DynamicClasses: Sendable {
  private let made = Mutex<[TableKey: ClassBinding]?>(nil)
  /// The access to the properties of dynamic objects.
  let access: any DynamicPropertyAccess.Type

  package init(access: any DynamicPropertyAccess.Type) { self.access = access }

  /// The classes of a graph for a store without classes of the program.
  ///
  /// - Parameters:
  ///   - migrating: whether the store is that of a migration to a schema that was made at run time.
  ///   - model: the class that this schema declares for a table; nil for a table that it does not have.
  package init(
    of graph: Graph, access: any DynamicPropertyAccess.Type, migrating: Bool = false,
    like model: (TableKey) -> ModelClass? = { _ in nil }
  ) {
    self.access = access
    let bindings = Self.make(graph, access, migrating: migrating ? graph : nil, like: model)
    made.withLock { $0 = bindings }
  }

  /// The classes, if they were made.
  package var known: [TableKey: ClassBinding] { made.withLock { $0 } ?? [:] }

  package func all(of store: Store) -> [TableKey: ClassBinding] {
    if let known = made.withLock({ $0 }) { return known }
    let bindings = make(store)
    return made.withLock { known in
      if let known { return known }
      known = bindings
      return bindings
    }
  }

  private func make(_ store: Store) -> [TableKey: ClassBinding] {
    let graph = store.published.current
    return Self.make(graph, access, migrating: store.classes.migration == nil ? nil : graph) {
      store.binding(of: $0)?.model
    }
  }

  /// The tables that have classes.
  package static func tables(of graph: Graph) -> [TableSchema] {
    graph.allTables.map(\.schema).filter { !$0.key.isNested && !$0.isInternal }
  }

  /// - Parameter migrating: during a migration, the graph whose tables decide where the classes differ from them.
  private static func make(
    _ graph: Graph, _ access: any PropertyAccess.Type, migrating: Graph? = nil,
    like model: (TableKey) -> ModelClass?
  ) -> [TableKey: ClassBinding] {
    let tables = tables(of: graph)
    let names = Dictionary(uniqueKeysWithValues: tables.map { ($0.key, $0) })
    var bindings: [TableKey: ClassBinding] = [:]
    for table in tables {
      let model = ModelClass(dynamic: table, like: model(table.key), names: names, access)
      // Cannot fail: every property was created from an existing column.
      bindings[table.key] = try? ClassBinding(model, table, migrating: migrating)
    }
    let named = Dictionary(bindings.values.map { ($0.model.name, $0) }) { first, _ in first }
    ClassBinding.connect(bindings.values) { $0.facts.targetName.flatMap { named[$0] } }
    return bindings
  }
}

/// Access to the properties of dynamic objects, and to values of which nothing but the stored form is known.
package protocol DynamicPropertyAccess: PropertyAccess {
  /// A stored value as code that reads by name sees it: a link becomes an object, and a nested collection a list or a
  /// map.
  static func plain(_ value: StoredValue, _ session: Session) -> Any?
}

extension Store {
  package func dynamicBinding(of table: TableKey) -> ClassBinding? { classes.dynamicClasses.all(of: self)[table] }

  func dynamicBinding(named name: String) -> ClassBinding? {
    published.current.table(named: name).flatMap { dynamicBinding(of: $0.schema.key) }
  }
}

extension ModelClass {
  /// Creates the dynamic class of a table.
  convenience init(
    dynamic table: TableSchema, like model: ModelClass?, names: [TableKey: TableSchema],
    _ access: any PropertyAccess.Type
  ) {
    var properties: [ModelProperty] = []
    func append(_ column: Column?, like property: ModelProperty?) {
      let made = ModelProperty(dynamic: properties.count, like: property, column, in: table, names: names, access)
      if let made { properties.append(made) }
    }
    if let model {
      for property in model.properties { append(table.column(named: property.storedName), like: property) }
    } else {
      for column in table.columns { append(column, like: nil) }
    }
    self.init(dynamic: table.name, kind: table.kind, properties)
  }
}

extension _TypeFacts {
  /// The facts of a column, or of the linking objects of a class of the program.
  init(dynamic type: ColumnType?, like other: _TypeFacts?, _ tables: [TableKey: TableSchema]) {
    if let type {
      self.init(type.kind, target: type.kind == .link ? DynamicObject.self : nil)
      shape = type.shape
      isOptional = type.isOptional
      width = type.width
      targetName = type.target.flatMap { tables[$0]?.name }
      embedsDynamically = type.target.flatMap { tables[$0]?.kind } == .embedded
    } else {
      self = other ?? _TypeFacts(.link)
      targetName = storedTarget
      target = DynamicObject.self
    }
  }
}
