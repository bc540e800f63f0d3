import FiefTestSupport
import Foundation
import Testing

/// A process of the program `FiefBoundaryHelper`, with pipes for its input and output.
///
/// A process that prints nothing for `testPatience` seconds hangs: it is killed, and an issue is recorded. A process
/// that goes on answering may live as long as its test.
final class Helper {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors: URL
  private var unread = Data()

  /// Starts the process.
  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL = Self.program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output
    // A file, because a pipe without a reader would block the process.
    errors = FileManager.default.temporaryDirectory.appendingPathComponent("fief-errors-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
  }

  var isRunning: Bool { process.isRunning }

  /// The process identifier.
  var identifier: Int32 { process.processIdentifier }

  /// Sends a line to the process.
  func say(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

  /// The next line that the process prints; nil after its end.
  func nextLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = Data(unread[(end + 1)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      guard waitForOutput() else { return nil }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread += more
    }
  }

  /// Waits until the process prints something or ends.
  ///
  /// - Returns: false when it did neither in time and was killed.
  private func waitForOutput() -> Bool {
    var descriptor = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    let deadline = ContinuousClock.now + .seconds(testPatience)
    while ContinuousClock.now < deadline {
      if poll(&descriptor, 1, 1000) > 0 { return true }
    }
    Issue.record(
      "The program hangs: \(process.arguments ?? []), \(process.environment?["FIEF_PLAN"] ?? "")")
    kill(identifier, SIGKILL)
    return false
  }

  /// Waits until the process ends.
  ///
  /// - Parameter isExpectedToTrap: whether the process may end by a trap.
  /// - Returns: the lines that were printed and not yet read.
  @discardableResult
  func finish(isExpectedToTrap: Bool = false) -> [String] {
    try? input.fileHandleForWriting.close()
    var lines: [String] = []
    while let line = nextLine() { lines.append(line) }
    process.waitUntilExit()
    let signal = process.terminationReason == .uncaughtSignal ? process.terminationStatus : 0
    if signal != 0 && signal != SIGKILL && !isExpectedToTrap {
      let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
      Issue.record("The program ended by signal \(signal): \(process.arguments ?? []) \(said.suffix(2000))")
    }
    return lines
  }

  /// Waits until the process ends by a trap.
  ///
  /// - Returns: what it printed to standard error. Empty when it ended in another way.
  func trap() -> String {
    process.waitUntilExit()
    guard process.terminationReason == .uncaughtSignal else { return "" }
    return (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(at: errors)
  }

  /// The program, as built beside these tests.
  static let program: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let folder = (bundle ?? Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
    return folder.appendingPathComponent("FiefBoundaryHelper")
  }()
}
