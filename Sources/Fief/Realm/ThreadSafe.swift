import Synchronization

/// Holds an object or a collection for any thread: each read gives it as the reading thread's realm sees it.
///
///     func show(@ThreadSafe dog: Dog?) {
///       queue.async { print(dog?.name ?? "gone") }
///     }
///
/// Whoever reads it sees at least what was seen by the read before: a realm that is behind is refreshed. So what is
/// changed through it inside a write is there for every read after the commit.
///
/// Nil when the thing was deleted. Setting something unmanaged traps.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: Sendable {
  private let state: Mutex<State>

  private struct State {
    var handover: Handover<Confined>?
    /// How often the handover was exchanged: who was slower than another puts nothing back.
    var exchanges: UInt64 = 0

    /// - Returns: what was held before, which is to be let go of outside of the lock.
    mutating func exchange(_ next: Handover<Confined>?) -> Handover<Confined>? {
      exchanges &+= 1
      defer { handover = next }
      return handover
    }
  }

  /// The thing, in the realm of the running thread (or queue, or actor).
  public var wrappedValue: Confined? {
    get {
      let (held, exchanges) = state.withLock { ($0.handover, $0.exchanges) }
      guard let held else { return nil }
      let session = held.frozen.live(from: held.home)
      let thing = session.resolve(held, from: .latest)
      let next = held.followed(by: thing, in: session)
      if let next, next.isLevel(with: held) { return thing }
      _ = state.withLock { state in state.exchanges == exchanges ? state.exchange(next) : nil }
      return thing
    }
    set {
      let next = newValue.map { Handover($0, "@ThreadSafe") }
      _ = state.withLock { $0.exchange(next) }
    }
  }

  /// A holder of a managed thing, or of nothing.
  public init(wrappedValue: Confined?) {
    state = Mutex(State(handover: wrappedValue.map { Handover($0, "@ThreadSafe") }))
  }
}
