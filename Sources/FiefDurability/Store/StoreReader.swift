import FiefGraph
import Foundation

/// Reads a store that this process does not write, and follows the processes that do (S37).
///
///     let (reader, stored) = try StoreReader.open("dogs.realm")
///     …
///     graph = try reader.follow(from: graph) { version in … }
///
/// It changes no byte and takes no lock: a process that stops while it reads delays no other. Any thread may call it.
package final class StoreReader: Sendable {
  private let paths: StorePaths
  private let system: PatientFileSystem
  private let place = Locked(Place())
  private let watch: JournalWatch
  private let over = Locked(false)

  /// How far the files were read.
  private struct Place {
    /// The journal, behind the last commit that was read; nil if the place in it has to be found first.
    var journal: JournalFile?
    /// The journal that contradicts what was shown, with its size: a commit was undone after it was read, or older
    /// files were put back (S37). Only a later version is shown then.
    var contradiction: (identity: FileIdentity, size: Int)?
  }

  /// The store that was opened. Another one under its name is not followed.
  private let store: UUID
  /// How many earlier versions are kept; nil for none.
  private let history: HistoryLimits?

  /// Whether nothing is followed any more: the caller has ended it, or another store has the name.
  package var isOver: Bool { over.withLock { $0 } }

  /// Follows nothing any more.
  package func end() {
    over.withLock { $0 = true }
    watch.end()
  }

  private init(_ paths: StorePaths, _ system: PatientFileSystem, _ store: UUID, _ history: HistoryLimits?) {
    (self.paths, self.system, self.store, self.history) = (paths, system, store, history)
    watch = JournalWatch(paths.journal, system)
  }

  deinit {
    watch.end()
    place.withLock { $0.journal?.file.close() }
  }

  /// Reads the newest version, as `StoreFile.read` does.
  ///
  /// - Throws: the errors of `StoreFile.read`.
  package static func open(
    _ path: String, history: HistoryLimits? = nil, key: FileKey? = nil, on system: any FileSystem = RealFileSystem()
  ) throws(StoreError) -> (reader: StoreReader, stored: StoredVersion) {
    let patient = PatientFileSystem(system: system, key: key)
    let paths = try StorePaths(resolving: path, patient)
    let stored = try StoreFile.read(path, history: history, key: key, on: system)
    return (StoreReader(paths, patient, stored.store, history), stored)
  }

  /// Whether the journal is another one, or has another end, than when it was read last; also if it could not be read.
  /// It costs a look at a name, and at a seal that is encrypted.
  package var hasNews: Bool {
    guard !isOver, let entry = entryOfJournal else { return false }
    return place.withLock { place in
      if let contradiction = place.contradiction { return contradiction != (entry.identity, entry.size) }
      guard let journal = place.journal, journal.file.identity == entry.identity else { return true }
      return journal.isChanged(entry.size)
    }
  }

  /// The entry of the journal. One that is away is waited for: another file may come in its place, of which the watch
  /// knows nothing.
  private var entryOfJournal: FileEntry? {
    if let entry = try? system.entry(at: paths.journal) { return entry }
    watch.renew()
    // It may have come before it was waited for.
    return try? system.entry(at: paths.journal)
  }

  /// Applies the commits of other processes since a version.
  ///
  /// - Parameters:
  ///   - graph: the version that this process shows.
  ///   - body: called with each version after it.
  /// - Returns: the newest version.
  /// - Throws: the errors of `StoreFile.read`. The next call returns the versions that were applied until then.
  package func follow(from graph: Graph, _ body: (FollowedVersion) -> Void) throws(StoreError) -> Graph {
    try place.withLock { place throws(StoreError) in
      var graph = graph
      if place.contradiction == nil {
        for commit in try commits(after: graph.version, &place) {
          let transaction = Transaction(graph)
          do { try transaction.applyFinally(commit.delta) } catch { return try readWhole(after: graph, &place, body) }
          graph = transaction.graph.numbered(commit.version)
          body(FollowedVersion(graph, by: commit))
        }
      }
      return place.journal == nil && !isOver ? try readWhole(after: graph, &place, body) : graph
    }
  }

  /// The commits after a version; without a journal in `place` if they cannot be reached from it.
  private func commits(after version: UInt64, _ place: inout Place) throws(StoreError) -> [CommitRecord] {
    let system = system
    return try asStoreError("The journal could not be read", at: paths.journal) {
      guard let entry = try system.entry(at: paths.journal) else { return [] }
      if try place.journal?.holdsItsLastCommit == false {
        // The last version that was shown was undone.
        place.journal?.file.close()
        place = Place(contradiction: (entry.identity, entry.size))
        return []
      }
      if place.journal?.file.identity == entry.identity,
        let (commits, _, tail) = try place.journal?.readOn(to: entry.size)
      {
        switch tail {
        case .none: return commits
        // A record that is being written, or was never completed.
        case .torn(let bytes) where !bytes.isEmpty: return commits
        // Both files say what is there.
        case .torn, .damaged:
          place.journal?.file.close()
          place.journal = nil
          return []
        }
      }
      let generation = place.journal?.generation
      place.journal?.file.close()
      place.journal = nil
      // Before it is read: what changes from now on comes with an event, also if the file cannot be read.
      watch.renew()
      guard let file = try paths.open(paths.journal, for: .reading, system) else { return [] }
      var commits: [CommitRecord] = []
      func note(_ commit: CommitRecord) { if commit.version > version { commits.append(commit) } }
      let stored = try StoredJournal(scanning: try file.readWhole(path: paths.journal), key: system.key, forEach: note)
      guard stored.header.store == store, stored.header.base <= version else {
        file.close()
        if stored.header.store != store { over.withLock { $0 = true } }
        return []
      }
      if let generation, stored.header.generation <= generation || stored.lastCommit < version {
        // No checkpoint has put it there. It may be of a backup: then its commits of the same numbers are others.
        file.close()
        place = Place(contradiction: (entry.identity, entry.size))
        return []
      }
      place.journal = JournalFile(file, path: paths.journal, stored)
      return commits
    }
  }

  /// Reads both files: the commits in between are in the snapshot alone.
  private func readWhole(
    after graph: Graph, _ place: inout Place, _ body: (FollowedVersion) -> Void
  ) throws(StoreError) -> Graph {
    place.journal?.file.close()
    place.journal = nil
    let entry = place.contradiction == nil ? nil : try? system.entry(at: paths.journal)
    let pair = try StoreFile.readPair(paths.snapshot, system, keeping: history)
    if let entry { place.contradiction = (entry.identity, entry.size) }
    if pair.snapshot.store != store { over.withLock { $0 = true } }
    guard !isOver, pair.version > graph.version else { return graph }
    body(FollowedVersion(whole: StoredVersion(pair, paths, system)))
    // The next call finds its place in the journal.
    place.contradiction = nil
    return pair.graph
  }

  /// Calls a function, on any thread, after other processes have appended commits.
  package func whenOthersCommit(_ notify: @escaping @Sendable () -> Void) {
    if isOver { return }
    watch.begin(notify)
    // One look finds commits that were made after the files were read, and before they were watched.
    system.later(in: 0, notify)
  }
}
