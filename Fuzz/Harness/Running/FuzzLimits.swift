import Foundation
import Synchronization

/// Ends the process when an input takes too long or too much memory.
///
/// An input may take five seconds of processor time. A process that waits for itself takes none, so an input may also
/// take a minute, which is counted in naps of the watching thread: on a machine that has no time for the process, these
/// take longer, too. The process may take two GiB of memory.
final class FuzzLimits: Sendable {
  static let seconds = 5.0
  static let nap = 0.2
  static let naps = 300
  static let bytes = 2 << 30
  /// How a process ends that exceeded a limit.
  static let status: Int32 = 4

  private let began = Mutex<(processor: Double, naps: Int)?>(nil)
  private let memory: Int

  /// Watches from a thread of its own.
  ///
  /// - Parameter memory: the limit in bytes; the sanitizer needs more.
  init(memory: Int = FuzzLimits.bytes) {
    self.memory = memory
    Thread.detachNewThread { [self] in
      while true {
        Thread.sleep(forTimeInterval: Self.nap)
        check()
      }
    }
  }

  /// Notes that an input begins.
  func begin() { began.withLock { $0 = (Self.processorTime, 0) } }

  /// Notes that the input has ended.
  func end() { began.withLock { $0 = nil } }

  private func check() {
    let began = began.withLock { began in
      began?.naps += 1
      return began
    }
    guard let began else { return }
    if Self.processorTime - began.processor > Self.seconds { stop("An input takes more than \(Self.seconds) s.") }
    if began.naps > Self.naps { stop("An input waits for more than \(Double(Self.naps) * Self.nap) s.") }
    if Self.peak > memory { stop("An input takes more than \(memory >> 20) MiB.") }
  }

  private func stop(_ reason: String) {
    FuzzOutput.error("Finding: \(reason)")
    exit(Self.status)
  }

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

/// The output of the command.
enum FuzzOutput {
  static func error(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8)) }
}
