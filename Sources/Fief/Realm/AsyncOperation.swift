/// Names a write, or the end of one, that was asked for and is not done: see `Realm.cancelAsyncWrite(_:)`.
public typealias AsyncTransactionId = UInt32

/// What a session was asked to do later.
enum AsyncOperation {
  /// A write that stands in line.
  case write(WriterLock.Ticket, AsyncWrite)
  /// A commit that was done, whose completion has not been called.
  case completion(((any Error)?) -> Void)
  /// A write whose block runs, or that a task waits to begin and then runs: it cannot be taken back.
  case running
}

/// A write to be done later.
struct AsyncWrite {
  let block: () -> Void
  /// What is to be done when the block returns inside its write.
  let end: End

  enum End {
    /// Commit, and tell.
    case commit(((any Error)?) -> Void)
    /// Roll back.
    case rollBack
  }
}
