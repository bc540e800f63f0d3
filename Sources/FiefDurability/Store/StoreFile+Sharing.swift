import Dispatch
import FiefGraph
import Foundation

extension StoreFile {
  /// Whether other processes can have the store open.
  package var isShared: Bool { site.sharing != nil }

  /// Whether the opening has found no other process.
  package var wasAlone: Bool { site.sharing?.wasAlone ?? true }

  /// Lets other processes in, at the end of an opening: they waited at the door until now (S26). Does nothing for a
  /// store that is open alone, and the second time.
  ///
  /// - Throws: errors of the system. The store has to be closed then.
  package func share() throws(StoreError) {
    guard let sharing = site.sharing else { return }
    let files = snapshot.take()
    defer { snapshot.putBack(files) }
    let isFirst = try sharing.share([files.file, log.withLock(\.journal.file)]) { watch.renew() }
    if isFirst, sharing.hasTurn { sharing.releaseTurn() }
  }

  /// Throws unless no other process has the store open, and none can open it until `readmit`.
  ///
  /// - Parameter what: what needs that, as the subject of a sentence.
  package func excludeOthers(for what: String) throws(StoreError) {
    guard let sharing = site.sharing else { return }
    try checkWriting()
    if !sharing.excludeOthers() { throw sharing.notAlone(what) }
    if mayCommit { return }
    // The writer may have committed, before it left, after this process had read.
    sharing.readmit()
    throw StoreError(
      .alreadyOpen,
      "Another process has written \(path), and closed it, while this one was opening it: open it again.", file: path)
  }

  /// Whether the opening may commit before it lets other processes in. If not, it has read the files beside a process
  /// that was inside a write, and opens them again with the turn if it has to commit (S26).
  package var mayCommit: Bool { site.sharing.map { $0.hasTurn || !$0.isOpening } ?? true }

  /// Ends what `excludeOthers` began.
  package func readmit() { if site.isOfThisProcess { site.sharing?.readmit() } }

  /// Becomes the process that delivers documents, until the store is closed.
  ///
  /// - Returns: false while another process is.
  package func takeDelivery() throws(StoreError) -> Bool {
    guard let sharing = site.sharing else { return true }
    // A fork shares the locks of its parent, and must not change them.
    try checkWriting()
    return try sharing.take(.outbox, isWaiting: false)
  }

  // MARK: The turn

  /// Takes the turn, and reads what other processes have appended (S27, S28): `applyFollowed` applies it. Does nothing
  /// for a store that is open alone.
  ///
  /// - Parameter arrival: since when the caller has waited for other threads of this process, asked only if the turn is
  ///   not free. If these waited in vain for the same process, their time counts as the caller's.
  /// - Returns: whether there is something to apply.
  /// - Throws: `alreadyOpen` when another process keeps the turn for longer than the limit; the error of a damaged
  ///   journal, and `storeIsReadOnly`. The turn is not taken then.
  @discardableResult
  package func beginTurn(since arrival: @autoclosure () -> DispatchTime? = nil) throws(StoreError) -> Bool {
    try beginTurn(within: nil, since: arrival()) ?? false
  }

  /// Takes the turn.
  ///
  /// - Parameters:
  ///   - limit: how long to wait while another process has it, in milliseconds; nil for the limit of the store.
  ///   - arrival: as above.
  /// - Returns: whether there is something to apply; nil if another process has the turn.
  func beginTurn(
    within limit: Int?, since arrival: @autoclosure () -> DispatchTime? = nil
  ) throws(StoreError) -> Bool? {
    guard let sharing = site.sharing else { return false }
    // A fork shares the locks of its parent, and must not change them.
    try checkWriting()
    var isBehind: Bool?
    let isTaken = try sharing.retainTurn(within: limit, since: arrival()) { remarks throws(StoreError) in
      isBehind = try catchUp(with: remarks)
    }
    guard isTaken else { return nil }
    if let isBehind { return isBehind }
    // Another user in this process has the turn already. Its catching up may have failed.
    do throws(StoreError) { return try catchUp(with: nil) } catch {
      sharing.releaseTurn()
      throw error
    }
  }

