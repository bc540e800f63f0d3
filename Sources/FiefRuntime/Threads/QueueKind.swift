import Dispatch

/// Whether a dispatch queue runs one block at a time.
///
/// Dispatch does not tell. But all serial queues are of one kind and all concurrent ones of another, and the first word
/// of a queue is the address of the description of its kind: its class on Apple's platforms, a table of functions
/// elsewhere. The kinds of two queues that are known to be serial and concurrent are compared with it.
package enum QueueKind {
  /// Whether blocks of the queue may run at the same time. False for serial queues, and for all queues where the kinds
  /// are not known.
  package static func isConcurrent(_ queue: DispatchQueue) -> Bool { concurrent?.contains(kind(of: queue)) ?? false }

  /// Whether the kinds of queues are known in this process.
  package static var isAvailable: Bool { concurrent != nil }

  /// The kinds of the concurrent queues that a program makes, and of those of the system. Nil when serial and
  /// concurrent queues do not differ as expected.
  private static let concurrent: [UInt]? = {
    if RuntimeFeature.queueKinds.isSwitchedOff { return nil }
    let serial = [
      kind(of: DispatchQueue(label: "fief.probe.serial")),
      kind(of: DispatchQueue(label: "fief.probe.low", qos: .utility, target: .global())),
    ]
    let concurrent = [
      kind(of: DispatchQueue(label: "fief.probe.concurrent", attributes: .concurrent)),
      kind(of: DispatchQueue(label: "fief.probe.low", qos: .utility, attributes: .concurrent)),
    ]
    let system = kind(of: .global())
    guard serial[0] != 0, serial[0] == serial[1], concurrent[0] == concurrent[1], serial[0] != concurrent[0],
      ![serial[0], kind(of: .main)].contains(system), kind(of: .main) != concurrent[0]
    else { return nil }
    return [concurrent[0], system]
  }()

  private static func kind(of queue: DispatchQueue) -> UInt {
    // Off Apple's platforms the instance of `DispatchQueue` is a wrapper, whose one property is the address of the
    // queue. The queue lives as long as the wrapper, and is larger than a word.
    guard let address = unsafe Mirror(reflecting: queue).children.first?.value as? OpaquePointer else {
      return UInt(bitPattern: ObjectIdentifier(type(of: queue)))
    }
    return withExtendedLifetime(queue) { unsafe UnsafeRawPointer(address).load(as: UInt.self) }
  }
}
