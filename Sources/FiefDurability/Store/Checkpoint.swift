import FiefGraph

/// A checkpoint under way: a new snapshot while commits go on, and then a new journal (S8, S9).
///
///     commits   ──5──6──7──▶ old journal ──8──9──▶                          10──▶ new journal
///     checkpoint of 6   │ writeSnapshot │ copyCommits: 7, 8 │ finish: 9, switch │
///
/// `StoreFile.checkpoint` does the steps one after the other; tests put commits between them. It ends by `finish` or
/// `cancel`. Whatever step fails, the store is as it was, or takes no more commits (S10).
package final class Checkpoint {
  private let store: StoreFile
  private let graph: Graph
  private let header: SnapshotHeader
  // What of the old journal was there at the beginning.
  private let old: JournalFile
  private let oldLength: Int
  private var new: NewJournal?
  // The snapshot that has lost its name. It is let go at the end: the system gives back its blocks by the same journal
  // of its own that our next synchronizations wait for.
  private var replaced: (any OpenFile)?

  /// Begins. The store's `checkpoints` lock is held by the caller, and until the end.
  init(_ store: StoreFile, _ graph: Graph, version: UInt64, userVersion: UInt64) throws(StoreError) {
    store.writing.lock()
    defer { store.writing.unlock() }
    try store.checkWriting()
    guard version <= store.version else {
      fatalError("A checkpoint of version \(version) is asked for, which was not appended yet.")
    }
    let generation = try Generation.next(after: store.journal.generation, store.paths, store.system)
    self.store = store
    self.graph = graph
    old = store.journal
    oldLength = old.length
    header = SnapshotHeader(
      store: store.store, generation: generation, version: version, userVersion: userVersion)
    store.late = []
    store.note(checkpointUnderWay: true)
  }

  /// Writes the snapshot, and makes it the store's.
  package func writeSnapshot() throws(StoreError) {
    let new = try asStoreError("The snapshot could not be written", store.path) {
      try NewSnapshot(graph, header, store.paths, store.system, store.barriers)
    }
    do throws(StoreError) {
      try store.checkNames()
      if let refusal = store.refusal { throw refusal }
    } catch {
      new.discard()
      throw error
    }
    note(arriving: new.identity)
    let file: any OpenFile
    do throws(StoreError) { file = try named { () throws(NewFile.Doubt) in try new.takeName() } } catch {
      note(arriving: nil)
      throw error
    }
    replaced = store.snapshotFile
    store.snapshotFile = file
    note(arrived: file.identity)
    store.snapshotVersion = header.version
    store.snapshotSize = new.size
  }

  /// While a snapshot takes its name, those who commit may find the old file there or the new one.
  private func note(arriving identity: FileIdentity?) {
    store.writing.lock()
    defer { store.writing.unlock() }
    store.arrivingSnapshot = identity
  }

  private func note(arrived identity: FileIdentity) {
    store.writing.lock()
    defer { store.writing.unlock() }
    store.snapshotIdentity = identity
    store.arrivingSnapshot = nil
  }

  /// Copies the commits that the snapshot does not have, those that came meanwhile included, into a new journal.
  package func copyCommits() throws(StoreError) {
    try asStoreError("The new journal could not be written", old.path) {
      let journal = JournalHeader(store: header.store, generation: header.generation, base: header.version)
      let new = try NewJournal(journal, store.paths, store.system, store.barriers)
      self.new = new
      let bytes = try old.file.readAll(0..<oldLength)
      try bytes.withUnsafeBytes { bytes in
        var scanner = try JournalScanner(bytes)
        while let record = scanner.next(bytes) {
          if record.kind == .commit && record.commit > header.version {
            try new.append(CommitRecord(record, in: bytes))
          }
        }
        // What this process wrote must still be there, or commits would be lost with the old journal.
        if case .damaged(let error) = scanner.end { throw error }
        if case .torn(let reason, _) = scanner.end {
          throw CodecError(.journal, .checksum, at: UInt64(scanner.length), reason)
        }
      }
      try copyLate(to: new)
      if store.barriers.contains(.journalIsSynchronized) { try new.synchronize() }
    }
  }

  /// Copies what came until now.
  private func copyLate(to new: NewJournal) throws {
    store.writing.lock()
    let late = store.late ?? []
    store.late = []
    store.writing.unlock()
    try appendLate(late, to: new)
  }

  private func appendLate(_ late: [CommitRecord], to new: NewJournal) throws {
    guard store.barriers.contains(.lateCommitsAreCopied) else { return }
    for commit in late where commit.version > new.lastCommit { try new.append(commit) }
  }

  /// Switches to the new journal. Commits wait for this; those that wait to be durable are so afterwards.
  package func finish() throws(StoreError) {
    defer { end() }
    guard let new else { fatalError("A checkpoint is finished whose commits were not copied.") }
    store.writing.lock()
    defer { store.writing.unlock() }
    try store.alone { () throws(StoreError) in
      try store.checkWriting()
      try asStoreError("The new journal could not be written", old.path) {
        try appendLate(store.late ?? [], to: new)
        if store.barriers.contains(.journalIsSynchronized) { try new.synchronize() }
      }
      try store.checkNames()
      let isSynchronizing = store.barriers.contains(.journalNameIsSynchronized)
      store.journal = try named { () throws(NewFile.Doubt) in try new.takeName(synchronizingFolder: isSynchronizing) }
      self.new = nil
      old.file.close()
      store.noteSwitch(journalLength: store.journal.length, snapshotLength: store.snapshotSize)
    }
  }

  /// Gives up, after a step that failed.
  package func cancel() { end() }

  private func end() {
    new?.discard()
    new = nil
    if let replaced { store.closeBehind(replaced) }
    replaced = nil
    store.writing.lock()
    store.late = nil
    store.writing.unlock()
    store.note(checkpointUnderWay: false)
    store.checkpoints.unlock()
  }

  /// Gives a file its name, and takes the consequences when that fails (S10).
  private func named<File>(_ takeName: () throws(NewFile.Doubt) -> File) throws(StoreError) -> File {
    do throws(NewFile.Doubt) { return try takeName() } catch {
      switch error {
      case .undone(let failure): throw StoreError(failure, "The checkpoint was given up")
      case .unknown(let failure):
        let cause = StoreError(failure, "The checkpoint ended in doubt")
        store.endWriting(cause)
        throw cause
      }
    }
  }
}

