import FiefGraph

/// A version that a thing was seen in, for sessions on other executors that are to see the thing.
///
/// A session that follows the ticket sees at least that version. When the thing was seen inside a write, the session
/// sees at least the version after it, once the write is committed.
package struct VersionTicket {
  /// A frozen session of the state in which the thing was seen.
  package let frozen: Session
  /// The executor on which the thing was live.
  package let home: Confinement?
  /// The version that was published when the thing was seen last.
  private let version: UInt64
  /// Whether the thing was seen last inside a write that started from `version`. The thing then appears in a later
  /// version.
  private let isOfWrite: Bool

  /// Records the state that a session sees, with the changes of its write in progress.
  package init(_ session: Session) {
    frozen = session.frozenWithChanges()
    home = session.isFrozen ? session.origin : session.confinement
    version = frozen.graph.version
    isOfWrite = session.transaction != nil
    assert(frozen.isFrozen, "A ticket holds a version that never changes.")
  }

  private init(_ frozen: Session, _ home: Confinement?, at version: UInt64, isOfWrite: Bool) {
    self.frozen = frozen
    self.home = home
    self.version = version
    self.isOfWrite = isOfWrite
  }

  /// The record after a session has seen the thing.
  package enum Next {
    /// This ticket: the session sees no later version.
    case same
    /// Another ticket over the same frozen state. The write in which the thing was seen may not be committed yet.
    case later(VersionTicket)
    /// A ticket of the session's version, in which the thing has to be seen again.
    case moved(VersionTicket)
  }

  /// Returns what to record after a session has seen the thing, so that the next session sees at least as much.
  package func next(after session: Session) -> Next {
    assert(session.store === frozen.store, "A ticket is of one store.")
    let present = session.graph.version
    if session.transaction != nil {
      return .later(VersionTicket(frozen, home, at: max(version, present), isOfWrite: true))
    }
    if present <= version { return .same }
    let frozen = session.frozen()
    assert(frozen.graph.version > version, "A ticket follows its session to later versions only.")
    return .moved(VersionTicket(frozen, home, at: frozen.graph.version, isOfWrite: false))
  }

  /// Whether both record the same version.
  package func isLevel(with other: VersionTicket) -> Bool { version == other.version && isOfWrite == other.isOfWrite }

  /// The version to pin when a session without a pinned version follows a ticket.
  package enum Beginning {
    /// The version that the ticket records.
    case recorded
    /// The latest version.
    case latest
  }

  /// Advances a session of the store to a version in which the thing can be seen. A session in a write or a delivery
  /// stays where it is.
  package func advance(_ session: Session, from beginning: Beginning) {
    assert(session.store === frozen.store, "A ticket is of one store.")
    if session.isFrozen || session.transaction != nil { return }
    if !session.isPinned && beginning == .recorded && !isOfWrite {
      session.pin(frozen.graph)
      // If the session advances automatically, it does so when it answers the signal.
      if session.store.published.current.version > session.graph.version { session.signal.raise() }
      return
    }
    let present = session.graph.version
    if session.observers.isDelivering || present > version || present == version && !isOfWrite { return }
    session.advance()
    session.observers.deliver(session)
  }
}
