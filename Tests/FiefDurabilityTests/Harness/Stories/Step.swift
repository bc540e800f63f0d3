import FiefTestSupport

/// One operation of a story on its store.
enum Step: Hashable, Sendable {
  /// A commit that is acknowledged as durable.
  case commit
  /// A commit that the system has, but that is not waited for.
  case relaxedCommit
  /// Waits for all relaxed commits.
  case flush
  /// A checkpoint, with the numbers of commits before its snapshot is written, before the copying, and before the
  /// switch.
  case checkpoint(Int, Int, Int)
  /// A number of quarters of a second without a commit: relaxed commits are synchronized, then sealed.
  case rest(Int)
  /// Closing with a seal, and opening again.
  case reopen
  /// The process dies between two calls; another opens the store.
  case killAndReopen

  /// A story of this many steps. The kinds of steps that it contains are chosen at random as well.
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
