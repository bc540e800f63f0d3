#if os(Linux) || os(macOS)
  import Foundation

  /// The program `FiefDurabilityHelper` from the build folder of these tests: another process, with a pipe each way.
  final class Helper {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    /// Starts the program.
    convenience init(_ arguments: String..., in folder: URL? = nil) throws {
      try self.init(running: Self.program, arguments, in: folder, withErrors: false)
    }

    /// Starts any program; its standard error is among its lines.
    init(
      running program: URL, _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:],
      withErrors: Bool = true
    ) throws {
      process.executableURL = program
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      process.standardInput = input
      process.standardOutput = output
      if withErrors { process.standardError = output }
      process.currentDirectoryURL = folder
      try process.run()
    }

    /// The exit status.
    var status: Int32 { process.terminationStatus }

    var processIdentifier: Int32 { process.processIdentifier }

    /// The next line of output; nil at its end.
    func nextLine() -> String? {
      while true {
        if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
          defer { unread = Data(unread[(end + 1)...]) }
          return String(decoding: unread[..<end], as: UTF8.self)
        }
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { return nil }
        unread += more
      }
    }

    /// All further lines, to the end of the output.
    func restOfLines() -> [String] {
      var lines: [String] = []
      while let line = nextLine() { lines.append(line) }
      return lines
    }

    /// Kills the process with `SIGKILL`.
    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    /// Kills a process whose forks live on, without waiting: the wait would last until the last of them ends.
    func killWithoutWaiting() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Closes its standard input, and waits for its end.
    func finish() {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }

    deinit { if process.isRunning { kill() } }

    /// The helper program.
    static var program: URL { folder.appendingPathComponent("FiefDurabilityHelper") }

    /// The folder of built products.
    private static var folder: URL {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      return (bundle ?? Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
    }
  }
#endif
