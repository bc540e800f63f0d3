import Synchronization

/// What a view was asked beyond its count, and what it found.
///
/// Views that are only counted, or only asked for narrower ones, never have it: most live for one line of a program. It
/// belongs to whoever the view belongs to; that of a frozen one is made with it, and what its threads find is put down
/// under the lock.
final class ResultsFindings {
  // Exclusivity is not checked at run time: one place uses it, or the lock does.

  /// What is asked of the elements of the base.
  @exclusivity(unchecked) var query: ResultsQuery?
  /// The elements.
  @exclusivity(unchecked) var shown = ResultsShown.values([])
  /// The session's number of changes when they were evaluated; 0 when they were not.
  let changes = Atomic<UInt64>(0)
  let evaluating = Mutex(())
  /// The first rows, while no more was asked for; and the session's number of changes then.
  @exclusivity(unchecked) var begun: (changes: UInt64, rows: ResultsBeginning)?

  init(_ query: ResultsQuery? = nil) { self.query = query }
}
