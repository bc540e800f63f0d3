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
