import Foundation
import Synchronization

/// Ends the process when an input takes too long or too much memory.
///
/// An input may take five seconds of processor time. As processors are shared, and a process that waits for itself
/// takes none, it may also take a minute by the clock. The process may take two GiB of memory.
final class FuzzLimits: Sendable {
  static let seconds = 5.0
  static let secondsByClock = 60.0
  static let bytes = 2 << 30
  /// How a process ends that exceeded a limit.
  static let status: Int32 = 4

  private let began = Mutex<(processor: Double, clock: Double)?>(nil)
  private let memory: Int

  /// Watches from a thread of its own.
  ///
  /// - Parameter memory: the limit in bytes; the sanitizer needs more.
  init(memory: Int = FuzzLimits.bytes) {
    self.memory = memory
    Thread.detachNewThread { [self] in
      while true {
        Thread.sleep(forTimeInterval: 0.2)
        check()
      }
    }
  }

  /// Notes that an input begins.
  func begin() { began.withLock { $0 = (Self.processorTime, Self.clock) } }

  /// Notes that the input has ended.
  func end() { began.withLock { $0 = nil } }

  private func check() {
    guard let began = began.withLock({ $0 }) else { return }
    if Self.processorTime - began.processor > Self.seconds { stop("An input takes more than \(Self.seconds) s.") }
    if Self.clock - began.clock > Self.secondsByClock { stop("An input waits for more than \(Self.secondsByClock) s.") }
    if Self.peak > memory { stop("An input takes more than \(memory >> 20) MiB.") }
  }

  private func stop(_ reason: String) {
    FuzzOutput.error("Finding: \(reason)")
    exit(Self.status)
  }

  private static var clock: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

  private static var usage: rusage {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
    #else
      getrusage(RUSAGE_SELF.rawValue, &usage)
    #endif
    return usage
  }

  private static var processorTime: Double {
    let usage = usage
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }

  private static var peak: Int {
    #if canImport(Darwin)
      usage.ru_maxrss
    #else
      usage.ru_maxrss << 10
    #endif
  }
}

/// What the command prints.
enum FuzzOutput {
  static func error(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8)) }
}
