import Dispatch
import Synchronization

/// Brings commits that no thread waits for to the disk, and reports when they are durable.
///
///     writer's executor:  append ──▶ publish ──▶ whenDurable, and on with the next turn
///     here:                                          └──▶ synchronize ──▶ report
///
///     resting ──whenDurable──▶ lingering ──the pause ends──▶ working ──no commit waits──▶ resting
///                     └── a commit that does not linger ───────▲
///
/// One synchronization serves all commits that wait when it begins. So the commits of many writers, and those that
/// follow each other while the disk is busy, share it. The reports of one synchronization are made in the order of the
/// versions.
final class Synchronizer: Sendable {
  /// Receives nil when the commit is durable, or the reason why it was rolled back.
  typealias Report = @Sendable ((any Error)?) -> Void

  /// The time for which a commit that may be grouped waits for others.
  static let pause = DispatchTimeInterval.milliseconds(2)

  private enum Phase { case resting, lingering, working }

  private struct Waiter {
    let version: UInt64
    let report: Report
  }

  private struct State {
    var phase = Phase.resting
    var waiting: [Waiter] = []
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "fief.synchronizer", qos: .userInitiated)

  /// Whether all reports were made.
  var isResting: Bool { state.withLock { $0.phase == .resting } }

  /// Reports when a commit is durable.
  ///
  /// - Parameters:
  ///   - lingers: whether the commit may wait for others.
  ///   - synchronize: makes all commits up to a version durable, and returns the last durable one. It retains the
  ///     store.
  func whenDurable(
    _ version: UInt64, lingers: Bool, report: @escaping Report,
    synchronize: @escaping @Sendable (UInt64) -> (durable: UInt64, failure: (any Error)?)
  ) {
    let start: DispatchTime? = state.withLock { state in
      state.waiting.append(Waiter(version: version, report: report))
      switch (state.phase, lingers) {
      case (.working, _), (.lingering, true): return nil
      case (.resting, true):
        state.phase = .lingering
        return .now() + Self.pause
      case (.resting, false), (.lingering, false):
        state.phase = .working
        return .now()
      }
    }
    guard let start else { return }
    queue.asyncAfter(deadline: start) { self.work(synchronize) }
  }

  private func work(_ synchronize: (UInt64) -> (durable: UInt64, failure: (any Error)?)) {
    while let (target, batch) = next() {
      let (durable, failure) = synchronize(target)
      for waiter in batch {
        assert(waiter.version <= durable || failure != nil, "A commit is durable, or the synchronization has failed.")
        waiter.report(waiter.version <= durable ? nil : failure)
      }
    }
  }

  /// The commits that wait, and the last of their versions. Nil when there are none; the work is over then.
  private func next() -> (UInt64, [Waiter])? {
    state.withLock { state in
      guard let last = state.waiting.map(\.version).max() else {
        state.phase = .resting
        return nil
      }
      state.phase = .working
      let batch = state.waiting.sorted { $0.version < $1.version }
      state.waiting = []
      return (last, batch)
    }
  }
}
