import Synchronization

/// The first mistake of the code of a migration. The migration ends with it.
final class MigrationFaults: Sendable {
  private let noted = Mutex<(any Error)?>(nil)

  /// The first mistake; nil for none.
  var first: (any Error)? { noted.withLock { $0 } }

  func note(_ error: any Error) {
    noted.withLock { if $0 == nil { $0 = error } }
  }
}
