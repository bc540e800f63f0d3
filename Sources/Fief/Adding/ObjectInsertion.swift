import FiefCopying
import FiefGraph
import FiefSessions

/// The means by which a session inserts objects: a planner and its source, and the short cuts beside it.
///
/// A session keeps one of them for its next operation, so that small operations allocate no memory.
final class ObjectInsertion {
  // Exclusivity is not checked at run time for these properties: one operation at a time uses them.

  let objects: SessionObjects
  let planner: InsertionPlanner
  /// The values of a dictionary that needs no plan.
  @safe @exclusivity(unchecked) var given = GivenScalars()
  /// Copies rows that need no plan.
  let copier = RowCopier()

  init(_ session: Session, _ transaction: Transaction) {
    objects = SessionObjects(session, transaction)
    planner = InsertionPlanner(objects, session, transaction)
  }

  /// Begins an operation of the session.
  @inline(__always)
  func prepare(_ transaction: Transaction) {
    objects.transaction = transaction
    planner.transaction = transaction
  }
}

extension Session {
  /// The means of the next insertion; nil before the first one, and during one.
  var spareInsertion: ObjectInsertion? {
    @inline(__always) get { spare.map { unsafe unsafeDowncast($0, to: ObjectInsertion.self) } }
    @inline(__always) set { spare = newValue }
  }

  /// Calls `body` with a planner that is valid during the call. When application code makes the plan stale, the call is
  /// repeated, up to `StalePlan.attempts` times in all.
  @inline(__always)
  func planning<Result>(
    _ transaction: Transaction, _ request: PlanRequest, _ body: (InsertionPlanner) throws -> Result
  ) throws -> Result { try inserting(transaction, request) { try body($0.planner) } }

  /// `planning` for operations that may take a short cut.
  @inline(__always)
  func inserting<Result>(
    _ transaction: Transaction, _ request: PlanRequest, _ body: (ObjectInsertion) throws -> Result
  ) throws -> Result {
    // Taken out during use: application code that runs meanwhile (defaults, conversions) may call this function again.
    let insertion = spareInsertion ?? ObjectInsertion(self, transaction)
    spareInsertion = nil
    insertion.prepare(transaction)
    defer { spareInsertion = insertion }
    var attempts = 0
    while true {
      insertion.planner.begin(request)
      defer { insertion.planner.finish() }
      do { return try body(insertion) } catch is StalePlan {
        attempts += 1
        if attempts == StalePlan.attempts { throw StalePlan.error }
      }
    }
  }
}

extension Realm.UpdatePolicy {
  var plan: PlanPolicy {
    switch self {
    case .error: .error
    case .modified: .modified
    case .all: .all
    }
  }
}
