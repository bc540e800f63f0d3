import FiefDurability
import FiefGraph
import Synchronization

extension Store {
  /// Whether a commit is complete only when the disk has it.
  var waitsForDisk: Bool { files != nil && options.waitsForDisk }

  /// Returns when a written version survives a power failure.
  ///
  /// - Throws: `commitOutcomeUnknown`. The store accepts no further writes then.
  func waitUntilDurable(_ version: UInt64) throws {
    guard let files else { return }
    var failure: (any Error)?
    do throws(StoreError) {
      try files.waitUntilDurable(version)
    } catch {
      failure = client.explain(error)
    }
    noteDurable(files, isBetweenWrites: false)
    if let failure { throw failure }
  }

  /// Makes a written version visible before it is durable.
  ///
  /// - Throws: `commitOutcomeUnknown` when the disk has failed meanwhile.
  func publishEarly(_ graph: Graph) throws {
    // Released after the lock.
    let old = published.current
    let hasFailed = state.withLock { state in
      if !state.written.hasFailed { published.advance(to: graph) }
      return state.written.hasFailed
    }
    if hasFailed {
      try waitUntilDurable(graph.version)
      published.advance(to: graph)
    }
    assert(old.version <= published.current.version, "Published versions only grow.")
  }

  /// Reports when a written version is durable, on a queue of the store.
  ///
  /// - Parameters:
  ///   - lingers: whether the commit may wait a little for others, to be synchronized together with them.
  ///   - report: receives nil, or the reason why the commit was rolled back.
  func whenDurable(_ version: UInt64, lingers: Bool, _ report: @escaping Synchronizer.Report) {
    synchronizer.whenDurable(version, lingers: lingers, report: report) { target in
      do {
        try self.waitUntilDurable(target)
        self.checkpointIfDue()
        return (target, nil)
      } catch {
        return (self.files?.durableVersion ?? target, error)
      }
    }
  }

  /// Releases the versions that are no longer needed. After a failed synchronization, publishes the contents of the
  /// last durable version as a new one: what other sessions have seen early is undone for all of them.
  ///
  /// - Parameter isBetweenWrites: whether no commit can be in the files that is not noted as written. Otherwise such a
  ///   commit puts the undoing off: its writer notes it, and then waits for it, which comes here again.
  func noteDurable(_ files: StoreFile, isBetweenWrites: Bool) {
    let durable = files.durableVersion
    // Asked before the version: a commit that was appended in spite of the failure is in the version by then.
    let hasFailed = files.refusal != nil
    let (dropped, change) = state.withLock { state in
      let dropped = state.written.note(durable: durable)
      guard hasFailed, isBetweenWrites || files.version <= state.written.tip.version,
        let (old, new) = state.written.dropUndurable()
      else { return (dropped, nil as (old: Graph, new: Graph)?) }
      // The keys of the rolled-back rows are never assigned again.
      state.keptKeys.merge(Transaction(old).keyMarks)
      // Sessions have seen a later version only if one was published early.
      if published.current.version > durable { published.advance(to: new) }
      return (dropped, (old, new))
    }
    if let change, published.current.version == change.new.version {
      Logger.log(
        .error,
        "The disk of \(words) failed: the commits up to version \(change.old.version) are rolled back to version "
          + "\(durable), and no more are taken.")
      announce()
    }
    withExtendedLifetime(dropped) {}
  }
}
