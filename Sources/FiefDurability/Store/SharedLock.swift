/// The locks by which processes share a store: bytes of its lock file (S26 to S39).
enum SharedLock: Hashable, Sendable {
  /// Held by an opening: they follow each other.
  case door
  /// Held alone by an opening that found no other process, and shared by all that have the store open.
  case presence
  /// Held by the writer that gets the turn next.
  case line
  /// Held by the process that reads or changes the end of the journal.
  case turn
  /// Held by the process that replaces files.
  case checkpoint
  /// Held by the process that delivers documents.
  case outbox
  /// Shared by the processes that keep earlier versions.
  case versions
  /// Held by a process that has the store open, which is named in this line of the lock file.
  case member(Int)

  /// The byte of the lock file. It lies behind the contents of the file.
  var byte: Int {
    let number =
      switch self {
      case .door: 0
      case .presence: 1
      case .line: 2
      case .turn: 3
      case .checkpoint: 4
      case .outbox: 5
      case .versions: 6
      case .member(let index): 16 + index
      }
    return 1 << 30 + number
  }
}
