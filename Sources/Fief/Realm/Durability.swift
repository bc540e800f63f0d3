/// When a write to a file returns.
public enum Durability: Hashable, Sendable {
  /// When it survives a power failure.
  case full
  /// When the system has it: it survives the death of the process, and of the machine a second later.
  case relaxed
}
