import Foundation

/// The content under one of the names of a store, before anything is done to it (S19).
///
///     dogs.realm.history ─┬─ nothing                       may be created
///                         ├─ begins with "FiefHist" and the store's number: `marked`, may be replaced and removed
///                         └─ anything else: `foreign`      is neither opened for writing nor replaced nor removed
enum Occupant {
  case nothing
  /// An ordinary file with the mark of this library, and the number of its store.
  case marked(FileIdentity, store: StoreNumber)
  /// A file of others; the phrase continues "it is".
  case foreign(String)
}

/// The number of a store, as the bytes in its files. Damage of a bit or two does not make a file one of another store.
struct StoreNumber: Hashable {
  private let bytes: [UInt8]

  /// The number in the first bytes of a file, if they begin with `magic`.
  init?(inFirst first: [UInt8], after magic: StaticString) {
    guard first.count >= 32, Self.isNearly(first.prefix(8), magic.description.utf8) else { return nil }
    bytes = Array(first[16..<32])
  }

  /// The number of a store.
  init(_ store: UUID) { bytes = unsafe withUnsafeBytes(of: store.uuid) { unsafe Array($0) } }

  /// Whether both are the number of one store.
  func matches(_ other: StoreNumber) -> Bool { Self.isNearly(bytes, other.bytes) }

  private static func isNearly(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Bool {
    zip(a, b).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount } <= 2
  }
}

extension StorePaths {
  /// Opens the file under one of the store's names. Nothing but an ordinary file is opened: opening a pipe would be
  /// noticed at its other end.
  ///
  /// - Returns: the file; nil if nothing has the name.
  /// - Throws: `fileAccess` for a folder, a device, a pipe or a link; the system's error.
  func open(_ name: String, for purpose: OpenPurpose, _ system: any FileSystem) throws -> (any OpenFile)? {
    guard let entry = try system.entry(at: name) else { return nil }
    if let kind = entry.kind.obstacle {
      throw StoreError(.fileAccess, "The path \(name) is \(kind): \(advice(for: name))", file: name)
    }
    do throws(FileFailure) { return try system.open(name, for: purpose) } catch {
      // Another process has removed it between the two calls.
      if error.meaning == .fileNotFound { return nil }
      throw error
    }
  }

  private func advice(for name: String) -> String {
    name == snapshot
      ? "name an ordinary file." : "a file of the store \(snapshot) belongs there. Move it away; it was not changed."
  }

  /// The kind of file under one of the store's names.
  func occupant(of name: String, _ magic: StaticString, on system: any FileSystem) throws(FileFailure) -> Occupant {
    guard let entry = try system.entry(at: name) else { return .nothing }
    if let obstacle = entry.kind.obstacle { return .foreign(obstacle) }
    if entry.kind == .link { return .foreign("a symbolic link, which is not followed here") }
    do throws(FileFailure) {
      let file = try system.open(name, for: .reading)
      defer { file.close() }
      let first = try file.readAll(0..<FileKind.inspectedLength)
      guard let number = StoreNumber(inFirst: first, after: magic) else {
        return .foreign(unsafe first.withUnsafeBytes { unsafe FileKind(of: $0) }.phrase)
      }
      return .marked(file.identity, store: number)
    } catch {
      switch error.meaning {
      case .fileNotFound: return .nothing
      case .filePermissionDenied: return .foreign("a file that this process may not read")
      default: throw error
      }
    }
  }
}

extension FileEntry.Kind {
  /// A phrase for an entry that cannot be opened as a file; nil for files, and for links, which opening refuses.
  var obstacle: String? {
    switch self {
    case .file, .link: nil
    case .folder: "a folder"
    case .other: "a device, a pipe or a socket"
    }
  }
}

// MARK: - Removing

/// A file of a store that may be removed.
struct OwnFile: Hashable {
  let path: String
  let identity: FileIdentity

  /// Removes the file, if it still has its name.
  func remove(_ system: any FileSystem) throws(FileFailure) {
    guard try system.entry(at: path)?.identity == identity else { return }
    try system.remove(path)
  }
}

extension StorePaths {
  /// The history of a store; nil if no file has its name, or one that is not the store's.
  func ownHistory(of store: UUID, _ system: any FileSystem) throws(FileFailure) -> OwnFile? {
    guard case .marked(let identity, let number) = try occupant(of: history, HistoryHeader.magic, on: system),
      number.matches(StoreNumber(store))
    else { return nil }
    return OwnFile(path: history, identity: identity)
  }

  /// The data files of the store, whatever its number is: the history, then the journal and the snapshot. The caller
  /// has checked that the snapshot is one of this library (`checkOurs`). A history of another store is left out.
  ///
  /// - Throws: an error for a journal that is not the store's.
  func ownFiles(_ system: any FileSystem) throws(StoreError) -> [OwnFile] {
    try asStoreError("The store could not be removed", at: snapshot) {
      var files: [OwnFile] = []
      // A snapshot whose first bytes are damaged does not show its number. Then the journal does.
      var number: StoreNumber?
      if let entry = try system.entry(at: snapshot) {
        files.append(OwnFile(path: snapshot, identity: entry.identity))
        if case .marked(_, let found) = try occupant(of: snapshot, SnapshotHeader.magic, on: system) { number = found }
      }
      switch try occupant(of: journal, JournalHeader.magic, on: system) {
      case .nothing: break
      case .marked(let identity, let found):
        guard number?.matches(found) ?? true else { throw foreignJournal("of another store") }
        files.append(OwnFile(path: journal, identity: identity))
        number = number ?? found
      case .foreign(let kind): throw foreignJournal(kind)
      }
      if let number, case .marked(let identity, let found) = try occupant(of: history, HistoryHeader.magic, on: system),
        number.matches(found)
      {
        files.append(OwnFile(path: history, identity: identity))
      }
      return files.reversed()
    }
  }

  private func foreignJournal(_ kind: String) -> StoreError {
    StoreError(
      .invalidDatabase,
      "The file \(journal) is not the journal of the store \(snapshot): it is \(kind). Move it away. Nothing was "
        + "changed.", file: journal)
  }
}
