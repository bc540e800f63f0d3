import Dispatch
import FiefDurability
import FiefGraph
import FiefRuntime

/// Following what other processes commit to the files of the store.
///
///     beginTurn ──▶ catchUp ──▶ tip, published, sessions woken
///     an event of the file system, refresh() ──▶ follow ──▶ the same, when no write is under way
extension Store {
  /// Takes the turn to write among the processes that have the files open, and catches up with them. The caller holds
  /// the writer's lock.
  ///
  /// - Throws: `alreadyOpen` when another process keeps the turn for too long; errors of the files.
  func beginTurn() throws {
    do throws(TurnRefusal) { try takeTurn() } catch { throw error.reason }
  }

  /// Why the turn could not be taken.
  struct TurnRefusal: Error {
    /// Whether another process has it. Otherwise the files cannot be read, or take no more commits.
    let isBusy: Bool
    /// The error in the words of the client.
    let reason: any Error
  }

  /// Does what `beginTurn()` does.
  func takeTurn() throws(TurnRefusal) {
    guard let files, files.isShared else { return }
    let isBehind: Bool
    do throws(StoreError) { isBehind = try files.beginTurn(since: lock.arrival) } catch {
      throw TurnRefusal(isBusy: error.code == .alreadyOpen, reason: client.explain(error))
    }
    endReservation()
    if isBehind {
      do { try catchUp() } catch {
        files.endTurn()
        throw TurnRefusal(isBusy: false, reason: error)
      }
    }
    isCaughtUp.store(true, ordering: .releasing)
  }

  /// Lets other processes write, if the turn was taken.
  func endTurn() {
    if isCaughtUp.exchange(false, ordering: .acquiringAndReleasing) { files?.endTurn() }
  }

  /// The time for which a turn is reserved, in milliseconds: an executor that is busy for longer must not hold up other
  /// processes.
  private static let reservedTime = 100

  /// Waits for the turn of a write that is about to be scheduled on its executor, which must not wait for other
  /// processes itself. `beginTurn` needs no waiting then.
  ///
  /// - Parameter next: called when the turn is taken, or could not be: at once, or on another thread.
  func reserveTurn(_ next: @escaping @Sendable () -> Void) {
    guard let files, files.isShared, !files.isTurnFree else { return next() }
    let visit = StoreVisits(self)
    DispatchQueue.global(qos: .userInitiated).async {
      visit { $0.takeReservedTurn(files) }
      next()
    }
  }

  private func takeReservedTurn(_ files: StoreFile) {
    // The write meets an error itself.
    guard (try? files.beginTurn(since: lock.arrival)) != nil else { return }
    let number: UInt64? = state.withLock { state in
      guard state.reservation == nil else { return nil }
      let number = state.nextReservation
      state.nextReservation += 1
      state.reservation = number
      return number
    }
    guard let number else { return files.endTurn() }
    let visit = StoreVisits(self)
    options.fileSystem.later(in: Self.reservedTime) { visit { $0.endReservation(number) } }
  }

  /// Gives a reserved turn back.
  ///
  /// - Parameter number: which one; nil for any.
  private func endReservation(_ number: UInt64? = nil) {
    let isReserved = state.withLock { state in
      guard let reservation = state.reservation, number == nil || reservation == number else { return false }
      state.reservation = nil
      return true
    }
    if isReserved { files?.endTurn() }
  }

  /// Applies what other processes have committed, as far as it was read, and makes it visible. The caller holds the
  /// writer's lock.
  private func catchUp() throws {
    assert(lock.isHeld, "Commits of others are applied in the turn of a writer.")
    let (old, hasFailed) = state.withLock { ($0.tip, $0.hasFailed) }
    if hasFailed { return }
    var last = old
    let next: Graph
    do {
      func note(_ version: FollowedVersion) {
        if version.isLeap {
          history?.replace(by: version.earlier, version.beforeSnapshot)
        } else {
          history?.add(
            last, at: version.time ?? history?.now ?? 0, replacedBy: version.hasNewTables ? version.graph : nil)
        }
        last = version.graph
      }
      next =
        try files?.applyFollowed(to: old, withContents: waitsForDisk, note) ?? reader.map { reader throws(StoreError) in
          try read(reader, from: old, note)
        } ?? old
    } catch {
      throw client.explain(error)
    }
    guard next.version > old.version else { return }
    let isTip = state.withLock { state in
      if state.hasFailed { return false }
      assert(state.tip.version == old.version, "A write is alone in its process.")
      state.tip = next
      return true
    }
    guard isTip else { return }
    published.advance(to: next)
    Logger.log(.debug, "Read the commits \(old.version + 1) to \(next.version) of other processes in \(label).")
    announce()
    wakeOutbox()
    // A process that writes and keeps no versions leaves checkpoints to those that do, which may never write.
    if history != nil { checkpointIfDue() }
  }

  /// Reads what other processes have committed to the file of a read-only store, as far as its classes fit it.
  ///
  /// - Parameters:
  ///   - old: the version that the store shows.
  ///   - body: called with each version after it.
  /// - Returns: the latest of them.
  private func read(
    _ reader: StoreReader, from old: Graph, _ body: (FollowedVersion) -> Void
  ) throws(StoreError) -> Graph {
    if reader.isOver { return old }
    var shown = old
    var fits = true
    let read = try reader.follow(from: state.withLock { $0.read }) { version in
      guard fits, let graph = readTables.shown(version.graph) else {
        fits = false
        return
      }
      shown = graph
      body(version.showing(graph))
    }
    state.withLock { $0.read = read }
    if !fits || reader.isOver { endReading(at: shown.version, .warn) }
    return shown
  }