  /// Catches up with what the lock file said when the turn was taken; nil for what it said to an earlier user.
  ///
  /// - Returns: whether there is something to apply.
  private func catchUp(with remarks: StoreSharing.Remarks?) throws(StoreError) -> Bool {
    try log.withLock { log throws(StoreError) in
      if let remarks { log.remarks = remarks }
      try catchUp(&log)
      return !log.pending.isEmpty
    }
  }

  /// Whether no other process has the turn at the moment.
  package var isTurnFree: Bool {
    guard let sharing = site.sharing, site.isOfThisProcess else { return true }
    guard (try? sharing.retainTurn(within: 0, acquired: { remarks in log.withLock { $0.remarks = remarks } })) == true
    else { return false }
    sharing.releaseTurn()
    return true
  }

  /// Gives the turn back. Synchronizing does not need it.
  package func endTurn() { site.sharing?.releaseTurn() }

  /// Reads what other processes have appended, if they have and the turn is free. It costs one look at a name if not.
  ///
  /// - Parameter limit: how long to wait for the turn, in milliseconds. A waiting process stands in line, and gets the
  ///   turn although other processes write all the time.
  /// - Returns: whether there is something to apply; nil if there is something to read and the turn was not free.
  package func lookForCommits(waitingFor limit: Int = 0) throws(StoreError) -> Bool? {
    guard site.sharing != nil, site.isOfThisProcess, refusal == nil else { return false }
    let (known, isPending) = log.withLock { ($0.known, !$0.pending.isEmpty) }
    let entry = try asStoreError("The store does not find its files", at: site.paths.journal) {
      try site.system.entry(at: site.paths.journal)
    }
    // More may follow the commits that were read: a refresh must show what is in the file by now.
    if let entry, entry.identity == known.identity && entry.size == known.size { return isPending }
    do throws(StoreError) {
      guard let isFound = try beginTurn(within: limit) else { return isPending ? true : nil }
      endTurn()
      return isFound
    } catch {
      if error.code == .alreadyOpen { return isPending ? true : nil }
      // An event may arrive while the store is closed.
      if error.code == .closed { return false }
      throw error
    }
  }

  /// Applies what other processes have done. One thread at a time may do so, and no thread may append meanwhile: the
  /// caller has the application's lock for writing.
  ///
  /// - Parameters:
  ///   - graph: the latest version that this process has applied or appended.
  ///   - hasContents: whether commits are appended with their contents.
  ///   - body: called with each version.
  /// - Returns: the latest version.
  /// - Throws: `damaged` for a commit that does not fit. The store takes no more commits then.
  package func applyFollowed(
    to graph: Graph, withContents hasContents: Bool, _ body: (FollowedVersion) -> Void
  ) throws(StoreError) -> Graph {
    guard site.sharing != nil else { return graph }
    let pending = log.withLock { log in
      defer { log.pending = [] }
      return log.pending
    }
    var graph = graph
    for followed in pending {
      let schema = graph.schema
      let version: FollowedVersion
      switch followed {
      case .whole(let whole): version = FollowedVersion(whole: whole)
      case .commit(let commit):
        do {
          let transaction = Transaction(graph)
          try transaction.applyFinally(commit.delta)
          version = FollowedVersion(transaction.graph.numbered(commit.version), by: commit)
        } catch {
          throw ended(
            by: StoreError(
              .damaged,
              "Commit \(commit.version) of another process does not fit into the store \(path): \(error). Close the "
                + "store everywhere, and verify it.", file: site.paths.journal))
        }
      }
      graph = version.graph
      guard !version.hasNewTables || graph.schema.keepsTables(of: schema) else {
        throw ended(
          by: StoreError(
            .storeIsReadOnly,
            "Another process has changed the schema of \(path), which needs a store that no other process has open: "
              + "close it here, and open it again.", file: path))
      }
      progress.note(contents: hasContents ? graph : nil)
      body(version)
    }
    return graph
  }

  // MARK: Catching up

