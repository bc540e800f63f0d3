import FiefTestSupport
import Foundation

/// Starts children for a target, and says what they found.
struct FuzzParent {
  let target: any FuzzTarget
  private let folder: TemporaryFolder

  init(_ target: any FuzzTarget) throws {
    self.target = target
    folder = try TemporaryFolder()
  }

  /// An input, and what it shows.
  struct Found {
    var input: [UInt8]
    var reason: String

    /// The reason without numbers, by which a smaller input is known to show the same.
    var kind: String { String(reason.prefix { $0 != "\n" }.prefix(60).filter { !$0.isNumber }) }
  }

  private var note: String { folder.url.appendingPathComponent("note").path }
  private var errors: String { folder.url.appendingPathComponent("errors").path }
  private var listFile: String { folder.url.appendingPathComponent("inputs").path }

  /// Runs random inputs for some seconds.
  ///
  /// - Returns: the number of inputs, and the finding that ended them early, which is that of the last one.
  func campaign(seconds: Double, seed: UInt64) throws -> (count: Int, found: Found?) {
    let (reason, output) = try start(["--child", "campaign", "--seconds", "\(seconds)", "--seed", "\(seed)"])
    guard let reason else { return (Int(output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0, nil) }
    let last = FuzzNote.read(note)
    return ((last?.number ?? 0) + 1, Found(input: last?.bytes ?? [], reason: reason))
  }

  /// The index of the first input of a list that shows something, and what.
  func first(of inputs: [[UInt8]]) throws -> (index: Int, reason: String)? {
    try InputList.write(inputs, to: listFile)
    guard let reason = try start(["--child", listFile]).reason else { return nil }
    return (FuzzNote.read(note)?.number ?? 0, reason)
  }

  /// Makes the input of a finding smaller.
  func minimized(_ found: Found, limit: Double = 300) -> Found {
    let end = Date().addingTimeInterval(limit)
    var reason = found.reason
    let minimizer = Minimizer(layout: target.layout(of: found.input)) { inputs in
      var first = 0
      while first < inputs.count, Date() < end {
        guard let next = try? self.first(of: Array(inputs[first...])) else { return nil }
        if Found(input: [], reason: next.reason).kind == found.kind {
          reason = next.reason
          return first + next.index
        }
        // It shows something else; that is not followed here.
        first += next.index + 1
      }
      return nil
    }
    return Found(input: minimizer.minimized(found.input), reason: reason)
  }

  /// Runs a child.
  ///
  /// - Returns: the reason of its end, nil if all is well, and its output.
  private func start(_ arguments: [String]) throws -> (reason: String?, output: String) {
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = [target.name, "--note", note] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: printed, as: UTF8.self)
    if process.terminationReason == .exit, process.terminationStatus == 0 { return (nil, text) }
    return (reason(process), text)
  }

  private func reason(_ process: Process) -> String {
    let text = String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    if let index = lines.firstIndex(where: { $0.hasPrefix("Finding: ") }) {
      return lines[index...].joined(separator: "\n").dropFirst(9).description
    }
    let said = lines.first { $0.contains("atal error") || $0.contains("ERROR: ") || $0.contains("runtime error") }
    let end = process.terminationReason == .uncaughtSignal ? "signal" : "status"
    return "The process ended with \(end) \(process.terminationStatus): \(said ?? lines.last ?? "without a word")"
  }

  /// The running program.
  private static var program: String {
    #if os(Linux)
      if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") { return path }
    #endif
    return Bundle.main.executablePath ?? CommandLine.arguments[0]
  }
}
