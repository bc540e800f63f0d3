import FiefGraph
import FiefObjects

/// The difference between the schema of a file and the classes of a program.
///
///     let difference = try Realm.schemaDifference(fileURL: url, to: [Dog.self, Person.self])
///     if difference.needsMigration { print(difference) }
public struct SchemaDifference: Sendable, Equatable, CustomStringConvertible {
  /// One difference.
  ///
  ///     for change in difference.changes where change.propertyName == nil { print(change.className, change) }
  public struct Change: Sendable, Hashable, CustomStringConvertible {
    /// The stored name of the class.
    public let className: String
    /// The name of the property; nil when the difference concerns the class.
    public let propertyName: String?
    /// Whether the file must be migrated: opening it with an equal `schemaVersion` is refused.
    public let needsMigration: Bool
    /// The difference as a sentence.
    public let description: String
  }

  /// The differences: first those that need a migration.
  ///
  ///     for change in difference.changes where change.needsMigration { print(change) }
  public let changes: [Change]

  init(_ changes: [SchemaChange]) {
    self.changes = changes.map {
      Change(
        className: $0.className, propertyName: $0.property, needsMigration: $0.needsMigration,
        description: $0.sentence)
    }
  }

  /// Whether the schemas are equal.
  ///
  ///     #expect(difference.isEmpty, "\(difference)")
  public var isEmpty: Bool { changes.isEmpty }

  /// Whether the file can be opened with a higher `schemaVersion` only.
  ///
  ///     if difference.needsMigration { configuration.schemaVersion += 1 }
  public var needsMigration: Bool { changes.contains(where: \.needsMigration) }

  /// The differences, one per line.
  public var description: String {
    isEmpty
      ? "The schemas are equal."
      : changes.map { "\($0.needsMigration ? "!" : "-") \($0.description)" }.joined(separator: "\n")
  }
}
