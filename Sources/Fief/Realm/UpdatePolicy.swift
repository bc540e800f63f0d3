extension Realm {
  /// The policy for an object whose primary key exists already.
  @frozen
  public enum UpdatePolicy: Int, Sendable {
    /// Fail the write.
    case error = 1
    /// Change only the properties that differ.
    case modified = 3
    /// Set every property to the new value.
    case all = 2
  }
}
