import FiefGraph

/// Who wants to hear of changes that a session sees.
final class SessionObservers {
  /// Tells every session of a store that a new version is there.
  static func announce(_ graph: Graph, in store: Store, by writer: Session) {}
}
