public import FiefGraph
public import FiefRuntime

// The reads of `withObservationTracking`. The quick check of the executor fails while a scope may be running, so only
// the slow paths of reads come here.

extension Session {
  /// Notes that the running scope, if there is one, has read a cell.
  @inlinable
  @inline(__always)
  package func noteRead(_ cell: @autoclosure () -> Cell) {
    let scope = trackingScope
    if !scope.isNone { noteRead(cell(), scope) }
  }

  /// Notes that the running scope, if there is one, has asked whether a row exists.
  package func noteRead(row: ObjectLink) {
    if mayBeTracked { trackedReads.note(row, nil, in: self, by: trackingScope) }
  }

  /// Whether a scope may be running that this session's changes concern. Asked on the executor.
  @inlinable
  @inline(__always)
  package var mayBeTracked: Bool { !trackingScope.isNone }

  /// The running scope. Asked on the executor.
  @inlinable
  @inline(__always)
  package var trackingScope: TrackingScope { confinementCheck.scopes.scope }

  /// Notes that the running scope has read a cell.
  @usableFromInline
  package func noteRead(_ cell: Cell, _ scope: TrackingScope) {
    if borrowedTracked == nil { tracked = TrackedReads() }
    borrowedTracked?.with { $0.note(cell.object, cell.column, in: self, by: scope) }
  }

  /// Notes that the running scope has read a collection, when `mayBeTracked`.
  ///
  /// - Parameters:
  ///   - subject: stands for the collection, which a scope tests once.
  ///   - isDeep: whether changes of its elements count.
  ///   - test: makes the test whether the collection has changed.
  package func noteRead(collection subject: AnyObject, isDeep: Bool, _ test: () -> TrackedReads.Test) {
    trackedReads.note(collection: subject, isDeep: isDeep, in: self, by: trackingScope, test)
  }

  /// Notes that the running scope, if there is one, has read what every change may affect.
  package func noteReadOfAll() {
    if mayBeTracked { trackedReads.noteAll(in: self, by: trackingScope) }
  }

  /// Runs a block whose reads are not noted, as a test of its result is.
  package func withoutTracking<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let tracked else { return try body() }
    assert(tracked.suspensions >= 0, "Each pause of noting ends.")
    tracked.suspensions += 1
    defer { tracked.suspensions -= 1 }
    return try body()
  }

  private var trackedReads: TrackedReads {
    if let tracked { return tracked }
    let made = TrackedReads()
    tracked = made
    return made
  }
}
