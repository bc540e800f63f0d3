/// The point at which a write to a file returns.
///
///     configuration.durability = .relaxed          // a power failure may take the commits of the last second
public enum Durability: Hashable, Sendable {
  /// After the commit survives a power failure.
  case full
  /// After the system has accepted the commit, which then survives the death of the process. While the process keeps
  /// running, the commit also survives the death of the machine within a second. If the disk fails meanwhile, an error
  /// is logged, and the next write throws. Documents of asymmetric objects are delivered when they are durable.
  case relaxed
}
