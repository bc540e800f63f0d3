/// The names of a store's files, derived from the path of its snapshot, which is the path that the user knows.
struct StorePaths: Hashable, Sendable {
  /// The snapshot.
  let snapshot: String

  /// The names that belong to the snapshot at `path`, an absolute path without links.
  init(_ path: String) { snapshot = path }

  /// The commits since the snapshot.
  var journal: String { snapshot + ".journal" }
  /// The changes that lead back from the snapshot to earlier versions; only beside stores that keep versions.
  var history: String { snapshot + ".history" }
  /// The lock, which is never renamed.
  var lock: String { snapshot + ".lock" }

  /// The file for the bytes that an opening after a crash cuts off the journal behind a version (S6): `….cut-off-5`,
  /// and `….cut-off-5-2` when that name is used.
  func cutOff(behind version: UInt64, _ number: Int = 1) -> String {
    snapshot + ".cut-off-\(version)" + (number > 1 ? "-\(number)" : "")
  }

  /// The folder of all these files.
  var folder: String { FilePath.parts(of: snapshot).folder }
}

// MARK: - Files on their way to their names

extension StorePaths {
  /// A random name for a file that is being written: `dogs.realm.0123456789abcdef.tmp`. No other program uses such
  /// names, and no two writers get the same name.
  static func temporary(_ path: String, _ system: any FileSystem) -> String {
    let digits = String(system.randomBits(), radix: 16)
    return path + "." + String(repeating: "0", count: 16 - digits.count) + digits + ".tmp"
  }

  /// Whether `name` is that of a temporary file of this store.
  func isTemporary(_ name: String) -> Bool {
    let base = FilePath.parts(of: snapshot).name.utf8
    let end = name.utf8.suffix(21)
    guard name.utf8.starts(with: base), name.utf8.count >= base.count + 21, end.first == 0x2E,
      end.suffix(4).elementsEqual(".tmp".utf8),
      end.dropFirst().prefix(16).allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 })
    else { return false }
    let middle = name.utf8.dropFirst(base.count).dropLast(21)
    if middle.isEmpty || middle.elementsEqual(".journal".utf8) || middle.elementsEqual(".history".utf8) {
      return true
    }
    let number = middle.dropFirst(".cut-off-".utf8.count)
    let parts = number.split(separator: 0x2D, maxSplits: 1, omittingEmptySubsequences: false)
    return middle.starts(with: ".cut-off-".utf8)
      && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { 0x30...0x39 ~= $0 } }
  }

  /// Removes the temporary files of writers that died. The caller is the only writer of the store. A file that cannot
  /// be removed does no harm, and the next opening tries again.
  ///
  /// - Returns: whether there is a history.
  @discardableResult
  func removeTemporaryFiles(_ system: any FileSystem) -> Bool {
    let (folder, name) = FilePath.parts(of: snapshot)
    guard let names = try? system.names(in: folder, beginningWith: name + ".") else { return false }
    for name in names.sorted() where isTemporary(name) { try? system.remove(FilePath.path(name, in: folder)) }
    return names.contains(name + ".history")
  }
}
