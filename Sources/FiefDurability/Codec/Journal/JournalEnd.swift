/// How a journal ends.
package enum JournalEnd: Hashable, Sendable {
  /// After a seal: the journal was closed in order.
  case sealed
  /// After a commit: the journal was not closed in order, but no part of it is known to be missing.
  case clean
  /// After a torn tail: the bytes behind the last whole record may be the rest of writes that had not reached the disk
  /// before a crash. They are to be cut off. `reason` states the fault. `commits` is the minimum number of commits in
  /// the tail, from the headers of their records that can be read. The tail may also be damage to commits that no later
  /// durable-to or seal covers; the file does not show which.
  case torn(reason: String, commits: Int)
  /// Bytes that were on the disk are missing or changed. They must not be cut off.
  case damaged(CodecError)
}
