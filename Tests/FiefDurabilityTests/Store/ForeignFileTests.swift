import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// Files of others under the names that a store derives from its path (S19).
@Suite(.leavesNoFileOpen) struct ForeignFileTests {
  private let limits = HistoryLimits(versions: 100, age: nil)

  /// Commits twice and writes a snapshot.
  @discardableResult
  private func live(_ path: String, keeping limits: HistoryLimits?) throws -> StoreFile {
    let (file, stored) = try StoreFile.open(path, history: limits)
    var graph = stored.graph
    for _ in 0..<2 {
      let next = StageStore.next(after: graph)
      try file.commit(Delta(from: graph, to: next), version: next.version, userVersion: 3, durability: .full)
      graph = next
    }
    try file.checkpoint(
      graph, version: graph.version, userVersion: 3, earlier: limits.map { VersionHistory($0) })
    return file
  }

  private func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [false, true]) func theHistoryOfAnotherStoreIsNeitherReplacedNorRemoved(isKeeping: Bool) throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      let other = folder.appendingPathComponent("b.realm").path
      try live(other, keeping: limits).close()
      let history = try #require(FileManager.default.contents(atPath: other + ".history"))
      try history.write(to: URL(fileURLWithPath: path + ".history"))
      let file = try live(path, keeping: isKeeping ? limits : nil)
      #expect(FileManager.default.contents(atPath: path + ".history") == history)
      let loss = file.takeLoss()
      #expect(loss?.contains(path + ".history is not the history of this store, it is of another store") ?? !isKeeping)
      try file.close()
      #expect(try StoreFile.verify(path).problems.isEmpty)
      #expect(try StoreFile.delete(path))
      #expect(FileManager.default.contents(atPath: path + ".history") == history)
    }
  }

  @Test func aFolderAtTheHistoryCostsTheHistoryAndNoCheckpoint() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      try FileManager.default.createDirectory(atPath: path + ".history", withIntermediateDirectories: true)
      let file = try live(path, keeping: limits)
      #expect(file.sizes.journal < 200, "a checkpoint begins the journal afresh")
      #expect(file.takeLoss()?.contains("it is a folder") == true)
      try file.close()
      #expect(try StoreFile.verify(path).doubts.first?.contains("is a folder") == true)
      // The next checkpoint writes a history again.
      try FileManager.default.removeItem(atPath: path + ".history")
      let again = try live(path, keeping: limits)
      #expect(again.takeLoss() == nil)
      try again.close()
      #expect(try StoreFile.verify(path).isSound)
    }
  }

  @Test func aLinkAtTheHistoryCostsTheHistoryAndNoLookAtTheStore() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      try live(path, keeping: limits).close()
      try FileManager.default.moveItem(atPath: path + ".history", toPath: path + ".elsewhere")
      try FileManager.default.createSymbolicLink(
        atPath: path + ".history", withDestinationPath: path + ".elsewhere")
      #expect(try StoreFile.info(path).version == 2)
      let report = try StoreFile.verify(path)
      #expect(report.problems.isEmpty && report.doubts.first?.contains("is a symbolic link") == true)
      let file = try live(path, keeping: limits)
      #expect(file.takeLoss()?.contains("it is a symbolic link") == true)
      try file.close()
    }
  }

  @Test func whatIsNotOfTheStoreIsNotDeletedWithIt() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      for end in [".journal", ".history"] {
        // Without a store.
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path + end))
        let error = StageStore.code { _ = try StoreFile.delete(path) }
        #expect(error == (end == ".journal" ? .invalidDatabase : nil))
        #expect(text(path + end) == "mine")
        try FileManager.default.removeItem(atPath: path + end)
        #expect(!FileManager.default.fileExists(atPath: path + ".lock"))
      }
      try live(path, keeping: limits).close()
      let snapshot = FileManager.default.contents(atPath: path)
      try Data("mine".utf8).write(to: URL(fileURLWithPath: path + ".journal"))
      let error = #expect(throws: StoreError.self) { try StoreFile.delete(path) }
      #expect(error?.code == .invalidDatabase && error?.message.contains(path + ".journal") == true)
      #expect(text(path + ".journal") == "mine" && FileManager.default.contents(atPath: path) == snapshot)
    }
  }

  @Test func damageOfABitDoesNotMakeAFileOneOfOthers() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      for end in ["", ".journal", ".history"] {
        for byte in [0, 20, 40] {
          try live(path, keeping: limits).close()
          let url = URL(fileURLWithPath: path + end)
          var bytes = try Data(contentsOf: url)
          bytes[byte] ^= 4
          try bytes.write(to: url)
          #expect(try StoreFile.delete(path), "\(end), byte \(byte)")
          #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.realm.lock"])
        }
      }
    }
  }

  @Test func anEmptyLockFileOfOthersSurvivesACopy() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      try Data().write(to: URL(fileURLWithPath: path + ".lock"))
      try StoreFile.writeCopy(of: .empty, version: 1, userVersion: 0, to: path)
      #expect(text(path + ".lock")?.isEmpty == true)
      // Beside a store it is the store's lock file, whose bytes a power failure took.
      let (file, _) = try StoreFile.open(path)
      #expect(text(path + ".lock")?.hasPrefix("fief ") == true)
      try file.close()
    }
  }

  @Test func aCopyOntoAnOpenStoreFindsAFile() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      let file = try live(path, keeping: nil)
      let code = StageStore.code { try StoreFile.writeCopy(of: .empty, version: 1, userVersion: 0, to: path) }
      #expect(code == .fileExists)
      try file.close()
    }
  }

  // MARK: Lock files of Realm

  /// The forms of a lock file that Realm leaves behind: space that was never set up, and a session that has ended.
  static let originals: [[UInt8]] = [
    [UInt8](repeating: 0, count: 1200),
    [1, 40, 48, 0, 24, 2, 10, 0, 0, 0, 0, 0, 1, 0, 0, 0, 7] + [UInt8](repeating: 0, count: 1500) + [9, 9],
  ]

  @Test(arguments: originals.indices) func aLockFileThatRealmLeftIsTakenOver(which: Int) throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      let lock = URL(fileURLWithPath: path + ".lock")
      try Data(Self.originals[which]).write(to: lock)
      let (file, _) = try StoreFile.open(path)
      #expect(text(lock.path)?.hasPrefix("fief \(getpid()) ") == true)
      let error = #expect(throws: StoreError.self) { try StoreFile.open(path) }
      #expect(error?.code == .alreadyOpen && error?.holder == getpid())
      try file.close()
      let copy = folder.appendingPathComponent("copy.realm").path
      try Data(Self.originals[which]).write(to: URL(fileURLWithPath: copy + ".lock"))
      try StoreFile.writeCopy(of: .empty, version: 1, userVersion: 0, to: copy)
      #expect(FileManager.default.fileExists(atPath: copy + ".lock"))
    }
  }

  @Test func aLockFileThatRealmHoldsIsNotTakenOver() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      try Data(Self.originals[1]).write(to: URL(fileURLWithPath: path + ".lock"))
      let held = try RealFileSystem().open(path + ".lock", for: .reading)
      #expect(try held.lock())
      #expect(StageStore.code { _ = try StoreFile.open(path) } == .alreadyOpen)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".lock")) == Data(Self.originals[1]))
      held.close()
    }
  }

  @Test func whatIsNoLockFileIsNotTakenForOne() throws {
    let zeros = [UInt8](repeating: 0, count: 1200)
    let foreign: [[UInt8]] = [
      zeros + [1], Array(repeating: 1, count: 1200), Array("\u{1}a text that is longer than a lock".utf8),
      [UInt8](repeating: 0, count: 2 << 20),
    ]
    for bytes in foreign {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("a.realm").path
        try Data(bytes).write(to: URL(fileURLWithPath: path + ".lock"))
        #expect(StageStore.code { _ = try StoreFile.open(path) } == .fileExists)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".lock")) == Data(bytes))
        #expect(!FileManager.default.fileExists(atPath: path))
      }
    }
  }

  // MARK: Names

  @Test func aStoreCannotHaveANameThatAnotherDerives() throws {
    try TemporaryFolder.with { folder in
      let plain = folder.appendingPathComponent("daily").path
      for end in [".journal", ".history", ".lock", ".import"] {
        let path = folder.appendingPathComponent("a.realm" + end).path
        for attempt in [
          { try StoreFile.open(path).file.close() },
          { try StoreFile.writeCopy(of: .empty, version: 1, userVersion: 0, to: path) },
        ] as [() throws -> Void] {
          let error = #expect(throws: StoreError.self) { try attempt() }
          #expect(error?.code == .fileAccess && error?.message.contains("the store a.realm needs it") == true)
        }
        // Such an end is no reason where no store derives it.
        try StoreFile.open(plain + end).file.close()
      }
      try StoreFile.open(folder.appendingPathComponent(".lock").path).file.close()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.hasPrefix("a.realm") })
      // A store that lies there beforehand can be read, and keeps the other one from its name.
      try StoreFile.writeCopy(of: .empty, version: 1, userVersion: 0, to: folder.path + "/seed")
      try FileManager.default.copyItem(atPath: folder.path + "/seed", toPath: plain)
      for end in [".journal", ".history", ".lock", ".import"] {
        #expect(StageStore.code { _ = try StoreFile.open(plain + end) } == .fileAccess)
        #expect(try StoreFile.read(plain + end).version == 0)
      }
      #expect(StageStore.code { _ = try StoreFile.open(plain) } == .fileExists)
    }
  }

  @Test func everyNameThatCanBeCreatedCanBeOpenedAfterACrash() throws {
    try TemporaryFolder.with { folder in
      var longest = 0
      for length in 200...250 {
        let path = folder.appendingPathComponent(String(repeating: "a", count: length)).path
        do throws(StoreError) {
          let store = try StageStore(path)
          // The store is dropped without closing.
          for _ in 0..<3 { try store.commit(.relaxed) }
          longest = length
        } catch {
          #expect(error.systemCode == ENAMETOOLONG && error.message.contains("too long"), "\(error)")
          let code = StageStore.code { try StoreFile.writeCopy(of: .empty, version: 1, userVersion: 0, to: path) }
          #expect(code == .fileOperationFailed)
          continue
        }
        // The last record is torn, and its bytes are kept.
        let journal = URL(fileURLWithPath: path + ".journal")
        var bytes = try Data(contentsOf: journal)
        bytes[bytes.count - 9] ^= 0xFF
        bytes[bytes.count - 30] ^= 0xFF
        try bytes.write(to: journal)
        let again = try StageStore(path)
        #expect(again.stored.cutOff != nil)
        try again.checkpoint()
        try again.file.close()
      }
      #expect(longest == 218)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.allSatisfy { !$0.hasSuffix(".tmp") })
    }
  }
}
