/// How a journal ends.
public enum JournalEnd: Hashable, Sendable {
  /// Behind a seal: it was closed in order.
  case sealed
  /// Behind a commit: it was not closed in order, and nothing of it is known to be missing.
  case clean
  /// Behind its last whole record there is what a crash leaves of a write that was not yet on the disk: to be cut off
  /// there. The reason says what is wrong with it.
  case torn(reason: String)
  /// Something is missing, or not as it was, that was on the disk. Nothing may be cut off.
  case damaged(CodecError)
}
