#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Foundation
  import Synchronization

  /// The program `fief`, as built beside these tests, run as its users run it.
  enum Program {
    /// The output of a run and its exit status.
    struct Outcome: Equatable {
      var status: Int32
      var output: String
      var complaints: String
    }

    private final class Complaints: Sendable {
      let data = Mutex(Data())
    }

    static func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    /// - Parameter input: the data for standard input, small enough for a pipe's buffer.
    static func run(_ arguments: [String], input: Data? = nil) throws -> Outcome {
      let (output, complaints) = (Pipe(), Pipe())
      let process = Process()
      process.executableURL = url
      process.arguments = arguments
      process.standardOutput = output
      process.standardError = complaints
      if let input {
        let pipe = Pipe()
        process.standardInput = pipe
        try pipe.fileHandleForWriting.write(contentsOf: input)
        try pipe.fileHandleForWriting.close()
      }
      try process.run()
      // Both at once: a program that fills the buffer of one pipe waits until it is read.
      let complained = Complaints()
      let done = DispatchGroup()
      DispatchQueue.global().async(group: done) {
        let data = try? complaints.fileHandleForReading.readToEnd()
        complained.data.withLock { $0 = data ?? Data() }
      }
      let said = try output.fileHandleForReading.readToEnd()
      done.wait()
      process.waitUntilExit()
      return Outcome(
        status: process.terminationReason == .exit ? process.terminationStatus : -1,
        output: String(decoding: said ?? Data(), as: UTF8.self),
        complaints: String(decoding: complained.data.withLock { $0 }, as: UTF8.self))
    }

    /// The program's file.
    static var url: URL { folder.appendingPathComponent(name) }

    /// The folder of built products: that of the test bundle, or of the test program where there is no bundle.
    private static var folder: URL {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      return (bundle ?? Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
    }

    #if os(Windows)
      private static let name = "fief.exe"
    #else
      private static let name = "fief"
    #endif
  }
#endif
