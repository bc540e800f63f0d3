import Foundation

/// A value under a lock of its own.
final class Locked<Value>: @unchecked Sendable {
  // `@unchecked Sendable` and the unchecked exclusivity are correct because `lock` guards the value.
  private let lock = NSLock()
  @safe @exclusivity(unchecked) private var value: Value

  init(_ value: Value) { self.value = value }

  /// Runs `body` with the value, under the lock.
  func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// Locks, and returns the value. The caller has it to itself until it calls `putBack`.
  func take() -> Value {
    lock.lock()
    return value
  }

  /// Ends what `take` began.
  func putBack(_ value: Value) {
    self.value = value
    lock.unlock()
  }
}
