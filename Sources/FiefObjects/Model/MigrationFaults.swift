import FiefGraph
import FiefSessions
import Synchronization

/// The first mistake of the code of a migration. The migration ends with it.
package final class MigrationFaults: Sendable {
  private let noted = Mutex<(any Error)?>(nil)

  package init() {}

  /// The first mistake; nil for none.
  package var first: (any Error)? { noted.withLock { $0 } }

  package func note(_ error: any Error) {
    noted.withLock { if $0 == nil { $0 = error } }
  }
}

extension Session {
  /// Whether this is the session of a migration's new objects, and another that of its old ones.
  func isMigration(from other: Session) -> Bool {
    other !== self && other.isFrozen && store.classes.migration != nil
      && store.classes.migration === other.store.classes.migration
  }

  /// The row of the new object for which a row of an old one stands; nil for rows of other sessions, and when the new
  /// object was deleted.
  func counterpart(of link: ObjectLink, in other: Session) -> ObjectLink? {
    // The table of a class that the program does not have any more is there, too, but has no new objects.
    isMigration(from: other) && store.binding(of: link.table) != nil && hasRow(link) ? link : nil
  }

  /// The row of this session that a managed object shows or, as an old object of a migration, stands for. Nil for any
  /// other object, and when the row was deleted.
  func row(of object: ObjectBase) -> ObjectLink? {
    guard let other = object.retainedSession, let link = object.rowLink else { return nil }
    if other === self { return object.hasRow ? link : nil }
    return counterpart(of: link, in: other)
  }
}
