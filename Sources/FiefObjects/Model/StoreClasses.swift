import FiefGraph
import FiefSessions

/// The classes that a store was opened for, and how it keeps each of them.
package final class StoreClasses: StoreClient {
  package let models: [ModelClass]
  /// The classes that were left out of the schema, with an error message for their use.
  let leftOut: [ObjectIdentifier: String]
  let bindings: StoreBindings
  /// The bindings of dynamic objects.
  package let dynamicClasses: DynamicClasses
  /// Adds what properties and collections cannot store themselves.
  let importer: any Importer.Type
  /// Whether the store was opened without classes of the program.
  package let isDynamic: Bool
  /// The mistakes of the migration that the store was made for; nil in the store of a realm.
  let migration: MigrationFaults?

  package init(
    _ models: [ModelClass], leavingOut leftOut: [ObjectIdentifier: String] = [:], bindings: StoreBindings,
    dynamicClasses: DynamicClasses, importer: any Importer.Type, isDynamic: Bool = false,
    migration: MigrationFaults? = nil
  ) {
    self.isDynamic = isDynamic
    self.models = models
    self.migration = migration
    self.leftOut = leftOut
    self.bindings = bindings
    self.dynamicClasses = dynamicClasses
    self.importer = importer
  }

  package func explain(_ error: any Error) -> any Error { Realm.Error.describing(error) }
}

/// The bindings of a store's classes. Stores with equal tables share one instance.
package final class StoreBindings: Sendable {
  package let tables: [TableSchema]
  let ofTypes: [ObjectIdentifier: ClassBinding]
  let ofTables: [TableKey: ClassBinding]
  /// The binding of each table, in the order of the classes.
  package let ordered: [ClassBinding]

  package init(dynamic bindings: [TableKey: ClassBinding], _ tables: [TableSchema]) {
    self.tables = tables
    ofTypes = [:]
    ofTables = bindings
    ordered = tables.compactMap { bindings[$0.key] }
  }

  /// - Parameter graph: the graph whose tables decide, where the classes differ from them: during a migration. Nil when
  ///   the tables are those that the classes declare.
  package init(_ models: [ModelClass], _ tables: [TableSchema], migrating graph: Graph? = nil) throws {
    self.tables = tables
    var ofTypes: [ObjectIdentifier: ClassBinding] = [:]
    var ofTables: [TableKey: ClassBinding] = [:]
    for (model, table) in zip(models, tables) {
      let binding = try ClassBinding(model, table, migrating: graph)
      ofTypes[ObjectIdentifier(model.type)] = binding
      // When classes share a table, rows found by link get the class whose own name is the table's.
      if ofTables[table.key] == nil || model.type._realmObjectName() == nil { ofTables[table.key] = binding }
    }
    ClassBinding.connect(ofTypes.values) { $0.facts.target.flatMap { ofTypes[ObjectIdentifier($0)] } }
    self.ofTypes = ofTypes
    self.ofTables = ofTables
    ordered = models.compactMap { ofTypes[ObjectIdentifier($0.type)] }
  }

  /// Returns the table of each class. A graph with the schema of the classes has all of them.
  package static func tables(of models: [ModelClass], in graph: Graph) -> [TableSchema] {
    let named = Dictionary(graph.allTables.map { ($0.schema.name, $0.schema) }) { first, _ in first }
    return models.compactMap { named[$0.name] }
  }
}

extension Store {
  /// The classes of the store. Every store of this module was opened with them.
  package var classes: StoreClasses { unsafe unsafeDowncast(client, to: StoreClasses.self) }

  /// Returns the binding of a class; nil when the class is not in the schema.
  package func binding(of type: ObjectBase.Type) -> ClassBinding? { classes.bindings.ofTypes[ObjectIdentifier(type)] }

  /// Returns the bindings of a class and its subclasses in the schema, one for each table, in the order of the tables.
  package func bindings(of type: Object.Type) -> [ClassBinding] {
    classes.bindings.ofTables.values.filter { binding in
      var superclass: AnyClass? = binding.type
      while let present = superclass, present != type { superclass = _getSuperclass(present) }
      return superclass != nil
    }.sorted { $0.table < $1.table }
  }

  package func binding(of table: TableKey) -> ClassBinding? { classes.bindings.ofTables[table] }

  package var allBindings: [ClassBinding] { classes.bindings.ordered }

  /// Returns the binding of the class with a stored name; nil when it is not in the schema.
  package func binding(named name: String) -> ClassBinding? { allBindings.first { $0.model.name == name } }

  /// Explains that a class with a name is not in the schema.
  package static func missing(_ name: String) -> String {
    "Object type '\(name)' is not managed by the Realm: it is not in the realm's schema."
  }

  /// Returns the binding of a class. Traps with an explanation when the class is not in the schema.
  func requireBinding(of type: ObjectBase.Type) -> ClassBinding {
    if let binding = binding(of: type) { return binding }
    fatalError(missing(type))
  }

  /// Explains why a class is not in the schema.
  package func missing(_ type: ObjectBase.Type) -> String {
    if classes.isDynamic {
      return "Object type '\(type.className())' is not managed by the Realm: it was opened without classes; use "
        + "dynamicObjects(_:), or open it with a configuration of classes."
    }
    return classes.leftOut[ObjectIdentifier(type)]
      ?? "Object type '\(type.className())' is not managed by the Realm: it is not in the realm's schema; add it to "
      + "objectTypes, or see that shouldIncludeInDefaultSchema() is true."
  }
}
