import FiefGraph

/// A checkpoint under way: it writes a new snapshot while commits continue, and then a new journal (S8, S9). If the
/// store keeps versions, it writes a new history before (S17).
///
///     commits   ──5──6──7──▶ old journal ──8──9──▶                                         10──▶ new journal
///     checkpoint of 6   │ writeHistory │ writeSnapshot │ copyCommits: 7, 8 │ finish: 9, switch │
///
/// `StoreFile.checkpoint` runs the steps one after the other; tests put commits between them. A checkpoint ends by
/// `finish` or `cancel`. Whichever step fails, the store either is unchanged or takes no more commits (S10).
package final class Checkpoint {
  private let store: StoreFile
  private let graph: Graph
  private let header: SnapshotHeader
  private let earlier: VersionHistory?
  // The store's own, which nothing else uses until the end.
  private var snapshot: SnapshotFiles
  // The journal, as it was at the beginning.
  private let old: JournalFile
  private var new: NewJournal?
  // The old snapshot, which has lost its name. It is closed at the end, because the file system frees its blocks
  // through the same journal of its own that the next synchronizations wait for.
  private var replaced: (any OpenFile)?
  // Whether a history was written for the version.
  private var hasHistory = false

  /// Begins a checkpoint. The caller has taken the store's snapshot, and `end` puts it back.
  ///
  /// - Parameter snapshot: the store's snapshot. It becomes the one that another process has written since.
  /// - Returns: nil if that is at least as new as the version.
  init?(
    of store: StoreFile, _ snapshot: inout SnapshotFiles, _ graph: Graph, version: UInt64, userVersion: UInt64,
    earlier: VersionHistory?
  ) throws(StoreError) {
    self.store = store
    self.graph = graph
    self.earlier = earlier
    // A checkpoint begins caught up: the snapshot may be one of another process by now (S30).
    try store.beginTurn()
    defer { store.endTurn() }
    try store.adoptSnapshot(&snapshot)
    guard version > snapshot.anchor.version else { return nil }
    if store.isShared { store.site.paths.removeTemporaryFiles(store.site.system) }
    self.snapshot = snapshot
    // A checkpoint that died may have named its snapshot, and not its journal.
    let newest = snapshot.anchor.generation
    (old, header) = try store.log.withLock { log throws(StoreError) in
      try store.checkWriting()
      guard version <= store.version else {
        fatalError("A checkpoint of version \(version) is asked for, which was not appended yet.")
      }
      let generation = try Generation.next(
        after: max(log.journal.generation, newest), store.site.paths, store.site.system)
      assert(log.late == nil && log.arriving == nil, "One checkpoint at a time is under way.")
      log.late = []
      return (
        log.journal,
        SnapshotHeader(store: store.store, generation: generation, version: version, userVersion: userVersion)
      )
    }
    store.sizesOfFiles.withLock { $0.areChanging = true }
  }

  private var paths: StorePaths { store.site.paths }
  private var system: any FileSystem { store.site.system }

  /// Throws unless a new file may get a name of the store.
  private func checkNames() throws(StoreError) {
    try store.checkNames(snapshot: snapshot.file.identity, journal: old.file.identity)
    if let refusal = store.refusal { throw refusal }
    // After that: a disk that has failed may have lost what this process wrote.
    try store.checkPlace(of: old)
    // A process may have come since the checkpoint began, and have read the versions that it keeps.
    if let sharing = store.site.sharing, store.losesVersions(inJournalWithTimes: old.isTimed) {
      throw sharing.notAlone("A checkpoint without earlier versions")
    }
  }

  /// Writes the changes that lead from the snapshot-to-be back to the versions that are kept, and makes them the
  /// store's history. Does nothing if none are kept. A file that is not the store's own history is not replaced: then
  /// none is written, and the versions are lost when the store is closed.
  package func writeHistory() throws(StoreError) {
    guard let limits = store.site.history else { return }
    // The history must not have its name before the version is certain, which it leads back from.
    try store.waitUntilDurable(header.version)
    let anchor = snapshot.anchor
    let replaced: FileIdentity?
    let occupant = try asStoreError("The history could not be read", at: paths.history) {
      try paths.occupant(of: paths.history, HistoryHeader.magic, on: system)
    }
    switch occupant {
    case .nothing: replaced = nil
    case .marked(let identity, let number) where number.matches(StoreNumber(store.store)): replaced = identity
    case .marked: return giveUpHistory("of another store")
    case .foreign(let kind): return giveUpHistory(kind)
    }
    // Versions before the old snapshot's are copied from the old history, if those after it are without gaps.
    var earlier = earlier
    _ = earlier?.trim(at: system.now)
    let versions = earlier?.versions(before: header.version) ?? [][...].reversed()
    let recent = Array(versions.prefix { $0.graph.version >= anchor.version })
    var stored: StoredHistory?
    if let time = recent.last.flatMap({ $0.graph.version == anchor.version ? $0.time : nil }) {
      // A history that cannot be read now may be readable later, so nothing replaces it.
      let found = try asStoreError("The history could not be read", at: paths.history) {
        try StoredHistory(paths, on: system, anchor, replacedAt: time)
      }
      stored = found
      let oldest = found.records.last?.version ?? anchor.version
      note(loss: found.loss.map { StoredHistory.describe($0, paths, from: oldest) })
    }
    // Whichever history has the name after a failure, it belongs to the old snapshot.
    try asStoreError("The history could not be written", at: paths.history) {
      let new = try NewFile.history(
        of: graph, header, recent, continuing: stored, within: limits, at: paths, replacing: replaced, on: system)
      try new.finish(after: checkNames).close()
      snapshot.historySize = new.length
    }
    hasHistory = true
  }

  private func note(loss: String?) { store.sizesOfFiles.withLock { $0.loss = loss } }

  private func giveUpHistory(_ kind: String) {
    snapshot.historySize = nil
    note(
      loss: "The versions before \(header.version) of \(store.path) are not kept in a file: what is at "
        + "\(paths.history) is not the history of this store, it is \(kind). It was not changed. Move it away; "
        + "no data is lost.")
  }

  /// Writes the snapshot and makes it the store's snapshot.
  package func writeSnapshot() throws(StoreError) {
    let new = try asStoreError("The snapshot could not be written", at: store.path) {
      try NewFile.snapshot(of: graph, header, at: paths, replacing: snapshot.file.identity, on: system)
    }
    do throws(StoreError) {
      try shareLock(of: new)
      try checkNames()
    } catch {
      new.discard()
      throw error
    }
    // While a snapshot takes its name, a commit may find either the old file or the new one under that name.
    store.log.withLock { $0.arriving = new.file.identity }
    do throws(StoreError) { try assignName(to: new) } catch {
      store.log.withLock { $0.arriving = nil }
      throw error
    }
    store.log.withLock { log in
      log.snapshot = new.file.identity
      log.snapshotGeneration = header.generation
      log.arriving = nil
    }
    replaced = snapshot.file
    snapshot.file = new.file
    snapshot.size = new.length
    snapshot.anchor = HistoryAnchor(
      store: header.store, version: header.version, generation: header.generation, isExpected: hasHistory)
  }

  /// Lets other processes lock a file of the store: the locks only exclude openings that want it alone.
  private func shareLock(of new: NewFile) throws(StoreError) {
    guard store.isShared else { return }
    try asStoreError("The checkpoint was given up", at: store.path) { _ = try new.file.lock(.shared) }
  }

  /// Copies the commits above the snapshot's version into a new journal, including those that arrived meanwhile.
  package func copyCommits() throws(StoreError) {
    try asStoreError("The new journal could not be written", at: old.path) {
      let isTimed = store.site.history != nil
      let journal = JournalHeader(
        store: header.store, generation: header.generation, base: header.version, isTimed: isTimed,
        history: hasHistory ? header.generation : 0)
      let new = try NewJournal(journal, at: paths, replacing: old.file.identity, on: system)
      self.new = new
      try shareLock(of: new.file)
      let bytes = try old.file.readAll(0..<old.length)
      try unsafe bytes.withUnsafeBytes { bytes in
        var scanner = try unsafe JournalScanner(bytes, key: system.key)
        while let record = unsafe scanner.next(bytes) {
          if record.kind == .commit && record.commit > header.version {
            try unsafe new.append(CommitRecord(record, in: bytes))
          }
        }
        // The records that this process wrote must still be there, or commits would be lost with the old journal.
        if case .damaged(let error) = scanner.end { throw error }
        if case .torn(let reason, _) = scanner.end {
          throw CodecError(in: .journal, .checksum, at: UInt64(scanner.length), reason)
        }
      }
      let late = store.log.withLock { log in
        defer { log.late = [] }
        return log.late ?? []
      }
      try append(late, to: new)
    }
  }

  /// Appends the commits that arrived until now, and synchronizes all.
  private func append(_ late: [CommitRecord], to new: NewJournal) throws(FileFailure) {
    for commit in late where commit.version > new.lastCommit { try new.append(commit) }
    try new.file.synchronize()
  }

  /// Switches to the new journal. Commits wait for this. Afterwards all appended commits are durable.
  package func finish() throws(StoreError) {
    defer { end() }
    guard let new else { fatalError("A checkpoint is finished whose commits were not copied.") }
    // Caught up, so that the commits of other processes are copied, too.
    try store.beginTurn()
    defer { store.endTurn() }
    try store.log.withLock { log throws(StoreError) in
      try store.progress.alone { () throws(StoreError) in
        try store.checkWriting()
        try asStoreError("The new journal could not be written", at: old.path) { try append(log.late ?? [], to: new) }
        try checkNames()
        try store.noteTurn(&log)
        assert(new.lastCommit == store.version, "The new journal holds all commits.")
        try assignName(to: new.file)
        self.new = nil
        log.journal = new.journal
        old.file.close()
        store.progress.noteSwitch(to: new.file.file)
        store.watch.renew()
        if store.site.history == nil && snapshot.historySize != nil {
          // It does not belong to the new snapshot. A failure does no harm.
          try? paths.ownHistory(of: store.store, system)?.remove(system)
          snapshot.historySize = nil
        }
        let lengths = (snapshot.size, log.journal.length, snapshot.historySize ?? 0)
        store.sizesOfFiles.withLock {
          ($0.snapshot, $0.journal, $0.history) = lengths
          $0.journalAtFailure = 0
        }
      }
    }
  }

  /// Gives up after a failed step.
  package func cancel() { end() }

  private func end() {
    new?.file.discard()
    new = nil
    if let replaced { store.closeBehind(replaced) }
    replaced = nil
    store.log.withLock { $0.late = nil }
    store.sizesOfFiles.withLock { $0.areChanging = false }
    // The next checkpoint of this process begins when it has the snapshot. It must not find a lock that goes then.
    store.site.sharing?.giveBack(.checkpoint)
    store.snapshot.putBack(snapshot)
  }

  /// Gives a file its name, and ends the writing if a failure leaves the outcome unknown (S10).
  private func assignName(to file: NewFile) throws(StoreError) {
    do throws(NewFile.Doubt) { try file.assignName() } catch {
      switch error {
      case .undone(let failure): throw StoreError(failure, "The checkpoint was given up")
      case .unknown(let failure):
        let cause = StoreError(failure, "The checkpoint ended in doubt")
        store.progress.fail(cause)
        throw cause
      }
    }
  }
}

