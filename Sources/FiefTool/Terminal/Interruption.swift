import Synchronization

/// The effects of Control-C: unfinished files are removed, the line of progress is cleared, and the
/// process ends. A transaction in progress is lost with the process, as in any crash.
enum Interruption {
  private static let state = Mutex(State())

  private struct State {
    var last = 0
    var cleanups: [Int: @Sendable () -> Void] = [:]
  }

  /// Prepares the process.
  static func install() {
    TerminalSystem.ignoreClosedPipes()
    TerminalSystem.onInterrupt {
      Progress.stop()
      for cleanup in state.withLock({ $0.cleanups.values }) { cleanup() }
      TerminalSystem.endByInterrupt()
    }
  }

  /// Runs a body. If it is interrupted, or throws, `cleanup` runs before the process ends or the error is passed on.
  static func cleaningUp<Result>(_ cleanup: @escaping @Sendable () -> Void, _ body: () throws -> Result) rethrows
    -> Result
  {
    let number = state.withLock { state in
      state.last += 1
      state.cleanups[state.last] = cleanup
      return state.last
    }
    defer { state.withLock { $0.cleanups[number] = nil } }
    do {
      return try body()
    } catch {
      cleanup()
      throw error
    }
  }
}
