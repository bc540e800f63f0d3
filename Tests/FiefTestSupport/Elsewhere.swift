import Dispatch
import Foundation
import Synchronization

/// Carries a value to another thread. A test that does so sees to it that only one thread uses the value at a time, or
/// tries what happens otherwise.
public struct Held<Value>: @unchecked Sendable {
  /// The value.
  public let value: Value

  /// Holds a value.
  public init(_ value: Value) { self.value = value }
}

/// Runs a block on a thread of its own, and waits for it.
///
/// - Throws: the error of the block.
public func elsewhere<Result, Failure: Error>(
  _ body: @escaping () throws(Failure) -> Result
) throws(Failure) -> Result {
  let result = Mutex<Held<Swift.Result<Result, Failure>>?>(nil)
  let held = Held(body)
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    let made = Held(Swift.Result(catching: held.value))
    result.withLock { $0 = made }
    done.signal()
  }
  done.wait()
  guard let held = result.withLock({ $0 }) else { fatalError("The thread has ended without a result.") }
  return try held.value.get()
}
