/// When a write to a file returns.
public enum Durability: Hashable, Sendable {
  /// When it survives a power failure.
  case full
  /// When the system has it: it survives the death of the process at once. A process that goes on running makes it
  /// survive the death of the machine within a second.
  case relaxed
}
