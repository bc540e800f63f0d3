// The terminal, key by key. All calls of the system for it are in this file.

import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads keys as they are pressed, without showing them. The terminal is as it was before while nothing is read, and
/// after every end of the process: by `exit`, by Control-C, and by the signals that end others.
enum RawTerminal {
  /// Whether keys can be read: standard input and output are a terminal that can move its cursor.
  static var isAvailable: Bool {
    #if os(Windows)
      false
    #else
      TerminalSystem.isTerminal(TerminalSystem.standardInput)
        && TerminalSystem.isTerminal(TerminalSystem.standardOutput)
        && ProcessInfo.processInfo.environment["TERM", default: "dumb"] != "dumb"
    #endif
  }

  #if os(Windows)
    static func reading<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
    static func keys() -> [UInt8] { [] }
  #else
    /// Runs a body that reads keys.
    static func reading<Result>(_ body: () throws -> Result) rethrows -> Result {
      begin()
      return try Interruption.cleaningUp(end) {
        defer { end() }
        return try body()
      }
    }

    /// The next bytes that the terminal sends, at least one. Empty at the end of the input.
    static func keys() -> [UInt8] {
      var buffer = [UInt8](repeating: 0, count: 256)
      while true {
        // The system fills a buffer that is alive during the call.
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
          unsafe read(TerminalSystem.standardInput, bytes.baseAddress, bytes.count)
        }
        if count >= 0 { return Array(buffer[..<count]) }
        if errno != EINTR { return [] }
      }
    }

    /// The settings of the terminal before keys were read; nil while none are.
    private static let before = Mutex<termios?>(nil)

    private static func begin() {
      _ = isWatched
      before.withLock { before in
        var settings = termios()
        // The system fills in a value that is alive during the call.
        guard before == nil, unsafe tcgetattr(TerminalSystem.standardInput, &settings) == 0 else { return }
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(ICRNL | IXON)
        unsafe withUnsafeMutableBytes(of: &settings.c_cc) { bytes in
          unsafe bytes[Int(VMIN)] = 1
          unsafe bytes[Int(VTIME)] = 0
        }
        _ = unsafe tcsetattr(TerminalSystem.standardInput, TCSADRAIN, &settings)
      }
    }

    @Sendable private static func end() {
      before.withLock { before in
        guard var settings = before else { return }
        before = nil
        _ = unsafe tcsetattr(TerminalSystem.standardInput, TCSADRAIN, &settings)
      }
    }

    /// Whether the terminal is restored before the process ends. Arranged once.
    private static let isWatched: Bool = {
      for number in [SIGTERM, SIGHUP, SIGQUIT] {
        _ = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
        // The source lives as long as its handler, which keeps it.
        source.setEventHandler { withExtendedLifetime(source) { endProcess(by: number) } }
        source.resume()
      }
      return atexit { RawTerminal.end() } == 0
    }()

    /// Ends the process as the signal ends others.
    private static func endProcess(by number: Int32) {
      end()
      _ = signal(number, SIG_DFL)
      // The thread of a handler blocks signals.
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe sigaddset(&signals, number)
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      raise(number)
      // Never waits for a signal that did not arrive: its source would be called again and again.
      exit(128 + number)
    }
  #endif
}
