import Synchronization
import Testing

/// Counts the objects it made that are still alive.
///
/// Put ``Tracked`` elements into the container under test: if the container is gone and a tracked object is not, the
/// container leaked it. Every tracker has its own count, so tests that run at the same time do not disturb each other.
///
///     LifetimeTracker.check { tracker in
///       var list = List<Tracked<Int>>()
///       list.append(tracker.track(1))
///     }
public final class LifetimeTracker: Sendable {
  fileprivate let living = Mutex<(count: Int, next: Int, payloads: [Int: String])>((0, 0, [:]))

  /// A tracker that has made nothing yet.
  public init() {}

  /// How many objects of this tracker are alive.
  public var count: Int {
    living.withLock { $0.count }
  }

  /// What the living objects carry, in the order of their making.
  ///
  /// - Complexity: O(*n* log *n*).
  public var survivors: [String] {
    living.withLock { $0.payloads.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// A new object that counts as alive until the last reference to it is gone.
  public func track<Payload>(_ payload: Payload) -> Tracked<Payload> {
    Tracked(payload, tracker: self)
  }

  /// Runs the body with a new tracker and expects that none of its objects outlives the body.
  ///
  /// - Parameters:
  ///   - sourceLocation: The line to blame: the caller's.
  ///   - body: What must not leak.
  /// - Throws: What the body throws.
  public static func check(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: (LifetimeTracker) throws -> Void
  ) rethrows {
    let tracker = LifetimeTracker()
    try body(tracker)
    let survivors = tracker.survivors
    #expect(survivors.isEmpty, "leaked: \(survivors)", sourceLocation: sourceLocation)
  }
}

/// An object whose life a ``LifetimeTracker`` watches. It compares and hashes as its payload does.
public final class Tracked<Payload> {
  /// What it carries.
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
