import FiefObjects

/// The code of a migration. It receives the migration, and the schema version of the file.
///
///     configuration.schemaVersion = 2
///     configuration.migrationBlock = { migration, oldVersion in
///       if oldVersion < 2 {
///         migration.enumerateObjects(ofType: "Person") { old, new in
///           new?["fullName"] = "\(old?["first"] ?? "") \(old?["last"] ?? "")"
///         }
///       }
///     }
///
/// It may throw. The opening then throws the error, and the file stays as it was. A block that was written for Realm,
/// which does not throw, is one of these, too.
public typealias MigrationBlock = @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) throws -> Void

/// The code that a migration runs for each object of a class: with the object as it was, and as it is to be.
///
///     let copyAge: MigrationObjectEnumerateBlock = { old, new in new?["age"] = old?["years"] }
///     migration.enumerateObjects(ofType: "Dog", copyAge)
public typealias MigrationObjectEnumerateBlock = (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) -> Void

/// An object in a migration. Its properties are accessed by name.
///
///     func weight(of old: MigrationObject) -> Double { Double(old["grams"] as? Int ?? 0) / 1000 }
///
/// An old object is read-only, and has the names under which properties were stored. A new object has the names of the
/// program's class. Links lead to other such objects. An old object that is stored in a new one (in a property, a
/// collection or an any-value) stands for the new object in its row.
public typealias MigrationObject = DynamicObject

/// How far a migration has come.
///
///     configuration.migrationProgress = { progress in
///       print(progress.phase, progress.className ?? "", progress.completedCount, progress.totalCount)
///     }
public struct MigrationProgress: Sendable, Equatable {
  /// The parts of a migration.
  ///
  ///     configuration.migrationProgress = { progress in
  ///       if progress.phase == .storing { print("The new version is being written.") }
  ///     }
  public enum Phase: Sendable, Hashable, CaseIterable {
    /// The tables get their new properties.
    case preparing
    /// The migration block runs.
    case running
    /// Removed properties, primary keys, indexes and embedded objects are brought into their final form.
    case settling
    /// The new version is written to the file.
    case storing
  }

  /// The part that runs.
  public let phase: Phase
  /// The class whose objects are being enumerated; nil outside of `enumerateObjects`.
  public let className: String?
  /// How many objects of the class have been visited.
  public let completedCount: Int
  /// How many objects of the class will be visited; 0 outside of `enumerateObjects`.
  ///
  ///     let part = Double(progress.completedCount) / Double(max(progress.totalCount, 1))
  public let totalCount: Int
}

typealias MigrationObserver = @Sendable (MigrationProgress) -> Void
