import FiefGraph
import Observation
import RealmSwift
import Synchronization
import Testing

private class Dog: Object {
  @Persisted var name = ""
  @Persisted(indexed: true) var age = 0
}

private class Member: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted(originProperty: "members") var clubs: LinkingObjects<Club>
}

private class Club: Object {
  @Persisted var number = 0
  @Persisted var members: List<Member>
}

private class Pack: Object {
  @Persisted var weights: List<Int>
  @Persisted var marks: Map<String, Int>
}

/// The messages that a logger received.
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

/// The changes that observers of collections received.
private final class Told {
  var changes: [String] = []

  func hear<C: RealmCollection>(_ name: String, _ collection: C) -> NotificationToken {
    collection.observe { [unowned self] change in
      if case .update(let now, let deletions, let insertions, let modifications) = change {
        changes.append("\(name) \(now.count) -\(deletions) +\(insertions) ~\(modifications)")
      }
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

  #if os(Linux)
    /// Standard error may be a file on a full disk, or a terminal that is gone.
    @Test func aMessageThatCannotBeWrittenIsLostAndEndsNothing() async {
      await #expect(processExitsWith: .success) {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        try #require(dup2(full.fileDescriptor, 2) == 2)
        Logger.shared = Logger(level: .debug)
        let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
        try realm.write { realm.create(Dog.self, value: ["age": 1]) }
        try #require(realm.objects(Dog.self).count == 1)
      }
    }
  #endif

  @Test func eachQueryIsLoggedOnceWithItsPlan() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard()
      let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
      try realm.write { for age in 0..<100 { realm.create(Dog.self, value: ["age": age]) } }
      Logger.shared = heard.logger(.debug)
      let threes = realm.objects(Dog.self).where { $0.age == 3 && $0.name == "" }
      for _ in 0..<3 { try #require(threes.map(\.age) == [3]) }
      var messages = heard.take()
      try #require(messages.count == 1, "\(messages)")
      try expect(messages, contain: "1 found", "Dog, 100 rows", "Plan: index on age", "Test: age == 3")
      // The message omits counts that only an evaluation finds, because no query is evaluated for the log.
      try #require(!messages[0].contains("examined"))
      try #require(realm.objects(Dog.self).filter("age IN {1, 2}").sorted(byKeyPath: "name").first != nil)
      messages = heard.take()
      try #require(messages.count == 1 && messages[0].hasPrefix("Query of in-memory realm"), "\(messages)")
    }
  }

