#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Foundation
  import Testing

  #if DEBUG
    @testable import FiefTool
  #endif

  @Suite struct OutputTests {
    #if !os(Windows)
      /// Runs the program in a shell, which tells a signal from an exit code.
      private func shell(_ script: String) throws -> (output: String, status: Int32) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, Program.url.path]
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: output, as: UTF8.self), process.terminationStatus)
      }

      @Test func aReaderThatHasLeftIsNoError() throws {
        // The reader is gone before the program begins.
        let (output, status) = try shell(#"{ sleep 0.2; "$0" help; echo "status $?" >&2; } | true"#)
        #expect(output == "status 0\n" && status == 0)
      }

      @Test func aDiskThatIsFullIsAnError() throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let (output, status) = try shell(#""$0" help >/dev/full"#)
        #expect(output == "fief: The output cannot be written: No space left on device.\n")
        #expect(status == 74)
      }

      @Test func controlCEndsTheProgramByTheSignal() throws {
        let process = Process()
        let (input, complaints) = (Pipe(), Pipe())
        process.executableURL = Program.url
        process.arguments = ["tour", "--json", "-"]
        process.standardInput = input
        process.standardError = complaints
        try process.run()
        // It waits for its input from here on.
        Thread.sleep(forTimeInterval: 0.5)
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
        #expect(try complaints.fileHandleForReading.readToEnd() ?? Data() == Data())
        withExtendedLifetime(input) {}
      }
    #endif

    #if DEBUG
      @Test(arguments: [("", 0), ("abc", 3), ("日本", 4), ("🐕‍🦺", 2), ("e\u{301}", 1), ("é", 1), ("ｶ", 1)])
      func columnsAreThoseOfATerminal(_ text: String, _ columns: Int) {
        #expect(text.columns == columns)
        #expect(text.padded(to: 5).columns == 5)
      }

      @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 4, "日…"), ("日本語", 5, "日本…"), ("日本語", 6, "日本語"), ("ab", 1, "…"),
      ])
      func whatIsTooWideIsCut(_ text: String, _ width: Int, _ cut: String) { #expect(text.cut(to: width) == cut) }

      @Test func whatControlsATerminalIsEscaped() {
        for text in HostileStore.texts {
          #expect(text.printable.isSafeToPrint && !text.printable.contains("\n"))
          let isJSON = !text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }
          if isJSON { #expect(JSONOutput.harmless(text).isSafeToPrint) }
        }
        #expect(JSONOutput.harmless("\"\u{9B}\u{202E}\u{E0041}\u{7F}é\"") == #""\u009b\u202e\udb40\udc41\u007fé""#)
      }
    #endif
  }
#endif
