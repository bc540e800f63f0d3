/// Computes changes when they are asked for. It belongs to a session, and is used on its executor.
protocol FollowedChanges<Element>: AnyObject {
  associatedtype Element

  /// Waits for the next change.
  ///
  /// - Returns: nil after the end.
  func next(isolation: isolated (any Actor)?) async -> Element?

  /// Returns the change since the last element; nil when nothing has changed.
  func take() -> Element?

  /// Calls a block once when the session shows another version than the one that the last change led to.
  func whenBehind(_ block: @escaping @Sendable () -> Void)

  /// Ends the changes. Wakes whoever waits for one.
  func stop()

  /// Whether changes may follow.
  var isLive: Bool { get }
}
