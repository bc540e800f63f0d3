import FiefResults
import FiefTestSupport
import Foundation
import RealmSwift
import Synchronization
import Testing

private class Dog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var toy: Toy?
}

private class Toy: Object {
  @Persisted var name = ""
}

/// A separate folder for each test, which is removed afterwards.
private final class Folder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func configuration(_ change: (inout Realm.Configuration) -> Void = { _ in }) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: url.appendingPathComponent("dogs.realm"), objectTypes: [Dog.self, Toy.self])
    change(&configuration)
    return configuration
  }
}

@Suite struct FilesTests {
  private func add(_ id: Int, _ name: String, to configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let dog = Dog()
      dog.id = id
      dog.name = name
      dog.toy = Toy()
      dog.toy?.name = "ball of \(name)"
      realm.add(dog)
    }
  }

  private func name(_ id: Int, in configuration: Realm.Configuration) throws -> String? {
    try Realm(configuration: configuration).object(ofType: Dog.self, forPrimaryKey: id)?.toy?.name
  }

  @Test func writtenObjectsExistWhenTheFileIsOpenedAgain() throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    #expect(!Realm.fileExists(for: configuration))
    for id in 0..<5 { try add(id, "dog\(id)", to: configuration) }
    #expect(Realm.fileExists(for: configuration))
    for id in 0..<5 { #expect(try name(id, in: configuration) == "ball of dog\(id)") }
    #expect(try schemaVersionAtURL(configuration.fileURL!) == 0)
  }

  @Test func aWriteThatIsRolledBackIsNotInTheFile() throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    try add(1, "Rex", to: configuration)
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        realm.deleteAll()
        throw Refused()
      }
    }
    #expect(try name(1, in: configuration) == "ball of Rex")
  }

  @Test func writersOnManyThreadsAllEndInTheFile() async throws {
    let folder = try Folder()
    let configuration = folder.configuration { $0.durability = .relaxed }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask { try self.addPuppies(25, from: writer * 1000, to: configuration) }
      }
      try await group.waitForAll()
    }
    try expectPuppies(25, of: 4, in: configuration)
  }

  private func addPuppies(_ count: Int, from first: Int, to configuration: Realm.Configuration) throws {
    for id in first..<first + count {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        let dog = Dog()
        dog.id = id
        realm.add(dog)
      }
    }
  }

  private func expectPuppies(_ count: Int, of writers: Int, in configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    for writer in 0..<writers {
      for turn in 0..<count { #expect(realm.object(ofType: Dog.self, forPrimaryKey: writer * 1000 + turn) != nil) }
    }
  }

  @Test func aCopyStandsAlone() throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    try add(1, "Rex", to: configuration)
    let copy = folder.url.appendingPathComponent("copy.realm")
    try Realm(configuration: configuration).writeCopy(toFile: copy)
    #expect(throws: Realm.Error.self) { try Realm(configuration: configuration).writeCopy(toFile: copy) }
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(try name(1, in: folder.configuration { $0.fileURL = copy }) == "ball of Rex")
    #expect(try name(1, in: configuration) == nil)
  }

  @Test func aRealmThatIsMovedWithoutItsJournalIsRefusedWithWhatToDo() throws {
    let folder = try Folder()
    try add(1, "Rex", to: folder.configuration())
    let (old, new) = (folder.url.appendingPathComponent("dogs.realm"), folder.url.appendingPathComponent("cats.realm"))
    try FileManager.default.moveItem(at: old, to: new)
    let configuration = folder.configuration { $0.fileURL = new }
    let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    let words = error?.localizedDescription ?? ""
    #expect(error?.code == .damaged && words.contains("\(new.path).journal is missing"), "\(words)")
    #expect(words.contains("takes its journal along") && words.contains("loses those commits"), "\(words)")
    // With its journal, under the new name, it opens.
    try FileManager.default.moveItem(atPath: old.path + ".journal", toPath: new.path + ".journal")
    #expect(try name(1, in: configuration) == "ball of Rex")
  }

  @Test func filesOfAnOpenRealmAreNotDeleted() throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    let realm = try Realm(configuration: configuration)
    do {
      _ = try Realm.deleteFiles(for: configuration)
      Issue.record("the files of an open realm were deleted")
    } catch Realm.Error.alreadyOpen {}
    #expect(realm.isEmpty)
  }

  @Test func aReadOnlyRealmShowsTheFileAndNeedsOne() throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    let readOnly = folder.configuration { $0.readOnly = true }
    do {
      _ = try Realm(configuration: readOnly)
      Issue.record("a missing file was opened read-only")
    } catch Realm.Error.fileNotFound {}
    try add(1, "Rex", to: configuration)
    #expect(try name(1, in: readOnly) == "ball of Rex")
  }

  /// Views observe what may change.
  @Test func aReadOnlyRealmOfAFileMayChange() throws {
    let folder = try Folder()
    try add(1, "Rex", to: folder.configuration())
    var seeded = Realm.Configuration.inMemory(
      objectTypes: [Dog.self, Toy.self], seedFilePath: folder.configuration().fileURL)
    seeded.readOnly = true
    let memory = try Realm(configuration: seeded)
    #expect(!memory.mayChange && memory.objects(Dog.self).count == 1)
    let realm = try Realm(configuration: folder.configuration { $0.readOnly = true })
    #expect(realm.mayChange && !realm.freeze().mayChange)
  }

  @Test func aTextFileIsNoRealmAndStaysAsItIs() throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    let text = Data("This is a letter to nobody, and longer than any header.\n".utf8)
    try text.write(to: configuration.fileURL!)
    do {
      _ = try Realm(configuration: configuration)
      Issue.record("a letter was opened as a realm")
    } catch Realm.Error.invalidDatabase {}
    #expect(try Data(contentsOf: configuration.fileURL!) == text)
  }

  @Test func anEncryptionKeyIsRefusedEverywhere() throws {
    let folder = try Folder()
    let key = Data(repeating: 7, count: 64)
    let error = #expect(throws: Realm.Error.self) {
      try Realm(configuration: folder.configuration { $0.encryptionKey = key })
    }
    #expect(error?.code == .fail && error?.localizedDescription.contains("encrypt") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    try add(1, "Rex", to: folder.configuration())
    let realm = try Realm(configuration: folder.configuration())
    let copy = folder.url.appendingPathComponent("copy.realm")
    #expect(throws: Realm.Error.self) { try realm.writeCopy(toFile: copy, encryptionKey: key) }
    #expect(!FileManager.default.fileExists(atPath: copy.path))
    #expect(throws: Realm.Error.self) {
      try schemaVersionAtURL(folder.configuration().fileURL!, encryptionKey: key)
    }
  }

  /// All files of a closed realm make an equal realm elsewhere.
  @Test func theFilesOfAClosedRealmCanBeCopied() throws {
    let folder = try Folder()
    for id in 0..<3 { try add(id, "dog\(id)", to: folder.configuration()) }
    let other = try Folder()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      try FileManager.default.copyItem(
        at: folder.url.appendingPathComponent(name), to: other.url.appendingPathComponent(name))
    }
    for id in 0..<3 { #expect(try name(id, in: other.configuration()) == "ball of dog\(id)") }
    try add(3, "Max", to: other.configuration())
    #expect(try name(3, in: other.configuration()) == "ball of Max")
    #expect(try name(3, in: folder.configuration()) == nil)
  }

  @Test func filesOfTheOriginalAreRecognisedAndLeftAsTheyAre() throws {
    let folder = try Folder()
    let url = try #require(folder.configuration().fileURL)
    // The header of the original's file format: two references, its mark, two format versions.
    var bytes = [UInt8](repeating: 0, count: 4096)
    bytes.replaceSubrange(16..<20, with: Array("T-DB".utf8))
    bytes[20] = 24
    bytes[21] = 24
    try Data(bytes).write(to: url)
    let error = #expect(throws: Realm.Error.self) { try Realm(configuration: folder.configuration()) }
    #expect(error?.localizedDescription.contains("Realm") == true, "\(error as Any)")
    #expect(try Data(contentsOf: url) == Data(bytes))
  }

  #if os(Linux)
    @Test func theDefaultFileLiesWhereTheEnvironmentSays() async throws {
      let home = try Folder()
      for (variable, value, wanted) in [
        ("XDG_DATA_HOME", home.url.path, home.url.path),
        ("XDG_DATA_HOME", "relative", home.url.path + "/.local/share"),
      ] {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
          [home = home.url.path as String, variable = variable as String, value = value as String] in
          setenv("HOME", home, 1)
          setenv(variable, value, 1)
          print(Realm.Configuration.defaultFileURL.path)
        }
        let path = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(path.contains(wanted + "/") && path.contains("/default.realm"), "\(path)")
      }
    }
  #endif

  @Test func aSchemaVersionThatGoesDownIsRefused() throws {
    let folder = try Folder()
    try add(1, "Rex", to: folder.configuration { $0.schemaVersion = 3 })
    #expect(try schemaVersionAtURL(folder.configuration().fileURL!) == 3)
    do {
      _ = try Realm(configuration: folder.configuration { $0.schemaVersion = 2 })
      Issue.record("an older schema version was accepted")
    } catch Realm.Error.fail {}
  }

  @Test func compactingKeepsEverything() throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    for id in 0..<3 { try add(id, "dog\(id)", to: configuration) }
    try Realm(configuration: configuration).compact()
    for id in 3..<6 { try add(id, "dog\(id)", to: configuration) }
    for id in 0..<6 { #expect(try name(id, in: configuration) == "ball of dog\(id)") }
  }

  @Test func aDamagedFileIsReportedRefusedAndRecovered() throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    let url = try #require(configuration.fileURL)
    for id in 0..<6 { try add(id, "dog\(id)", to: configuration) }
    #expect(try Realm.verify(fileURL: url).isSound)
    // A bit in the second half of the journal is flipped.
    let journal = URL(fileURLWithPath: url.path + ".journal")
    var bytes = try Data(contentsOf: journal)
    bytes[bytes.count / 2] ^= 4
    try bytes.write(to: journal)
    do {
      _ = try Realm(configuration: configuration)
      Issue.record("a damaged journal was opened")
    } catch let error as Realm.Error {
      #expect(error.code == .damaged)
      #expect(error.fileURL?.lastPathComponent.hasPrefix("dogs.realm") ?? false)
    }
    #expect(try !Realm.verify(fileURL: url).isSound)
    let fresh = folder.url.appendingPathComponent("fresh.realm")
    let report = try Realm.recover(from: url, to: fresh)
    #expect(!report.isComplete && !report.losses.isEmpty)
    let saved = folder.configuration { $0.fileURL = fresh }
    #expect(try name(0, in: saved) == "ball of dog0")
    #expect(try name(5, in: saved) == nil)
    #expect(throws: Realm.Error(.fileExists)) { try Realm.recover(from: url, to: fresh) }
  }

  @Test func compactingOnLaunchIsAskedOnceWithTheSizes() throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    for id in 0..<6 { try add(id, "dog\(id)", to: configuration) }
    let asked = Asked()
    let compacting = folder.configuration {
      $0.shouldCompactOnLaunch = { total, used in asked.note(total, used) }
    }
    let realm = try Realm(configuration: compacting)
    let again = try Realm(configuration: compacting)
    #expect(realm == again)
    #expect(asked.calls.count == 1)
    let (total, used) = try #require(asked.calls.first)
    #expect(total > used && used > 0)
    #expect(realm.object(ofType: Dog.self, forPrimaryKey: 5)?.name == "dog5")
  }

  @Test func usingTheRealmWhileItIsOpenedIsRefused() throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    try add(1, "Rex", to: configuration)
    let asked = Asked()
    let compacting = folder.configuration {
      $0.shouldCompactOnLaunch = { total, used in
        let inner = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(inner?.code == .fail && inner?.localizedDescription.contains("shouldCompactOnLaunch") == true)
        #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
        return asked.note(total, used)
      }
    }
    #expect(try name(1, in: compacting) == "ball of Rex")
    #expect(asked.calls.count == 1)
    #expect(try name(1, in: configuration) == "ball of Rex")
  }

  @Test func aRealmThatACallbackDropsIsClosedAfterIt() throws {
    let folder = try Folder()
    let queue = DispatchQueue(label: "callbacks")
    for number in 0..<Effort.of(debug: 50, release: 300) {
      let configuration = folder.configuration {
        $0.fileURL = folder.url.appendingPathComponent("dogs \(number).realm")
        $0.durability = .relaxed
      }
      let called = DispatchSemaphore(value: 0)
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
        #expect(throws: Never.self) { _ = try result.get() }
        called.signal()
      }
      called.wait()
      queue.sync {}
      #expect(throws: Never.self) { try Realm.deleteFiles(for: configuration) }
    }
  }

  @Test func aStoreThatIsLetGoOfWhileItsFilesAreAskedForIsClosed() throws {
    let folder = try Folder()
    let configuration = folder.configuration { $0.durability = .relaxed }
    let done = DispatchSemaphore(value: 0)
    let isOver = Atomic<Bool>(false)
    Thread.detachNewThread {
      // `deleteFiles` holds the store for a moment, and its reference may be the last one.
      while !isOver.load(ordering: .relaxed) { _ = try? Realm.deleteFiles(for: configuration) }
      done.signal()
    }
    for _ in 0..<300 { _ = try? Realm(configuration: configuration) }
    isOver.store(true, ordering: .relaxed)
    #expect(done.wait(timeout: .now() + testPatience) == .success)
  }

  @Test func aRealmThatTakesNoMoreWritesSaysSoAtTheEndOfAWrite() throws {
    let folder = try Folder()
    let configuration = folder.configuration()
    let realm = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Dog.self, value: ["id": 1]) }
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("dogs.realm.journal"))
    #expect(throws: Realm.Error.self) { try realm.write { _ = realm.create(Dog.self, value: ["id": 2]) } }
    for _ in 0..<2 {
      realm.beginWrite()
      realm.create(Dog.self, value: ["id": 3])
      let error = #expect(throws: Realm.Error.self) { try realm.commitWrite() }
      #expect(error?.code == .storeIsReadOnly)
      #expect(realm.objects(Dog.self).count == 1 && !realm.isInWriteTransaction)
    }
  }

  @Test func aSeedIsCopiedWhenThereIsNoFileYet() throws {
    let folder = try Folder()
    let seed = folder.url.appendingPathComponent("seed.realm")
    try add(1, "Rex", to: folder.configuration { $0.fileURL = seed })
    let seeded = folder.configuration { $0.seedFilePath = seed }
    #expect(try name(1, in: seeded) == "ball of Rex")
    try add(2, "Bo", to: seeded)
    #expect(try name(2, in: seeded) == "ball of Bo")
    #expect(try name(2, in: folder.configuration { $0.fileURL = seed }) == nil)
    #expect(throws: (any Error).self) {
      try Realm(
        configuration: folder.configuration {
          $0.fileURL = folder.url.appendingPathComponent("other.realm")
          $0.seedFilePath = folder.url.appendingPathComponent("missing.realm")
        })
    }
  }

  @Test func aSchemaThatDiffersIsRefusedOrTheDataIsDropped() throws {
    let folder = try Folder()
    try add(1, "Rex", to: folder.configuration())
    let url = try #require(folder.configuration().fileURL)
    let other = Realm.Configuration(fileURL: url, objectTypes: [OtherDog.self, Toy.self])
    do {
      _ = try Realm(configuration: other)
      Issue.record("a file of another schema was opened")
    } catch let error as Realm.Error {
      #expect(error.code == .schemaMismatch)
      #expect(error.localizedDescription.contains("Property 'Dog.age' has been added."))
      #expect(error.localizedDescription.contains("Property 'Dog.toy' has been removed."))
    }
    #expect(try name(1, in: folder.configuration()) == "ball of Rex")
    var dropping = other
    dropping.deleteRealmIfMigrationNeeded = true
    #expect(try Realm(configuration: dropping).isEmpty)
  }
}

/// The class of another version of the application.
private class OtherDog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var age: Int
  override class func _realmObjectName() -> String? { "Dog" }
}

/// Counts its calls, records their arguments, and returns true.
private final class Asked: @unchecked Sendable {
  private let lock = NSLock()
  private var noted: [(Int, Int)] = []

  var calls: [(Int, Int)] { lock.withLock { noted } }

  func note(_ total: Int, _ used: Int) -> Bool {
    lock.withLock { noted.append((total, used)) }
    return true
  }
}
