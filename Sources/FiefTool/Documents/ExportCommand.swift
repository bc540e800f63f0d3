import Fief
import FiefCopying
import FiefGraph
import Foundation

/// `fief export`: writes objects as a document, of which `fief import` makes an equal file.
struct ExportCommand {
  static let command = Command(
    "export", "FILE [CLASS…]", "objects as a document, which 'import' reads",
    options: [
      .flag("--json", "write one JSON object with an array for each class; this is the default"),
      .flag("--ndjson", "write a JSON object in each line, with its '$class'"),
      .flag("--csv", "write a file of comma-separated values for each class"),
      .value("--where", "PREDICATE", "write the objects of the one CLASS that meet a condition"),
      .value("-o", "PATH", "write to a file, with --csv to a folder; standard output otherwise"),
      .flag("--no-schema", "leave out the schema"), KeyFile.option,
    ],
    details: """
      Without CLASS all objects are written. The document has the schema of the file, and 'fief import'
      makes a file with equal contents of it. A link is the primary key of its target; objects without
      one have a number, as '$id' where they stand and as '$ref' where they are linked. Of classes that
      are not written, links by primary key stay, and links to objects without one are left out.

        fief export dogs.realm -o dogs.json
        fief export dogs.realm Dog --where "age > 2" --ndjson
        fief export dogs.realm --csv -o folder
      """
  ) { arguments, terminal in
    let format = try DocumentFormat(arguments) ?? .json
    let names = Array(arguments.operands.dropFirst())
    if arguments.has("--where"), names.count != 1 {
      throw UsageError("The option '--where' needs one CLASS, whose objects it tests.")
    }
    if format == .csv, arguments["-o"] == nil, names.count != 1 {
      throw UsageError("The option '--csv' makes a file for each class: give a folder with '-o', or one CLASS.")
    }
    let view = StoreView(try StoredFile(arguments).forReading())
    let export = try ExportCommand(
      file: arguments.operands[0], view: view, names: names, predicate: arguments["--where"],
      hasSchema: !arguments.has("--no-schema"))
    for table in view.tables where names.isEmpty && table.schema.kind == .asymmetric && table.count > 0 {
      let name = table.schema.name.printable
      terminal.complain("fief: \(table.count.of("object")) of '\(name)' left out: no class reads asymmetric objects.")
    }
    switch (format, arguments["-o"]) {
    case (.csv, let folder?) where folder != "-": try export.writeTables(to: folder)
    case (.csv, _): try export.showing { try export.write(export.tables[0], $0) { try terminal.write($0) } }
    case (_, let file?) where file != "-":
      try DocumentFile.write(file, readFrom: export.file) { try export.write(format, to: $0) }
    default: try export.write(format) { try terminal.write($0) }
    }
    return .done
  }

  /// The file, for the line of progress.
  private let file: String
  private let view: StoreView
  /// The classes whose objects stand alone, by name.
  private let tables: [Table]
  /// The rows that meet the condition; nil for all.
  private let rows: Set<ObjectKey>?
  private let documents: RowDocuments
  private let hasSchema: Bool

  private init(file: String, view: StoreView, names: [String], predicate: String?, hasSchema: Bool) throws {
    self.file = file
    self.view = view
    self.hasSchema = hasSchema
    if names.isEmpty {
      tables = view.tables.filter { $0.schema.kind == .ordinary }
    } else {
      var chosen: [TableKey: Table] = [:]
      for name in names {
        let table = try view.table(named: name)
        guard table.schema.kind == .ordinary else {
          let reason =
            table.schema.kind == .embedded
            ? "do not stand alone: they are written with their owners"
            : "are asymmetric: they were documents for a server, and no class reads them"
          throw Failure("Objects of '\(name.printable)' \(reason).", .usage)
        }
        chosen[table.schema.key] = table
      }
      tables = view.tables.filter { chosen[$0.schema.key] != nil }
    }
    let rows = try predicate.map { [tables] in Set(try view.rows(of: tables[0], $0)) }
    self.rows = rows
    let written = Set(tables.map(\.schema.key))
    documents = RowDocuments(view.graph) { written.contains($0.table) && (rows?.contains($0.key) ?? true) }
  }