  @Test func aggregatesGroupsAndSectionsAreLogged() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard()
      let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Pack.self]))
      try realm.write { for age in 0..<6 { realm.create(Dog.self, value: ["age": age % 3]) } }
      let pack = Pack()
      try realm.write {
        realm.add(pack)
        pack.weights.append(objectsIn: [1, 2])
        pack.marks["a"] = 1
      }
      Logger.shared = heard.logger(.debug)
      let dogs = realm.objects(Dog.self)
      let sum: Int = dogs.sum(of: \.age)
      try #require(sum == 6)
      try expect(heard.take(), contain: "Aggregate of in-memory realm", "sum of 'age'", " ms")
      try #require(dogs.max(of: \.age) == 2 && dogs.min(ofProperty: "age") == 0)
      try expect(heard.take(), contain: "maximum of 'age'", "minimum of 'age'")
      let average: Double? = dogs.where { $0.age > 0 }.average(ofProperty: "age")
      try #require(average == 1.5)
      try expect(heard.take(), contain: "average of 'age'", "4 found")
      try #require(pack.weights.sum() == 3 && pack.marks.sum() == 1)
      try #require(heard.take().count { $0.contains("sum of 'self'") } == 2)
      try #require(dogs.grouped(by: \.age).count == 3)
      try expect(heard.take(), contain: "Grouping of in-memory realm", "3 groups of 6 elements, by 'age'")
      let sections = dogs.sectioned(by: \.age)
      for _ in 0..<3 { try #require(sections.count == 3) }
      let messages = heard.take()
      try expect(messages, contain: "3 sections of 6 elements")
      try #require(messages.count { $0.hasPrefix("Sections of in-memory realm") } == 1)
      Logger.shared = heard.logger(.detail)
      let again: Int = dogs.sum(of: \.age)
      try #require(again == 6 && dogs.grouped(by: \.age).count == 3 && heard.take().isEmpty)
    }
  }

  @MainActor @Test func queriesOfObservationsAreLogged() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let heard = Heard()
        let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
        try realm.write { for age in 0..<6 { realm.create(Dog.self, value: ["age": age % 3]) } }
        Logger.shared = heard.logger(.debug)
        var told = 0
        let old = realm.objects(Dog.self).where { $0.age > 1 }.sorted(by: \.age)
        let token = old.observe { _ in told += 1 }
        let sectionToken = realm.objects(Dog.self).sectioned(by: \.age).observe { _ in told += 1 }
        realm.refresh()
        try expect(heard.take(), contain: "Query for an observation of in-memory realm", "2 found", "Sections of")
        try realm.write { _ = realm.create(Dog.self, value: ["age": 9]) }
        realm.refresh()
        try expect(heard.take(), contain: "Query for an observation of in-memory realm", "3 found", "4 sections of 7")
        try #require(told == 4)
        token.invalidate()
        sectionToken.invalidate()
        // A condition on an object's own properties is evaluated once, and then tested at the changed objects.
        let selected = realm.objects(Dog.self).where { $0.age > 1 }.observe { _ in told += 1 }
        realm.refresh()
        try expect(heard.take(), contain: "Query for an observation of in-memory realm", "3 found")
        try realm.write { _ = realm.create(Dog.self, value: ["age": 9]) }
        realm.refresh()
        try #require(told == 6 && !heard.take().contains { $0.hasPrefix("Query") })
        selected.invalidate()
      }
    }
  }

  @MainActor @Test func viewsAreNotEvaluatedWhenTheTablesThatDecideAboutThemStayAsTheyAre() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let heard = Heard()
        let realm = try Realm(configuration: .inMemory(objectTypes: [Member.self, Club.self, Pack.self]))
        let (club, pack) = try realm.write {
          for age in 0..<6 { realm.create(Member.self, value: ["age": age % 3]) }
          let club = realm.create(Club.self)
          club.members.append(objectsIn: realm.objects(Member.self))
          return (club, realm.create(Pack.self))
        }
        let told = Told()
        let members = realm.objects(Member.self)
        let tokens = [
          told.hear("sorted", members.sorted(by: \.age)),
          told.hear("listed", club.members.where { $0.age > 0 }.distinct(by: ["age"])),
          told.hear("linked", members.filter("ANY clubs.number == 0")),
        ]
        realm.refresh()
        Logger.shared = heard.logger(.debug)
        func queries(after change: () -> Void) throws -> Int {
          told.changes = []
          _ = heard.take()
          try realm.write(change)
          realm.refresh()
          return heard.take().count { $0.hasPrefix("Query for an observation") }
        }
        // The condition on linking objects is evaluated at each change.
        try #require(try queries { pack.weights.append(1) } == 1 && told.changes == [])
        try #require(try queries { club.number = 1 } == 1 && told.changes == ["linked 0 -[0, 1, 2, 3, 4, 5] +[] ~[]"])
        try #require(try queries { members[0].name = "Ann" } == 3 && told.changes == ["sorted 6 -[] +[] ~[0]"])
        try #require(try queries { members[2].age = 9 } == 3)
        try #require(told.changes == ["sorted 6 -[4] +[5] ~[]", "listed 3 -[] +[2] ~[1]"])
        try #require(try queries { club.members.removeLast() } == 2 && told.changes == ["listed 2 -[2] +[] ~[]"])
        try #require(try queries { club.members.removeAll() } == 2 && told.changes == ["listed 0 -[0, 1] +[] ~[]"])
        tokens.forEach { $0.invalidate() }
      }
    }
  }

  /// A tracking scope does not keep the realm, and what it has read is evaluated again in the realm that changed.
  @Test func queriesOfTrackingScopesAreLogged() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard()
      let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
      try realm.write { for age in 0..<6 { realm.create(Dog.self, value: ["age": age % 3]) } }
      Logger.shared = heard.logger(.debug)
      let old = realm.objects(Dog.self).where { $0.age > 1 }.sorted(by: \.age)
      let told = Mutex(0)
      withObservationTracking {
        _ = old.count
      } onChange: {
        told.withLock { $0 += 1 }
      }
      _ = heard.take()
      try realm.write { _ = realm.create(Dog.self, value: ["age": 9]) }
      try expect(heard.take(), contain: "Query for an observation of in-memory realm", "3 found. Dog, 7 rows. Plan: ")
      try #require(told.withLock { $0 } == 1)
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

  @Test func aTailThatOpeningCutsOffIsAWarningWithTheNameItIsKeptUnder() async {
    await #expect(processExitsWith: .success) {
      let heard = Heard()
      Logger.shared = heard.logger(.warn)
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID().uuidString).realm")
      let configuration = Realm.Configuration(fileURL: url, objectTypes: [Dog.self])
      defer { _ = try? Realm.deleteFiles(for: configuration) }
      for _ in 0..<2 {
        let realm = try Realm(configuration: configuration)
        try realm.write { _ = realm.create(Dog.self) }
      }
      try #require(heard.take() == [])
      let journal = URL(fileURLWithPath: url.path + ".journal")
      try Data(contentsOf: journal).dropLast(100).write(to: journal)
      try #require(Realm(configuration: configuration).objects(Dog.self).count == 1)
      let messages = heard.take()
      try #require(messages.count == 1)
      try expect(messages, contain: "The realm \(url.path) was not closed.", "They are kept in \(url.path).cut-off-")
      let path = try #require(messages.first?.firstMatch(of: /kept in (.*)\.$/)?.1)
      try #require(FileManager.default.fileExists(atPath: String(path)))
    }
  }

  @Test func aLoggerAboveDebugReceivesNoMessage() async {
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
