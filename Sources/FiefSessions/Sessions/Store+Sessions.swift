import FiefRuntime

extension Store {
  /// Returns the session of an executor. It is created, if necessary, with the options.
  package func session(_ confinement: Confinement, _ options: @autoclosure () -> any SessionOptions) -> Session {
    guard let identity = confinement.identity else { return Session(self, confinement, options: options()) }
    if let known = presentSession(identity), known.isAlive(for: confinement) { return known }
    // No race: only the executor itself creates the session of its identity.
    let made = Session(self, confinement, options: options())
    assert(made.confinement.identity == identity && !made.isFrozen, "A store lists live sessions by their executors.")
    Logger.log(.debug, "Opened a realm of \(label) on \(confinement.label).")
    state.withLock { $0.signals[identity] = made.signal }
    return made
  }

  /// Returns the session of an executor, if there is one.
  func presentSession(_ identity: Confinement.Identity) -> Session? {
    state.withLock { $0.signals[identity] }?.session as? Session
  }
}

extension Session {
  /// Whether a registered session still belongs to the executor. The address of a deallocated actor may be reused.
  fileprivate func isAlive(for confinement: Confinement) -> Bool {
    switch (self.confinement, confinement) {
    case (.actor(let a), .actor(let b)): a.actor != nil && a.actor === b.actor
    default: true
    }
  }
}
