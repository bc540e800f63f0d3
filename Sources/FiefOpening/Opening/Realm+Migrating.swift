public import FiefDurability
import FiefGraph
import FiefObjects
import FiefSessions
import Foundation

extension Realm {
  /// Migrates the file of a configuration, if it has a lower schema version, and closes it again. Other files are
  /// opened and closed; a file that does not exist is created.
  ///
  ///     try Realm.performMigration(for: configuration)
  ///
  /// Opening a realm does the same. Call this to migrate at another time than the first use, such as behind a screen
  /// that shows `Configuration.migrationProgress`.
  ///
  /// - Parameter configuration: the options.
  /// - Throws: `.alreadyOpen` when the realm is open in this process; the errors of `init(configuration:queue:)`, and
  ///   those of the migration block. The file stays as it was then.
  /// - Complexity: linear in the file.
  public static func performMigration(for configuration: Configuration = .defaultConfiguration) throws {
    if let url = configuration.fileURL,
      try Realm.Error.translating({ try StoreRegistry.isOpen(RealmOpening.identity(ofFile: url)) })
    {
      throw Realm.Error(
        .alreadyOpen, "The realm is open already, and was migrated then: call performMigration before.", file: url)
    }
    _ = try RealmOpening.store(configuration)
  }

  /// Runs the migration of a file on a copy in memory, and reports what it would do. The file is read and not changed;
  /// it may be open.
  ///
  ///     let report = try Realm.rehearseMigration(configuration: configuration)
  ///     print(report)
  ///
  /// The configuration's `migrationBlock` runs as in a migration, so it must not have lasting effects elsewhere.
  ///
  /// - Parameter configuration: the options, as for the opening of the migrated file.
  /// - Returns: the report. An error of the block, and any other that the opening would throw because of the contents,
  ///   is in its `failure`.
  /// - Throws: `.fileNotFound`; `.fail` for an in-memory realm without a seed and for classes that are invalid; the
  ///   errors for files that cannot be read.
  /// - Complexity: linear in the file, and O(n log n) in the objects of classes with primary keys and unique indexes.
  public static func rehearseMigration(configuration: Configuration = .defaultConfiguration) throws -> MigrationReport {
    guard let url = configuration.fileURL ?? configuration.seedFilePath else {
      throw Realm.Error(
        .fail, "An in-memory realm without a seedFilePath is never migrated: rehearse the migration of a file.")
    }
    try RealmOpening.checkSchemas(configuration)
    let stored = try storedState(url, configuration, isSeed: configuration.fileURL == nil)
    return SchemaBringing(stored, to: try configuration.selection(), configuration, url: url).rehearse()
  }

  /// Compares the schema of a file with classes of the program. The file may be open.
  ///
  ///     let difference = try Realm.schemaDifference(fileURL: url, to: [Dog.self, Person.self])
  ///     print(difference)
  ///
  /// - Parameters:
  ///   - fileURL: the realm's file.
  ///   - objectTypes: the classes; nil for those of the default schema.
  ///   - cipher: the cipher of an encrypted file.
  /// - Returns: the differences.
  /// - Throws: `.fileNotFound`; `.fail` for classes that are invalid; the errors for files that cannot be read.
  /// - Complexity: linear in the file.
  public static func schemaDifference(
    fileURL: URL, to objectTypes: [ObjectBase.Type]? = nil, cipher: (any FileCipher)? = nil
  ) throws -> SchemaDifference {
    let selection = try objectTypes.map(ModelSelection.named) ?? ModelSelection.ofProgram()
    var configuration = Configuration(fileURL: fileURL)
    configuration.cipher = cipher
    let stored = try storedState(fileURL, configuration)
    return SchemaDifference(SchemaChange.all(selection.declarations, over: stored.graph))
  }

  /// Compares the schema of a file with one that was made at run time. The file may be open.
  ///
  ///     let difference = try Realm.schemaDifference(fileURL: url, to: schema)
  ///
  /// - Parameters:
  ///   - fileURL: the realm's file.
  ///   - schema: the schema.
  ///   - cipher: the cipher of an encrypted file.
  /// - Returns: the differences.
  /// - Throws: `.fileNotFound`; `.fail` for an invalid schema; the errors for files that cannot be read.
  /// - Complexity: linear in the file.
  public static func schemaDifference(
    fileURL: URL, to schema: DynamicSchema, cipher: (any FileCipher)? = nil
  ) throws -> SchemaDifference {
    let selection = try ModelSelection(schema)
    var configuration = Configuration(fileURL: fileURL)
    configuration.cipher = cipher
    let stored = try storedState(fileURL, configuration)
    return SchemaDifference(SchemaChange.all(selection.declarations, over: stored.graph))
  }

  private static func storedState(
    _ url: URL, _ configuration: Configuration, isSeed: Bool = false
  ) throws -> StoredState {
    let path = try RealmOpening.path(url)
    let read = try Realm.Error.translating {
      let key = try configuration.fileKey()
      // A seed may be plain, whatever the key of the realm, as for an opening. Other errors are met again below.
      if isSeed, key != nil, let plain = try? StoreFile.read(path, on: configuration.fileSystem) { return plain }
      return try StoreFile.read(path, key: key, on: configuration.fileSystem)
    }
    return StoredState(graph: read.graph, schemaVersion: read.userVersion, isNew: read.version == 0)
  }
}
