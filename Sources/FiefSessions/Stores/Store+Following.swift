import FiefDurability
import FiefGraph

/// What other processes commit to the files of the store.
///
///     beginTurn ──▶ catchUp ──▶ tip, published, sessions woken
///     an event of the file system, refresh() ──▶ follow ──▶ the same, when no write is under way
extension Store {
  /// Takes the turn to write among the processes that have the files open, and catches up with them. The caller holds
  /// the writer's lock.
  ///
  /// - Throws: `alreadyOpen` when another process keeps the turn for too long; errors of the files.
  func beginTurn() throws {
    guard let files, files.isShared else { return }
    do throws(StoreError) { try files.beginTurn() } catch { throw client.explain(error) }
    do { try catchUp() } catch {
      files.endTurn()
      throw error
    }
  }

  /// Lets other processes write.
  func endTurn() {
    if let files, files.isShared { files.endTurn() }
  }

  /// Applies what other processes have committed, as far as it was read, and makes it visible. The caller holds the
  /// writer's lock.
  private func catchUp() throws {
    guard let files else { return }
    assert(lock.isHeld, "Commits of others are applied in the turn of a writer.")
    let (old, hasFailed) = state.withLock { ($0.tip, $0.hasFailed) }
    if hasFailed { return }
    var last = old
    let next: Graph
    do throws(StoreError) {
      next = try files.applyFollowed(to: old, withContents: waitsForDisk) { version in
        if version.isLeap {
          history?.forget()
        } else {
          history?.add(
            last, at: version.time ?? history?.now ?? 0, replacedBy: version.hasNewTables ? version.graph : nil)
        }
        last = version.graph
      }
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
  }

  /// Looks whether other processes have committed, and applies what they have when no write of this process is under
  /// way. Returns at once.
  func follow() {
    guard let files else { return }
    do throws(StoreError) {
      switch try files.lookForCommits() {
      case false?: return
      case nil: return followLater()
      case true?: break
      }
    } catch {
      return Logger.log(.error, "The commits of other processes in \(label) cannot be read: \(error)")
    }
    wait(for: lock.queue(ObjectIdentifier(self)))
  }

  /// The time after which a turn that was not free is asked for again, in milliseconds.
  private static let pause = 5

  private func followLater() {
    options.fileSystem.later(in: Self.pause) { [weak self] in self?.follow() }
  }

  private func wait(for ticket: WriterLock.Ticket) {
    lock.whenTurnComes(ticket) { [self] in
      guard lock.start(ticket) else { return lock.waits(ticket) ? wait(for: ticket) : () }
      defer { lock.leave() }
      do { try catchUp() } catch {
        Logger.log(.error, "The commits of other processes in \(label) cannot be applied: \(error)")
      }
    }
  }

  /// Delivers documents of other processes when they are durable, if this process delivers and they do not.
  private func wakeOutbox() {
    let lines = outbox.linesWithHandlers
    guard let files, !lines.isEmpty else { return }
    let graph = published.current
    guard let table = graph.table(named: TableSchema.outboxName), table.count > 0 else { return }
    let end = table.nextKey
    files.whenDurable(graph.version, urgency: .timer) { [weak self] failure in
      if failure == nil { lines.forEach { self?.noteDurable(documents: end, $0) } }
    }
  }

  /// Applies what other processes have committed by now, if no write of this process is under way.
  func followNow() {
    guard let files, files.isShared, lock.enterIfFree() else { return }
    defer { lock.leave() }
    do {
      if try files.lookForCommits() == true { try catchUp() }
    } catch {
      Logger.log(.error, "The commits of other processes in \(label) cannot be read: \(error)")
    }
  }
}
