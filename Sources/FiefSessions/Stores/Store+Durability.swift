import FiefDurability
import FiefGraph
import Synchronization

extension Store {
  /// Whether a commit is complete only when the disk has it.
  var waitsForDisk: Bool { files != nil && options.waitsForDisk }

  /// Makes a written version visible, after it is as durable as the options require.
  ///
  /// - Throws: `commitOutcomeUnknown`. The store accepts no further writes then.
  func publish(_ graph: Graph) throws {
    assert(graph.version <= state.withLock { $0.tip.version }, "A version is the tip before it is published.")
    if waitsForDisk, let files {
      do throws(StoreError) { try files.waitUntilDurable(graph.version) } catch {
        rollBack(files)
        throw client.explain(error)
      }
    }
    published.advance(to: graph)
    checkpointIfDue()
  }

  /// Makes a written version visible before it is durable.
  ///
  /// - Throws: `commitOutcomeUnknown` when the disk has failed meanwhile.
  func publishEarly(_ graph: Graph) throws {
    // Released after the lock.
    let old = published.current
    let hasFailed = state.withLock { state in
      if !state.hasFailed { published.advance(to: graph) }
      return state.hasFailed
    }
    if hasFailed { try publish(graph) }
    assert(old.version <= published.current.version, "Published versions only grow.")
  }

  /// Reports when a written version is durable, on a queue of the store, which stays open until then.
  ///
  /// - Parameter report: receives nil, or the reason why the commit may be lost: it was rolled back if the commits of
  ///   the store wait for the disk. The queue has no reference to the store then: code that waits for the report may
  ///   release the last one, and rely on it.
  func whenDurable(_ version: UInt64, urgency: Urgency, _ report: @escaping @Sendable ((any Error)?) -> Void) {
    guard let files else { return report(nil) }
    let held = Mutex<Store?>(self)
    files.whenDurable(version, urgency: urgency) { failure in report(Self.settle(held, failure)) }
  }

  private static func settle(_ held: borrowing Mutex<Store?>, _ failure: StoreError?) -> (any Error)? {
    let store = held.withLock { held in
      defer { held = nil }
      return held
    }
    return store?.settle(failure)
  }

  /// Has the timer make a written version durable. The store may be closed before, which makes it durable as well.
  func becomeDurableLater(_ version: UInt64) {
    let visit = StoreVisits(self)
    files?.whenDurable(version, urgency: .timer) { failure in visit { _ = $0.settle(failure) } }
  }

  /// Does what follows when it is known whether a version is durable.
  ///
  /// - Returns: the reason why it is not.
  private func settle(_ failure: StoreError?) -> (any Error)? {
    guard let failure, let files else {
      checkpointIfDue()
      return nil
    }
    rollBack(files)
    return client.explain(failure)
  }

  /// After a failure of the disk, publishes the contents of the last durable version as a new one: what other sessions
  /// have seen early is undone for all of them. Does nothing before a failure, and the second time; nor if commits do
  /// not wait for the disk, because the published version is the last one that is known.
  func rollBack(_ files: StoreFile) {
    guard let (contents, last) = files.remains else { return }
    let (old, isPublished) = state.withLock { state in
      // Released after the lock.
      let old = state.tip
      if state.hasFailed { return (old, false) }
      state.hasFailed = true
      // The keys of the rolled-back rows are never assigned again.
      state.keptKeys.merge(Transaction(old).keyMarks)
      state.tip = contents.numbered(last + 1)
      // Sessions have seen a later version only if one was published early.
      if published.current.version <= contents.version { return (old, false) }
      published.advance(to: state.tip)
      return (old, true)
    }
    if isPublished {
      Logger.log(
        .error,
        "The commits of \(label) after version \(contents.version), up to \(last), are rolled back. "
          + (files.refusal?.message ?? "No more are taken."))
      announce()
    }
    withExtendedLifetime(old) {}
  }
}
