#if !(FIEF_THREAD_SANITIZER && canImport(Glibc))
  import Synchronization
#endif

/// A value that another thread hands to a suspended task.
///
/// A continuation carries the value as well. But the thread sanitizer does not see the order of the two threads when
/// the continuation is resumed before the task is suspended, because the runtime is not instrumented. It sees the lock.
package final class AwaitedValue<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  private init() {}

  /// Suspends the task until a value is handed over.
  ///
  /// - Parameter start: receives the function that hands over the value. It must be called once, by any thread.
  package static func receive(
    isolation: isolated (any Actor)? = #isolation, _ start: (@escaping @Sendable (Value) -> Void) -> Void
  ) async -> Value {
    let awaited = AwaitedValue()
    await withCheckedContinuation(isolation: isolation) { continuation in
      start { value in
        awaited.value.withLock { $0 = value }
        continuation.resume()
      }
    }
    guard let value = awaited.value.withLock({ $0 }) else { fatalError("A task was resumed without its value.") }
    return value
  }
}
