import FiefCopying
public import FiefGraph
public import FiefRuntime
public import FiefSessions

// How an accessor finds its row.

extension ObjectBase {
  /// The session without reference counting; nil when the object is unmanaged.
  @inlinable
  @inline(__always)
  package final var retainedSession: Session? { session?.counted }

  /// Makes the object an accessor of a row.
  ///
  /// An accessor of a frozen session looks its row up now and never again, so that any number of threads may read it.
  @usableFromInline
  package final func bind(_ session: Session, _ binding: ClassBinding, at key: ObjectKey) {
    refer(to: key, session, binding)
    if session.isFrozen { _ = find() }
  }

  /// Makes the object an accessor of a row without looking the row up. For a frozen session the caller must do that
  /// before another thread can see the object.
  final func refer(to key: ObjectKey, _ session: Session, _ binding: ClassBinding) {
    self.session = Kept(session)
    self.binding = unsafe Borrowed(binding)
    self.key = key
    rowStamp = session.validity.awaited
    epoch = session.epoch
    if binding.hasLegacyProperties { bindLegacy(RowBinding(session: session, binding: binding, key: key)) }
  }

  /// Makes the object an accessor of a row that was just looked up.
  final func bind(_ session: Session, _ binding: Borrowed<ClassBinding>, at row: BorrowedRow) {
    self.session = Kept(session)
    self.binding = binding
    key = row.key
    cluster = row.cluster
    slot = Int32(truncatingIfNeeded: row.slot)
    rowStamp = session.validity.present
    epoch = session.epoch
    binding.with { binding in
      if binding.hasLegacyProperties { bindLegacy(RowBinding(session: session, binding: binding, key: row.key)) }
    }
  }

  private final func bindLegacy(_ row: RowBinding) {
    let layout = layout
    for index in layout.legacy {
      let field = layout.fields[index]
      unsafe field.type.bind(address + field.offset, to: row, index)
    }
  }

  /// Makes an unmanaged object an accessor of the row that was made from it. Its wrappers release their values, and its
  /// collections are bound to the row.
  final func becomeManaged(_ session: Session, _ binding: ClassBinding, at key: ObjectKey) {
    let base = unsafe address
    // By index, because an iterator would retain the array.
    for index in binding.wrappers.indices {
      let wrapper = binding.wrappers[index]
      guard unsafe _WrapperTag.at(base + wrapper.tag).pointee.isSet else { continue }
      unsafe wrapper.type.bind(
        base + wrapper.offset, to: RowBinding(session: session, binding: binding, key: key), wrapper.number)
    }
    bindNew(session, binding, at: key)
  }

  /// Makes the object an accessor of the row that the session's write has just made from it.
  final func bindNew(_ session: Session, _ binding: ClassBinding, at key: ObjectKey) {
    bind(session, binding, at: key)
    rowStamp = session.validity.justMade
  }

  /// Whether the row is known to exist, without a lookup.
  final func isKnown(to session: Session) -> Bool { session.validity.knows(rowStamp) }

  /// Brings `cluster` and `slot` up to date with the session.
  ///
  /// - Returns: false when the row no longer exists.
  @usableFromInline
  final func find() -> Bool {
    guard let session, let binding else { return false }
    let table = binding.with { $0.table }
    return session.with { session in
      if session.isFrozen {
        if rowStamp != .none { return rowStamp == session.validity.present && !session.isClosed }
      } else if !session.validity.isCurrent(rowStamp.stamp) {
        return false
      }
      guard let found = session.cluster(table, key.chunk),
        let slot = found.with({ $0.slot(ofBit: key.bit) })
      else {
        if session.isFrozen { rowStamp = .absent }
        return false
      }
      cluster = found
      self.slot = Int32(truncatingIfNeeded: slot)
      // Read last, because the first look of a session pins a version.
      rowStamp = session.validity.present
      return true
    }
  }

  /// Whether the row exists in the version that the session sees. Traps off the session's thread, queue or actor.
  package final var hasRow: Bool {
    guard let session else { return false }
    let isKnown: Bool? = session.with { session in
      session.checkConfinementOfUse()
      return rowStamp == session.validity.present ? !session.isClosed : nil
    }
    return isKnown ?? find()
  }

  /// Whether the row exists; may be called from any thread.
  ///
  /// Off the session's thread, queue or actor, this reads no mutable state of the session but its epoch; the last
  /// written version of the store decides. The row of an uncommitted write is not known to be deleted, so it counts as
  /// existing.
  final var isThere: Bool {
    guard let session = retainedSession, let link = rowLink else { return false }
    if session.isHere {
      session.noteRead(row: link)
      return hasRow
    }
    return epoch == session.epoch && !session.store.isGone(link)
  }

