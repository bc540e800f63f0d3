import FiefObjects
import FiefSessions

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
    if let url = configuration.fileURL, StoreRegistry.present(RealmOpening.identity(ofFile: url)) != nil {
      throw Realm.Error(
        .alreadyOpen, "The realm is open already, and was migrated then: call performMigration before.", file: url)
    }
    _ = try RealmOpening.store(configuration)
  }
}
