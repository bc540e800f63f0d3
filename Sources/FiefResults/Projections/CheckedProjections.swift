import FiefObjects
import Synchronization

/// The projection classes whose properties were all proved to show persisted properties.
///
/// A class is checked when its first projection is made, since the key paths are values of an instance. Loops make
/// projections of one class, so the class that was checked last is found without a lock.
enum CheckedProjections {
  private static let latest = Atomic<UInt>(0)
  private static let known = Mutex<Set<ObjectIdentifier>>([])

  /// Traps when a property of the projection shows something that its root does not persist.
  @inline(__always)
  static func check(_ projection: AnyObject) {
    let type = ObjectIdentifier(type(of: projection))
    if latest.load(ordering: .relaxed) != UInt(bitPattern: type) { inspect(projection, type) }
  }

  @inline(never)
  private static func inspect(_ projection: AnyObject, _ type: ObjectIdentifier) {
    if !known.withLock({ $0.contains(type) }) {
      // Not under the lock: finding a name makes a root object, which runs the application's code.
      if let name = ProjectedMember.unkept(in: projection) {
        fatalError(
          "Property '\(name)' of projection '\(Swift.type(of: projection))' shows what is no managed property of its "
            + "root, so that its changes could never be told: project a property that is declared with @Persisted.")
      }
      known.withLock { _ = $0.insert(type) }
    }
    latest.store(UInt(bitPattern: type), ordering: .relaxed)
  }
}
