import FiefGraph
import FiefRuntime

extension Session {
  /// Returns a session that shows the current version permanently, on any thread. During a write it shows the state
  /// before the write.
  ///
  /// While a frozen session of this session and version is referenced, it is returned again.
  package func frozen() -> Session {
    if isFrozen { return self }
    checkConfinement()
    let graph = graph
    if let known = latestFrozen?.object, !known.isClosed, known.graph.version == graph.version { return known }
    assert(isPinned, "A session that is frozen sees a version.")
    let made = Session(store, .frozen, options: options, frozenAt: graph)
    made.origin = confinement
    assert(made.isFrozen && made.graph.version == graph.version, "A frozen session sees what it was made with.")
    latestFrozen = WeakReference(made)
    return made
  }

  /// Returns a frozen session of the current state, with the changes of a write in progress.
  package func frozenWithChanges() -> Session {
    guard transaction != nil else { return frozen() }
    let made = Session(store, .frozen, options: options, frozenAt: snapshot)
    made.origin = confinement
    assert(made.isFrozen && transaction != nil, "A copy of a write never changes.")
    return made
  }

  /// Returns the live session of the same store on the running executor.
  package func thawed() -> Session {
    if isFrozen { return live(from: origin) }
    checkConfinement()
    return self
  }

  /// Returns the live session of the same store on the running executor, for a thing that was live in `origin`.
  ///
  /// The running executor is the first that applies: the queue or actor `origin` if it is running; a running queue or
  /// actor that has a session; the running thread, as for `Realm()`. On the main thread no actor but the main one is
  /// looked for, but queues are: `sync` runs their blocks there. The session is created if necessary.
  package func live(from origin: Confinement?) -> Session {
    if let origin, case .queue = origin, origin.isRunning { return store.session(origin, options) }
    if Confinement.isMain { return store.session(store.runningQueue ?? .main, options) }
    if let origin, origin.isOfActorOrQueue, origin.isRunning || isHereUnderThreat(origin) {
      return store.session(origin, options)
    }
    return store.session(store.runningActorOrQueue ?? .currentThread, options)
  }

  /// Whether the actor `origin`, which must have a session, is running. Used where the runtime cannot report the
  /// executor; traps when the current task runs elsewhere.
  private func isHereUnderThreat(_ origin: Confinement) -> Bool {
    guard !CurrentExecutor.isAvailable, case .actor(let actor) = origin,
      unsafe withUnsafeCurrentTask(body: { unsafe $0 != nil })
    else {
      return false
    }
    return store.presentSession(.actor(actor.identity)) != nil && origin.isHere()
  }

  /// Makes everything that the session has returned permanently invalid. Closes a frozen session.
  package func invalidate() {
    if isFrozen { return close() }
    checkConfinement()
    if observers.isDelivering { return }
    let wasWriting = dropTransaction()
    observers.endAll()
    assert(transaction == nil, "An invalidated session does not write.")
    unpin()
    if wasWriting {
      Logger.log(.warn, "A realm was invalidated inside a write transaction, which was rolled back.")
    }
  }
}
