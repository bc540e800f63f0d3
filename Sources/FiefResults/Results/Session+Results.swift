import FiefGraph
import FiefObjects
import FiefQueries
public import FiefSessions

// What views and observations ask of a session.

extension Session {
  // MARK: Views

  /// All objects of a class.
  ///
  /// - Parameter isMapped: whether they are read as values that stand for objects: projections.
  @usableFromInline
  func objects(of type: ObjectBase.Type, isMapped: Bool) -> ResultsStorage {
    checkConfinement()
    if type == Object.self {
      fatalError("realm.objects(_:) was asked for 'Object', which is no model: name a class that derives from it.")
    }
    return ResultsStorage(self, of: .table(requireBinding(of: type)), isMapped: isMapped)
  }

  /// Throws if an object of another store is among the constants: its row would be confused with the row of this store
  /// that has the same table and key.
  func check(origins: [UInt64]) throws(QueryError) {
    for origin in origins where origin != store.number {
      throw QueryError(
        .argument, "An object of another Realm cannot be compared with: look it up in the Realm that is asked.")
    }
  }

  /// Throws if a comparison of a condition has an object of another store.
  func check(_ predicate: QueryPredicate) throws(QueryError) {
    for case .comparison(let comparison) in predicate.nodes where !comparison.origins.isEmpty {
      try check(origins: comparison.origins)
    }
  }

  /// Logs work that was just done.
  ///
  /// - Parameters:
  ///   - kind: the kind of work.
  ///   - start: when the work began; nil if the message would not be logged.
  ///   - words: the result and the way to it. Cut after 3000 bytes: conditions and names can be of any length.
  func report(_ kind: String, since start: LoggedTime?, _ words: () -> String) {
    guard let start else { return }
    let time = start.duration
    let cut = String(decoding: words().utf8.prefix(3000), as: UTF8.self)
    Logger.log(
      .debug, "\(kind) of \(store.label) on \(confinement.label), version \(graph.version); \(time): \(cut)")
  }

  // MARK: Observations

  /// Traps unless an observation may begin on the running executor, at the current version.
  func checkObservable(_ what: String) {
    checkObserving(what)
    // Changes could not be reported relative to an unpublished version.
    guard let transaction, !Delta(from: transaction.base, to: transaction.graph).isEmpty else { return }
    fatalError(
      "\(what) cannot be observed inside a write transaction that has made changes: observe it before or after.")
  }

  /// Traps unless an observation may begin on the running executor.
  func checkObserving(_ what: String) {
    if isFrozen { fatalError("\(what) that is frozen cannot be observed, as it never changes: thaw it first.") }
    checkConfinement()
    if options.isReadOnly && !store.follows {
      fatalError(
        "\(what) of a realm that was opened read-only and in memory cannot be observed, as it never changes.")
    }
  }

  /// Traps on a thread whose run loop is not running, as no change could be delivered there.
  func checkDelivering(_ what: String) {
    if confinement.findRunLoop() { return }
    fatalError(
      "\(what) cannot be observed here, as \(confinement.label) has no running run loop and so could never be told of "
        + "changes: observe with `on: queue`, in a realm of a queue or an actor, on the main thread, or on a thread "
        + "whose run loop is running.")
  }

  /// Registers an observation, and schedules its first delivery if it has something to deliver.
  func register(_ observation: any SessionObservation) -> NotificationToken {
    observers.add(observation)
    // Earlier commits have not woken a thread of which no run loop was known.
    if observation.isBehind(self) || mayAdvance { signal.raise() }
    return NotificationToken(self, observation)
  }
}
