import FiefObjects
import FiefSessions
import Foundation

extension Realm {
  /// Opens a file whose classes the program does not define.
  ///
  ///     let realm = try Realm(fileURL: url, dynamic: true)
  ///     for objectSchema in realm.schema.objectSchema {
  ///       for object in realm.dynamicObjects(objectSchema.className) { print(object) }
  ///     }
  ///     try realm.write {
  ///       realm.dynamicCreate("Dog", value: ["name": "Rex"])
  ///     }
  ///
  /// The file is taken as it is: its classes, its schema version. All objects are `DynamicObject`s, and properties have
  /// their stored names. Opening changes nothing. For a schema of its own, see `Configuration.dynamicSchema`.
  ///
  /// If the file is already open with classes of the program, the realm has these classes. While it is open without
  /// classes, opening it with classes throws `.fail`.
  ///
  /// - Parameters:
  ///   - fileURL: the file, which must exist.
  ///   - dynamic: whether the file is opened without classes; false is `init(fileURL:)`.
  ///   - readOnly: whether the realm is read-only; writing then traps.
  /// - Throws: `.fileNotFound` when there is no file; otherwise like `init(configuration:queue:)`.
  /// - Complexity: linear in the file.
  public init(fileURL: URL, dynamic: Bool, readOnly: Bool = false) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    configuration.readOnly = readOnly
    if dynamic {
      configuration.dynamicSchema = nil
      configuration.objectTypes = nil
      configuration.ingestHandler = nil
      configuration.deleteRealmIfMigrationNeeded = false
      configuration.seedFilePath = nil
      configuration.schemaVersion = try schemaVersionAtURL(fileURL)
      configuration.isDynamic = true
    }
    try self.init(configuration: configuration)
  }
}
