import Foundation

/// Returns the time for which this thread uses a processor while it runs `body`.
///
/// A test that compares times takes this one: the time of a clock also grows while other tests have the processors.
///
///     let (few, many) = (try threadTime { try open(50) }, try threadTime { try open(200) })
///     #expect(many < few * 12)
public func threadTime(_ body: () throws -> Void) rethrows -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let start = now()
  try body()
  return now() - start
}