  /// Follows no more commits with a read-only store.
  func endReading(at version: UInt64, _ level: LogLevel) {
    reader?.end()
    Logger.log(
      level,
      "The read-only realm \(label) stays at version \(version), because its classes do not fit later versions of the "
        + "file: another process has changed the schema, or a class has narrower integers than the file. Open it again "
        + "to see later versions.")
  }

  /// Follows other processes from now on.
  func beginFollowing() {
    let news = News(files: files.map { WeakReference($0) }, reader: reader.map { WeakReference($0) }, label: label)
    let visit = StoreVisits(self)
    // The store is retained only while there is something to apply. Otherwise a thread that looks would often release
    // it last, and a realm would not be closed when its last reference of the application is.
    let look: @Sendable () -> Void = {
      if news.mayBeThere { visit { $0.follow() } }
    }
    files?.whenOthersCommit(look)
    reader?.whenOthersCommit(look)
  }

  /// Looks for commits of other processes without the store.
  private struct News: Sendable {
    let files: WeakReference<StoreFile>?
    let reader: WeakReference<StoreReader>?
    let label: String

    /// Whether other processes have committed, or it is to be asked again.
    var mayBeThere: Bool {
      do throws(StoreError) {
        if let reader { return reader.object?.hasNews ?? false }
        guard let files = files?.object else { return false }
        return try files.lookForCommits() ?? true
      } catch {
        Logger.log(.error, "The commits of other processes in \(label) cannot be read: \(error)")
        return false
      }
    }
  }

  /// Looks whether other processes have committed, and applies what they have when no write of this process is under
  /// way. Returns at once.
  private func follow() {
    do throws(StoreError) {
      switch try hasNews(waitingFor: Self.place) {
      case false?: return
      case nil: return followLater()
      case true?: break
      }
    } catch {
      return Logger.log(.error, "The commits of other processes in \(label) cannot be read: \(error)")
    }
    let isFree = lock.enterIfFree()
    if isFree { applyAndLeave() }
    if !isFree { wait(for: lock.queue(ObjectIdentifier(self))) }
  }

  /// Whether other processes have committed; nil if that is to be asked again.
  ///
  /// - Parameter moment: how long to wait for the turn of another process, in milliseconds.
  private func hasNews(waitingFor moment: Int) throws(StoreError) -> Bool? {
    if let reader { return reader.hasNews }
    guard let files else { return false }
    return try files.lookForCommits(waitingFor: moment)
  }

  /// The time after which a turn that was not free is asked for again, in milliseconds.
  private static let pause = 5

  /// The time for which a follower stands in line for the turn, in milliseconds.
  private static let place = 20

  /// The time for which a refresh waits for a write of another process, in milliseconds.
  private static let refreshTime = 100

  /// Looks again after a pause. A look that is already due serves all that ask for one.
  private func followLater() {
    let isDue = state.withLock { state in
      defer { state.isLookDue = true }
      return state.isLookDue
    }
    if isDue { return }
    let visit = StoreVisits(self)
    options.fileSystem.later(in: Self.pause) {
      visit { store in
        store.state.withLock { $0.isLookDue = false }
        store.follow()
      }
    }
  }

  private func wait(for ticket: WriterLock.Ticket) {
    let visit = StoreVisits(self)
    lock.whenTurnComes(ticket) {
      visit { store in
        guard store.lock.start(ticket) else { return store.lock.waits(ticket) ? store.wait(for: ticket) : () }
        store.applyAndLeave()
      }
    }
  }

  private func applyAndLeave() {
    defer { lock.leave() }
    do { try catchUp() } catch {
      // What fails now fails again in a moment: the next event or refresh tries it again.
      return Logger.log(.error, "The commits of other processes in \(label) cannot be applied: \(error)")
    }
    // There may be more: the turn was not free, or others have appended meanwhile. Giving the turn back is no event.
    do throws(StoreError) {
      if try hasNews(waitingFor: 0) != false { followLater() }
    } catch {
      Logger.log(.error, "The commits of other processes in \(label) cannot be read: \(error)")
    }
  }

  /// Delivers documents of other processes when they are durable, if this process delivers and they do not.
  private func wakeOutbox() {
    let lines = outbox.linesWithHandlers
    guard let files, !lines.isEmpty else { return }
    let graph = published.current
    guard let table = graph.table(named: TableSchema.outboxName), table.count > 0 else { return }
    let end = table.nextKey
    // The timer serves commits of this process alone.
    let visit = StoreVisits(self)
    files.whenDurable(graph.version, urgency: .grouped) { failure in
      if failure == nil { visit { store in lines.forEach { store.noteDurable(documents: end, $0) } } }
    }
  }

  /// Applies what other processes have committed by now, if no write of this process is under way. Waits a moment for a
  /// write of another process; if that lasts longer, what it commits is followed later.
  func followNow() {
    guard follows else { return }
    var waited = 0
    while !lock.enterIfFree() {
      // Nobody else has committed since that writer caught up. Another one has to wait for other processes itself.
      if isCaughtUp.load(ordering: .acquiring) || waited >= Self.refreshTime * 1000 { return }
      // The lock may be offered to a writer that waits for this thread.
      if waited >= 2000, lock.enterUnlessRunning() { break }
      options.fileSystem.pause(microseconds: 50)
      waited += 100
    }
    defer { lock.leave() }
    do {
      if try hasNews(waitingFor: Self.refreshTime) == true { try catchUp() }
    } catch {
      Logger.log(.error, "The commits of other processes in \(label) cannot be read: \(error)")
    }
  }
}
