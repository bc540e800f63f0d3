import Synchronization

/// The classes of projections that are known to show nothing but kept properties.
///
/// A class is looked at when its first projection is made, as key paths are instances' values. The class that was
/// looked at last is found without a lock, since loops make projections of one class.
enum CheckedProjections {
  private static let latest = Atomic<UInt>(0)
  private static let known = Mutex<Set<ObjectIdentifier>>([])

  /// Traps when a property of the projection shows what its root does not keep.
  @inline(__always)
  static func check(_ projection: AnyObject) {
    let type = ObjectIdentifier(type(of: projection))
    if latest.load(ordering: .relaxed) != UInt(bitPattern: type) { lookAt(projection, type) }
  }

  @inline(never)
  private static func lookAt(_ projection: AnyObject, _ type: ObjectIdentifier) {
    if !known.withLock({ $0.contains(type) }) {
      // Outside of the lock: finding a name makes a root object, and so runs the application's code.
      if let name = ProjectedMember.unkept(in: projection) {
        fatalError(
          "Property '\(name)' of projection '\(Swift.type(of: projection))' shows what is no managed property of its root, "
            + "so that its changes could never be told: project a property that is declared with @Persisted.")
      }
      known.withLock { _ = $0.insert(type) }
    }
    latest.store(UInt(bitPattern: type), ordering: .relaxed)
  }
}