  /// Reads what others have appended since this process had the turn last (S28). The caller has the turn.
  func catchUp(_ log: inout CommitLog) throws(StoreError) {
    guard let remarks = log.remarks, let sharing = site.sharing else { return }
    if let lost = remarks.lost {
      throw ended(
        by: StoreError(
          .storeIsReadOnly,
          "The disk of the store \(path) has failed in another process, after version \(lost.version): close the store "
            + "in all processes, and open it again.", file: path, holder: lost.holder))
    }
    // If it cannot be noted, the caller may read, and not change anything (`noteTurn`).
    log.isNoted = remarks.isOwn || (try? sharing.noteTurn()) != nil
    if log.isUnconfirmed { try confirm(&log) }
    if remarks.isOwn && log.isComplete {
      log.remarks = nil
      return
    }
    // It may have been closed while the turn was waited for.
    try checkWriting()
    log.isComplete = false
    let entry = try asStoreError("The store does not find its files", at: site.paths.journal) {
      try site.system.entry(at: site.paths.journal)
    }
    if let entry, entry.identity != log.journal.file.identity {
      log.isComplete = try adoptJournal(&log)
    } else if let entry {
      try readOn(&log, to: entry.size)
      log.isComplete = true
    }
    // A name that leads nowhere is found when the commit is appended (S16).
    log.remarks = nil
  }

  /// Ends the writing if the journal has another size, or other bytes for its seal, than all turns have left it with
  /// (S27). In a store that is open alone, only a program that writes into files of others can have changed it.
  func checkSize(_ size: Int, _ log: inout CommitLog) throws(StoreError) {
    guard log.journal.isChanged(size) else { return }
    guard isShared else { return try checkPlace(of: log.journal) }
    let last = log.journal.lastCommit
    try readOn(&log, to: size)
    if log.journal.lastCommit == last { return }
    throw ended(
      by: StoreError(
        .damaged,
        "Commits were appended to the journal \(site.paths.journal) by a process that does not take turns: close the "
          + "store everywhere, and verify it.", file: site.paths.journal))
  }

  /// Notes that this process has the turn, before it changes the journal (S27). Otherwise the process that had the turn
  /// before would not look for the change.
  func noteTurn(_ log: inout CommitLog) throws(StoreError) {
    guard let sharing = site.sharing, !log.isNoted, !(sharing.isOpening && sharing.wasAlone) else { return }
    try asStoreError("The turn could not be noted", at: site.paths.lock) { try sharing.noteTurn() }
    log.isNoted = true
  }

  /// Ends the writing for a cause, and returns it for the caller to throw.
  private func ended(by cause: StoreError) -> StoreError {
    progress.end(cause)
    return cause
  }

  /// Checks that the last commit, which an opening has read without the turn, was not undone since (S28).
  private func confirm(_ log: inout CommitLog) throws(StoreError) {
    let isThere = try asStoreError("The journal could not be read", at: site.paths.journal) {
      try log.journal.holdsItsLastCommit
    }
    guard isThere else {
      throw ended(
        by: StoreError(
          .storeIsReadOnly,
          "Commit \(log.journal.lastCommit) of another process was read from \(path) while it was appended, and was "
            + "undone, because the disk failed: close the store here, and open it again.", file: path))
    }
    log.isUnconfirmed = false
  }

  /// Reads the commits behind the last known one, and cuts off what a dead writer has left (S29).
  private func readOn(_ log: inout CommitLog, to size: Int) throws(StoreError) {
    let (commits, durable, tail) = try asStoreError("The journal could not be read", at: site.paths.journal) {
      try log.journal.readOn(to: size)
    }
    if case .damaged = tail { try checkPlace(of: log.journal) }
    note(commits, durableTo: durable, in: &log)
    switch tail {
    case .none: break
    case .torn(let bytes): try cutOffTail(bytes, &log)
    case .damaged(let error):
      throw ended(by: StoreError(error, in: site.paths.journal))
    }
  }

