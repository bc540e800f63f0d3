import Foundation
import RealmSwift
import Synchronization
import Testing

private class Word: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var text = ""

  convenience init(_ number: Int) {
    self.init()
    self.number = number
    text = "word \(number)"
  }
}

/// A folder with a seed, which is removed afterwards.
private final class Nursery: Sendable {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  var seed: Realm.Configuration {
    Realm.Configuration(fileURL: folder.appendingPathComponent("seed/seed.realm"), objectTypes: [Word.self])
  }

  func seeded(_ name: String = "new/words.realm") -> Realm.Configuration {
    Realm.Configuration(
      fileURL: folder.appendingPathComponent(name), objectTypes: [Word.self], seedFilePath: seed.fileURL)
  }

  /// Puts words into the seed, each by a commit of its own.
  func grow(_ numbers: Range<Int>) throws -> Realm {
    let realm = try Realm(configuration: seed)
    for number in numbers { try realm.write { realm.add(Word(number)) } }
    return realm
  }

  /// The files of a folder, with their bytes.
  func files(_ name: String) throws -> [String: Data] {
    let url = folder.appendingPathComponent(name)
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: url.appendingPathComponent($0))) })
  }
}

private func numbers(_ configuration: Realm.Configuration) throws -> [Int] {
  try Realm(configuration: configuration).objects(Word.self).map(\.number)
}

@Suite struct SeedTests {
  @Test func threadsThatOpenOneNewPathShareOneStoreOfTheSeed() throws {
    let nursery = Nursery()
    do { _ = try nursery.grow(0..<50) }
    let threads = 8
    let opened = Mutex<[[Int]]>([])
    let stores = Mutex<Set<String>>([])
    let (start, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    // Held until all have read, so that no store of the path ends before another opens it.
    let (read, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for thread in 0..<threads {
      Thread.detachNewThread {
        start.wait()
        do {
          let realm = try Realm(configuration: nursery.seeded())
          let found = Array(realm.objects(Word.self).map(\.number))
          opened.withLock { $0.append(found) }
          try realm.write { realm.add(Word(1000 + thread)) }
          read.signal()
          leave.wait()
          realm.refresh()
          let all = Array(realm.objects(Word.self).map(\.number).sorted())
          stores.withLock { _ = $0.insert("\(all)") }
        } catch {
          Issue.record("\(error)")
          read.signal()
        }
        end.signal()
      }
    }
    for _ in 0..<threads { start.signal() }
    for _ in 0..<threads { read.wait() }
    for _ in 0..<threads { leave.signal() }
    for _ in 0..<threads { end.wait() }
    let all = opened.withLock { $0 }
    #expect(all.count == threads && all.allSatisfy { $0.filter { $0 < 1000 } == Array(0..<50) })
    // All write into one store, and each sees the writes of the others.
    let written = Array(0..<50) + Array(1000..<1000 + threads)
    #expect(stores.withLock { $0 } == ["\(written)"])
    #expect(try numbers(nursery.seeded()).sorted() == written)
    #expect(try numbers(nursery.seed) == Array(0..<50))
  }

  @Test func aSeedThatIsMissingIsSaidAndLeavesNothing() throws {
    let nursery = Nursery()
    let error = #expect(throws: CocoaError.self) { try Realm(configuration: nursery.seeded()) }
    #expect(error?.code == .fileReadNoSuchFile && error?.filePath == nursery.seed.fileURL?.path)
    #expect(!FileManager.default.fileExists(atPath: nursery.folder.path))
    // As soon as a seed exists it is used.
    do { _ = try nursery.grow(0..<3) }
    #expect(try numbers(nursery.seeded()) == [0, 1, 2])
  }

  @Test func aSeedIsNotLookedForWhereThereIsAFile() throws {
    let nursery = Nursery()
    do { _ = try nursery.grow(0..<3) }
    #expect(try numbers(nursery.seeded()) == [0, 1, 2])
    try FileManager.default.removeItem(at: nursery.folder.appendingPathComponent("seed"))
    #expect(try numbers(nursery.seeded()) == [0, 1, 2])
  }

  @Test(arguments: ["", ".journal"]) func aDamagedSeedIsRefusedAndLeavesNoFile(end: String) throws {
    let nursery = Nursery()
    do {
      let realm = try nursery.grow(0..<30)
      try realm.compact()
      for number in 30..<60 { try realm.write { realm.add(Word(number)) } }
    }
    let url = URL(fileURLWithPath: try #require(nursery.seed.fileURL).path + end)
    var bytes = try Data(contentsOf: url)
    for index in bytes.count / 2..<bytes.count / 2 + 8 { bytes[index] ^= 0xFF }
    try bytes.write(to: url)
    let before = try nursery.files("seed")
    try FileManager.default.createDirectory(
      at: nursery.folder.appendingPathComponent("new"), withIntermediateDirectories: true)
    for _ in 0..<2 {
      #expect(throws: Realm.Error(.damaged)) { try Realm(configuration: nursery.seeded()) }
      #expect(try nursery.files("new").isEmpty)
      #expect(try nursery.files("seed") == before)
    }
    // Without a seed the path can be used for a new realm.
    var plain = nursery.seeded()
    plain.seedFilePath = nil
    #expect(try numbers(plain).isEmpty)
  }

  @Test func aSeedsJournalCountsWhetherItIsOpenOrClosed() throws {
    let nursery = Nursery()
    do {
      let realm = try nursery.grow(0..<5)
      try realm.compact()
      for number in 5..<9 { try realm.write { realm.add(Word(number)) } }
      // Only the journal has the commits since the snapshot.
      #expect(try numbers(nursery.seeded("a/a.realm")) == Array(0..<9))
      #expect(realm.objects(Word.self).count == 9)
    }
    let before = try nursery.files("seed")
    #expect(before.keys.sorted() == ["seed.realm", "seed.realm.journal", "seed.realm.lock"])
    let configuration = nursery.seeded("b/b.realm")
    #expect(try numbers(configuration) == Array(0..<9))
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.delete(realm.objects(Word.self).where { $0.number > 0 }) }
    }
    #expect(try numbers(configuration) == [0])
    // The seed was only read.
    #expect(try nursery.files("seed") == before)
    #expect(try numbers(nursery.seed) == Array(0..<9))
  }
}
