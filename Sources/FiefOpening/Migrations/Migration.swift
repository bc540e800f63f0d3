import FiefCopying
import FiefGraph
import FiefObjects
import FiefSessions

/// A migration under way: the objects of a file as they were, and as they are to be.
///
///     configuration.migrationBlock = { migration, oldVersion in
///       if oldVersion < 1 { migration.renameProperty(onType: "Person", from: "name", to: "fullName") }
///       if oldVersion < 2 {
///         migration.enumerateObjects(ofType: "Person") { old, new in
///           new?["age"] = Int(old?["ageText"] as? String ?? "")
///         }
///       }
///     }
///
/// The new objects have all properties of the program's classes. A property that is new, has another type, or must not
/// be null any more, is zero, empty or null; the value that it had is in the old object. Primary keys and unique values
/// may repeat until the block ends.
///
/// The whole migration is one write: the file changes when the block has ended without an error and the result is
/// durable. A mistake in the block (an unknown name, a value that does not fit) is thrown by the opening as
/// `Realm.Error`. A migration may be used only while its block runs, and on the block's thread.
public final class Migration {
  /// The classes of the file, with the names under which they and their properties are stored.
  ///
  ///     if migration.oldSchema["Hound"] != nil { migration.renameClass(from: "Hound", to: "Dog") }
  public let oldSchema: FiefObjects.Schema
  /// The classes of the program.
  ///
  ///     for objectSchema in migration.newSchema.objectSchema { print(objectSchema.className) }
  public let newSchema: FiefObjects.Schema
  let stage: MigrationStage

  let schemaVersion: UInt64

  init(_ stage: MigrationStage, to schemaVersion: UInt64) {
    self.stage = stage
    self.schemaVersion = schemaVersion
    oldSchema = stage.oldSchema
    newSchema = FiefObjects.Schema(stage.models)
  }

  /// Calls a block for each object that a class had when the migration began.
  ///
  ///     migration.enumerateObjects(ofType: "Dog") { old, new in
  ///       new?["weightInGrams"] = (old?["weight"] as? Double).map { Int($0 * 1000) }
  ///     }
  ///
  /// Objects that the block creates are not visited, and neither are those whose new object was deleted before. A class
  /// that the program does not have any more gives only old objects. A class that the file did not have gives only new
  /// ones: those that the migration has created so far. An unknown class gives none.
  ///
  /// - Parameters:
  ///   - typeName: the name under which the class is stored; for a renamed class the old or the new one.
  ///   - block: receives the object as it was and as it is to be. It may change, create and delete new objects.
  /// - Throws: the error of `block`.
  /// - Complexity: linear in the objects.
  public func enumerateObjects(
    ofType typeName: String, _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) throws -> Void
  ) rethrows {
    stage.checkUse()
    let (old, new) = stage.tables(named: typeName)
    let keys = stage.keys(old, new)
    let session = stage.session
    let oldBinding = old.flatMap { stage.oldSession.store.dynamicBinding(of: $0) }
    let newBinding = new.flatMap { session.store.dynamicBinding(of: $0) }
    stage.report(typeName, 0, of: keys.count)
    let oldObjects = oldBinding.map { RowWalk(.keys(keys), of: $0, in: stage.oldSession) }
    let newObjects = newBinding.map { RowWalk(.keys(keys), of: $0, in: session) }
    for position in keys.indices {
      if position & 1023 == 1023 { stage.report(typeName, position + 1, of: keys.count) }
      let (oldObject, newObject) = (oldObjects?.next(), newObjects?.next())
      if let newObject, !newObject.hasRow { continue }
      stage.noteRead(old)
      try block(oldObject as? MigrationObject, newObject as? MigrationObject)
    }
    if !keys.isEmpty { stage.report(typeName, keys.count, of: keys.count) }
  }

  /// Creates a new object from a value, as `Realm.create` does. A key that the realm hands out is 0 until the block has
  /// ended.
  ///
  ///     let dog = migration.create("Dog", value: ["name": "Rex"])
  ///     dog["age"] = 3
  ///
  /// - Parameters:
  ///   - typeName: the name under which the class is stored.
  ///   - value: the source of the object's values. Old objects in it stand for the new objects in their rows.
  /// - Returns: the object. When the value is invalid, an unmanaged one: its properties are null, and what is set is
  ///   dropped with the migration.
  /// - Complexity: linear in the objects and values.
  ///
  /// An invalid value, and the name of a class that the program does not have, or of an embedded one, fails the
  /// migration.
  @discardableResult
  public func create(_ typeName: String, value: Any = [Any]()) -> MigrationObject {
    stage.checkUse()
    let session = stage.session
    let name = stage.programName(of: typeName)
    let made = session.perform { transaction -> ObjectBase in
      guard let binding = session.store.allBindings.first(where: { $0.model.name == name }) else {
        throw Realm.Error(
          .fail,
          "Object type '\(PlanPath.shortened(typeName))' cannot be created in the migration: it is not in the realm's "
            + "schema.")
      }
      return try Inserter(session).create(value, of: binding, PlanRequest(.copy, .error), in: transaction)
    }
    return made?.rowLink.flatMap(session.dynamicAccessor) ?? .uncreated(in: session)
  }

  /// Deletes a new object, with the embedded objects that it owns.
  ///
  ///     migration.enumerateObjects(ofType: "Dog") { old, new in
  ///       if let new, new["name"] as? String == "" { migration.delete(new) }
  ///     }
  ///
  /// - Parameter object: a new object of this migration. Any other object fails the migration. Deleting an object
  ///   again does nothing.
  public func delete(_ object: MigrationObject) {
    stage.checkUse()
    if object.isUncreated { return }
    guard object.retainedSession === stage.session, let link = object.rowLink else {
      return stage.faults.note(
        Realm.Error(
          .fail,
          "An object of class '\(object.model.name)' cannot be deleted by the migration: it is an old object, or of "
            + "another realm; delete the new one."))
    }
    if object.hasRow { stage.session.delete([link]) }
  }

  /// Deletes all new objects of a class. A class that the program does not have any more is removed from the file
  /// altogether, unless a class that stays links to it.
  ///
  ///     migration.deleteData(forType: "Draft")
  ///
  /// - Parameter typeName: the name under which the class is stored.
  /// - Returns: whether the file has, or the program declares, a class of that name.
  /// - Complexity: linear in the objects and the links to them.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool {
    stage.checkUse()
    let session = stage.session
    let name = stage.programName(of: typeName)
    guard let table = session.read({ $0.table(named: name)?.schema }), !table.isInternal, !table.key.isNested else {
      return false
    }
    session.perform { try $0.clear(table.key) }
    if stage.newSchemaNames.contains(name) == false { stage.removed.insert(table.key) }
    return true
  }
}
