#if os(Linux) || os(macOS) || os(FreeBSD) || os(OpenBSD)
  import FiefGraph
  import FiefRuntime
  import FiefTestSupport
  import Foundation
  import Synchronization
  import Testing

  #if DEBUG
    @testable import FiefTool
  #endif

  /// The line of progress: its text, and how it appears on a terminal and disappears.
  @Suite struct ProgressTests {
    #if DEBUG
      /// A clock that stands until it is set.
      private final class StandingClock: Sendable {
        private let time = Mutex(Duration.zero)

        func set(_ seconds: Double) { time.withLock { $0 = .seconds(seconds) } }

        var now: @Sendable () -> Duration { { self.time.withLock { $0 } } }
      }

      /// The line after some seconds in a stage.
      private func text(
        _ stage: WorkMeter.Stage, _ done: Int, of total: Int, after seconds: Double, label: String = "Reading a"
      ) -> String {
        let clock = StandingClock()
        let meter = WorkMeter(now: clock.now)
        meter.begin(stage, of: total)
        meter.advance(by: done)
        clock.set(seconds)
        return Progress(label, meter).text
      }

      @Test func bytesAndObjectsAreCountedWithTheTimeThatIsLeft() {
        let objects = WorkMeter.Stage("", "object")
        #expect(text(.reading, 0, of: 12_500_000, after: 2) == "Reading a  0%  0 bytes of 12.5 MB")
        #expect(text(.reading, 5_300_000, of: 12_500_000, after: 3) == "Reading a  42%  5.3 MB of 12.5 MB  5 s left")
        #expect(text(objects, 25, of: 100, after: 2) == "Reading a  25%  25 of 100 objects  6 s left")
        #expect(text(objects, 1, of: 100, after: 2) == "Reading a  1%  1 of 100 objects  3 min 18 s left")
        #expect(text(objects, 50, of: 100, after: 120) == "Reading a  50%  50 of 100 objects  2 min left")
        #expect(text(objects, 1, of: 100, after: 100) == "Reading a  1%  1 of 100 objects  2 h 45 min left")
        #expect(text(objects, 1, of: 1, after: 1) == "Reading a  100%  1 of 1 object")
        #expect(text(objects, 120, of: 100, after: 2) == "Reading a  100%  100 of 100 objects")
      }

      @Test func ofAnUnknownTotalTheLineSaysWhatIsDoneOrHowLongItTakes() {
        #expect(text(.reading, 0, of: 0, after: 3.5) == "Reading a  4 s")
        #expect(text(.reading, 7, of: 0, after: 3.5) == "Reading a  7 bytes")
        let clock = StandingClock()
        let meter = WorkMeter(now: clock.now)
        clock.set(61)
        #expect(Progress("Reading a", meter).text == "Reading a  1 min 1 s", "Nothing has begun yet.")
      }

      @Test func aStageIsNamedUnlessTheLabelSaysIt() {
        #expect(text(.reading, 1, of: 2, after: 1, label: "Importing a").hasPrefix("Importing a: reading  50%  "))
        #expect(text(.writing, 1, of: 2, after: 1).hasPrefix("Reading a: writing  50%  1 of 2 objects"))
        #expect(text(WorkMeter.Stage("preparing", "object"), 0, of: 0, after: 2) == "Reading a: preparing  2 s")
      }

      @Test func percentStandForThemselves() {
        let clock = StandingClock()
        let progress = Progress("Reading a", WorkMeter(now: clock.now))
        progress.begin(of: 100, "percent")
        clock.set(3)
        progress.reach(percent: 0.5)
        progress.reach(percent: 0.25)
        #expect(progress.text == "Reading a  25%  9 s left")
      }

      @Test func aFileWithAHostileNameCannotAct() {
        #expect(text(.reading, 1, of: 2, after: 1, label: "Reading \u{1B}[2J\n").isSafeToPrint)
        #expect(!text(.reading, 1, of: 2, after: 1, label: "Reading \u{1B}[2J\n").contains("\n"))
      }
    #endif

    #if os(Linux)
      /// A terminal for the standard error of a program.
      private struct PseudoTerminal {
        let shown: FileHandle
        let program: FileHandle

        init() throws {
          shown = try #require(FileHandle(forUpdatingAtPath: "/dev/ptmx"))
          // TIOCSPTLCK lets it be opened, and TIOCGPTN is its number.
          var (lock, number) = (Int32(0), UInt32(0))
          #expect(ioctl(shown.fileDescriptor, 0x4004_5431, &lock) == 0)
          #expect(ioctl(shown.fileDescriptor, 0x8004_5430, &number) == 0)
          program = try #require(FileHandle(forUpdatingAtPath: "/dev/pts/\(number)"))
        }

        /// The line that is shown next.
        func read() -> String { String(decoding: shown.availableData, as: UTF8.self) }
      }

      /// An import that waits for its document.
      private final class Waiting {
        let process = Process()
        let input = Pipe()
        let terminal: PseudoTerminal
        let folder: TemporaryFolder
        var shown = ""

        init() throws {
          terminal = try PseudoTerminal()
          folder = try TemporaryFolder()
          process.executableURL = Program.url
          process.arguments = ["import", "--ndjson", "-", folder.url.appendingPathComponent("new.realm").path]
          process.standardInput = input
          process.standardOutput = Pipe()
          process.standardError = terminal.program
          let program = terminal.program
          // The mark is behind all that the program wrote, and ends the reading whatever happened.
          process.terminationHandler = { _ in try? program.write(contentsOf: Data("<end>".utf8)) }
          try process.run()
          while !shown.contains("Importing -"), !shown.contains("<end>") { shown += terminal.read() }
        }

        /// The contents of the terminal in the end.
        func end() -> String {
          process.waitUntilExit()
          while !shown.contains("<end>") { shown += terminal.read() }
          return shown
        }
      }

      @Test func onATerminalALineAppearsAndDisappears() throws {
        let waiting = try Waiting()
        try waiting.input.fileHandleForWriting.write(contentsOf: Data("{\"a\":1}\n".utf8))
        try waiting.input.fileHandleForWriting.close()
        let shown = waiting.end()
        #expect(waiting.process.terminationReason == .exit && waiting.process.terminationStatus == 0)
        #expect(shown.hasPrefix("\r\u{1B}[KImporting -  ") && shown.hasSuffix("\r\u{1B}[K<end>"), "\(shown)")
        #expect(!shown.contains("\n"))
      }

      @Test func controlCLeavesAClearedLineAndNoFile() throws {
        let waiting = try Waiting()
        waiting.process.interrupt()
        let shown = waiting.end()
        #expect(waiting.process.terminationReason == .uncaughtSignal && waiting.process.terminationStatus == SIGINT)
        #expect(shown.hasSuffix("\r\u{1B}[K<end>"), "\(shown)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: waiting.folder.url.path) == [])
      }
    #endif
  }
#endif
