import FiefGraph

/// The contents of a file of Realm, as a graph.
///
///     let file = try RealmFile(bytes)
///     print(file.graph.allTables.map(\.schema.name), file.report.rows)
///
/// Only the newest version in the file is read. Every byte of it is checked: no contents of a file can cause anything
/// worse than an error.
package struct RealmFile: Sendable {
  /// The objects.
  package let graph: Graph
  /// The version that the application gave to its schema; 0 if it gave none.
  package let schemaVersion: UInt64
  /// The parts that were read, and those that were left out.
  package let report: RealmFileReport

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - progress: called now and then with the part of the objects that was read, 0 to 1. It may throw, which ends the
  ///     reading.
  /// - Throws: `RealmFileError`, and what `progress` throws.
  /// - Complexity: linear in the file, and O(n log n) in the elements of sets and dictionaries.
  package init(_ bytes: consuming ContiguousArray<UInt8>, progress: (Double) throws -> Void = { _ in }) throws {
    (graph, schemaVersion, report) = try RealmFileReader(try FileBytes(bytes)).read(progress)
  }

  /// How many bytes at the beginning of a file show whether it is one of Realm, or looks like an encrypted one.
  package static let inspectedLength = 2 * FileHeader.encryptedPage

  /// The version of the file format, if a file with these first bytes is one of Realm that is not encrypted; else nil.
  package static func format(ofFirst bytes: [UInt8]) -> UInt8? {
    guard bytes.count >= FileHeader.byteCount, bytes[16..<20].elementsEqual("T-DB".utf8) else { return nil }
    return bytes[20 + Int(bytes[23] & 1)]
  }

  /// The error for a file of a version of the format that is not read; nil for the others, and for 0, which a file
  /// without tables has.
  package static func refusal(ofFormat format: UInt8) -> RealmFileError? {
    format == 0 ? nil : FileHeader.refusal(ofFormat: Int(format))
  }

  /// Whether a file of `size` bytes that begins with these looks like an encrypted file of Realm.
  package static func looksEncrypted(_ first: [UInt8], size: Int) -> Bool { FileHeader.isNoise(first, size: size) }

  /// Checks a file without reading it into a graph. A file is refused here exactly if it cannot be read, except for
  /// embedded objects that own each other in a circle: the graph finds them.
  ///
  /// - Parameter bytes: the whole file.
  /// - Returns: what is in the file.
  /// - Throws: `RealmFileError`.
  @discardableResult
  package static func check(_ bytes: consuming ContiguousArray<UInt8>) throws -> RealmFileReport {
    try RealmFileReader(try FileBytes(bytes)).check()
  }

  /// Reads a file only to see whether it is refused, for fuzzers: whatever the bytes are, this returns.
  ///
  /// - Returns: the faults of the graph, if the file was read; they are always empty.
  package static func examine(_ bytes: ContiguousArray<UInt8>) -> [String] {
    (try? RealmFile(bytes))?.graph.checkInvariants() ?? []
  }
}

/// The contents of a file of Realm, without its objects. It costs a look at the keys of the objects, not at their
/// values.
package struct RealmFileInfo: Sendable {
  /// One class of the application.
  package struct Table: Sendable {
    /// The name of the class.
    package let name: String
    /// How many objects the class has.
    package let rows: Int
    /// How many properties the class has.
    package let columns: Int
    /// Whether its objects belong to others.
    package let isEmbedded: Bool
  }

  /// The version of the file's format.
  package let format: Int
  /// The number of the newest commit in the file; 0 if it has none.
  package let version: UInt64
  /// The version that the application gave to its schema.
  package let schemaVersion: UInt64
  /// The classes, in the order of the file.
  package let tables: [Table]
  /// The names of tables that are not the application's.
  package let otherTables: [String]

  /// Reads what a file holds.
  ///
  /// - Parameter bytes: the whole file.
  /// - Throws: `RealmFileError`.
  package init(_ bytes: consuming ContiguousArray<UInt8>) throws {
    let file = try FileBytes(bytes)
    let contents = try FileContents(file)
    format = file.header.format
    version = contents.version
    schemaVersion = contents.schemaVersion
    otherTables = contents.otherTables
    tables = contents.tables.tables.map {
      Table(
        name: $0.file.className, rows: $0.rows.count, columns: $0.file.columns.count,
        isEmbedded: $0.file.kind == .embedded)
    }
  }
}
