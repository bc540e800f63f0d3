import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

@Suite(.leavesNoFileOpen, .alsoEncrypted) struct OpeningTests {
  @Test func aStoreIsCreatedAndFoundAgain() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("new.realm").path
      let first = try StageStore(path)
      #expect(first.stored.state == .created)
      #expect(first.stored.version == 0)
      for _ in 0..<5 { try first.commit() }
      try first.file.close()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(names == ["new.realm", "new.realm.journal", "new.realm.lock"])
      let second = try StageStore(path)
      #expect(second.stored.state == .closed)
      #expect(second.stored.version == 5)
      #expect(second.stored.userVersion == 3)
      #expect(second.stored.store == first.stored.store)
      #expect(StageStore.isRight(second.graph))
      try second.file.close()
    }
  }

  @Test func aStoreThatIsNotToBeCreatedIsNot() throws {
    let disk = SimulatedDisk()
    let code = StageStore.code {
      _ = try StoreFile.open(StageStore.path, creating: false, on: SimulatedProcess(disk))
    }
    #expect(code == .fileNotFound)
    #expect(disk.files.isEmpty)
  }

  @Test func aMissingFolderIsNamed() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("none/a.realm").path
      let error = #expect(throws: StoreError.self) { _ = try StoreFile.open(path) }
      #expect(error?.code == .fileOperationFailed)
      #expect(error?.message.contains(path) == true)
      // The folder of the link itself is there.
      let link = folder.appendingPathComponent("link.realm").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "none/a.realm")
      let misled = #expect(throws: StoreError.self) { _ = try StoreFile.open(link) }
      #expect(misled?.message.contains("/none, to which the path \(link) leads, does not exist") == true)
    }
  }

  static let foreign: [(name: String, bytes: [UInt8], says: String, code: StoreError.Code)] = [
    ("text", Array("Dear diary, today I was not a database.\n".utf8), "text", .invalidDatabase),
    ("empty", [], "empty", .invalidDatabase), ("one byte", [7], "not a snapshot", .invalidDatabase),
    ("zeros", Array(repeating: 0, count: 4096), "zeros", .invalidDatabase),
    (
      "original", Array(repeating: 0, count: 16) + Array("T-DB".utf8) + [9, 9, 0, 0] + Array(repeating: 1, count: 100),
      "original Realm", .invalidDatabase
    ), ("sqlite", Array("SQLite format 3\0".utf8) + Array(repeating: 9, count: 200), "SQLite", .invalidDatabase),
    (
      "newer", Array("FiefSnap".utf8) + [9, 0, 0, 0] + Array(repeating: 0x5A, count: 200), "newer",
      .unsupportedFileFormatVersion
    ),
  ]

  @Test(arguments: foreign.indices)
  func aForeignFileIsNamedAndLeftAsItIs(which: Int) throws {
    let (name, bytes, says, code) = Self.foreign[which]
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("\(name).realm").path
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      for attempt in [
        { _ = try StoreFile.open(path) }, { _ = try StoreFile.read(path) }, { _ = try StoreFile.info(path) },
        { _ = try StoreFile.verify(path) }, { _ = try StoreFile.delete(path) },
      ] as [() throws -> Void] {
        let error = #expect(throws: StoreError.self) { try attempt() }
        #expect(error?.code == code, "\(name): \(String(describing: error))")
        #expect(error?.message.contains(path) == true)
        #expect(error?.message.contains(says) == true, "\(String(describing: error))")
      }
      #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["\(name).realm"])
    }
  }

  @Test func foldersAndDevicesAreNoStores() throws {
    try TemporaryFolder.with { folder in
      #expect(StageStore.code { _ = try StoreFile.open(folder.path) } == .fileAccess)
    }
    #expect(StageStore.code { _ = try StoreFile.open("/dev/null") } == .fileAccess)
  }

  @Test func linksAndRelativePathsLeadToTheOneStore() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("real.realm").path
      let link = folder.appendingPathComponent("link.realm").path
      // The link exists before its target.
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.realm")
      let store = try StageStore(link)
      #expect(StageStore.code { _ = try StoreFile.open(path) } == .alreadyOpen)
      try store.commit()
      try store.file.close()
      #expect(try StoreFile.read(path).version == 1)
      #expect(FileManager.default.fileExists(atPath: path + ".lock"))
      #expect(!FileManager.default.fileExists(atPath: link + ".lock"))
    }
  }

  @Test func aRefusedCallOfOpeningLeavesNothingOpen() throws {
    let disk = SimulatedDisk()
    let healthy = SimulatedProcess(disk)
    let store = try StageStore(healthy)
    try store.commit()
    healthy.kill()
    for call in 0..<60 {
      let process = SimulatedProcess(disk)
      disk.faults = [DiskFault(call: disk.calls + call, kind: .refuse(EACCES))]
      var code: StoreError.Code?
      do throws(StoreError) { _ = try StoreFile.open(StageStore.path, on: process) } catch { code = error.code }
      #expect(code == nil || code == .filePermissionDenied, "call \(call)")
      #expect(disk.openFiles == 0, "call \(call)")
    }
  }

  @Test func theLockFileIsOneAndTheSameForAsLongAsThereIsAStore() throws {
    let disk = SimulatedDisk()
    let lock = StageStore.path + ".lock"
    var identity: FileIdentity?
    for number in 1...6 as ClosedRange<Int32> {
      let process = SimulatedProcess(disk, number: number)
      let store = try StageStore(process)
      let text = String(decoding: disk.files[lock] ?? [], as: UTF8.self)
      #expect(text.hasPrefix("fief \(number) "))
      for _ in 0..<2 { try store.commit() }
      try store.checkpoint()
      try store.commit()
      let found = try #require(try process.entry(at: lock)).identity
      #expect(found == identity ?? found)
      identity = found
      // Every other process dies.
      if number % 2 == 0 { process.kill() } else { try store.file.close() }
    }
    #expect(!disk.events.contains { if case .renamed(let path, _) = $0 { path == lock } else { false } })
    #expect(disk.files.keys.sorted() == [StageStore.path, StageStore.journal, lock])
  }

  @Test(arguments: [0, 17, 48, 60]) func noSealIsLeftAfterACommitThatFailed(bytes: Int) throws {
    let disk = SimulatedDisk()
    let first = try StageStore(SimulatedProcess(disk))
    for _ in 0..<3 { try first.commit() }
    try first.file.close()
    #expect(try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)).state == .closed)
    let process = SimulatedProcess(disk, number: 2)
    let store = try StageStore(process)
    // The write goes over the seal.
    disk.faults = [DiskFault(call: disk.calls, kind: .refuseAfter(ENOSPC, bytes: bytes), operation: .write)]
    #expect(StageStore.code { try store.commit() } == .outOfDiskSpace)
    disk.faults = []
    process.kill()
    let stored = try StoreFile.read(StageStore.path, on: SimulatedProcess(disk))
    #expect(stored.version == 3)
    #expect(stored.state == .notClosed)
  }

  @Test func anEmptyJournalIsRefusedAndLeftAsItIs() throws {
    let disk = SimulatedDisk()
    let store = try StageStore(SimulatedProcess(disk))
    for _ in 0..<3 { try store.commit() }
    try store.file.close()
    var files = disk.files
    files[StageStore.journal] = []
    let emptied = SimulatedDisk(files: files)
    for attempt in [
      { _ = try StoreFile.open(StageStore.path, on: $0) }, { _ = try StoreFile.read(StageStore.path, on: $0) },
      { _ = try StoreFile.verify(StageStore.path, on: $0) },
    ] as [(SimulatedProcess) throws -> Void] {
      let error = #expect(throws: StoreError.self) { try attempt(SimulatedProcess(emptied)) }
      #expect(error?.code == .invalidDatabase)
      #expect(error?.message.contains("empty") == true)
      #expect(error?.message.contains("recover(from:to:)") == true)
      #expect(error?.file == StageStore.journal)
    }
    // `recover` does what the error describes.
    let target = SimulatedDisk.folder + "/saved.realm"
    let report = try StoreFile.recover(from: StageStore.path, to: target, on: SimulatedProcess(emptied))
    #expect(!report.isComplete)
    #expect(try StoreFile.read(target, on: SimulatedProcess(emptied)).version == report.version)
    for name in [StageStore.path, StageStore.journal] { #expect(emptied.files[name] == files[name]) }
  }

  @Test func aDeletedLockFileIsNoWayAroundTheLock() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      let store = try StageStore(path)
      try FileManager.default.removeItem(atPath: path + ".lock")
      // The snapshot's own lock is still there.
      #expect(StageStore.code { _ = try StoreFile.open(path) } == .alreadyOpen)
      try store.file.close()
      try StoreFile.open(path).file.close()
    }
  }
}
