import Fief
import FiefCopying
import Foundation

/// `fief import`: makes a new file of a document, or of a file of Realm.
///
///     Dog
///       age   int?
///       name  string
///
///     5 objects
///       Dog: 5
enum ImportCommand {
  static let command = Command(
    "import", "DOCUMENT NEW", "a new file of a document (JSON, NDJSON, CSV) or of a file of Realm's own library",
    options: [
      .flag("--json", "DOCUMENT is JSON"), .flag("--ndjson", "DOCUMENT has a JSON object in each line"),
      .flag("--csv", "DOCUMENT has comma-separated values, or is a folder of such files"),
      .value("--class", "NAME", "the class of objects whose class the document does not say"),
      .value("--schema", "FILE", "the schema: JSON of 'fief schema --json', a document with one, or a realm's file"),
      .value("--key", "CLASS.PROPERTY", "the primary key of a class", isRepeatable: true),
      .value("--date", "CLASS.PROPERTY", "the property holds points in time", isRepeatable: true),
      .flag("--ignore-unknown", "skip names that the schema does not have"),
    ],
    details: """
      The format is told by the end of the name, if no option says it; '-' is standard input. A
      document is an object with an array of objects for each class, as 'fief export' writes it, or
      one object, or an array of objects of one class.

      Without a schema one is made and printed. Nested objects become embedded objects, or links if
      their class stands at the top of the document or has a key: 'home' holds a Home, and the
      elements of 'dogs' are of the class Dog. What is null or missing somewhere is optional. Dates
      are found by their form, '2024-02-29T12:00:00Z'; with '--date' days and numbers of seconds or
      milliseconds since 1970 are dates, too.

        fief import orders.json orders.realm --key Order.id --key Customer.id --date Order.placed
      """
  ) { arguments, terminal in
    let (document, new) = (arguments.operands[0], arguments.operands[1])
    let chosen = try DocumentFormat(arguments)
    if chosen == nil, document != "-", StoredFile(document).isOfRealm {
      if let option = ["--class", "--schema", "--key", "--date", "--ignore-unknown"].first(where: arguments.has) {
        throw UsageError("A file of Realm has a schema of its own: the option '\(option)' is for documents.")
      }
      return try RealmFileImporting.run(from: document, to: new, terminal)
    }
    if document != "-", !FileManager.default.fileExists(atPath: document) {
      throw Failure("There is no file \(document.printable).", .noFile)
    }
    guard let format = chosen ?? DocumentFormat(ofFile: document) else {
      // By its name it is a file of Realm, and what cannot be read in it is said.
      if document.lowercased().hasSuffix(".realm"), DocumentFile.isFile(document) {
        return try RealmFileImporting.run(from: document, to: new, terminal)
      }
      let name = document == "-" ? "standard input" : document.printable
      throw UsageError("The format of \(name) is not known: give '--json', '--ndjson' or '--csv'.")
    }
    if FileManager.default.fileExists(atPath: new) {
      throw Failure("The file \(new.printable) exists already: give the name of a new one.", .unreadable)
    }
    let keys = try places("--key", arguments)
    for key in keys {
      guard let other = keys.first(where: { $0.className == key.className && $0 != key }) else { continue }
      throw UsageError(
        "'\(key.className.printable)' can have one primary key, and '--key' gives it '\(key.property.printable)' and "
          + "'\(other.property.printable)'.")
    }
    let dates = try places("--date", arguments)
    let given = try arguments["--schema"].map { try SchemaDocument.schema(ofFile: $0) }
    if given != nil, !keys.isEmpty || !dates.isEmpty {
      throw UsageError("A schema has keys and dates of its own: '--schema' excludes '--key' and '--date'.")
    }
    let name = arguments["--class"] ?? (document == "-" ? "Object" : className(of: document))
    let realm = try Progress.show("Importing \(document)") { progress in
      let source = try ImportSource(document, format, className: name, given: given)
      return try run(
        source, keys: keys, dates: dates, ignoresUnknownNames: arguments.has("--ignore-unknown"), new, progress)
    }
    let counts = realm.schema.objectSchema.filter { !$0.isEmbedded }.map(\.className).sorted().map {
      ($0, realm.dynamicObjects($0).count)
    }
    terminal.say(FileSchema.text(realm.schema))
    terminal.say("\n\(counts.reduce(0) { $0 + $1.1 }.of("object"))")
    for (name, count) in counts { terminal.say("  \(name.printable): \(count)") }
    return .done
  }

  private static func places(_ option: String, _ arguments: Arguments) throws -> [SchemaInference.Place] {
    try arguments.all(option).map { text in
      guard let place = SchemaInference.Place(text) else {
        throw UsageError("The option '\(option)' takes CLASS.PROPERTY, and not '\(text.printable)'.")
      }
      return place
    }
  }

  /// The class of a file: `dogs.json` has objects of the class `Dogs`.
  private static func className(of file: String) -> String {
    let name = TableFile.className(ofFile: file)
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  /// Writes the new file.
  ///
  /// - Returns: the objects.
  private static func run(
    _ source: ImportSource, keys: [SchemaInference.Place], dates: [SchemaInference.Place], ignoresUnknownNames: Bool,
    _ new: String, _ progress: Progress
  ) throws -> Realm {
    var (tree, json) = (source.tree, source.json)
    let schema: DynamicSchema
    if let known = source.schema {
      schema = known
    } else {
      schema = try SchemaInference.schema(of: tree, keys: keys, dates: dates, progress)
      tree = DocumentDates.normalized(tree, schema, progress)
      json = nil
    }
    var configuration = Realm.Configuration.inMemory()
    configuration.dynamicSchema = schema
    do {
      let realm = try Realm(configuration: configuration)
      try realm.seed(tree, json: json, ignoringUnknownNames: ignoresUnknownNames)
      try realm.writeCopy(toFile: URL(fileURLWithPath: new))
      return realm
    } catch let error as Realm.Error where error.code == .invalidValue {
      throw Failure(error.localizedDescription.printable, .badData)
    }
  }
}
