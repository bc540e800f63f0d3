import Fief

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
    guard let new = arguments["--schema"] else {
      throw UsageError("'rehearse' needs the new classes: --schema NEW.")
    }
    let schema = try SchemaDocument.schema(ofFile: new)
    let file = try StoredFile(arguments)
    try file.refuseOfRealm(": import it, and rehearse with the new file.")
    let report = try file.use("Rehearsing") { progress, _ in
      let version = try schemaVersionAtURL(file.url, encryptionKey: file.key)
      guard version < .max - 1 else {
        throw Failure("\(file.name.printable) has the last schema version that there is: \(version).", .badData)
      }
      var configuration = Realm.Configuration(fileURL: file.url, encryptionKey: file.key, schemaVersion: version + 1)
      configuration.dynamicSchema = schema
      configuration.migrationProgress = { progress.begin("\($0.phase)", of: $0.totalCount) }
      return try Realm.rehearseMigration(configuration: configuration)
    }
    terminal.say(arguments.has("--json") ? json(report).line : report.description)
    return report.failure == nil ? .done : .badData
  }

  private static func json(_ report: MigrationReport) -> JSON {
    [
      "changes": .array(
        report.difference.changes.map {
          [
            "class": .text($0.className), "description": .text($0.description),
            "needsMigration": .flag($0.needsMigration), "property": .text($0.propertyName),
          ]
        }),
      "classes": .array(
        report.classes.map {
          [
            "name": .text($0.className), "changed": .number($0.changedCount), "copied": .number($0.copiedCount),
            "created": .number($0.createdCount), "deleted": .number($0.deletedCount), "stored": .number($0.storedCount),
          ]
        }),
      "defaults": .array(
        report.defaults.map {
          [
            "class": .text($0.className), "property": .text($0.propertyName), "value": .text($0.value),
            "count": .number($0.count),
          ]
        }),
      "duplicates": .array(
        report.duplicates.map {
          [
            "class": .text($0.className), "properties": .text($0.propertyNames.joined(separator: ", ")),
            "values": .text($0.values), "count": .number($0.count),
          ]
        }),
      "failure": .text(report.failure.map { Failure(describing: $0).message }),
      "losses": .array(
        report.losses.map {
          [
            "class": .text($0.className), "example": .text($0.example), "kind": .text("\($0.kind)"),
            "property": .text($0.propertyName), "count": .number($0.count),
          ]
        }),
      "schemaVersion": .number(report.schemaVersion), "storedVersion": .number(report.storedVersion),
    ]
  }
}