extension CommitRecord {
  /// The commit that a record holds.
  init(_ record: JournalRecord, in bytes: UnsafeRawBufferPointer) throws(CodecError) {
    let change = try unsafe record.change(in: bytes)
    self.init(
      version: record.commit, userVersion: change.userVersion, delta: change.delta, time: change.time,
      size: record.range.count)
  }
}

extension StoreFile {
  /// Writes a snapshot of a version and starts the journal afresh, so that opening is faster and the files are smaller.
  /// Commits continue meanwhile, and wait only for the switch of journals. If it throws, the files still hold all
  /// commits.
  ///
  /// - Parameters:
  ///   - graph: The version's graph. It must have been published: a snapshot must not contain a change that a crash may
  ///     still undo.
  ///   - version: Its version, which was appended. If the snapshot is at least as new, the call does nothing.
  ///   - userVersion: The application's schema number in it.
  ///   - earlier: The versions that are kept, if the store keeps any (S17).
  ///   - isWaiting: Whether to wait while another process makes a checkpoint. Otherwise the call does nothing then.
  /// - Throws: the system's error; `storeIsReadOnly` when the store takes no more commits, also because of this call
  ///   (S10).
  /// - Complexity: linear in the graph, and in the journal.
  package func checkpoint(
    _ graph: Graph, version: UInt64, userVersion: UInt64, earlier: VersionHistory? = nil, isWaiting: Bool = true
  ) throws(StoreError) {
    let checkpoint = try beginCheckpoint(
      graph, version: version, userVersion: userVersion, earlier: earlier, isWaiting: isWaiting)
    guard let checkpoint else { return }
    do throws(StoreError) {
      try checkpoint.writeHistory()
      try checkpoint.writeSnapshot()
      try checkpoint.copyCommits()
    } catch {
      checkpoint.cancel()
      throw error
    }
    try checkpoint.finish()
  }

