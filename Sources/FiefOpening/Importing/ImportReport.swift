import FiefGraph
import FiefObjects
import FiefRealmFiles
import Foundation

/// What `Realm.importRealmFile` has copied out of a file of Realm, and what it has left out.
///
///     let report = try Realm.importRealmFile(from: old, to: new)
///     for line in report.classes { print(line.name, line.objects) }
///     if !report.isComplete { print(report.leftOut) }
public struct ImportReport: Sendable, CustomStringConvertible {
  /// One class of the file.
  ///
  ///     for line in report.classes where line.objects == 0 { print(line.name, "is empty") }
  public struct ImportedClass: Sendable, Hashable {
    /// The name of the class.
    public let name: String
    /// How many objects of it were copied.
    public let objects: Int
  }

  /// The classes, in the order of the file.
  ///
  ///     for line in report.classes { print(line.name, line.objects) }
  public let classes: [ImportedClass]
  /// How many objects were copied. Lists and dictionaries inside any-values are not counted.
  public var objects: Int { classes.reduce(0) { $0 + $1.objects } }
  /// How many links were copied: one for each link property that is set, and one for each link in a collection.
  ///
  ///     print("\(report.objects) objects, \(report.links) links")
  public let links: Int
  /// The version that the application gave to the schema of the file.
  ///
  ///     configuration.schemaVersion = max(configuration.schemaVersion, report.schemaVersion)
  public let schemaVersion: UInt64
  /// The version of Realm's file format.
  public let fileFormat: Int
  /// The parts that were left out or repaired, or cannot be read here, and why: a sentence each.
  ///
  ///     for line in report.leftOut { print(line) }
  public let leftOut: [String]
  /// How long the import took.
  public let duration: Duration

  /// Whether everything can be read here as it was there: `leftOut` is empty.
  ///
  ///     if report.isComplete { try FileManager.default.removeItem(at: old) }
  public var isComplete: Bool { leftOut.isEmpty }

  /// The report as text, a line for each class.
  ///
  ///     print(report)
  public var description: String {
    let counts = classes.map { "  \($0.name): \($0.objects)" }
    return (["\(objects) objects, \(links) links"] + counts + leftOut.map { "  \($0)" }).joined(separator: "\n")
  }

  init(_ file: RealmFile, _ duration: Duration) {
    let report = file.report
    classes = report.tables.map { ImportedClass(name: $0.name, objects: $0.rows) }
    links = report.links
    schemaVersion = file.schemaVersion
    fileFormat = report.format
    leftOut = Self.leftOut(report)
    self.duration = duration
  }

  private static func leftOut(_ report: RealmFileReport) -> [String] {
    // The names are not checked: a line break in one would begin a line of its own.
    var lines = report.otherTables.map {
      "The table '\(SchemaNames.printed($0))' is not one of the application, and was left out."
    }
    func say(_ count: Int, one: String, many: String) {
      if count > 0 { lines.append(count == 1 ? "1 \(one)" : "\(count) \(many)") }
    }
    for table in report.tables where table.isAsymmetric && table.rows > 0 {
      say(
        table.rows,
        one: "object of the asymmetric '\(table.name)' was not uploaded. It is kept, but no class reads it.",
        many: "objects of the asymmetric '\(table.name)' were not uploaded. They are kept, but no class reads them.")
    }
    say(
      report.unresolvedLinks, one: "link leads to an object that is not in the file, and is null or left out.",
      many: "links lead to objects that are not in the file, and are null or left out.")
    say(
      report.tombstones, one: "placeholder of an object that is not in the file was left out.",
      many: "placeholders of objects that are not in the file were left out.")
    say(
      report.mergedElements, one: "element of a set equals another one here, and was left out.",
      many: "elements of sets equal others here, and were left out.")
    say(
      report.repairedTexts, one: "string was not UTF-8, and was repaired.",
      many: "strings were not UTF-8, and were repaired.")
    say(
      report.disagreeingBacklinks,
      one: "property has backlinks in the file that differ from its links. The links count.",
      many: "properties have backlinks in the file that differ from their links. The links count.")
    return lines
  }
}

extension Realm.Error {
  /// Converts a refusal of a file of Realm.
  init(_ error: RealmFileError, file: URL) {
    let code: Code =
      switch error.code {
      case .notRealm, .encrypted, .unsupported: .invalidDatabase
      case .format: .unsupportedFileFormatVersion
      case .damaged: .damaged
      }
    self.init(code, "\(file.path): \(error.message) It was not changed.", file: file)
  }
}
