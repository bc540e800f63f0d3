import FiefObjects
import FiefSessions

extension Realm {
  /// Whether the realm advances to new versions automatically. True by default; false for a frozen realm.
  ///
  ///     realm.autorefresh = false          // the realm shows its version until it is refreshed, or writes
  ///
  /// A realm of a queue or an actor advances soon after a commit elsewhere. So does a realm of the main thread whose
  /// queue is served. A realm of another thread does so once an observation or an asynchronous write was started while
  /// its run loop was running, for the commits before, too. Other realms of threads advance in `refresh()` and when a
  /// write begins.
  ///
  /// Setting true traps on a frozen realm. Also traps outside the realm's thread, queue or actor.
  public var autorefresh: Bool {
    get {
      session.checkConfinementOfUse()
      return session.autorefresh
    }
    nonmutating set {
      if session.isFrozen {
        if newValue { Misuse.frozen("Cannot switch autorefresh on") }
        return
      }
      session.checkConfinement()
      session.autorefresh = newValue
      if newValue { session.signal.raise() }
    }
  }

  /// Advances to the latest version, and notifies observers before it returns.
  ///
  ///     realm.autorefresh = false
  ///     …
  ///     if realm.refresh() { print("there are changes") }
  ///
  /// Commits of other processes are included. While another process writes, it waits a tenth of a second for the end of
  /// that write, at most.
  ///
  /// - Returns: whether there was a newer version, or none was pinned before. False in a write, in an observer's block,
  ///   and on a frozen realm.
  ///
  /// Traps outside the realm's thread, queue or actor.
  @discardableResult
  public func refresh() -> Bool { session.refresh() }

  /// Releases the version that the realm shows. All objects and collections of this realm become permanently invalid,
  /// and their observations end. The realm stays usable and shows the latest version. An open write is rolled back,
  /// with a warning in the log. Does nothing in an observer's block.
  ///
  ///     realm.invalidate()
  ///     print(dog.isInvalidated)          // true
  ///
  /// A frozen realm is closed: reading through it traps.
  ///
  /// Traps outside the realm's thread, queue or actor.
  public func invalidate() { session.invalidate() }

  /// Returns a frozen realm that shows the current version permanently and may be used on any thread. During a write it
  /// shows the state before the write.
  ///
  ///     let before = realm.freeze()
  ///     try realm.write { realm.deleteAll() }
  ///     print(before.objects(Dog.self).count, realm.objects(Dog.self).count)      // 3 0
  ///
  /// Freezing one version twice returns equal realms. Freezing copies nothing; later changes use additional memory.
  ///
  /// Traps outside the realm's thread, queue or actor.
  public func freeze() -> Realm { Realm(session.frozen()) }

  /// Returns a live realm of the running queue or actor, if this realm was frozen there or one is already open there.
  /// Otherwise returns the realm of the running thread, like `Realm()`. A live realm returns itself.
  ///
  ///     let live = frozen.thaw()
  ///     try live.write { live.add(Dog()) }
  ///
  /// Traps on a live realm outside its thread, queue or actor.
  public func thaw() -> Realm { Realm(session.thawed()) }

  /// Equivalent to `object.freeze()`.
  ///
  ///     let before = realm.freeze(dog)
  ///
  /// Traps when the object is unmanaged, was deleted, or was created in the current write.
  public func freeze<T: ObjectBase & ThreadConfined>(_ object: T) -> T { object.freeze() }

  /// Equivalent to `collection.freeze()`.
  ///
  ///     let before = realm.freeze(person.dogs)
  ///
  /// Traps when the collection is unmanaged or no longer valid.
  public func freeze<C: RealmCollection>(_ collection: C) -> C { collection.freeze() }

  /// Returns the object in this realm; nil when it does not exist here. When this realm is frozen, equivalent to
  /// `object.thaw()`.
  ///
  ///     if let dog = realm.thaw(frozenDog) { try realm.write { dog.age += 1 } }
  ///
  /// Traps when the object is unmanaged.
  public func thaw<T: ObjectBase & ThreadConfined>(_ object: T) -> T? {
    session.isFrozen ? object.thaw() : object._resolved(in: self)
  }
}
