import FiefGraph

extension Session {
  /// Asserts that the fields of the session agree. Does nothing in a release build. Called at the end of each
  /// transition.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  func assertSound() {
    #if DEBUG
      if let fault = firstFault { assertionFailure(fault) }
    #endif
  }

  #if DEBUG
    /// The first statement about the session that does not hold; nil if all hold.
    var firstFault: String? { frozenFault ?? writingFault ?? seeingFault }

    private var frozenFault: String? {
      guard isFrozen else {
        return validity.phase == .frozen ? "A live session has the validity of a frozen one." : nil
      }
      if validity.phase != .frozen { return "A frozen session is \(validity.phase)." }
      if transaction != nil { return "A frozen session writes." }
      return isPinned ? nil : "A frozen session sees no version."
    }

    private var writingFault: String? {
      guard let transaction else {
        if writing != nil { return "A transaction is borrowed that the session does not hold." }
        if validity.phase == .writing { return "A session without a transaction is writing." }
        if retainedByWrite != nil { return "A session retains itself after its write." }
        if failure != nil { return "A write ended, and its failure is left." }
        return sends ? "A write ended, and its documents are noted." : nil
      }
      if !(writing?.refers(to: transaction) ?? false) { return "The borrowed transaction is not the session's." }
      if validity.phase != .writing { return "A session with a transaction is \(validity.phase)." }
      if !isPinned { return "A session writes, and sees no version." }
      if transaction.base.version < pinned.version { return "A write begins before the version that its session sees." }
      return store.lock.isHeld ? nil : "A session writes, and nobody holds the writer's lock."
    }

    private var seeingFault: String? {
      guard isPinned else { return pinned.version == 0 ? nil : "A session sees no version, and holds one." }
      if let pins = store.pins, !pins.contains(pinned.version) { return "A session sees a version that is not pinned." }
      if isFrozen { return nil }
      return pinned.version <= store.published.current.version
        ? nil : "A session sees a version before it is published."
    }
  #endif
}
