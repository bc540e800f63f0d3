import Dispatch

/// The dispatch queue whose block is running, as a number.
///
/// The function that answers is public and deprecated, because programs used its result to guess whether they may wait
/// for a queue. Here the result is only compared with that of a queue that is known to live.
package enum CurrentQueue {
  /// Returns a number that names the running queue, or a queue of the system outside of all blocks. Nil where the
  /// function is missing or does not behave as expected.
  package static let function: (@convention(c) () -> UInt)? = {
    guard !RuntimeFeature.currentQueue.isSwitchedOff, let function = RuntimeFunctions.currentQueue, works(function)
    else { return nil }
    return function
  }()

  /// The number of the running queue, if a value for `key` was attached to that very queue, rather than to one that it
  /// targets; nil otherwise, and where queues have no numbers.
  package static func number<Value>(withSpecific key: DispatchSpecificKey<Value>) -> UInt? {
    guard let function else { return nil }
    let number = function()
    // Dispatch identifies a key by the address of its object.
    guard let queue = unsafe UnsafeRawPointer(bitPattern: number), let specific = unsafe RuntimeFunctions.queueSpecific,
      unsafe specific(queue, Unmanaged.passUnretained(key).toOpaque()) != nil
    else { return nil }
    return number
  }

  /// Tries the functions on a queue with a value and on another one that targets it. Each must have a number of its own
  /// that stays, and only the first one must be found to have the value.
  private static func works(_ function: @convention(c) () -> UInt) -> Bool {
    guard let specific = unsafe RuntimeFunctions.queueSpecific else { return false }
    let key = DispatchSpecificKey<Int>()
    let lower = DispatchQueue(label: "fief.probe.lower")
    lower.setSpecific(key: key, value: 1)
    let upper = DispatchQueue(label: "fief.probe.upper", target: lower)
    /// The number of a queue, and whether the value is found on it.
    func look(_ queue: DispatchQueue) -> (number: UInt, hasValue: Bool) {
      queue.sync {
        let number = function()
        let address = unsafe UnsafeRawPointer(bitPattern: number)
        let value = unsafe address.flatMap { unsafe specific($0, Unmanaged.passUnretained(key).toOpaque()) }
        return unsafe (number, value != nil)
      }
    }
    let (below, above, again) = (look(lower), look(upper), look(lower))
    return below.hasValue && !above.hasValue && again.hasValue && below.number == again.number
      && below.number != above.number && function() != below.number
  }
}
