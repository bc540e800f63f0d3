import RealmSwift
import Synchronization
import Testing

private class Dog: Object {
  @Persisted var name = ""
  @Persisted(indexed: true) var age = 0
}

/// What a logger heard.
private final class Heard: Sendable {
  private let all = Mutex<[String]>([])

  func logger(_ level: LogLevel) -> Logger {
    Logger(level: level) { [self] _, message in all.withLock { $0.append(message) } }
  }

  /// Takes the messages out.
  func take() -> [String] {
    all.withLock { all in
      let taken = all
      all = []
      return taken
    }
  }
}

private func expect(_ messages: [String], contain parts: String...) throws {
  for part in parts {
    try #require(messages.contains { $0.contains(part) }, "'\(part)' is not in \(messages)")
  }
}

@Suite struct LoggerTests {
  @Test func aLoggerAtDebugHearsOfOpeningsCommitsRefreshesAndQueries() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard()
      Logger.shared = heard.logger(.debug)
      let configuration = Realm.Configuration(inMemoryIdentifier: "kennel", objectTypes: [Dog.self])
      var realm: Realm? = try Realm(configuration: configuration)
      try expect(
        heard.take(), contain: "Opened in-memory realm 'kennel'", "Opened a realm of in-memory realm 'kennel' on")
      try realm?.write { for age in 0..<5 { realm?.create(Dog.self, value: ["age": age]) } }
      try expect(heard.take(), contain: "Committed version", "Dog +5 ~0 -0")
      try realm?.write { realm?.objects(Dog.self).where { $0.age == 3 }.setValue("Rex", forKey: "name") }
      let messages = heard.take()
      try expect(messages, contain: "Dog +0 ~1 -0", "Query of in-memory realm 'kennel'", "index on age", " ms")
      try realm?.write {}
      try expect(heard.take(), contain: "Committed nothing")
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        if let other = try? Realm(configuration: configuration) { try? other.write { _ = other.create(Dog.self) } }
        done.signal()
      }
      done.wait()
      realm?.refresh()
      try expect(heard.take(), contain: "Refreshed in-memory realm 'kennel'")
      try #require(realm?.objects(Dog.self).filter("name BEGINSWITH 'R'").isEmpty == false)
      try #require(realm?.objects(Dog.self).sorted(byKeyPath: "age").first?.age == 0)
      try #require(realm?.objects(Dog.self).where { $0.age > 2 }.count == 2)
      try #require(heard.take().count { $0.hasPrefix("Query") } >= 3)
      realm = nil
      try expect(heard.take(), contain: "Closed in-memory realm 'kennel'")
    }
  }

  @Test func aCommitToAFileTellsItsBytes() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard()
      Logger.shared = heard.logger(.debug)
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID().uuidString).realm")
      let configuration = Realm.Configuration(fileURL: url, objectTypes: [Dog.self])
      defer { _ = try? Realm.deleteFiles(for: configuration) }
      let realm = try Realm(configuration: configuration)
      try realm.write { _ = realm.create(Dog.self) }
      let commit = try #require(heard.take().first { $0.hasPrefix("Committed version") })
      let size = try #require(commit.firstMatch(of: /; ([0-9]+) bytes; [0-9.]+ ms/)?.1)
      try #require(Int(size).map { $0 > 0 } ?? false)
    }
  }

  @Test func aLoggerAboveDebugHearsNothingOfThis() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard()
      let logger = heard.logger(.debug)
      Logger.shared = logger
      logger.level = .detail
      let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
      try realm.write { _ = realm.create(Dog.self) }
      try #require(realm.objects(Dog.self).where { $0.age == 0 }.count == 1)
      try #require(heard.take().isEmpty)
      logger.level = .debug
      try realm.write { _ = realm.create(Dog.self) }
      try expect(heard.take(), contain: "Committed version")
      Logger.shared = Logger(level: .off)
      try realm.write { _ = realm.create(Dog.self) }
      try #require(heard.take().isEmpty)
    }
  }

  @Test func aLongConditionIsCutInTheMessage() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard()
      Logger.shared = heard.logger(.all)
      let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
      let name = String(repeating: "ä", count: 100_000)
      try #require(realm.objects(Dog.self).where { $0.name == name }.count == 0)
      let messages = heard.take()
      try #require(messages.contains { $0.hasPrefix("Query") } && messages.allSatisfy { $0.utf8.count < 4096 })
    }
  }
}