  /// Begins a checkpoint, or returns nil if the snapshot is at least as new. Waits for a checkpoint that is under way.
  package func beginCheckpoint(
    _ graph: Graph, version: UInt64, userVersion: UInt64, earlier: VersionHistory? = nil, isWaiting: Bool = true
  ) throws(StoreError) -> Checkpoint? {
    var files = snapshot.take()
    var isTaken = false
    do throws(StoreError) {
      if version > files.anchor.version { isTaken = try takeCheckpoint(isWaiting: isWaiting) }
      if isTaken {
        let checkpoint = try Checkpoint(
          of: self, &files, graph, version: version, userVersion: userVersion, earlier: earlier)
        if let checkpoint { return checkpoint }
        site.sharing?.giveBack(.checkpoint)
      }
    } catch {
      if isTaken { site.sharing?.giveBack(.checkpoint) }
      snapshot.putBack(files)
      throw error
    }
    snapshot.putBack(files)
    return nil
  }

  /// Becomes the process that replaces files.
  ///
  /// - Returns: false if it is not to be: another process is, or it would lose versions that another process keeps.
  private func takeCheckpoint(isWaiting: Bool) throws(StoreError) -> Bool {
    guard let sharing = site.sharing else { return true }
    // A fork shares the locks of its parent, and must not change them.
    try checkWriting()
    if losesVersions(inJournalWithTimes: log.withLock(\.journal.isTimed)) { return false }
    // A process that makes a checkpoint waits for the turn. A process with the turn must not wait for the checkpoint.
    let isWaiting = isWaiting && !sharing.hasTurn
    let isTaken = try sharing.take(.checkpoint, isWaiting: isWaiting)
    if isWaiting && !isTaken { throw sharing.notAlone("A checkpoint") }
    return isTaken
  }

