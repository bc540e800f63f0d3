import Fief
import FiefRealmFiles
import Foundation

/// `fief import`: copies the objects of a file of Realm into a new file. It needs no classes.
///
///     122 objects, 150 links
///       Dog: 30
///       Person: 10
enum RealmFileImporting {
  static func run(from source: String, to destination: String, _ terminal: Terminal) throws -> ExitCode {
    do {
      // Without classes nothing is compared but the version of the schema, which stays that of the file.
      let info = try RealmFileInfo(RealmFileInspecting.bytes(of: source))
      let configuration = Realm.Configuration(schemaVersion: info.schemaVersion, objectTypes: [])
      let report = try Progress.show("Importing \(source)", of: 100, "percent") { progress in
        try Realm.importRealmFile(
          from: URL(fileURLWithPath: source), to: URL(fileURLWithPath: destination), configuration: configuration
        ) { progress.reach(percent: $0) }
      }
      // The names of tables are not checked: a line break in one would begin a line of the report.
      let lines = report.classes.map { "\($0.name): \($0.objects)" } + report.leftOut
      terminal.say("\(report.objects) objects, \(report.links) links")
      for line in lines { terminal.say("  \(line.printable)") }
      return .done
    } catch {
      throw Failure(describing: error, file: source)
    }
  }
}

/// `fief info` for a file of Realm: its format and version, and its classes.
///
///     old.realm
///       kind             a file of Realm, format 24
///       version          3
///       schema version   3
///       size             65536 bytes
///       objects          122
///
///       Dog              30
///       Person           10
enum RealmFileInspecting {
  /// Prints the contents of a file of Realm.
  static func show(_ file: String, asJSON: Bool, _ terminal: Terminal) throws {
    do {
      let bytes = try bytes(of: file)
      let size = bytes.count
      let info = try RealmFileInfo(bytes)
      terminal.say(asJSON ? json(info, size).page : text(info, file: file, size: size))
    } catch {
      throw Failure(describing: error, file: file)
    }
  }

  /// Whether a file is one of Realm, or looks like an encrypted one. Of a pipe nothing is read.
  static func isOfRealm(_ file: String) -> Bool {
    guard DocumentFile.isFile(file), let handle = FileHandle(forReadingAtPath: file),
      let first = try? handle.read(upToCount: RealmFile.inspectedLength), let size = try? handle.seekToEnd()
    else { return false }
    return RealmFile.format(ofFirst: Array(first)) != nil || RealmFile.looksEncrypted(Array(first), size: Int(size))
  }

  static func bytes(of file: String) throws -> ContiguousArray<UInt8> {
    ContiguousArray(try Data(contentsOf: URL(fileURLWithPath: file)))
  }

  // MARK: For people

  private static func text(_ info: RealmFileInfo, file: String, size: Int) -> String {
    var facts = [
      ("kind", "a file of Realm, format \(info.format)"),
      ("version", "\(info.version)"),
      ("schema version", "\(info.schemaVersion)"),
      ("size", "\(size) bytes"),
      ("objects", "\(info.tables.reduce(0) { $0 + $1.rows })"),
    ]
    if !info.otherTables.isEmpty {
      facts.append(("other tables", info.otherTables.map(\.printable).joined(separator: ", ")))
    }
    return FactsPage.text(file, facts, classes: info.tables.map { ($0.name, $0.rows) })
  }

  // MARK: For programs

  /// The names are a stable interface for programs that read the output.
  private static func json(_ info: RealmFileInfo, _ size: Int) -> JSON {
    [
      "kind": .text("realm"), "format": .number(info.format), "version": .number(info.version),
      "schemaVersion": .number(info.schemaVersion), "bytes": .number(size),
      "classes": .counts(info.tables.lazy.map { ($0.name, $0.rows) }), "otherTables": .texts(info.otherTables),
    ]
  }
}