  /// Makes `cluster` and `slot` valid for a read of a property; traps when the object may not be read on this thread or
  /// its row is gone.
  ///
  /// - Parameter index: the property's index. Nil for a collection, whose own reads are noted for tracking scopes.
  @inlinable
  @inline(__always)
  package final func locate(_ index: Int?) {
    let isReady = unsafe session.unsafelyUnwrapped.with {
      _fastPath(rowStamp == $0.validity.present) && $0.isOnExecutor
    }
    if _slowPath(!isReady) { locateSlowly(index) }
    unsafe assert(
      session.unsafelyUnwrapped.with { $0.hasNotedRemovals },
      "Application code ran within an operation before its changes were recorded.")
  }

  @usableFromInline
  @inline(never)
  final func locateSlowly(_ index: Int?) {
    unsafe session.unsafelyUnwrapped.with { session in
      session.checkConfinementInScope()
      if rowStamp != session.validity.present && !find() { Misuse.invalidated(self) }
      if !session.trackingScope.isNone { noteRead(index, session.trackingScope) }
    }
  }

  /// Notes a read of a property for the running tracking scope.
  @usableFromInline
  @inline(never)
  final func noteRead(_ index: Int?, _ scope: TrackingScope) {
    guard let index else { return }
    unsafe session.unsafelyUnwrapped.with { session in
      unsafe binding.unsafelyUnwrapped.with { session.noteRead($0.cell(key, index), scope) }
    }
  }

  /// The row as a link. The row may be gone.
  package final var rowLink: ObjectLink? {
    binding.map { ObjectLink($0.with { $0.table }, key) }
  }

  /// Whether several threads may use one accessor of a frozen row: its class declares nothing but persisted properties.
  package final var holdsRowAlone: Bool { layout.isPure }

  /// Another accessor of the row in the same session. Reads only what never changes, so any thread may call it.
  package final func anotherAccessor() -> Self {
    guard let session = retainedSession, let binding else { Misuse.unmanaged("Another accessor") }
    let made = Swift.type(of: self).init()
    made.bind(session, binding.counted, at: key)
    return made
  }

  /// Whether both stand for one row of one store, in whatever versions. May be called on any thread.
  package final func standsForRow(of other: ObjectBase) -> Bool {
    guard let link = rowLink, link == other.rowLink else { return false }
    return retainedSession?.store === other.retainedSession?.store
  }

  /// Notes for the running tracking scope that all properties of the object and of its embedded objects are read.
  package final func noteReadOfCells() {
    guard let session = retainedSession, session.mayBeTracked, let link = rowLink, hasRow else { return }
    for row in session.graph.rowAndParts(link) {
      session.noteRead(row: row)
      for column in session.layout[row.table]?.schema.columns ?? [] {
        session.noteRead(Cell(row.table, row.key, column.key))
      }
    }
  }

  /// Whether both are accessors of one row in one realm (or one frozen version). Traps off the thread, queue or actor
  /// of either object.
  package final func isSameRow(_ other: ObjectBase, forEquality: Bool) -> Bool {
    guard let session, let otherSession = other.session, let binding, let otherBinding = other.binding else {
      return false
    }
    let a = session.counted
    let binds = binding.counted
    // Up to here, and for frozen objects, only what never changes is read, which any thread may do.
    guard key == other.key, binds.table == otherBinding.with({ $0.table }), a.sees(sameAs: otherSession.counted) else {
      return false
    }
    a.checkConfinementOfUse()
    return !forEquality || a.isFrozen || binds.primaryKey != nil
  }

  final func hashRow(into hasher: inout Hasher) {
    if let session = retainedSession, let binding = binding?.counted {
      if let primaryKey = binding.primaryKey {
        hasher.combine(loadValue(primaryKey).map(HashedValue.init))
        return
      }
      if session.isFrozen {
        hasher.combine(key)
        return
      }
    } else if let key = unmanagedKey {
      // As the row is hashed that is made of the object.
      hasher.combine(Optional(HashedValue(key)))
      return
    }
    hasher.combine(ObjectIdentifier(self))
  }

  /// The primary key of an unmanaged object as it would be stored; nil without one, and while a realm is yet to give
  /// it.
  private final var unmanagedKey: StoredValue? {
    guard let field = layout.primaryKey(of: self) else { return nil }
    let key = unsafe field.type.content(at: address + field.offset).stored
    return key == .int(0) && field.declaration(in: self).contains(.increasing) ? nil : key
  }

  /// The stored value of a single-valued property; nil when the row is gone. Does not trap for a missing row.
  final func loadValue(_ index: Int) -> StoredValue? {
    guard hasRow, let cluster, let binding else { return nil }
    let leaf = binding.with { $0.leaf(index) }
    let type = binding.with { $0.type(of: index) }
    return cluster.with { $0[leaf: leaf].value(at: Int(slot), as: type) }
  }
}
