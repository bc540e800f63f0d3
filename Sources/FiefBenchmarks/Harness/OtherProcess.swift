import Foundation

/// Another process of this program that uses the file of a workload:
///
///     starting ─▶ ready ──go──▶ writing ─▶ done COUNT NANOSECONDS ─▶ ended
///                       ──a line──▶ one commit of the moment, for each line
#if os(Linux) || os(macOS)
  final class OtherProcess {
    /// What the process does.
    enum Work: String {
      /// Small writes for some time, each synchronized.
      case writing
      /// The same without synchronizing.
      case writingRelaxed = "writing-relaxed"
      /// A commit for each line of its input, with the moment before it.
      case answering
      /// Opening, with the resident memory before, at most, and in the end.
      case opening
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts a process, and waits until it has opened the file.
    init(_ work: Work, at path: String) throws {
      process.executableURL = try found(Bundle.main.executableURL, "the program")
      process.arguments = ["--work", work.rawValue, path]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      try expect(nextLine(), "ready", as: "the answer of another process")
    }

    /// Sends a line.
    func say(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

    /// The next line that the process prints.
    func nextLine() -> String {
      var bytes: [UInt8] = []
      while let byte = output.fileHandleForReading.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") {
        bytes.append(byte)
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits for the end of the process.
    func finish() throws {
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
      try expect(process.terminationStatus, 0, as: "the end of another process")
    }
  }
#endif
