import FiefDurability

/// A process that is killed before one of its calls.
final class Killer: @unchecked Sendable {
  // `@unchecked Sendable` is correct because one thread uses it.

  private(set) var process: SimulatedProcess!
  private var left: Int

  /// - Parameter call: The number of calls that it may make.
  init(_ disk: SimulatedDisk, number: Int32 = 1, at call: Int) {
    left = call
    process = SimulatedProcess(disk, number: number) { [weak self] _, _ in self?.pass() }
  }

  /// Whether it is to be killed before the next call.
  var watch: () -> Bool = { false }

  /// Whether it has been killed by a call.
  var isDone: Bool { left < 0 }

  /// Lets it make so many calls from now on.
  func allow(_ calls: Int) { left = calls }

  private func pass() {
    left -= 1
    if left == -1 || watch() { process.kill() }
  }
}
