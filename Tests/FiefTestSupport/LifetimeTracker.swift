import Synchronization
import Testing

/// Counts its objects that are still alive.
///
/// Put ``Tracked`` elements into the container under test. A tracked object that outlives the container was leaked.
/// Every tracker has a count of its own, so tests that run at the same time do not affect each other.
///
///     LifetimeTracker.check { tracker in
///       var list = List<Tracked<Int>>()
///       list.append(tracker.track(1))
///     }
public final class LifetimeTracker: Sendable {
  fileprivate let living = Mutex<(count: Int, next: Int, payloads: [Int: String])>((0, 0, [:]))

  /// A tracker without objects.
  public init() {}

  /// The number of live objects of this tracker.
  public var count: Int {
    living.withLock { $0.count }
  }

  /// The payloads of the live objects, in the order of their creation.
  ///
  /// - Complexity: O(*n* log *n*).
  public var survivors: [String] {
    living.withLock { $0.payloads.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// A new object, which is alive until its last reference is released.
  public func track<Payload>(_ payload: Payload) -> Tracked<Payload> {
    Tracked(payload, tracker: self)
  }

  /// Runs the body with a new tracker and expects that none of its objects outlives the body.
  ///
  /// - Parameters:
  ///   - sourceLocation: The line to report: the caller's.
  ///   - body: The code that must not leak.
  /// - Throws: The error that the body throws.
  public static func check(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: (LifetimeTracker) throws -> Void
  ) rethrows {
    let tracker = LifetimeTracker()
    try body(tracker)
    let survivors = tracker.survivors
    #expect(survivors.isEmpty, "leaked: \(survivors)", sourceLocation: sourceLocation)
  }
}

/// An object whose lifetime a ``LifetimeTracker`` tracks. It compares and hashes like its payload.
public final class Tracked<Payload> {
  /// The payload.
  public let payload: Payload

  private let tracker: LifetimeTracker
  private let serial: Int

  fileprivate init(_ payload: Payload, tracker: LifetimeTracker) {
    self.payload = payload
    self.tracker = tracker
    serial = tracker.living.withLock { living in
      living.count += 1
      living.next += 1
      living.payloads[living.next] = "\(payload)"
      return living.next
    }
  }

  deinit {
    tracker.living.withLock { living in
      living.count -= 1
      living.payloads[serial] = nil
    }
  }
}

extension Tracked: Sendable where Payload: Sendable {}

extension Tracked: Equatable where Payload: Equatable {
  /// Whether the payloads are equal.
  public static func == (left: Tracked, right: Tracked) -> Bool {
    left.payload == right.payload
  }
}

extension Tracked: Hashable where Payload: Hashable {
  /// Hashes the payload.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(payload)
  }
}

extension Tracked: Comparable where Payload: Comparable {
  /// Whether the left payload orders before the right one.
  public static func < (left: Tracked, right: Tracked) -> Bool {
    left.payload < right.payload
  }
}
