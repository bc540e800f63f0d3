import FiefGraph

/// Reads a store that this process does not write, and follows the processes that do (S37).
///
///     let (reader, stored) = try StoreReader.open("dogs.realm")
///     …
///     graph = try reader.follow(from: graph) { version in … }
///
/// It changes no byte. It reads under the turn if it can open the lock file, and without a lock otherwise. Any thread may
/// call it.
package final class StoreReader: Sendable {
  private let paths: StorePaths
  private let system: PatientFileSystem
  private let position: Locked<JournalFile?>
  private let lock: Locked<(any OpenFile)?>
  private let watch: JournalWatch
  private let over = Locked(false)

  /// Whether the tables that were there have changed: a process has migrated the store. Then this one follows no longer.
  package var isOver: Bool { over.withLock { $0 } }

  private init(_ paths: StorePaths, _ system: PatientFileSystem, at position: JournalFile?) {
    (self.paths, self.system) = (paths, system)
    watch = JournalWatch(paths.journal, system)
    self.position = Locked(position)
    lock = Locked(nil)
  }

  deinit {
    watch.end()
    position.withLock { $0?.file.close() }
    lock.withLock { $0?.close() }
  }

  /// Reads the newest version, as `StoreFile.read` does.
  ///
  /// - Throws: the errors of `StoreFile.read`.
  package static func open(
    _ path: String, history: HistoryLimits? = nil, key: FileKey? = nil, on system: any FileSystem = RealFileSystem()
  ) throws(StoreError) -> (reader: StoreReader, stored: StoredVersion) {
    let patient = PatientFileSystem(system: system, key: key)
    let reader = StoreReader(try StorePaths(resolving: path, patient), patient, at: nil)
    let stored = try StoreFile.read(path, history: history, key: key, on: system)
    return (reader, stored)
  }

  /// Whether the journal is another one, or has another size, than when it was read last. It costs a look at a name.
  package var hasNews: Bool {
    if isOver { return false }
    let known = position.withLock { ($0?.file.identity, $0?.knownSize) }
    guard let entry = try? system.entry(at: paths.journal) else { return false }
    return entry.identity != known.0 || entry.size != known.1
  }

  /// Applies the commits of other processes since a version.
  ///
  /// - Parameters:
  ///   - graph: the version that this process shows.
  ///   - body: called with each version after it.
  /// - Returns: the newest version.
  /// - Throws: the errors of `StoreFile.read`. What was applied until then is returned by the next call.
  package func follow(from graph: Graph, _ body: (FollowedVersion) -> Void) throws(StoreError) -> Graph {
    try position.withLock { position throws(StoreError) in
      guard try takeTurn() else { return graph }
      defer { lock.withLock { $0?.unlock(byte: SharedLock.turn.byte) } }
      var graph = graph
      for commit in try commits(after: graph.version, &position) {
        let transaction = Transaction(graph)
        do { try transaction.applyFinally(commit.delta) } catch { return try readWhole(after: graph, &position, body) }
        let next = transaction.graph.numbered(commit.version)
        guard commit.delta.schema == nil || next.schema.keepsTables(of: graph.schema) else { return part(from: graph) }
        graph = next
        body(
          FollowedVersion(
            graph: graph, time: commit.time, hasNewTables: commit.delta.schema != nil, isLeap: false))
      }
      return position == nil ? try readWhole(after: graph, &position, body) : graph
    }
  }

  /// The commits after a version; without a position if they cannot be reached from it.
  private func commits(after version: UInt64, _ position: inout JournalFile?) throws(StoreError) -> [CommitRecord] {
    let system = system
    return try asStoreError("The journal could not be read", at: paths.journal) {
      guard let entry = try system.entry(at: paths.journal) else { return [] }
      if position?.file.identity == entry.identity, let (commits, _, tail) = try position?.readOn(to: entry.size) {
        switch tail {
        case .none: return commits
        // A record that is being written, if there is no lock.
        case .torn(let bytes) where !bytes.isEmpty: return commits
        // What was shown was cut off, or is damaged now: both files say what is there.
        case .torn, .damaged:
          position?.file.close()
          position = nil
          return []
        }
      }
      position?.file.close()
      position = nil
      guard let file = try paths.open(paths.journal, for: .reading, system) else { return [] }
      var commits: [CommitRecord] = []
      func note(_ commit: CommitRecord) { if commit.version > version { commits.append(commit) } }
      let stored = try StoredJournal(scanning: try file.readWhole(path: paths.journal), key: system.key, forEach: note)
      guard stored.header.base <= version else {
        file.close()
        return []
      }
      position = JournalFile(
        file, path: paths.journal, length: stored.length, isSealed: stored.end == .sealed, writer: stored.continuation)
      watch.renew()
      return commits
    }
  }

  /// Reads both files: the commits in between are in the snapshot alone.
  private func readWhole(
    after graph: Graph, _ position: inout JournalFile?, _ body: (FollowedVersion) -> Void
  ) throws(StoreError) -> Graph {
    position?.file.close()
    position = nil
    let pair = try StoreFile.readPair(paths.snapshot, system)
    guard pair.version > graph.version else { return graph }
    guard pair.graph.schema.keepsTables(of: graph.schema) else { return part(from: graph) }
    body(FollowedVersion(graph: pair.graph, time: nil, hasNewTables: true, isLeap: true))
    // The next call finds its place in the journal.
    return pair.graph
  }

  /// Ends the following at a version.
  private func part(from graph: Graph) -> Graph {
    over.withLock { $0 = true }
    return graph
  }

  /// Waits for the end of an append, if the lock file can be opened.
  ///
  /// - Returns: false if another process keeps the turn: what it appends is read later.
  private func takeTurn() throws(StoreError) -> Bool {
    let file = lock.withLock { lock in
      if lock == nil { lock = try? paths.open(paths.lock, for: .reading, system) }
      return lock
    }
    guard let file else { return true }
    return try asStoreError("The turn to read cannot be taken", at: paths.lock) {
      for pause in [0, 10, 50, 200, 1000, 5000] {
        if pause > 0 { system.pause(microseconds: pause) }
        if try file.lock(byte: SharedLock.turn.byte, .shared) != false { return true }
      }
      return false
    }
  }

  /// Calls a function, on any thread, after other processes have appended commits.
  package func whenOthersCommit(_ notify: @escaping @Sendable () -> Void) {
    watch.begin(notify)
  }
}