  private func note(_ commits: [CommitRecord], durableTo durable: UInt64, in log: inout CommitLog) {
    guard let last = commits.last else { return }
    log.pending += commits.map(Followed.commit)
    log.late? += commits
    progress.note(followed: last.version, durableTo: durable)
    let length = log.journal.length
    sizesOfFiles.withLock { $0.journal = length }
  }

  /// Ends the writing if another journal was written into the file, as copying a backup over an open store does (S16).
  func checkPlace(of journal: JournalFile) throws(StoreError) {
    let isInPlace = try asStoreError("The journal could not be read", at: site.paths.journal) { try journal.isInPlace }
    if isInPlace { return }
    throw ended(
      by: StoreError(
        .storeIsReadOnly,
        "The store \(path) takes no more commits: its file \(site.paths.journal) was overwritten while it was open. "
          + "Close it, put back what belongs there, and open it again.", file: site.paths.journal))
  }

  private func cutOffTail(_ bytes: [UInt8], _ log: inout CommitLog) throws(StoreError) {
    guard !bytes.isEmpty else {
      throw ended(
        by: StoreError(
          .damaged,
          "The journal \(site.paths.journal) is shorter than it was: commits up to \(log.journal.lastCommit) were in "
            + "it. Close the store everywhere, and verify it.", file: site.paths.journal))
    }
    // What is behind the last commit is not the rest of an append then.
    try checkPlace(of: log.journal)
    try noteTurn(&log)
    let header = log.journal.headerBytes
    let kept = try site.paths.keepTail(
      bytes, header: header, behind: log.journal.lastCommit, site.system, synchronizingFolder: true)
    let cause = FileFailure(.write, at: site.paths.journal, EIO)
    try undo("An append of a process that has ended", in: &log.journal, after: cause)
    site.report(
      StoreError(
        .damaged,
        "A process ended while it appended to \(path): \(bytes.count) bytes behind commit \(log.journal.lastCommit) "
          + "were cut off. No commit was acknowledged." + (kept.map { " They are kept in \($0)." } ?? "")))
  }

  /// Goes on in the journal that another process has put in place of the one that is open (S30).
  ///
  /// - Returns: whether there is such a journal.
  private func adoptJournal(_ log: inout CommitLog) throws(StoreError) -> Bool {
    let (paths, system, old) = (site.paths, site.system, log.journal)
    guard let file = try StoreLock.acquireFile(paths.journal, of: paths, as: .shared, system) else { return false }
    var isAdopted = false
    defer { if !isAdopted { file.close() } }
    var commits: [CommitRecord] = []
    let stored: StoredJournal? = try asStoreError("The journal could not be read", at: paths.journal) {
      () throws -> StoredJournal? in
      let bytes = try file.readWhole(path: paths.journal)
      let number = StoreNumber(inFirst: Array(bytes.prefix(FileHeader.size)), after: JournalHeader.magic)
      guard let number, number.matches(StoreNumber(self.store)) else { return nil }
      func note(_ commit: CommitRecord) { if commit.version > old.lastCommit { commits.append(commit) } }
      let stored = try StoredJournal(scanning: bytes, key: system.key, forEach: note)
      return stored.header.store == self.store && stored.header.generation > old.generation ? stored : nil
    }
    // Anything else is not a journal that this library has put there: `checkNames` says so.
    guard let stored else { return false }
    if case .damaged(let error) = stored.end {
      throw ended(by: StoreError(error, in: paths.journal))
    }
    guard stored.lastCommit >= old.lastCommit else { return false }
    // The process that gave it the name may have died before the name was durable. Commits must not rely on it then.
    do throws(FileFailure) { try system.synchronizeFolder(paths.folder) } catch {
      let cause = StoreError(error, "The name of the journal \(paths.journal) could not be made durable")
      // A folder that cannot be opened now can be later. Only a synchronization that failed loses something.
      if error.operation == .synchronizeFolder { progress.fail(cause) }
      throw cause
    }
    var whole: StoredPair?
    if stored.header.base > old.lastCommit {
      // This process was asleep: the commits in between are in the snapshot alone.
      whole = try StoredPair.read(paths, system, keeping: site.history)
      guard let whole, whole.snapshot.store == store, whole.version >= stored.lastCommit else { return false }
    }
    try progress.alone { () throws(StoreError) in
      try checkWriting()
      // All commits of this process were copied, and synchronized before the file got its name.
      progress.noteSwitch(to: file)
    }
    isAdopted = true
    log.journal = JournalFile(file, path: paths.journal, stored)
    closeBehind(old.file)
    let length = stored.length
    sizesOfFiles.withLock { ($0.journal, $0.journalAtFailure) = (length, 0) }
    // Commits that were appended to it since may not be durable: the records say which are.
    if let whole {
      log.pending = [.whole(StoredVersion(whole, paths, system))]
      progress.note(followed: whole.version, durableTo: stored.durableTo)
    } else {
      note(commits, durableTo: stored.durableTo, in: &log)
    }
    if case .torn = stored.end { try cutOffTail(Array(stored.bytes[stored.length...]), &log) }
    watch.renew()
    return true
  }

