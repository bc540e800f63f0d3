import Foundation

extension StorePaths {
  /// Throws when a store of this name could not live beside other stores: when the name is one that another store
  /// derives from its path (S19).
  func checkName(_ system: any FileSystem) throws(StoreError) {
    let (folder, name) = FilePath.parts(of: snapshot)
    if let base = Self.base(ofTemporary: name) { throw taken(by: base, for: "a file that is being written") }
    for (end, use) in Self.ends
    where name.utf8.count > end.utf8.count && name.utf8.reversed().starts(with: end.utf8.reversed()) {
      let base = String(decoding: name.utf8.dropLast(end.utf8.count), as: UTF8.self)
      if !base.hasSuffix(".realm"), try !isSnapshot(FilePath.path(base, in: folder), system) { continue }
      throw taken(by: base, for: use)
    }
  }

  /// The ends of the names that stores need, and for what. Earlier versions of this library removed files that end in
  /// `.import`.
  private static let ends = [
    (".journal", "its journal"), (".history", "its history"), (".lock", "its lock"), (".import", "an import"),
  ]

  private func taken(by base: String, for use: String) -> StoreError {
    StoreError(
      .fileAccess,
      "A store cannot have the name \(snapshot): the store \(base) needs it for \(use). Choose another name. A store "
        + "that is there already can be read, or moved to another name together with its journal.", file: snapshot)
  }

  private func isSnapshot(_ path: String, _ system: any FileSystem) throws(StoreError) -> Bool {
    try asStoreError("The store could not be opened", at: path) {
      if case .marked = try occupant(of: path, SnapshotHeader.magic, on: system) { return true }
      return false
    }
  }

  /// Throws unless a new store can have the name: it is not one that another store needs, and the file system takes the
  /// longest name that is derived from it.
  func checkNewName(_ system: any FileSystem) throws(StoreError) {
    try checkName(system)
    do throws(FileFailure) { _ = try system.entry(at: longest) } catch {
      guard error.code == ENAMETOOLONG else { throw StoreError(error, "The store could not be created") }
      throw StoreError(
        .fileOperationFailed,
        "The name \(snapshot) is too long: the names of files beside it have up to "
          + "\(longest.utf8.count - snapshot.utf8.count) bytes more, and the file system refuses them. Choose a "
          + "shorter name.", file: snapshot, systemCode: error.code)
    }
  }

  /// The first unused name of a numbered row of names. Files under the others are never replaced.
  ///
  /// - Parameter isWanted: Whether a file that is there already is the one to be kept.
  /// - Returns: the name, and whether the wanted file has it.
  /// - Throws: `fileExists` when all are in use.
  func free(
    _ system: any FileSystem, _ name: (Int) -> String,
    unless isWanted: (String, FileEntry) throws -> Bool = { _, _ in false }
  ) throws(StoreError) -> (path: String, isThere: Bool) {
    for number in 1...Self.lastNumber {
      let path = name(number)
      let isThere = try asStoreError("A file beside the store could not be made", at: path) { () throws -> Bool? in
        guard let entry = try system.entry(at: path) else { return false }
        return try isWanted(path, entry) ? true : nil
      }
      if let isThere { return (path, isThere) }
    }
    throw StoreError(.fileExists, "There are \(Self.lastNumber) files like \(name(1)): move them away.", file: name(1))
  }

  /// Throws unless a file that the caller has open and locked can be replaced by a new store: the store can have its
  /// name, and no other file is where the store's own belong.
  func checkReplacing(_ system: any FileSystem) throws(StoreError) {
    try checkNewName(system)
    try asStoreError("The store could not be created", at: snapshot) {
      if try system.entry(at: journal) != nil { throw inTheWay(journal, "the journal") }
      if let file = try open(lock, for: .reading, system) {
        defer { file.close() }
        guard try StoreLock.isLock(file) else { throw StoreLock.foreign(self) }
      }
    }
  }

  private func inTheWay(_ name: String, _ use: String) -> StoreError {
    StoreError(
      .fileExists,
      "The file \(name) stands where \(use) of the store \(snapshot) belongs: move it away. Nothing was changed.",
      file: name)
  }
}
