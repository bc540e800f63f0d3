import Foundation

/// One of several processes that use a file at random, with the log of what it did and saw.
final class SharedProcess {
  /// The number with which the process signs its commits.
  let number: Int
  private let helper: Helper
  private let log: URL
  /// When it was stopped, and when it will go on, in nanoseconds of the system's clock.
  private(set) var stop: (from: Int, until: Int)?

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - number: its number.
  ///   - path: the file.
  ///   - stop: the file whose existence ends the process.
  ///   - isReader: whether the process opens the file for reading only.
  ///   - environment: variables for the interposer.
  init(_ number: Int, at path: URL, until stop: URL, seed: UInt64, isReader: Bool, environment: [String: String])
    throws
  {
    self.number = number
    log = stop.deletingLastPathComponent().appendingPathComponent("log-\(number)")
    helper = try Helper(
      ["share", path.path, "\(seed)", "\(number)", log.path, stop.path, isReader ? "reader" : "writer"],
      environment: environment)
  }

  /// Kills the process, whatever it does.
  func kill() {
    _ = Foundation.kill(helper.identifier, SIGKILL)
    helper.finish()
  }

  /// Stops the process for some milliseconds.
  func halt(milliseconds: Int) {
    _ = Foundation.kill(helper.identifier, SIGSTOP)
    stop = (Self.moment, Self.moment + milliseconds * 1_000_000)
  }

  /// Lets the process go on.
  ///
  /// - Returns: the time for which it was stopped.
  func goOn() -> Range<Int>? {
    guard let stop else { return nil }
    _ = Foundation.kill(helper.identifier, SIGCONT)
    self.stop = nil
    return stop.from..<Self.moment
  }

  /// Waits until the process ends by itself.
  ///
  /// - Parameter isExpectedToTrap: whether the process may end by a trap.
  func finish(isExpectedToTrap: Bool) { helper.finish(isExpectedToTrap: isExpectedToTrap) }

  /// The whole lines of the log so far.
  var lines: [[String]] { Self.lines(of: log) }

  /// The whole lines of a log.
  static func lines(of log: URL) -> [[String]] {
    let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    guard let end = text.lastIndex(of: "\n") else { return [] }
    return text[..<end].split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  }

  /// Nanoseconds of the clock that the logs use.
  static var moment: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000_000_000 + now.tv_nsec
  }
}