  /// Accepts a snapshot that a checkpoint of another process has put in place (S30). The caller has the turn.
  func adoptSnapshot(_ log: inout CommitLog) throws(StoreError) {
    guard site.sharing != nil else { return }
    let (paths, system) = (site.paths, site.system)
    let known = log.snapshot
    try asStoreError("The snapshot could not be read", at: paths.snapshot) {
      guard let entry = try system.entry(at: paths.snapshot), entry.identity != known, entry.identity != log.arriving
      else { return }
      guard let file = try paths.open(paths.snapshot, for: .reading, system) else { return }
      defer { file.close() }
      guard let header = try Self.header(of: file), header.store == store,
        header.generation > log.snapshotGeneration, header.version <= log.journal.lastCommit
      else { return }
      log.snapshot = file.identity
      log.snapshotGeneration = header.generation
      let size = try file.size()
      sizesOfFiles.withLock { $0.snapshot = size }
    }
  }

  /// The header of a snapshot; nil for other files.
  private static func header(of file: any OpenFile) throws(FileFailure) -> SnapshotHeader? {
    let bytes = try file.readAll(0..<FileHeader.size + KeyMark.size)
    return unsafe bytes.withUnsafeBytes { try? unsafe SnapshotHeader(reading: $0) }
  }

  /// Gives a checkpoint the snapshot that another process has written since. The caller has the turn.
  func adoptSnapshot(_ files: inout SnapshotFiles) throws(StoreError) {
    guard site.sharing != nil else { return }
    let (identity, isExpected) = try log.withLock { log throws(StoreError) in
      try adoptSnapshot(&log)
      return (log.snapshot, log.journal.hasHistory)
    }
    guard files.file.identity != identity else { return }
    let (paths, system) = (site.paths, site.system)
    guard let file = try StoreLock.acquireFile(paths.snapshot, of: paths, as: .shared, system) else { return }
    var isAdopted = false
    defer { if !isAdopted { file.close() } }
    let found = try asStoreError("The snapshot could not be read", at: paths.snapshot) {
      (header: try Self.header(of: file), size: try file.size())
    }
    // If not, the checkpoint finds that the name leads elsewhere (S16).
    guard file.identity == identity, let header = found.header else { return }
    closeBehind(files.file)
    isAdopted = true
    files.file = file
    files.size = found.size
    files.anchor = HistoryAnchor(
      store: header.store, version: header.version, generation: header.generation, isExpected: isExpected)
    files.historySize =
      (try? paths.ownHistory(of: store, system)) == nil ? nil : (try? system.entry(at: paths.history))?.size
    let (size, history) = (files.size, files.historySize ?? 0)
    sizesOfFiles.withLock { ($0.snapshot, $0.history) = (size, history) }
  }

  // MARK: Waking up

  /// Calls a function, on any thread, after other processes have appended commits. Commits of this process lead to
  /// calls as well, unless it is alone (S39). Only one function is called.
  package func whenOthersCommit(_ notify: @escaping @Sendable () -> Void) {
    guard site.sharing != nil else { return }
    watch.begin(notify)
    // One look finds commits that were made before the file was watched.
    site.system.later(in: 0, notify)
  }
}
