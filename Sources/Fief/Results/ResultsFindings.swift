import FiefSessions
import Synchronization

/// The query and the evaluated elements of a view.
///
/// Views that are only counted, or only narrowed by further queries, never allocate one; most views live for one line
/// of a program. It is confined like its view. The findings of a frozen view are made with the view, and its threads
/// store results in it under the lock.
final class ResultsFindings {
  // Exclusivity is not checked at run time: accesses are confined to one thread, queue or actor, or protected by the
  // lock.

  /// The query on the elements of the base; nil for all of them.
  @safe @exclusivity(unchecked) var query: ResultsQuery?
  /// The elements, if they were evaluated.
  @safe @exclusivity(unchecked) var shown = ResultsShown.values([])
  /// The moment at which the elements were evaluated.
  let moment = Atomic(Moment.never)
  let evaluating = Mutex(())
  /// The first rows, while no more were needed, and the moment at which they were found.
  @safe @exclusivity(unchecked) var begun: (moment: Moment, rows: ResultsBeginning)?

  init(_ query: ResultsQuery? = nil) { self.query = query }
}
