import FiefGraph

/// A thing at one version, ready to be resolved on any thread.
///
/// A session that resolves it sees at least the version at which the thing was last seen. When that was inside a write,
/// the session sees at least the version after it, once the write is committed.
struct Handover<Confined: ThreadConfined>: @unchecked Sendable {
  /// The frozen thing, which any thread may read.
  private let thing: Confined
  let frozen: Session
  /// The executor on which the thing was live.
  let home: Confinement?
  /// The version that was published when the thing was last seen.
  private(set) var version: UInt64
  /// Whether the thing was last seen inside a write that started from `version`. The thing then appears in a later
  /// version.
  private(set) var isOfWrite: Bool

  init(_ thing: Confined, _ what: String) {
    guard let session = thing.realm?.session else {
      fatalError("\(what) needs a managed thing: add the object to a realm first; it may also have been deleted.")
    }
    session.checkConfinement()
    if thing.isInvalidated { fatalError("\(what) needs a thing that is valid: this one was deleted or invalidated.") }
    frozen = session.frozenWithChanges()
    home = session.isFrozen ? session.origin : session.confinement
    version = frozen.graph.version
    isOfWrite = session.transaction != nil
    guard let copy = session.isFrozen ? thing : thing._seen(in: Realm(frozen)) else {
      fatalError("\(what) needs a thing that is valid: this one was deleted or invalidated.")
    }
    self.thing = copy
  }

  private init(_ thing: Confined, _ frozen: Session, _ home: Confinement?) {
    self.thing = thing
    self.frozen = frozen
    self.home = home
    version = frozen.graph.version
    isOfWrite = false
  }

  /// Returns the thing as a session of its store sees it; nil when it does not exist there.
  func seen(by session: Session) -> Confined? { thing._seen(in: Realm(session)) }

  /// Returns the handover that records what a session has just resolved, so that the next session sees at least as
  /// much.
  ///
  /// Inside a write nothing is copied: the thing stays frozen as it was, and only `isOfWrite` is set. The flag stays
  /// set until a later version has been seen, because the write may not be committed yet.
  ///
  /// - Parameter thing: the resolved thing; nil when it did not exist.
  /// - Returns: nil when the thing was deleted. This is final, as row keys are never reused.
  func followed(by thing: Confined?, in session: Session) -> Handover? {
    let seen = session.graph.version
    if session.transaction != nil {
      var next = self
      next.version = max(version, seen)
      next.isOfWrite = true
      return next
    }
    if seen <= version { return self }
    guard let thing else { return nil }
    let frozen = session.frozen()
    return thing._seen(in: Realm(frozen)).map { Handover($0, frozen, home) } ?? self
  }

  /// Whether both record the same version of the thing.
  func isLevel(with other: Handover) -> Bool { version == other.version && isOfWrite == other.isOfWrite }
}

extension Session {
  /// The version to pin when a session without a pinned version resolves a handover.
  enum Beginning {
    /// The version that the handover was made from.
    case carried
    /// The latest version.
    case latest
  }

  /// Returns the thing of a handover as this session sees it; nil when it does not exist there, or belongs to another
  /// store.
  func resolve<Confined: ThreadConfined>(
    _ handover: Handover<Confined>, from beginning: Beginning = .carried
  ) -> Confined? {
    if handover.frozen.store !== store { return nil }
    reach(handover, from: beginning)
    return handover.seen(by: self)
  }

  /// Advances to a version in which the thing of a handover can be seen. A session in a write or a delivery stays where
  /// it is.
  private func reach<Confined: ThreadConfined>(_ handover: Handover<Confined>, from beginning: Beginning) {
    if isFrozen || transaction != nil { return }
    if !isPinned && beginning == .carried && !handover.isOfWrite {
      pin(handover.frozen.graph)
      // If the session advances automatically, it does so when it answers the bell.
      if store.published.current.version > graph.version { bell.ring() }
      return
    }
    let seen = graph.version
    if observers.isDelivering || seen > handover.version || seen == handover.version && !handover.isOfWrite { return }
    let isNew = advance()
    observers.tell(self, hasAdvanced: isNew)
  }
}
