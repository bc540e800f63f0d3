import FiefGraph

/// One table of a file, as its node and its specification describe it. Rows are read later.
struct FileTable {
  /// The prefix of the tables of classes.
  static let classPrefix = "class_"

  /// The name in the file.
  let name: String
  /// The key in the file.
  let key: Int64
  let kind: TableKind
  /// The columns of values, in the order of the class.
  let columns: [FileColumn]
  /// The columns of backlinks.
  let backlinks: [FileColumn]
  /// The key of the column of the primary key; nil without one.
  let primaryKey: UInt64?
  /// The root of the cluster tree.
  let rows: Int64
  /// The root of the tree of tombstones; 0 without one.
  let tombstones: Int64

  /// The name without the prefix of classes.
  var className: String {
    name.hasPrefix(Self.classPrefix) ? String(name.dropFirst(Self.classPrefix.count)) : name
  }

  func column(named name: String) -> FileColumn? { columns.first { $0.name == name } }
}
