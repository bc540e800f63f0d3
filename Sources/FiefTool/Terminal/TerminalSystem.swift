// The calls of the system that terminals need. All of them are in this file.

import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#elseif os(Windows)
  import CRT
  import WinSDK
#endif

/// The calls of the system on the terminal.
enum TerminalSystem {
  static let standardInput: Int32 = 0
  static let standardOutput: Int32 = 1
  static let standardError: Int32 = 2

  static func isTerminal(_ file: Int32) -> Bool {
    #if os(Windows)
      _isatty(file) != 0
    #else
      isatty(file) != 0
    #endif
  }

  /// The width of the terminal in columns, at least 20. The variable `COLUMNS` takes precedence.
  static var width: Int {
    if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
      return max(20, columns)
    }
    #if os(Windows)
      return 80
    #else
      var size = winsize()
      // The system fills in a value that is alive during the call.
      let isKnown = unsafe ioctl(standardOutput, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
      return isKnown ? max(20, Int(size.ws_col)) : 80
    #endif
  }

  /// Writes all bytes.
  ///
  /// - Returns: the error code of the system; nil for success.
  static func write(_ bytes: [UInt8], to file: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      // The system reads the bytes of a slice that is alive during the call.
      let count = unsafe rest.withUnsafeBytes { bytes in
        #if os(Windows)
          Int(unsafe _write(file, bytes.baseAddress, UInt32(min(bytes.count, 1 << 20))))
        #elseif canImport(Darwin)
          unsafe Darwin.write(file, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
          unsafe Musl.write(file, bytes.baseAddress, bytes.count)
        #else
          unsafe Glibc.write(file, bytes.baseAddress, bytes.count)
        #endif
      }
      if count >= 0 {
        rest.removeFirst(count)
      } else if errno != EINTR && errno != EAGAIN {
        return errno
      }
    }
    return nil
  }

  /// The system's words for one of its error codes.
  static func words(_ code: Int32) -> String {
    // The text is copied at once.
    unsafe String(cString: strerror(code))
  }

  /// Lets a write to a closed pipe fail instead of ending the process.
  static func ignoreClosedPipes() {
    #if !os(Windows)
      _ = signal(SIGPIPE, SIG_IGN)
    #endif
  }

  /// Calls a function on another thread when the user presses Control-C. Call it before there are other threads: they
  /// take over that the signal waits for the one that asks for it.
  static func onInterrupt(_ body: @escaping @Sendable () -> Void) {
    #if !os(Windows)
      setInterrupts(SIG_BLOCK)
      Thread.detachNewThread {
        while true {
          var (signals, signal) = (interrupts, Int32(0))
          if unsafe sigwait(&signals, &signal) == 0 { body() }
        }
      }
    #endif
  }

  /// Ends the process as Control-C ends others, so that a script that runs it ends, too.
  static func endByInterrupt() -> Never {
    #if !os(Windows)
      _ = signal(SIGINT, SIG_DFL)
      setInterrupts(SIG_UNBLOCK)
      raise(SIGINT)
    #endif
    exit(130)
  }

  #if !os(Windows)
    private static var interrupts: sigset_t {
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe sigaddset(&signals, SIGINT)
      return signals
    }

    /// Holds the signal back from this thread and from those that it makes, or lets it through.
    private static func setInterrupts(_ how: Int32) {
      var signals = interrupts
      unsafe pthread_sigmask(how, &signals, nil)
    }
  #endif
}
