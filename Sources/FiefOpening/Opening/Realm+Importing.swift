import FiefObjects
import Foundation

extension Realm {
  /// Copies the objects of a file that Realm's own library wrote into a new file of this library.
  ///
  ///     var configuration = Realm.Configuration(fileURL: new, schemaVersion: 3)
  ///     let report = try Realm.importRealmFile(from: old, to: new, configuration: configuration)
  ///     print(report)
  ///     let realm = try Realm(configuration: configuration)
  ///
  /// Files of the formats 10 to 24 can be imported: those of Realm Swift 10 and later, and of other libraries on the
  /// same core. Older ones are refused with the versions of Realm Swift that bring them to such a format. The newest
  /// version in the file is read, whether the file was compacted or not. Encrypted files are refused. The file is only
  /// read, never written to; it must not be open elsewhere.
  ///
  /// The classes are compared with those of the configuration, as when a file is opened. Properties that were added or
  /// removed need a `schemaVersion` above that of the file. They are added and removed when the new file is opened.
  ///
  /// - Parameters:
  ///   - source: the file of Realm.
  ///   - destination: the new file, which must not exist, in a folder that exists.
  ///   - configuration: its `objectTypes`, `schemaVersion`, `fileMode`, `cipher` and `encryptionKey` count.
  ///   - progress: called now and then, on this thread, with the part of the objects that was read, 0 to 1. An error
  ///     that it throws ends the import, and leaves no file.
  /// - Returns: what was copied, and what was left out and why.
  /// - Throws: `Realm.Error`, and then no file is left:
  ///   - `.fileNotFound` without a file, `.fileExists` when `destination` exists, errors of the system;
  ///   - `.alreadyOpen` when another program has the file open;
  ///   - `.invalidDatabase` for a file of another kind, for an encrypted one, and for one whose objects would take more
  ///     than 64 MiB and 64 times its size in memory;
  ///   - `.unsupportedFileFormatVersion` for a file of an older or a newer format;
  ///   - `.damaged` with the byte, class, property and object, as far as they are known;
  ///   - `.schemaMismatch` with all differences between the file's classes and the configuration's, and `.fail` for a
  ///     schema version below the file's.
  /// - Complexity: linear in the file; O(n log n) in primary keys that do not ascend, and in elements of sets and
  ///   dictionaries. The file and the objects are in memory at once. A file that is refused takes at most four times
  ///   its size and 8 MiB.
  @discardableResult
  public static func importRealmFile(
    from source: URL, to destination: URL, configuration: Configuration = .defaultConfiguration,
    progress: ((Double) throws -> Void)? = nil
  ) throws -> ImportReport {
    SchemaBuilding.refuseOpening()
    try RealmOpening.checkMode(configuration.fileMode)
    _ = try configuration.fileKey()
    return try RealmFileImport.run(
      from: RealmOpening.path(source), to: RealmOpening.path(destination), configuration
    ) { try progress?($0) }
  }
}
