#if os(Linux) || os(macOS)
  import Foundation

  /// The program `FiefDurabilityHelper` as it was built beside these tests: another process, with a pipe each way.
  final class Helper {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    /// Starts it.
    convenience init(_ arguments: String..., in folder: URL? = nil) throws {
      try self.init(running: Self.program, arguments, in: folder, withErrors: false)
    }

    /// Starts any program; what it says to standard error is among its lines.
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

    /// With what it ended.
    var status: Int32 { process.terminationStatus }

    var processIdentifier: Int32 { process.processIdentifier }

    /// The next line that it says; nil when it ended.
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

    /// All lines from here on, until it ends.
    func restOfLines() -> [String] {
      var lines: [String] = []
      while let line = nextLine() { lines.append(line) }
      return lines
    }

    /// Ends it as `SIGKILL` does.
    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    /// The same for one whose forked processes live on: waiting would be for the last of them.
    func killWithoutWaiting() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Ends its standard input, and waits for it.
    func finish() {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }

    deinit { if process.isRunning { kill() } }

    /// The program.
    static var program: URL { folder.appendingPathComponent("FiefDurabilityHelper") }

    /// The folder of built products.
    private static var folder: URL {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      return (bundle ?? Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
    }
  }
#endif