  /// Calls a function with each object of a class.
  private func forEach(_ table: Table, _ progress: Progress, _ body: (ObjectLink) throws -> Void) throws {
    var keys: [ObjectKey] = []
    table.forEachRow(from: ObjectKey(0)) { key, _, _ in
      if rows?.contains(key) ?? true { keys.append(key) }
      return true
    }
    for key in keys {
      try body(ObjectLink(table.schema.key, key))
      progress.advance()
    }
  }

  private func showing(_ body: (Progress) throws -> Void) throws {
    let count = rows?.count ?? tables.reduce(0) { $0 + $1.count }
    try Progress.show("Exporting \(file)", of: count, body: body)
  }

  private var schema: JSON { SchemaDocument.json(of: DynamicSchema(view.graph)) }

  // MARK: JSON

  private func write(_ format: DocumentFormat, to write: (Data) throws -> Void) throws {
    try showing { progress in
      if format == .json { try writeDocument(progress, write) } else { try writeLines(progress, write) }
    }
  }

  private func writeDocument(_ progress: Progress, _ write: (Data) throws -> Void) throws {
    var text = StoreDocumentText()
    if hasSchema { text.add("$schema", schema.tree) }
    for table in tables {
      text.beginClass(table.schema.name)
      try forEach(table, progress) { link in
        text.add(documents.tree(of: link))
        if text.data.count > 1 << 16 { try write(JSONOutput.harmless(text.take())) }
      }
      text.endClass()
    }
    text.end()
    try write(JSONOutput.harmless(text.take()))
  }

  private func writeLines(_ progress: Progress, _ write: (Data) throws -> Void) throws {
    if hasSchema { try write(Data((JSON.object([("$schema", schema)]).line + "\n").utf8)) }
    for table in tables {
      try forEach(table, progress) { link in
        try write(Data((JSONOutput.text(documents.tree(of: link, showsClass: true)) + "\n").utf8))
      }
    }
  }

  // MARK: Tables

  /// Writes a folder with a file for each class, and the schema.
  private func writeTables(to folder: String) throws {
    let url = URL(fileURLWithPath: folder)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw Failure("The folder \(folder.printable) cannot be made: \(error.localizedDescription)", .unreadable)
    }
    try showing { progress in
      for (table, name) in zip(tables, TableFile.fileNames(ofClasses: tables.map(\.schema.name))) {
        let path = url.appendingPathComponent(name).path
        try DocumentFile.write(path, readFrom: file) { try write(table, progress, $0) }
      }
    }
    guard hasSchema else { return }
    try DocumentFile.write(url.appendingPathComponent(TableFile.schemaName).path, readFrom: file) { write in
      try write(Data((schema.line + "\n").utf8))
    }
  }

  private func write(_ table: Table, _ progress: Progress, _ write: (Data) throws -> Void) throws {
    let schema = table.schema
    let columns = schema.keyFirst.map { (leaf: schema.leaf(of: $0.key) ?? 0, type: $0.type, name: $0.name) }
    // A line with one empty field would be an empty line.
    let numbers = schema.primaryKey == nil || columns.count == 1
    try write(Data((CSVOutput.line((numbers ? ["$id"] : []) + columns.map(\.name)) + "\n").utf8))
    try forEach(table, progress) { link in
      let fields = columns.map { leaf, type, _ in
        TableFile.field(of: link.key, in: table, leaf: leaf, type, documents)
      }
      try write(Data((CSVOutput.line((numbers ? ["\(link.key.rawValue)"] : []) + fields) + "\n").utf8))
    }
  }
}
