import FiefDurability
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

#if os(Linux) || os(macOS)
  private class Dog: Object {
    @Persisted(primaryKey: true) var id = 0
  }

  /// The milliseconds of a wait that lasts until its test ends it. The main actor may be busy with other tests for
  /// minutes between two steps of a test.
  private let longPatience = 2000 * Int(testPatience)

  /// A write while another process is inside a write of the file for longer than the limit. The other process is
  /// another opening of the file here: locks belong to openings.
  @Suite struct WaitingForProcessesTests {
    private static func configuration(_ folder: URL, patience: Int = 200) -> Realm.Configuration {
      var configuration = Realm.Configuration(
        fileURL: folder.appendingPathComponent("dogs.realm"), objectTypes: [Dog.self])
      configuration.patience = patience
      return configuration
    }

    private static func open(_ configuration: Realm.Configuration) throws -> Realm {
      try Realm(configuration: configuration)
    }

    /// The file as another process has it open, inside a write.
    private static func writing(_ configuration: Realm.Configuration) throws -> StoreFile {
      let other = try StoreFile.open(try #require(configuration.fileURL).path, sharingWithin: longPatience).file
      try other.share()
      try other.beginTurn()
      return other
    }

    /// Whether a process stands in line for the turn: the lock file says so.
    private static func hasLine(_ configuration: Realm.Configuration) throws -> Bool {
      let lock = URL(fileURLWithPath: try #require(configuration.fileURL).path + ".lock")
      return String(decoding: try Data(contentsOf: lock), as: UTF8.self).contains("wait ")
    }

    private static func check(_ error: (any Error)?, sourceLocation: SourceLocation = #_sourceLocation) {
      let error = error as? Realm.Error
      #expect(error?.code == .alreadyOpen, sourceLocation: sourceLocation)
      let words = "is written by process \(ProcessInfo.processInfo.processIdentifier) for longer than 200 milliseconds"
      #expect(error?.localizedDescription.contains(words) == true, "\(error as Any)", sourceLocation: sourceLocation)
    }

    @Test func aWriteThrowsAndCanBeTriedAgain() throws {
      try TemporaryFolder.with { folder in
        let configuration = Self.configuration(folder)
        let realm = try Realm(configuration: configuration)
        try realm.write { _ = realm.create(Dog.self, value: ["id": 1]) }
        let other = try Self.writing(configuration)
        var hasRun = false
        Self.check(#expect(throws: Realm.Error.self) { try realm.write { hasRun = true } })
        #expect(!hasRun && !realm.isInWriteTransaction && realm.objects(Dog.self).count == 1)
        other.endTurn()
        try realm.write { _ = realm.create(Dog.self, value: ["id": 2]) }
        #expect(realm.objects(Dog.self).count == 2)
        try other.close()
      }
    }

    @MainActor @Test func asynchronousWritesReportTheError() async throws {
      let folder = try TemporaryFolder()
      let configuration = Self.configuration(folder.url)
      let realm = try Self.open(configuration)
      let other = try Self.writing(configuration)
      do {
        try await realm.asyncWrite { Issue.record("The write has begun.") }
        Issue.record("The write has not thrown.")
      } catch { Self.check(error) }
      let error: (any Error)? = await withCheckedContinuation { continuation in
        realm.writeAsync({ Issue.record("The write has begun.") }, onComplete: { continuation.resume(returning: $0) })
      }
      Self.check(error)
      other.endTurn()
      try await realm.asyncWrite { _ = realm.create(Dog.self, value: ["id": 1]) }
      #expect(realm.objects(Dog.self).count == 1)
      try other.close()
    }

    @MainActor @Test func theTurnOfACancelledWriteIsGivenBack() async throws {
      let folder = try TemporaryFolder()
      let configuration = Self.configuration(folder.url, patience: longPatience)
      let realm = try Self.open(configuration)
      let other = try Self.writing(configuration)
      let write = Task { try await realm.asyncWrite { _ = realm.create(Dog.self, value: ["id": 1]) } }
      #expect(try await eventually { try Self.hasLine(configuration) })
      write.cancel()
      other.endTurn()
      await #expect(throws: CancellationError.self) { try await write.value }
      #expect(await eventually { other.isTurnFree })
      #expect(realm.objects(Dog.self).isEmpty)
      try other.close()
    }

    @MainActor @Test func aBusyExecutorHoldsUpNoOtherProcess() async throws {
      let folder = try TemporaryFolder()
      let configuration = Self.configuration(folder.url, patience: longPatience)
      let realm = try Self.open(configuration)
      let other = try Self.writing(configuration)
      let write = Task { try await realm.asyncWrite { _ = realm.create(Dog.self, value: ["id": 1]) } }
      #expect(try await eventually { try Self.hasLine(configuration) })
      other.endTurn()
      // The main actor is busy until the turn, which was taken for it meanwhile, is free again.
      #expect(waits(until: { other.isTurnFree }))
      try await write.value
      #expect(realm.objects(Dog.self).count == 1)
      try other.close()
    }

    @Test func anOpeningThatAddsAClassThrowsAndCanBeTriedAgain() throws {
      try TemporaryFolder.with { folder in
        let configuration = Self.configuration(folder)
        let other = try Self.writing(configuration)
        Self.check(#expect(throws: Realm.Error.self) { try Realm(configuration: configuration) })
        other.endTurn()
        #expect(try Realm(configuration: configuration).objects(Dog.self).isEmpty)
        try other.close()
      }
    }

    @Test func beginningAWriteTrapsAndSaysWhoAndWhatToDo() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try TemporaryFolder.with { folder in
          let realm = try Realm(configuration: WaitingForProcessesTests.configuration(folder))
          let other = try WaitingForProcessesTests.writing(WaitingForProcessesTests.configuration(folder))
          realm.beginWrite()
          withExtendedLifetime(other) {}
        }
      }
      let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(
        words.contains("beginWrite() cannot begin a write, and cannot throw the error, as write { } does: The store"))
      #expect(words.contains("is written by process ") && words.contains("for longer than 200 milliseconds"))
    }

    @Test func beginningAnAsynchronousWriteTrapsAndSaysWhoAndWhatToDo() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
        let folder = try TemporaryFolder()
        let realm = try WaitingForProcessesTests.open(WaitingForProcessesTests.configuration(folder.url))
        let other = try WaitingForProcessesTests.writing(WaitingForProcessesTests.configuration(folder.url))
        realm.beginAsyncWrite {}
        try await Task.sleep(for: .seconds(60))
        withExtendedLifetime(other) {}
      }
      let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(words.contains("beginAsyncWrite(_:) cannot begin a write") && words.contains("is written by process "))
    }
  }
#endif
