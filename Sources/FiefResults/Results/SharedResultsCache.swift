import FiefObjects
import Synchronization

/// The elements of a frozen view. Several threads may evaluate them at a time; the first result is stored, and never
/// changes after that.
final class SharedResultsCache {
  /// Written once under the lock, before `isFound` is set.
  @safe @exclusivity(unchecked) private var found = ResultsContents.values([])
  private let isFound = Atomic(false)
  private let storing = Mutex(())

  /// The elements; found by the given function if no thread has found them.
  ///
  /// - Parameter evaluate: may run code of the application, so it is called outside the lock.
  func contents(_ evaluate: () -> ResultsContents) -> ResultsContents {
    if isFound.load(ordering: .acquiring) { return found }
    let made = evaluate()
    return storing.withLock { _ in
      if !isFound.load(ordering: .relaxed) {
        found = made
        isFound.store(true, ordering: .releasing)
      }
      return found
    }
  }
}
