import Dispatch

/// Predicts whether a session writes again at once after a commit that may be grouped: it does if it did the last time.
///
/// A wrong prediction makes other writers wait until `WriterLock.turnLength` has passed, once.
struct TurnPrediction {
  /// The time of the latest commit that may be grouped; nil when the session wrote in another way since.
  private var left: DispatchTime?
  /// Whether the write in progress began at once after a commit that may be grouped.
  private(set) var returned = false

  /// The time within which a writer that returns has to do so.
  private static let limit = DispatchTimeInterval.microseconds(100)

  /// Notes that a write asks for its turn.
  mutating func begin() {
    returned = left.map { .now() < $0 + Self.limit } ?? false
    left = nil
  }

  /// Notes that the write ends with a commit that may be grouped.
  mutating func commit() {
    left = .now()
    returned = false
  }

  /// Notes that the write ends otherwise.
  mutating func end() { self = TurnPrediction() }
}
