public import FiefGraph

extension Session {
  /// Begins a write: waits for its turn, then sees the latest version, and tells observers what is new in it.
  ///
  /// - Throws: when more versions are seen than the configuration allows.
  func beginWrite() throws {
    checkCanWrite()
    store.lock.enter(ObjectIdentifier(self))
    try startTransaction()
  }

  /// Keeps the session until its write ends, where the end of its place is noticed: on threads. The next realm that is
  /// opened there finds the write under way, although nobody has held on to the one that began it. A queue or an actor
  /// can go unnoticed, and the write would hold the lock for ever.
  func holdWhileWriting() {
    switch confinement {
    case .thread, .main: heldByWrite = self
    case .queue, .actor, .frozen: break
    }
  }

  /// Traps unless a write may begin here and now.
  func checkCanWrite() {
    checkMayEverWrite()
    checkConfinement()
    if transaction != nil {
      fatalError("The realm is already in a write transaction: a write cannot begin inside another.")
    }
  }

  /// Traps for realms in which no write can ever begin.
  func checkMayEverWrite() {
    if isFrozen { Misuse.frozen("Cannot begin a write transaction") }
    if sharedConfiguration.value.readOnly {
      fatalError("Cannot begin a write transaction: the realm was opened read-only.")
    }
  }

  /// Begins the write whose turn it is.
  func startTransaction() throws {
    let isNew = advance()
    if let pins = store.pins, pins.isExceeded {
      store.lock.leave()
      throw Realm.Error(
        .fail,
        "The number of active versions exceeds the limit of \(pins.limit): let go of frozen objects and of realms that look at "
          + "old versions, or raise maximumNumberOfActiveVersions.")
    }
    let transaction = store.begin()
    self.transaction = transaction
    knownRemovals = transaction.removals
    failure = nil
    touch()
    // It may begin from a commit that is written down and not published yet.
    if transaction.base.version != graph.version { loseRows() }
    observers.tell(self, hasAdvanced: isNew)
    if self.transaction !== transaction {
      fatalError("A notification block ended the write transaction in whose beginning it ran: begin another there.")
    }
  }

  /// Runs the block of a write that has begun, and ends the write as the block asks for, unless the block has ended it
  /// by itself.
  func finishWrite<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
  ) throws -> Result {
    let result: Result
    do {
      result = try block()
    } catch {
      if transaction != nil { cancelWrite() }
      throw error
    }
    if transaction != nil { try commitWrite(withoutNotifying: tokens) }
    return result
  }

  /// Moves to the latest version.
  ///
  /// - Returns: whether it is another one than before.
  @discardableResult
  func advance() -> Bool {
    let latest = store.published.current
    let last = isPinned ? graph.version : latest.version
    pin(latest)
    if last == latest.version { return false }
    Logger.tell(.debug, "Refreshed \(store.words) on \(confinement.words): version \(last) to \(latest.version).")
    return true
  }

  /// Publishes the write.
  ///
  /// - Parameter tokens: observers that are not told.
  /// - Throws: the first error of an operation that failed in it, or the reason why it cannot be made durable. It is
  ///   rolled back then.
  func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    guard let transaction else {
      throw Realm.Error(.fail, "Cannot commit: no write transaction is under way.")
    }
    let quiet = tokens.map { $0.observation(of: self) }
    if let failure {
      cancelWrite()
      throw failure
    }
    var report = CommitReport(store)
    let next: Graph
    do {
      next = try store.append(transaction)
      report?.noteBytes(store)
    } catch {
      cancelWrite()
      throw error
    }
    let documents = documents
    // The next writer may begin: it follows this commit, and is seen only after it.
    self.transaction = nil
    heldByWrite = nil
    touch()
    store.lock.leave()
    do {
      try store.publish(next)
    } catch {
      loseRows()
      advance()
      throw error
    }
    pin(next, isOwn: true)
    touch()
    report?.tell(self, from: transaction.base, to: next)
    // Before observers are told, as their blocks may write.
    deliver(documents)
    for observation in quiet { observation.skip(from: transaction.base, to: next) }
    store.announce(by: self)
    observers.tellOfCommit(self, except: quiet)
    if observers.areBehind(self) { bell.ring() }
  }

  /// Rolls the write back.
  func cancelWrite() {
    guard transaction != nil else {
      fatalError("Cannot cancel a write transaction: none is under way.")
    }
    dropTransaction()
    lookAgain()
  }

  /// Runs an operation of the write; when it throws, the write is marked as failed.
  ///
  /// - Returns: nil when it threw.
  @usableFromInline
  @discardableResult
  func perform<Result>(
    _ operation: (Transaction) throws -> Result, explaining error: (any Error) -> any Error = { $0 }
  ) -> Result? {
    guard let transaction else { return nil }
    defer { touch() }
    do {
      return try operation(transaction)
    } catch let thrown {
      fail(error(thrown))
      return nil
    }
  }

  /// Marks the write as failed; it goes on, changes nothing that lasts, and throws this when it ends.
  @usableFromInline
  func fail(_ error: any Error) { if failure == nil { failure = Realm.Error.describing(error) } }

  /// Traps unless something of this session may be changed here and now.
  @usableFromInline
  func checkWriting(_ what: @autoclosure () -> String) {
    if isFrozen { Misuse.frozen(what()) }
    checkConfinement()
    if transaction == nil { Misuse.notInWrite(what()) }
  }

  /// Traps unless an object of this session may be changed here and now. That it is gone is said first: a write would
  /// not help.
  func checkWriting(_ what: @autoclosure () -> String, of object: ObjectBase) {
    if transaction == nil && !isFrozen {
      checkConfinement()
      if !object.hasRow { Misuse.invalidated(object) }
    }
    checkWriting(what())
  }

  /// Traps unless something may be written here and now with an object that was given, of whatever session, or of none.
  /// That it is gone is said first.
  func checkWriting(_ what: @autoclosure () -> String, with object: ObjectBase) {
    if transaction == nil && !isFrozen {
      checkConfinement()
      if object.heldSession === self && !object.hasRow { Misuse.invalidated(object) }
    }
    checkWriting(what())
  }

  /// Traps when a collection that is about to be written with is gone, and no write is open: that is said first.
  func checkPresence(of collection: some RealmCollectionBase) {
    // Reading one that is gone traps, with what it was.
    if transaction == nil && !isFrozen { _ = collection.startIndex == collection.endIndex }
  }

  /// Runs operations that can be undone by themselves: when `body` throws, what it did is undone (an operation that
  /// failed in it included), and the write goes on.
  func savepoint<Result>(_ body: () throws -> Result) rethrows -> Result {
    checkWriting("A savepoint was taken")
    guard let transaction else { fatalError("A write ended while a savepoint was taken.") }
    let saved = transaction.savepoint()
    let earlier = failure
    let documentCount = documents.count
    do {
      return try body()
    } catch {
      if self.transaction === transaction {
        documents.removeSubrange(min(documentCount, documents.count)...)
        let marks = transaction.keyMarks
        transaction.restore(saved)
        transaction.reserveKeys(marks)
        failure = earlier
        touch()
      }
      throw error
    }
  }
}
