import FiefObjects
import FiefRuntime
import Synchronization

/// A value that any thread may read and replace, or nil.
final class LockedValue<Value>: Sendable {
  private let held = Mutex<UncheckedBox<Value>?>(nil)

  /// The value, which any thread may read. An earlier one is released outside the lock, since that may run code of the
  /// application.
  var value: Value? {
    get { held.withLock { $0 }?.value }
    set {
      let new = newValue.map { UncheckedBox($0) }
      let old = held.withLock { held in
        defer { held = new }
        return held
      }
      withExtendedLifetime(old) {}
    }
  }
}
