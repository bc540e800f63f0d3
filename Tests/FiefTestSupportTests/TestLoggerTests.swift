import FiefSessions
import FiefTestSupport
import Foundation
import Testing

@Suite(.enabled(if: ProcessInfo.processInfo.environment["FIEF_LOG"] == nil)) struct TestLoggerTests {
  @Test func aMessageOfTheLibraryIsNotPrintedInATestProcess() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try #require(Logger.shared.level == .warn)
      Logger.log(.error, "A checkpoint failed.")
      FileHandle.standardError.write(Data("The end.\n".utf8))
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("The end."))
    #expect(!words.contains("A checkpoint failed."), "\(words)")
  }

  @Test func theLoggerOfApplicationsPrintsWarningsAndErrors() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Logger.shared = TestLogger.ofApplications
      Logger.log(.error, "A checkpoint failed.")
      Logger.log(.warn, "The journal was cut off.")
      Logger.log(.info, "A file was imported.")
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Fief [error] A checkpoint failed.\nFief [warn] The journal was cut off.\n"), "\(words)")
    #expect(!words.contains("A file was imported."), "\(words)")
  }

  @Test func theEnvironmentSelectsThePrintedLevel() {
    #expect(TestLogger.logger(environment: [:]).level == .warn)
    #expect(TestLogger.logger(environment: ["FIEF_LOG": "debug"]).level == .debug)
    #expect(TestLogger.logger(environment: ["FIEF_LOG": "off"]).level == .off)
  }

  @Test func theSelectedLevelIsPrinted() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Logger.shared = TestLogger.logger(environment: ["FIEF_LOG": "info"])
      Logger.log(.info, "A file was imported.")
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Fief [info] A file was imported.\n"), "\(words)")
  }

  @Test func anUnknownLevelTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = TestLogger.logger(environment: ["FIEF_LOG": "loud"])
    }
    expectSentence("FIEF_LOG must be the name of a log level", of: result)
  }
}
