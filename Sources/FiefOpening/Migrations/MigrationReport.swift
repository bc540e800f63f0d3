import FiefGraph
import FiefObjects

/// The effects that a migration would have on a file, found out on a copy in memory.
///
///     let report = try Realm.rehearseMigration(configuration: configuration)
///     print(report)
///     #expect(report.failure == nil && report.losses.isEmpty)
public struct MigrationReport: Sendable, CustomStringConvertible {
  /// The objects of one class.
  ///
  ///     for line in report.classes where line.deletedCount > 0 { print(line.className, line.deletedCount) }
  public struct ClassReport: Sendable, Hashable {
    /// The stored name of the class after the migration, or before it if the class is removed.
    public let className: String
    /// How many objects the file has.
    public let storedCount: Int
    /// How many old objects `enumerateObjects` has visited.
    public let readCount: Int
    /// How many objects were made, copies for their owners included.
    public let createdCount: Int
    /// How many objects stay, with other values or with new properties that are set.
    public let changedCount: Int
    /// How many objects were deleted.
    public let deletedCount: Int
    /// How many of the created objects are copies, as objects with several owners became embedded.
    public let copiedCount: Int
  }

  /// Values of one property that the migration does not carry over as they are.
  ///
  ///     for loss in report.losses { print(loss.className, loss.propertyName, loss.count, "such as", loss.example) }
  public struct Loss: Sendable, Hashable {
    /// What becomes of the values.
    ///
    ///     let rounded = report.losses.filter { $0.kind == .rounded }
    public enum Kind: Sendable, Hashable {
      /// The property is removed, and was not renamed.
      case removed
      /// The property holds another type, and is zero, null or empty now, or has fewer elements.
      case lost
      /// The property holds another type, and the nearest number now.
      case rounded
    }

    /// The stored name of the class.
    public let className: String
    /// The stored name of the property.
    public let propertyName: String
    /// What becomes of the values.
    public let kind: Kind
    /// How many objects are concerned.
    public let count: Int
    /// The first such value, as text of at most 64 characters.
    public let example: String
  }

  /// The value of a new property whose type has none for zero: a required enum without such a case, or a custom type.
  ///
  ///     for new in report.defaults { print("\(new.className).\(new.propertyName) begins with \(new.value)") }
  public struct Default: Sendable, Hashable {
    /// The stored name of the class.
    public let className: String
    /// The stored name of the property.
    public let propertyName: String
    /// The stored form of the declared default, or of the first case, as text.
    public let value: String
    /// How many objects begin with it. A block may set other values.
    public let count: Int
  }

  /// A value that several objects have where each value is allowed once.
  ///
  ///     for key in report.duplicates { print("\(key.className) has \(key.values) \(key.count) times") }
  public struct Duplicate: Sendable, Hashable {
    /// The stored name of the class.
    public let className: String
    /// The stored names of the properties: the primary key, or those of a unique index.
    public let propertyNames: [String]
    /// The values, as text.
    public let values: String
    /// How many objects have it.
    public let count: Int
  }

  /// The schema version of the file.
  public let storedVersion: UInt64
  /// The schema version of the configuration.
  ///
  ///     print("from version \(report.storedVersion) to \(report.schemaVersion)")
  public let schemaVersion: UInt64
  /// The difference between the schemas.
  ///
  ///     if !report.difference.needsMigration { print("There is nothing to migrate.") }
  public let difference: SchemaDifference
  /// The classes with objects before or after the migration, in the order of their names. Empty when it fails before
  /// the block has ended.
  ///
  ///     let made = report.classes.reduce(0) { $0 + $1.createdCount }
  public let classes: [ClassReport]
  /// The values that are not carried over, in the order of classes and properties. Deleted objects are not counted.
  /// When the migration fails, those of the contents that it has reached: a property that a block was yet to rename
  /// counts as removed. Empty when it fails before the block has begun.
  ///
  ///     #expect(report.losses.allSatisfy { $0.kind == .rounded })
  public let losses: [Loss]
  /// The properties that begin with their declared default, because their type has no value for zero.
  ///
  ///     for new in report.defaults { print(new.className, new.propertyName, new.value, new.count) }
  public let defaults: [Default]
  /// The values that repeat in primary keys and unique indexes. With any, the migration fails.
  ///
  ///     #expect(report.duplicates.isEmpty)
  public let duplicates: [Duplicate]
  /// The error that the opening would throw; nil when it would succeed.
  ///
  ///     if let failure = report.failure { print("The file would not open: \(failure)") }
  public let failure: (any Error)?
  /// How long it took, without reading the file and without writing.
  ///
  ///     print(report.duration)
  public let duration: Duration

  /// The report as text.
  ///
  ///     print(report)
  public var description: String {
    var lines = ["Migration from schema version \(storedVersion) to \(schemaVersion), rehearsed in \(duration):"]
    if let failure { lines.append("It would fail: \(failure)") }
    lines.append("Schema:")
    lines += "\(difference)".split(separator: "\n").map { "  \($0)" }
    if !classes.isEmpty { lines.append("Objects:") }
    for report in classes {
      lines.append(
        "  \(report.className): \(report.storedCount) stored, \(report.readCount) read, \(report.createdCount) created "
          + "(\(report.copiedCount) copies), \(report.changedCount) changed, \(report.deletedCount) deleted")
    }
    if !losses.isEmpty { lines.append("Values that are not carried over:") }
    for loss in losses {
      let what =
        switch loss.kind {
        case .removed: "removed"
        case .lost: "lost"
        case .rounded: "rounded"
        }
      lines.append("  \(loss.className).\(loss.propertyName): \(loss.count) \(what), such as \(loss.example)")
    }
    if !defaults.isEmpty { lines.append("Properties that begin with their default:") }
    for beginning in defaults {
      lines.append(
        "  \(beginning.className).\(beginning.propertyName): \(beginning.value) in \(beginning.count) objects")
    }
    if !duplicates.isEmpty { lines.append("Values that repeat:") }
    for duplicate in duplicates {
      lines.append(
        "  \(duplicate.className).\(duplicate.propertyNames.joined(separator: ", ")): \(duplicate.values) in "
          + "\(duplicate.count) objects")
    }
    return lines.joined(separator: "\n")
  }
}

extension MigrationReport.Duplicate {
  init(_ repetition: Graph.Repetition) {
    className = repetition.className
    propertyNames = repetition.columns
    values = repetition.values.map { "\($0)".prefix(64) }.joined(separator: ", ")
    count = repetition.count
  }
}