extension CommitRecord {
  /// The commit that a record holds.
  init(_ record: JournalRecord, in bytes: UnsafeRawBufferPointer) throws(CodecError) {
    let change = try record.change(in: bytes)
    self.init(version: record.commit, userVersion: change.userVersion, delta: change.delta)
  }
}

extension StoreFile {
  /// Writes a snapshot of a version, and lets the journal begin anew: opening is faster and the files are smaller
  /// afterwards. Commits go on meanwhile, and wait only for the switch of journals. When it throws, all commits are
  /// where they were.
  ///
  /// - Parameters:
  ///   - graph: The version's graph. It must have been published: what a crash may still undo has no place in a
  ///     snapshot.
  ///   - version: Its version, which was appended; nothing happens when the snapshot is as new already.
  ///   - userVersion: The application's number of its schema in it.
  /// - Throws: what the system says; `storeIsReadOnly` when the store takes no commits any more, also because of this
  ///   (S10).
  /// - Complexity: linear in the graph, and in the journal.
  public func checkpoint(_ graph: Graph, version: UInt64, userVersion: UInt64) throws(StoreError) {
    guard let checkpoint = try beginCheckpoint(graph, version: version, userVersion: userVersion) else { return }
    do throws(StoreError) {
      try checkpoint.writeSnapshot()
      try checkpoint.copyCommits()
    } catch {
      checkpoint.cancel()
      throw error
    }
    try checkpoint.finish()
  }

  /// Begins a checkpoint; nil when the snapshot is as new already. Waits for one that is under way.
  package func beginCheckpoint(_ graph: Graph, version: UInt64, userVersion: UInt64) throws(StoreError) -> Checkpoint? {
    checkpoints.lock()
    guard version > snapshotVersion else {
      checkpoints.unlock()
      return nil
    }
    do throws(StoreError) {
      return try Checkpoint(self, graph, version: version, userVersion: userVersion)
    } catch {
      checkpoints.unlock()
      throw error
    }
  }

  /// Makes a checkpoint on a queue of the store's own.
  ///
  /// - Parameters:
  ///   - graph: The version's graph, which is held until the snapshot is written; see `checkpoint`.
  ///   - version: Its version.
  ///   - userVersion: The application's number of its schema in it.
  ///   - completion: Called on that queue, with what `checkpoint` throws. Failures are no reason to worry for the
  ///     commits.
  public func checkpointInBackground(
    _ graph: Graph, version: UInt64, userVersion: UInt64,
    completion: @escaping @Sendable (StoreError?) -> Void = { _ in }
  ) {
    background.async { [self] in
      do throws(StoreError) {
        try checkpoint(graph, version: version, userVersion: userVersion)
        completion(nil)
      } catch {
        completion(error)
      }
    }
  }
}
