#if os(Linux) || os(macOS)
  import Foundation

  /// The program `FiefDurabilityHelper` as it was built beside these tests: another process, with a pipe each way.
  final class Helper {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    /// Starts it.
    init(_ arguments: String..., in folder: URL? = nil) throws {
      process.executableURL = Self.folder.appendingPathComponent("FiefDurabilityHelper")
      process.arguments = arguments
      process.standardInput = input
      process.standardOutput = output
      process.currentDirectoryURL = folder
      try process.run()
    }

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

    /// Ends its standard input, and waits for it.
    func finish() {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }

    deinit { if process.isRunning { kill() } }

    /// The folder of built products.
    private static var folder: URL {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      return (bundle ?? Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
    }
  }
#endif
