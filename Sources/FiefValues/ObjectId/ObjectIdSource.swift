import Synchronization

/// The source of new identifiers: five random bytes, and one number that only grows.
///
///     ┌──────────────────┬──────────────────┐
///     │ second (40 bits) │ count (24 bits)  │   one atomic word
///     └──────────────────┴──────────────────┘
///
/// Each identifier takes the larger of *last + 1* and *the clock's second with last's count + 1*. Hence:
///
/// 1. The word never repeats and never decreases. So the identifiers of a process are strictly increasing and unique,
///    even if the clock is set back: they then keep the last second until the clock has caught up.
/// 2. The count starts at random and continues from second to second, as the specification requires. If it wraps within
///    a second, it carries into the second: from there on the timestamps are a second ahead, until the clock has caught
///    up. (The usual generator wraps without a carry, and then loses both order and uniqueness.)
/// 3. A program that makes fewer than 2^24 identifiers a second is therefore never more than a second ahead.
public final class ObjectIdSource: Sendable {
  /// The source that `generate()` uses.
  static let shared = ObjectIdSource()

  /// The random bytes, in the lowest 40 bits.
  public let process: UInt64
  /// The last number used. Threads compete for it with compare-and-exchange. It publishes no other data, so relaxed
  /// ordering suffices.
  private let last: Atomic<UInt64>

  /// Makes a source with random bytes and a random first count.
  public convenience init() {
    var random = SystemRandomNumberGenerator()
    self.init(process: random.next() >> 24, count: UInt32(truncatingIfNeeded: random.next()) & 0xFF_FFFF)
  }

  /// Makes a source with a known state, for tests.
  ///
  /// - Parameters:
  ///   - process: Five bytes, in 0 ..< 2^40.
  ///   - count: The count before the first one used, in 0 ..< 2^24.
  public init(process: UInt64, count: UInt32) {
    self.process = process & 0xFF_FFFF_FFFF
    last = Atomic(UInt64(count & 0xFF_FFFF))
  }

  /// Takes the next number.
  ///
  /// - Parameter second: The clock's second, below 2^40. If it has passed already, the last one is used again.
  /// - Returns: The second and the count of the new identifier.
  public func next(second: UInt64) -> (second: UInt64, count: UInt32) {
    var seen = last.load(ordering: .relaxed)
    while true {
      let after = seen + 1
      let next = Swift.max(after, second << 24 | after & 0xFF_FFFF)
      let (exchanged, original) = last.weakCompareExchange(expected: seen, desired: next, ordering: .relaxed)
      if exchanged { return (next >> 24, UInt32(truncatingIfNeeded: next & 0xFF_FFFF)) }
      seen = original
    }
  }
}
