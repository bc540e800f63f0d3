/// The state of an iteration over changes.
///
///     new ──first call──▶ here, on an actor ──▶ ended
///                    └──▶ frozen, on a queue ────▲
///
/// The first call decides whether the elements are live on the caller's actor, or computed on a queue and frozen.
struct ChangeIteration<Follower: FollowedChanges> {
  private enum State {
    case new
    case here(Follower)
    case frozen(FrozenChanges<Follower.Element>)
    case ended
  }

  private var state = State.new

  /// Waits for the next change.
  ///
  /// - Parameters:
  ///   - actor: the actor of the caller. It has to be the same in all calls.
  ///   - here: makes the follower of an actor's session.
  ///   - frozen: makes the changes for callers without an actor.
  /// - Returns: nil after the end.
  mutating func next(
    isolation actor: isolated (any Actor)?, here: (any Actor) -> Follower,
    frozen: () -> FrozenChanges<Follower.Element>
  ) async -> Follower.Element? {
    if case .new = state {
      if let actor { state = .here(here(actor)) } else { state = .frozen(frozen()) }
    }
    let element: Follower.Element?
    switch state {
    case .here(let follower): element = await follower.next(isolation: actor)
    case .frozen(let changes): element = await changes.next()
    case .new, .ended: element = nil
    }
    if element == nil { state = .ended }
    return element
  }
}
