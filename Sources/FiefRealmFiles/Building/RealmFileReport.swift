/// The parts of a file of Realm that were read, and those that were left out.
package struct RealmFileReport: Sendable {
  /// One class of the application.
  package struct Table: Sendable {
    /// The name of the class.
    package let name: String
    /// How many objects it has.
    package let rows: Int
    /// Whether its objects are documents for a server, which no class can read.
    package let isAsymmetric: Bool
  }

  /// The version of the file's format.
  package let format: Int
  /// The number of the newest commit in the file; 0 if it has none.
  package let version: UInt64
  /// The classes, in the order of the file.
  package let tables: [Table]
  /// How many objects were read.
  package var rows: Int { tables.reduce(0) { $0 + $1.rows } }
  /// How many links were read.
  package let links: Int
  /// The names of tables that are not the application's, and were left out.
  package let otherTables: [String]
  /// How many placeholders of objects that are not there were left out.
  package let tombstones: Int
  /// How many links were left out, because their objects are not there, or not the application's.
  package let unresolvedLinks: Int
  /// How many elements of sets were left out, because they equal another one here. 0 for a file that was only checked.
  package internal(set) var mergedElements = 0
  /// How many strings were not UTF-8, and were repaired.
  package let repairedTexts: Int
  /// How many properties have backlinks in the file that disagree with their links. The links count.
  package let disagreeingBacklinks: Int
  /// How much memory was counted for what was made of the file, in bytes. It is at least what the graph takes, and what
  /// was needed to make it.
  package let charged: Int
}
