import FiefGraph

/// A thing as of one version, which any thread may have.
///
/// A session that resolves it sees at least the version in which the thing was seen last; when that was inside a write,
/// the versions after that write.
struct Handover<Confined: ThreadConfined>: @unchecked Sendable {
  /// Frozen: any thread may read it.
  private let thing: Confined
  let frozen: Session
  /// Where the thing was live.
  let home: Confinement?
  /// The version that was published when the thing was seen last.
  private(set) var version: UInt64
  /// Whether it was seen last inside a write on that version: what is meant comes with the next.
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

  /// The thing as a session of its store sees it; nil when it is not there.
  func seen(by session: Session) -> Confined? { thing._seen(in: Realm(session)) }

  /// The handover that carries on what a session has just resolved, so that who resolves it next sees no less.
  ///
  /// In a write it costs no copy: the thing stays as it was frozen, and what is noted is that a write has seen it. A
  /// note of a write stays until a later version was seen, as the write may not be committed yet.
  ///
  /// - Parameter thing: what was resolved; nil when it was not there.
  /// - Returns: nil when the thing is gone for good; keys of rows do not come back.
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

  /// Whether both carry the same version of the thing.
  func isLevel(with other: Handover) -> Bool { version == other.version && isOfWrite == other.isOfWrite }
}

extension Session {
  /// What a session that has not looked at anything yet is to see when it resolves a handover.
  enum Beginning {
    /// The version that the handover was made from.
    case carried
    /// The latest.
    case latest
  }

  /// The thing of a handover, as seen here; nil when it is not there, or another store's.
  func resolve<Confined: ThreadConfined>(
    _ handover: Handover<Confined>, from beginning: Beginning = .carried
  ) -> Confined? {
    if handover.frozen.store !== store { return nil }
    reach(handover, from: beginning)
    return handover.seen(by: self)
  }

  /// Moves to where the thing of a handover can be seen, unless a write, or blocks that are being called, keep the
  /// session where it is.
  private func reach<Confined: ThreadConfined>(_ handover: Handover<Confined>, from beginning: Beginning) {
    if isFrozen || transaction != nil { return }
    if !isPinned && beginning == .carried && !handover.isOfWrite {
      pin(handover.frozen.graph)
      // It goes on by itself where it does so at all.
      if store.published.current.version > graph.version { bell.ring() }
      return
    }
    let seen = graph.version
    if observers.isDelivering || seen > handover.version || seen == handover.version && !handover.isOfWrite { return }
    let isNew = advance()
    observers.tell(self, hasAdvanced: isNew)
  }
}
