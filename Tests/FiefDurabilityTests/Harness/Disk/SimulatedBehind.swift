import FiefDurability
import FiefTestSupport

/// Replaces the thread that writes files behind their writers by work in the calls of the process: equal seeds give
/// equal orders.
///
///     calls of the writer      create ── lock ── … ── (commit) ── … ── synchronize ── rename
///     work behind                    └ portion ┘ └ commit, portion ┘ └ portion ┘
///
/// Work waits here until a moment that the seed chooses: when it is added, before any call of the process, or when its
/// writer has to wait for it. One thread at a time uses an instance, so `@unchecked Sendable` is correct.
final class SimulatedBehind: WorkBehind, @unchecked Sendable {
  let portionSize: Int
  private var random: SeededRandom
  private var waiting: [@Sendable () -> Void] = []
  private var isAtWork = false
  /// Called before the next task; it may make calls.
  var meanwhile: (() -> Void)?
  /// The number of finished tasks.
  private(set) var done = 0

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    // Each addition is a portion, or several together are one.
    portionSize = random.element(of: [1, 1, 100, 70_000])
  }

  func later(_ work: @escaping @Sendable () -> Void) {
    waiting.append(work)
    pass()
  }

  func help() { if !waiting.isEmpty { workOn() } }

  /// Called at a moment at which work may be done.
  func pass() { while !isAtWork, !waiting.isEmpty, random.below(3) == 0 { workOn() } }

  private func workOn() {
    isAtWork = true
    defer { isAtWork = false }
    meanwhile?()
    done += 1
    waiting.removeFirst()()
  }
}
