import FiefTestSupport

/// One thing that a story does to its store.
enum Step: Hashable, Sendable {
  /// A commit that is acknowledged as durable.
  case commit
  /// A commit that is only handed to the system.
  case relaxedCommit
  /// Waits for all relaxed commits.
  case flush
  /// A checkpoint, with so many commits before its snapshot is written, before the copying, and before the switch.
  case checkpoint(Int, Int, Int)
  /// So many quarters of a second without a commit: what nobody waited for is synchronized, then sealed.
  case rest(Int)
  /// Closing with a seal, and opening again.
  case reopen
  /// The process dies between two calls; another opens the store.
  case killAndReopen

  /// A story of so many steps; which of them it has at all is a choice of its own.
  static func story(count: Int, using random: inout SeededRandom) -> [Step] {
    let swarm = Swarm<Int>([(0, 12), (1, 4), (2, 2), (3, 2), (4, 1), (5, 1), (6, 2)], using: &random)
    return (0..<count).map { _ in
      switch swarm.next(using: &random) {
      case 0: .commit
      case 1: .relaxedCommit
      case 2: .flush
      case 3: .checkpoint(random.below(3), random.below(2), random.below(2))
      case 4: .reopen
      case 5: .rest(1 + random.below(3))
      default: .killAndReopen
      }
    }
  }
}
