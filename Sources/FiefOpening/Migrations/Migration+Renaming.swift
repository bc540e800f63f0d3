import FiefGraph
import FiefObjects
import FiefSessions

extension Migration {
  /// Gives the values of a property to another one: the property was renamed.
  ///
  ///     migration.renameProperty(onType: "Person", from: "name", to: "fullName")
  ///
  /// Call it outside of `enumerateObjects`. The values that the new property had so far are lost.
  ///
  /// A name that the program's class does not have may be the old name of a later call: an application renames a
  /// property more than once in its life.
  ///
  /// - Parameters:
  ///   - typeName: the name under which the class is stored.
  ///   - oldName: the name under which the property was stored. The program's class must not have it any more.
  ///   - newName: the name of the property in the program's class. Both properties must have one type; the new one may
  ///     be optional where the old one is not.
  /// - Complexity: O(objects / 256). The values themselves are neither read nor written to the file.
  ///
  /// A name that does not exist, or a property of another type, fails the migration.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    stage.checkUse()
    do {
      try stage.rename(typeName, from: oldName, to: newName)
    } catch {
      stage.faults.note(Realm.Error.describing(error))
    }
  }

  /// Gives the objects of a class to another one: the class was renamed. Links between objects stay.
  ///
  ///     migration.renameClass(from: "Hound", to: "Dog")
  ///
  /// Call it at the beginning of the block, before objects are enumerated, created or deleted, and before properties
  /// are renamed. It fails the migration later, and for names that are not those of a class that only the file has and
  /// of one that only the program has.
  ///
  /// - Parameters:
  ///   - oldName: the name under which the class was stored.
  ///   - newName: the name under which the program's class is stored.
  /// - Complexity: that of the preparation of a migration, which begins again.
  public func renameClass(from oldName: String, to newName: String) {
    stage.checkUse(begins: false)
    do {
      try stage.renameClass(oldName, newName)
    } catch {
      stage.faults.note(Realm.Error.describing(error))
    }
  }
}

extension MigrationStage {
  static func renaming(_ className: String, from oldName: String, to newName: String, reason: String) -> Realm.Error {
    Realm.Error(.fail, "Property '\(className).\(oldName)' cannot be renamed to '\(newName)': \(reason).")
  }

  fileprivate func rename(_ className: String, from givenName: String, to newName: String) throws {
    // An earlier step may have renamed the property to a name that no class has any more.
    let name = programName(of: className)
    let oldName = passingNames[name]?[givenName] ?? givenName
    func refusal(_ reason: String) -> Realm.Error {
      Self.renaming(className, from: givenName, to: newName, reason: reason)
    }
    let (oldTable, newTable) = tables(named: className)
    guard let oldTable, let oldColumn = stored[oldTable]?.schema.column(named: oldName) else {
      throw refusal(oldTable == nil ? "the file has no such class" : "the file has no property of the old name")
    }
    guard let newTable, let binding = session.store.binding(of: newTable) else {
      throw refusal("the realm's schema has no such class")
    }
    let properties = binding.model.properties
    if properties.contains(where: { $0.isStored && $0.storedName == oldName }) {
      throw refusal("the class still has a property of the old name")
    }
    guard
      let property = properties.first(where: { $0.isStored && $0.name == newName })
        ?? properties.first(where: { $0.isStored && $0.storedName == newName })
    else {
      passingNames[name]?[givenName] = nil
      passingNames[name, default: [:]][newName] = oldName
      return
    }
    passingNames[name]?[givenName] = nil
    let target = binding.columns[property.number]
    let type = binding.type(of: property.number)
    guard oldColumn.type.kind == type.kind, oldColumn.type.shape == type.shape, oldColumn.type.target == type.target
    else {
      throw refusal("they are of different types, '\(oldColumn.type.declaration)' and '\(type.declaration)'")
    }
    if oldColumn.type.allowsNull && !type.allowsNull {
      throw refusal("the old property is optional, and the new one is not; set it in enumerateObjects")
    }
    if renamed.contains(where: { $0.table == newTable && $0.stored == oldColumn.key }) {
      throw refusal("it was renamed already")
    }
    guard let transaction = session.transaction else { return }
    defer { session.noteChanges() }
    guard let source = transaction.graph[newTable]?.schema.column(named: oldName)?.key else {
      throw refusal("its values are not there any more")
    }
    try transaction.moveCells(from: source, to: target, of: newTable)
    let from = transaction.graph[newTable]?.schema.column(named: oldName)?.key ?? source
    renamed.append((newTable, oldColumn.key, from, target))
  }

  fileprivate func renameClass(_ oldName: String, _ newName: String) throws {
    func refusal(_ reason: String) -> Realm.Error {
      Realm.Error(.fail, "Class '\(oldName)' cannot be renamed to '\(newName)': \(reason).")
    }
    if hasBegun {
      throw refusal("objects or properties were accessed before; rename classes at the beginning of the migration")
    }
    guard let table = stored.table(named: oldName), !table.schema.isInternal, !table.schema.key.isNested else {
      throw refusal("the file has no class of the old name")
    }
    if newSchemaNames.contains(oldName) { throw refusal("the realm's schema still has a class of the old name") }
    if !newSchemaNames.contains(newName) { throw refusal("the realm's schema has no class of the new name") }
    if stored.table(named: newName) != nil || classNames.values.contains(newName) {
      throw refusal("the file has a class of the new name already")
    }
    if classNames[oldName] != nil { throw refusal("it was renamed already") }
    classNames[oldName] = newName
    try begin()
  }
}
