import FiefGraph

extension Session {
  /// A session that shows for ever what this one shows now, to any thread. In a write, what it has done so far.
  ///
  /// Frozen sessions of one version of one session are one session, as long as somebody holds it.
  func frozen() -> Session {
    if isFrozen { return self }
    checkConfinement()
    if transaction == nil, let known = latestFrozen?.object, known.graph.version == graph.version { return known }
    let made = Session(store, .frozen, configuration, frozenAt: snapshot)
    if transaction == nil { latestFrozen = FaintReference(made) }
    return made
  }

  /// The session of the running thread that shows the same store live; made when there is none.
  func thawed() -> Session {
    if !isFrozen { return self }
    return store.session(.currentThread, configuration)
  }
}
