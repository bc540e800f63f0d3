import FiefGraph
import FiefRuntime

extension Session {
  /// A session that shows for ever what this one shows now, to any thread. In a write: the state before it.
  ///
  /// Frozen sessions of one version of one session are one session, as long as somebody holds it.
  func frozen() -> Session {
    if isFrozen { return self }
    checkConfinement()
    let graph = graph
    if let known = latestFrozen?.object, !known.isClosed, known.graph.version == graph.version { return known }
    let made = Session(store, .frozen, sharedConfiguration, frozenAt: graph)
    made.origin = confinement
    latestFrozen = WeakReference(made)
    return made
  }

  /// A frozen session that shows what this one sees at this moment, the changes of a write included.
  func frozenWithChanges() -> Session {
    guard transaction != nil else { return frozen() }
    let made = Session(store, .frozen, sharedConfiguration, frozenAt: snapshot)
    made.origin = confinement
    return made
  }

  /// The live session of the running place that shows the same store.
  func thawed() -> Session {
    if isFrozen { return live(from: origin) }
    checkConfinement()
    return self
  }

  /// The live session of the running place that shows the same store, of something that was live in `origin`.
  ///
  /// The running place is the main thread; else the queue or actor `origin`, if that runs; else a queue or actor that
  /// runs and has a session; else the running thread, as for `Realm()`. A session is made when there is none.
  func live(from origin: Confinement?) -> Session {
    if Confinement.isMain { return store.session(.main, sharing: sharedConfiguration) }
    if let origin, origin.isOfActorOrQueue, origin.isRunning || isHereUnderThreat(origin) {
      return store.session(origin, sharing: sharedConfiguration)
    }
    return store.session(store.runningActorOrQueue ?? .currentThread, sharing: sharedConfiguration)
  }

  /// Whether the actor `origin`, which has a session, runs, where the runtime cannot be asked: a task elsewhere traps.
  private func isHereUnderThreat(_ origin: Confinement) -> Bool {
    guard !CurrentExecutor.isAvailable, case .actor(let place) = origin, withUnsafeCurrentTask(body: { $0 != nil })
    else {
      return false
    }
    return store.presentSession(.actor(place.identity)) != nil && origin.isHere()
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
