extension Realm {
  /// Whether the realm moves to new versions by itself. At first true, of frozen realms false.
  ///
  /// Realms of queues and actors, and of the main thread where its queue is served, do so soon after a commit
  /// elsewhere. So do those of another thread, once something was observed there, or an asynchronous write begun, while
  /// its run loop was running. Otherwise realms of threads advance by `refresh()` and when a write begins.
  ///
  /// Setting true traps on a frozen realm.
  public var autorefresh: Bool {
    get {
      session.checkPlaceOfUse()
      return session.autorefresh
    }
    nonmutating set {
      if session.isFrozen {
        if newValue { Misuse.frozen("Cannot switch autorefresh on") }
        return
      }
      session.checkConfinement()
      session.autorefresh = newValue
      if newValue { session.bell.ring() }
    }
  }

  /// Moves to the latest version. Observers hear of what is new before it returns.
  ///
  /// - Returns: whether there was something newer, or nothing had been looked at yet. False in a write, in an
  ///   observer's block, and on a frozen realm.
  ///
  /// Traps on a read-only realm.
  @discardableResult
  public func refresh() -> Bool { session.refresh() }

  /// Lets go of the version that is seen. All objects and collections of this realm become invalid for good, and their
  /// observers hear no more; the realm itself goes on, with the latest version. An open write is rolled back, with a
  /// warning in the log. Does nothing in an observer's block.
  ///
  /// A frozen realm is closed: reading through it traps.
  public func invalidate() { session.invalidate() }

  /// The realm as of now, for ever: it may be used on any thread. In a write, the state before it.
  ///
  /// Frozen at the same version twice it is the same realm. Costs nothing but the memory of what is changed later.
  public func freeze() -> Realm { Realm(session.frozen()) }

  /// The live realm of the queue or actor that runs, if this one was frozen there or it has a realm of its own; else of
  /// the running thread, as `Realm()`. Of a live one itself.
  public func thaw() -> Realm { Realm(session.thawed()) }

  /// `object.freeze()`.
  public func freeze<T: ObjectBase & ThreadConfined>(_ object: T) -> T { object.freeze() }

  /// `collection.freeze()`.
  public func freeze<C: RealmCollection>(_ collection: C) -> C { collection.freeze() }

  /// The object in the live realm; as `object.thaw()` when this realm is frozen.
  public func thaw<T: ObjectBase & ThreadConfined>(_ object: T) -> T? {
    session.isFrozen ? object.thaw() : object._seen(in: self)
  }
}
