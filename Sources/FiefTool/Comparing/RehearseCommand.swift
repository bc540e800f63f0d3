import Fief
import FiefCopying
import FiefGraph
import Foundation

/// `fief rehearse`: says what a migration to other classes would do to a file. The file does not change.
enum RehearseCommand {
  static let command = Command(
    "rehearse", "FILE", "what a migration to other classes would do to a file",
    options: [
      .value("--schema", "NEW", "the new classes: a realm's file, or JSON of 'fief schema --json'"),
      .flag("--json", "print JSON"), KeyFile.option,
    ],
    details: """
      The classes of NEW take the place of those of FILE, as when a program with these classes and a
      higher schema version opened it. What a migration block would do is not known. The exit code is 65
      if the migration would fail.
      """
  ) { arguments, terminal in
    let file = arguments.operands[0]
    guard let new = arguments["--schema"] else {
      throw UsageError("'rehearse' needs the new classes: --schema NEW.")
    }
    let schema = try SchemaDocument.schema(ofFile: new)
    if RealmFileInspecting.isOfRealm(file) {
      throw Failure("\(file.printable) is a file of Realm: import it, and rehearse with the new file.", .unsound)
    }
    let (url, key) = (URL(fileURLWithPath: file), try KeyFile.key(arguments))
    let report: MigrationReport
    do {
      report = try Progress.show("Rehearsing \(file)") { progress in
        let version = try schemaVersionAtURL(url, encryptionKey: key)
        var configuration = Realm.Configuration(fileURL: url, encryptionKey: key, schemaVersion: version + 1)
        configuration.dynamicSchema = schema
        configuration.migrationProgress = { progress.begin("\($0.phase)", of: $0.totalCount) }
        return try Realm.rehearseMigration(configuration: configuration)
      }
    } catch {
      throw KeyFile.failure(describing: error, file: file, key: key)
    }
    if arguments.has("--json") {
      terminal.say(JSONOutput.text(document(report)))
    } else {
      terminal.say(report.description.printable(keepingLines: true))
    }
    return report.failure == nil ? .done : .badData
  }

  private static func document(_ report: MigrationReport) -> DocumentTree {
    var builder = DocumentBuilder()
    func strings(_ members: [(String, String)], _ numbers: [(String, Int)]) {
      builder.beginObject()
      for (name, text) in members {
        builder.name(name)
        builder.add(.string(text))
      }
      for (name, number) in numbers {
        builder.name(name)
        builder.add(.int(Int64(number)))
      }
      _ = builder.endObject()
    }
    builder.beginObject()
    builder.name("changes")
    builder.beginArray()
    for change in report.difference.changes {
      builder.beginObject()
      builder.name("class")
      builder.add(.string(change.className))
      builder.name("description")
      builder.add(.string(change.description))
      builder.name("needsMigration")
      builder.add(.bool(change.needsMigration))
      builder.name("property")
      builder.add(change.propertyName.map { .string($0) } ?? .null)
      _ = builder.endObject()
    }
    builder.endArray()
    builder.name("classes")
    builder.beginArray()
    for line in report.classes {
      strings(
        [("name", line.className)],
        [
          ("changed", line.changedCount), ("copied", line.copiedCount), ("created", line.createdCount),
          ("deleted", line.deletedCount), ("stored", line.storedCount),
        ])
    }
    builder.endArray()
    builder.name("defaults")
    builder.beginArray()
    for value in report.defaults {
      strings(
        [("class", value.className), ("property", value.propertyName), ("value", value.value)],
        [("count", value.count)])
    }
    builder.endArray()
    builder.name("duplicates")
    builder.beginArray()
    for value in report.duplicates {
      strings(
        [
          ("class", value.className), ("properties", value.propertyNames.joined(separator: ", ")),
          ("values", value.values),
        ], [("count", value.count)])
    }
    builder.endArray()
    builder.name("failure")
    builder.add(report.failure.map { .string(Failure(describing: $0).message) } ?? .null)
    builder.name("losses")
    builder.beginArray()
    for loss in report.losses {
      strings(
        [
          ("class", loss.className), ("example", loss.example), ("kind", "\(loss.kind)"),
          ("property", loss.propertyName),
        ], [("count", loss.count)])
    }
    builder.endArray()
    builder.name("schemaVersion")
    builder.add(.int(Int64(clamping: report.schemaVersion)))
    builder.name("storedVersion")
    builder.add(.int(Int64(clamping: report.storedVersion)))
    _ = builder.endObject()
    return builder.finish()
  }
}
