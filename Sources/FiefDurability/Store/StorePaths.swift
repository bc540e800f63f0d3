/// The names of a store's files, by the path of its snapshot, which is the one that its user knows.
struct StorePaths: Hashable, Sendable {
  /// The snapshot.
  let snapshot: String

  /// The names that belong to the snapshot at `path`, an absolute path without links.
  init(_ path: String) { snapshot = path }

  /// The commits since the snapshot.
  var journal: String { snapshot + ".journal" }
  /// The lock, which is never renamed and never deleted.
  var lock: String { snapshot + ".lock" }
  /// A snapshot that is being written.
  var newSnapshot: String { Self.new(snapshot) }
  /// A journal that is being written.
  var newJournal: String { Self.new(journal) }

  /// What a file is called while it is being written.
  static func new(_ path: String) -> String { path + ".tmp" }

  /// The folder that all of them stand in.
  var folder: String { Self.folder(of: snapshot) }

  /// The folder that a file stands in.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(where: { $0 == "/" || $0 == "\\" }) else { return "." }
    return slash == path.startIndex ? String(path[slash]) : String(path[..<slash])
  }
}
