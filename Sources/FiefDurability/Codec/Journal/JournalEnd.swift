/// How a journal ends.
public enum JournalEnd: Hashable, Sendable {
  /// Behind a seal: it was closed in order.
  case sealed
  /// Behind a commit: it was not closed in order, and nothing of it is known to be missing.
  case clean
  /// Behind its last whole record there is what a crash leaves of writes that were not yet on the disk: to be cut off
  /// there. The reason says what is wrong with it; how many commits there were at least, as far as the headers of their
  /// records can be seen, says `commits`. It may also be what damage leaves of commits that nothing vouches for; that
  /// cannot be told.
  case torn(reason: String, commits: Int)
  /// Something is missing, or not as it was, that was on the disk. Nothing may be cut off.
  case damaged(CodecError)
}
