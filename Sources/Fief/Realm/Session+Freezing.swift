import FiefGraph

extension Session {
  /// A session that shows for ever what this one shows now, to any thread. In a write: the state before it.
  ///
  /// Frozen sessions of one version of one session are one session, as long as somebody holds it.
  func frozen() -> Session {
    if isFrozen { return self }
    checkConfinement()
    let graph = graph
    if let known = latestFrozen?.object, !known.isClosed, known.graph.version == graph.version { return known }
    let made = Session(store, .frozen, configuration, frozenAt: graph)
    made.origin = confinement
    latestFrozen = FaintReference(made)
    return made
  }

  /// A frozen session that shows what this one sees at this moment, the changes of a write included.
  func frozenWithChanges() -> Session {
    guard transaction != nil else { return frozen() }
    let made = Session(store, .frozen, configuration, frozenAt: snapshot)
    made.origin = confinement
    return made
  }

  /// The live session of the running place that shows the same store; made when there is none.
  ///
  /// That is the queue or actor that this one was frozen in, where that runs; else the running thread.
  func thawed() -> Session {
    if isFrozen { return live(from: origin) }
    checkConfinement()
    return self
  }

  /// The live session of the running place that shows the same store, of something that was live in `origin`; made when
  /// there is none.
  func live(from origin: Confinement?) -> Session {
    if !Confinement.isMain, let origin, let identity = origin.identity {
      switch origin {
      case .queue where origin.isHere(): return store.session(origin, configuration)
      case .actor:
        // Whether an actor runs can only be asked under threat; a task that does not run on it has no place to thaw in.
        let isInTask = withUnsafeCurrentTask { $0 != nil }
        if isInTask, let live = store.presentSession(identity), origin.isHere() { return live }
      default: break
      }
    }
    return store.session(.currentThread, configuration)
  }

  /// Ends what is seen: everything that was given out is invalid for good. Closes a frozen session.
  func invalidate() {
    if isFrozen { return close() }
    checkConfinement()
    if observers.isDelivering { return }
    let wasWriting = dropTransaction()
    observers.endAll()
    unpin()
    if wasWriting {
      Logger.tell(.warn, "A realm was invalidated inside a write transaction, which was rolled back.")
    }
  }
}
