import FiefObjects
import FiefSessions

/// A thing at one version, ready to be resolved on any thread.
struct FrozenReference<Confined: ThreadConfined>: @unchecked Sendable {
  // Sendable, because the thing is frozen: any thread may read it.
  /// The frozen thing.
  let thing: Confined
  /// The version in which a session that resolves it must see it.
  let ticket: VersionTicket

  init(_ thing: Confined, _ what: String) {
    guard let session = thing.realm?.session else {
      fatalError("\(what) needs a managed thing: add the object to a realm first; it may also have been deleted.")
    }
    session.checkConfinement()
    if thing.isInvalidated { fatalError("\(what) needs a thing that is valid: this one was deleted or invalidated.") }
    ticket = VersionTicket(session)
    guard let copy = session.isFrozen ? thing : thing._resolved(in: Realm(ticket.frozen)) else {
      fatalError("\(what) needs a thing that is valid: this one was deleted or invalidated.")
    }
    self.thing = copy
  }

  /// - Parameter thing: frozen, in the session of the ticket.
  init(_ thing: Confined, _ ticket: VersionTicket) {
    self.thing = thing
    self.ticket = ticket
  }

  /// Returns the thing as a session sees it; nil when it does not exist there, or belongs to another store.
  func resolve(in session: Session, from beginning: VersionTicket.Beginning = .recorded) -> Confined? {
    if ticket.frozen.store !== session.store { return nil }
    ticket.advance(session, from: beginning)
    return thing._resolved(in: Realm(session))
  }

  /// Returns the reference that records what a session has just resolved, so that the next session sees at least as
  /// much. Inside a write nothing is copied: the thing stays frozen as it was.
  ///
  /// - Parameter thing: the resolved thing; nil when it did not exist.
  /// - Returns: nil when the thing was deleted. This is final, as row keys are never reused.
  func next(after thing: Confined?, in session: Session) -> FrozenReference? {
    switch ticket.next(after: session) {
    case .same: self
    case .later(let later): FrozenReference(self.thing, later)
    case .moved(let moved):
      thing.map { $0._resolved(in: Realm(moved.frozen)).map { FrozenReference($0, moved) } ?? self }
    }
  }
}
