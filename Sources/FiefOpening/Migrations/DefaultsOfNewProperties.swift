import FiefGraph
import FiefObjects

/// The values that the rows of a migration get in a property whose type has no value for zero.
///
///     enum Level: Int, PersistableEnum { case low = 1, high = 10 }
///     @Persisted var level = Level.high        // is added: the objects of the file have .high
///
/// A column that a migration adds, or makes anew for another type, begins with zero or an empty string. A required enum
/// without a case for it could not be read. So the rows get the declared default, and the first case without one. A
/// custom type that refuses the value gets the declared default if there is one.
struct DefaultsOfNewProperties {
  private let stored: Graph
  private let transaction: Transaction
  private(set) var defaults: [MigrationReport.Default] = []

  /// Sets the values.
  ///
  /// - Parameters:
  ///   - models: the classes of the program.
  ///   - stored: the graph before the migration.
  ///   - transaction: one in which every declared column is there.
  /// - Complexity: linear in the rows of the classes that have such a property.
  init(_ models: [ModelClass], over stored: Graph, _ transaction: Transaction) throws {
    self.stored = stored
    self.transaction = transaction
    for model in models { try fill(model) }
  }

  private mutating func fill(_ model: ModelClass) throws {
    guard let table = transaction.read({ $0.table(named: model.name) }), table.count > 0 else { return }
    let known = stored[table.schema.key]?.schema
    var instance: ObjectBase?
    for property in model.properties where property.isStored && property.isForeign {
      guard !property.facts.isOptional,
        let column = table.schema.column(named: property.storedName), known?.column(column.key) == nil,
        let zero = Self.firstValue(of: column, in: table)?.plain, property.stored(zero) == nil
      else { continue }
      let made = instance ?? model.type.init()
      instance = made
      guard let value = Self.declaredDefault(of: property, in: made) else { continue }
      var count = 0
      var failure: (any Error)?
      table.forEachRow(from: ObjectKey(0)) { key, _, _ in
        do {
          try transaction.set(value, Cell(table.schema.key, key, column.key))
          count += 1
          return true
        } catch {
          failure = error
          return false
        }
      }
      if let failure { throw failure }
      defaults.append(
        MigrationReport.Default(
          className: model.name, propertyName: property.storedName, value: "\(value)", count: count))
    }
  }

  /// The value of the first row, which all rows have in a new column.
  private static func firstValue(of column: Column, in table: Table) -> StoredValue? {
    guard let leaf = table.schema.leaf(of: column.key) else { return nil }
    var first: StoredValue?
    table.forEachRow(from: ObjectKey(0)) { key, _, _ in
      first = table.value(key, leaf: leaf)
      return false
    }
    return first
  }

  /// The stored form of the declared default; nil without one.
  private static func declaredDefault(of property: ModelProperty, in instance: ObjectBase) -> StoredValue? {
    // Of the types without a declared default, enums alone have a value: their first case.
    if property.isUnset(in: instance) && !property.facts.isEnumeration { return nil }
    return property.content(in: instance).stored.flatMap { $0 == .null ? nil : $0 }
  }
}
