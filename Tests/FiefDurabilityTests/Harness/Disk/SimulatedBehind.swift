import FiefDurability
import FiefTestSupport

/// The thread that writes files behind their writers, played by whoever makes a call: the same seed gives the same
/// order.
///
///     calls of the writer      create ── lock ── … ── (commit) ── … ── synchronize ── rename
///     work behind                    └ portion ┘ └ commit, portion ┘ └ portion ┘
///
/// Work waits here until a moment that the seed chooses: when it is taken, before any call of the process, or when its
/// writer has to wait for it. One thread at a time uses it; that is why it is `@unchecked Sendable`.
final class SimulatedBehind: WorkBehind, @unchecked Sendable {
  let portionSize: Int
  private var random: SeededRandom
  private var waiting: [@Sendable () -> Void] = []
  private var isAtWork = false
  /// What others do before the next piece of work is done: they may make calls.
  var meanwhile: (() -> Void)?
  /// How many pieces of work were done.
  private(set) var done = 0

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    // Each addition is a portion, or some are one.
    portionSize = random.element(of: [1, 1, 100, 70_000])
  }

  func later(_ work: @escaping @Sendable () -> Void) {
    waiting.append(work)
    pass()
  }

  func help() { if !waiting.isEmpty { workOn() } }

  /// A moment at which work may be done.
  func pass() { while !isAtWork, !waiting.isEmpty, random.below(3) == 0 { workOn() } }

  private func workOn() {
    isAtWork = true
    defer { isAtWork = false }
    meanwhile?()
    done += 1
    waiting.removeFirst()()
  }
}