  /// Whether a checkpoint would lose versions that another process keeps: this one keeps none, so it writes neither a
  /// history nor times.
  ///
  /// - Parameter isTimed: Whether the journal has times.
  func losesVersions(inJournalWithTimes isTimed: Bool) -> Bool {
    site.history == nil && isTimed && site.sharing?.othersKeepVersions ?? false
  }

  /// Makes a checkpoint on a queue of the store.
  ///
  /// - Parameters:
  ///   - graph: The version's graph, which is retained until the snapshot is written; see `checkpoint`.
  ///   - version: Its version.
  ///   - userVersion: The application's schema number in it.
  ///   - earlier: The versions that are kept, if the store keeps any (S17).
  ///   - completion: Called on that queue with the error that `checkpoint` throws, or nil. A failure loses no commits.
  package func checkpointInBackground(
    _ graph: Graph, version: UInt64, userVersion: UInt64, earlier: VersionHistory? = nil,
    completion: @escaping @Sendable (StoreError?) -> Void = { _ in }
  ) {
    // Until it runs, further commits must not ask for further checkpoints.
    sizesOfFiles.withLock { $0.areChanging = true }
    background.async { [self] in
      var failure: StoreError?
      do throws(StoreError) {
        try checkpoint(graph, version: version, userVersion: userVersion, earlier: earlier, isWaiting: false)
      } catch {
        failure = error
      }
      sizesOfFiles.withLock { sizes in
        sizes.areChanging = false
        // A full disk is likely to stay full, and each attempt takes the room that commits need. Another process that
        // had the turn is done soon.
        if let failure, failure.code != .alreadyOpen { sizes.journalAtFailure = sizes.journal }
      }
      completion(failure)
    }
  }
}
