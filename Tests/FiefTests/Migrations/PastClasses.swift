import FiefTestSupport
import Foundation
import RealmSwift

/// The base of classes that several versions of an application declare under one name. Tests list the ones they use.
class PastClass: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The base of embedded classes of this kind.
class PastPart: EmbeddedObject {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A file whose schema changes, in a folder of its own.
struct Changing {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var url: URL { folder.url.appendingPathComponent("changing.realm") }

  func configuration(
    _ types: [ObjectBase.Type], _ version: UInt64 = 0, _ block: MigrationBlock? = nil
  ) -> Realm.Configuration {
    Realm.Configuration(fileURL: url, schemaVersion: version, migrationBlock: block, objectTypes: types)
  }

  func open(_ types: [ObjectBase.Type], _ version: UInt64 = 0, _ block: MigrationBlock? = nil) throws -> Realm {
    try Realm(configuration: configuration(types, version, block))
  }

  /// Writes the first version of the file.
  func make(_ types: [ObjectBase.Type], _ write: (Realm) -> Void) throws {
    let realm = try open(types)
    try realm.write { write(realm) }
  }

  /// The error of an opening; nil when it succeeds.
  func error(_ types: [ObjectBase.Type], _ version: UInt64, _ block: MigrationBlock? = nil) -> Realm.Error? {
    do {
      _ = try open(types, version, block)
      return nil
    } catch { return error as? Realm.Error }
  }

  /// The bytes of the files.
  func bytes() throws -> [Data] {
    try ["", ".journal"].map { try Data(contentsOf: URL(fileURLWithPath: url.path + $0)) }
  }

  /// Opens the file again, so that what was written is read, and checks its objects and links.
  func problems() throws -> [String] { try Realm.verify(fileURL: url).problems }

  func storedVersion() throws -> UInt64 { try schemaVersionAtURL(url) }
}

/// Notes what blocks of the library are called with.
final class Noted<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var list: [Value] = []

  var values: [Value] { lock.withLock { list } }

  func note(_ value: Value) { lock.withLock { list.append(value) } }
}
