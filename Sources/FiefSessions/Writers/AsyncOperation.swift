/// Identifies a requested write, or a commit, that is not done yet.
package typealias OperationNumber = UInt32

/// An operation that a session has yet to finish.
package enum AsyncOperation {
  /// A write that waits for the writer lock.
  case write(WriterLock.Ticket, AsyncWrite)
  /// A finished commit whose completion has not been called.
  case completion(((any Error)?) -> Void)
  /// A write whose block runs, or an `asyncWrite` that still waits for the lock. It cannot be cancelled by number.
  case running
}

/// A write to run later.
package struct AsyncWrite {
  let block: () -> Void
  /// The action when the block returns without having ended its write.
  let end: End

  package enum End {
    /// Commit, then call the completion.
    case commit(((any Error)?) -> Void)
    /// Roll back.
    case rollBack
  }

  package init(block: @escaping () -> Void, end: End) {
    self.block = block
    self.end = end
  }
}
