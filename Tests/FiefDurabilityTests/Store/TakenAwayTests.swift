import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// A store whose files are removed, replaced or opened by several processes while it is open.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct TakenAwayTests {
  private let ends = ["", ".journal", ".lock"]

  @Test func aStoreWhoseFilesWereTakenAwayRefusesCommitsAndHarmsNoOther() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      let first = try StageStore(path)
      for _ in 0..<2 { try first.commit() }
      for end in ends { try FileManager.default.removeItem(atPath: path + end) }
      let second = try StageStore(path)
      for _ in 0..<3 { try second.commit() }
      // Neither a checkpoint nor a commit of the first store changes the present files.
      #expect(StageStore.code { try first.checkpoint() } == .storeIsReadOnly)
      let error = #expect(throws: StoreError.self) { try first.commit() }
      #expect(error?.code == .storeIsReadOnly)
      #expect(error?.message.contains("while it was open") == true)
      try first.file.close()
      try second.commit()
      try second.file.close()
      #expect(try StoreFile.read(path).version == 4)
      #expect(try StoreFile.verify(path).isSound)
    }
  }

  @Test(arguments: ["", ".journal", ".lock"])
  func eachNameIsComparedBeforeAFileIsRenamed(end: String) throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    for _ in 0..<2 { try store.commit() }
    let checkpoint = try #require(try store.file.beginCheckpoint(store.graph, version: 2, userVersion: 3))
    disk.remove(StageStore.path + end)
    let before = disk.files
    let error = #expect(throws: StoreError.self) { try checkpoint.writeSnapshot() }
    checkpoint.cancel()
    #expect(error?.code == .storeIsReadOnly)
    #expect(error?.message.contains("\(StageStore.path + end) was taken away") == true)
    #expect(disk.files == before)
    #expect(StageStore.code { try store.commit() } == .storeIsReadOnly)
    process.kill()
  }

  @Test func eachNameIsComparedBeforeTheJournalIsRenamed() throws {
    for end in ends {
      let disk = SimulatedDisk()
      let process = SimulatedProcess(disk)
      let store = try StageStore(process)
      for _ in 0..<2 { try store.commit() }
      let checkpoint = try #require(try store.file.beginCheckpoint(store.graph, version: 2, userVersion: 3))
      try checkpoint.writeSnapshot()
      try checkpoint.copyCommits()
      disk.remove(StageStore.path + end)
      disk.newFile(at: StageStore.path + end)
      let before = disk.files.filter { !$0.key.hasSuffix(".tmp") }
      let error = #expect(throws: StoreError.self) { try checkpoint.finish() }
      #expect(error?.message.contains("\(StageStore.path + end) was replaced") == true)
      #expect(disk.files == before)
      process.kill()
    }
  }

  @Test(arguments: ["", ".journal", ".lock"], [false, true])
  func eachNameIsComparedBeforeACommit(end: String, isReplaced: Bool) throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    for _ in 0..<2 { try store.commit() }
    disk.remove(StageStore.path + end)
    if isReplaced { disk.newFile(at: StageStore.path + end) }
    let before = disk.files
    #expect(StageStore.code { try store.commit() } == .storeIsReadOnly)
    let words = store.file.refusal?.message ?? ""
    #expect(words.contains("\(StageStore.path + end) was \(isReplaced ? "replaced" : "taken away")"))
    #expect(disk.files == before)
    process.kill()
  }

  /// A program that copies a backup over the files writes into them, so their names lead to the same files as before.
  @Test(arguments: [false, true])
  func aJournalThatWasOverwrittenIsLeftAsItIs(isShared: Bool) throws {
    let disk = SimulatedDisk()
    let store = try StageStore(StageStore.path, SimulatedProcess(disk), sharingWithin: isShared ? 100 : nil)
    let backup = try overwrite(store, on: disk)
    let error = #expect(throws: StoreError.self) { try store.commit() }
    #expect(error?.code == .storeIsReadOnly)
    #expect(error?.message.contains("\(StageStore.journal) was overwritten while it was open") == true)
    #expect(StageStore.code { try store.commit() } == .storeIsReadOnly)
    try store.file.close()
    #expect(disk.files.filter { !$0.key.hasSuffix(".lock") } == backup)
    #expect(try StoreFile.read(StageStore.path, on: SimulatedProcess(disk, number: 2)).version == 5)
  }

  @Test(arguments: [false, true])
  func aJournalThatWasOverwrittenIsNotSealed(isShared: Bool) throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(StageStore.path, process, sharingWithin: isShared ? 100 : nil)
    let backup = try overwrite(store, on: disk)
    while process.passTime() {}
    #expect(store.file.refusal?.message.contains("was overwritten while it was open") == true)
    #expect(disk.files.filter { !$0.key.hasSuffix(".lock") } == backup)
    try store.file.close()
  }

  @Test(arguments: [false, true])
  func aSealedJournalThatWasOverwrittenIsLeftAsItIs(isShared: Bool) throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(StageStore.path, process, sharingWithin: isShared ? 100 : nil)
    let backup = try overwrite(store, on: disk) { while process.passTime() {} }
    #expect(StageStore.code { try store.commit() } == .storeIsReadOnly)
    try store.file.close()
    #expect(disk.files.filter { !$0.key.hasSuffix(".lock") } == backup)
  }

  @Test(arguments: [false, true])
  func closingLeavesAJournalThatWasOverwritten(isShared: Bool) throws {
    let disk = SimulatedDisk()
    let store = try StageStore(StageStore.path, SimulatedProcess(disk), sharingWithin: isShared ? 100 : nil)
    let backup = try overwrite(store, on: disk)
    let error = #expect(throws: StoreError.self) { try store.file.close() }
    #expect(error?.message.contains("was overwritten while it was open") == true)
    #expect(disk.files.filter { !$0.key.hasSuffix(".lock") } == backup)
    #expect(try StoreFile.read(StageStore.path, on: SimulatedProcess(disk, number: 2)).version == 5)
  }

  @Test(arguments: [false, true])
  func aCheckpointLeavesFilesThatWereOverwritten(isShared: Bool) throws {
    let disk = SimulatedDisk()
    let store = try StageStore(StageStore.path, SimulatedProcess(disk), sharingWithin: isShared ? 100 : nil)
    let backup = try overwrite(store, on: disk)
    #expect(StageStore.code { try store.checkpoint() } == .storeIsReadOnly)
    try store.file.close()
    #expect(disk.files.filter { !$0.key.hasSuffix(".lock") } == backup)
  }

  /// Commits, makes a checkpoint, commits again, and writes the files from before the checkpoint into the present ones.
  ///
  /// - Returns: those files, without the lock.
  private func overwrite(
    _ store: StageStore, on disk: SimulatedDisk, after pause: () -> Void = {}
  ) throws -> [String: [UInt8]] {
    for _ in 0..<5 { try store.commit() }
    let backup = disk.files.filter { !$0.key.hasSuffix(".lock") }
    try store.checkpoint()
    try store.commit()
    pause()
    for (path, bytes) in backup { disk.names[path]?.bytes = bytes }
    return backup
  }

  /// A commit between the two halves of a checkpoint finds the new snapshot under its name.
  @Test func commitsFindTheSnapshotOfACheckpoint() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    for _ in 0..<2 { try store.commit() }
    let checkpoint = try #require(try store.file.beginCheckpoint(store.graph, version: 2, userVersion: 3))
    try store.commit()
    try checkpoint.writeSnapshot()
    try store.commit()
    try checkpoint.copyCommits()
    try store.commit()
    try checkpoint.finish()
    try store.commit()
    try store.file.close()
    #expect(try StoreFile.read(StageStore.path, on: process).version == 6)
  }

  @Test func aStoreWhoseLockWasDeletedAndSnapshotReplacedIsStillOpen() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      let first = try StageStore(path)
      for _ in 0..<2 { try first.commit() }
      let copy = try Data(contentsOf: URL(fileURLWithPath: path))
      for end in ["", ".lock"] { try FileManager.default.removeItem(atPath: path + end) }
      try copy.write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: StoreError.self) { _ = try StoreFile.open(path) }
      #expect(error?.code == .alreadyOpen)
      #expect(StageStore.code { _ = try StoreFile.delete(path) } == .alreadyOpen)
      #expect(StageStore.code { try first.commit() } == .storeIsReadOnly)
      try first.file.close()
      #expect(try StoreFile.read(path).version == 2)
    }
  }

  /// At each call of an opening, the files of another store, which has acknowledged commits, replace all files.
  @Test(arguments: [0, 3])
  func anOpeningWhoseFilesAreReplacedOverwritesNothing(commits: Int) throws {
    let left = SimulatedDisk()
    let killed = SimulatedProcess(left)
    let store = try StageStore(killed)
    for _ in 0..<commits { try store.commit() }
    killed.kill()
    let theirs = SimulatedDisk(chance: 99)
    let other = try StageStore(SimulatedProcess(theirs))
    for _ in 0..<5 { try other.commit() }
    try other.file.close()
    let whole = SimulatedDisk(files: left.files, isRecording: false)
    whole.trace = []
    _ = try StageStore(SimulatedProcess(whole))
    let calls = try #require(whole.trace)
    #expect(calls.contains { $0.operation == .rename })
    var codes: Set<StoreError.Code> = []
    // The race between comparing names and renaming cannot be closed, so renames are skipped.
    for call in calls.indices where calls[call].operation != .rename {
      let disk = SimulatedDisk(files: left.files, isRecording: false)
      let process = SimulatedProcess(disk) { _, _ in
        guard disk.calls == call, disk.files[StageStore.path] != theirs.files[StageStore.path] else { return }
        for (path, bytes) in theirs.files { disk.newFile(at: path).bytes = bytes }
      }
      var opened: StageStore?
      do throws(StoreError) { opened = try StageStore(process) } catch { codes.insert(error.code) }
      process.kill()
      withExtendedLifetime(opened) {}
      let found = try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)).version
      #expect(found == 5, "replaced at call \(call), \(calls[call].operation)")
    }
    // An opening that reads files of both stores may find that they do not belong together.
    #expect(codes.contains(.alreadyOpen))
    #expect(codes.isSubset(of: [.alreadyOpen, .invalidDatabase]), "\(codes)")
  }

  @Test func copyingHoldsTheLock() throws {
    let disk = SimulatedDisk()
    nonisolated(unsafe) var codes: [StoreError.Code?] = []
    let copying = SimulatedProcess(disk, number: 4711) { operation, path in
      guard operation == .write || operation == .rename, path.hasSuffix(".tmp") else { return }
      codes.append(
        StageStore.code { _ = try StoreFile.open(StageStore.path, on: SimulatedProcess(disk, number: 4712)) })
    }
    try StoreFile.writeCopy(of: graph(rows: 9), version: 10, userVersion: 3, to: StageStore.path, on: copying)
    #expect(codes.count > 2)
    #expect(codes.allSatisfy { $0 == .alreadyOpen })
    #expect(try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)).version == 10)
  }

  @Test func aCopyReplacesNoStoreThatWasMadeMeanwhile() throws {
    let disk = SimulatedDisk()
    let copying = SimulatedProcess(disk) { operation, path in
      guard operation == .open, path.hasSuffix(".tmp"), disk.files[StageStore.journal] == nil else { return }
      disk.remove(StageStore.path + ".lock")
      let made = SimulatedProcess(disk, number: 2)
      guard let store = try? StageStore(made) else { return }
      try? store.commit()
      try? store.file.close()
    }
    let code = StageStore.code {
      try StoreFile.writeCopy(of: graph(rows: 9), version: 10, userVersion: 3, to: StageStore.path, on: copying)
    }
    #expect(code == .fileExists)
    #expect(try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)).version == 1)
    #expect(!disk.files.keys.contains { $0.hasSuffix(".tmp") })
  }

  // MARK: Several at once

  /// The result of each of several concurrent threads; each has openings of its own, as processes have.
  private func outcomes(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> [StoreError.Code?] {
    let results = Results(count)
    DispatchQueue.concurrentPerform(iterations: count) { number in
      let code = StageStore.code { try body(number) }
      results.set(code, number)
    }
    return results.codes
  }

  /// The results of the threads. `lock` guards them.
  private final class Results: @unchecked Sendable {
    private let lock = NSLock()
    private(set) var codes: [StoreError.Code?]
    init(_ count: Int) { codes = Array(repeating: nil, count: count) }
    func set(_ code: StoreError.Code?, _ position: Int) { lock.withLock { codes[position] = code } }
  }

  private func graph(rows: Int) -> Graph {
    (0...rows).reduce(Graph.empty) { graph, _ in StageStore.next(after: graph) }
  }

  @Test func ofManyCopiesToOneNameOneIsWrittenAndWhole() throws {
    let graph = graph(rows: 400)
    for round in 0..<12 {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("copy.realm").path
        let codes = outcomes(4) { _ in
          try StoreFile.writeCopy(of: graph, version: graph.version, userVersion: 3, to: path)
        }
        #expect(codes.filter { $0 == nil }.count == 1, "round \(round): \(codes)")
        #expect(codes.allSatisfy { $0 == nil || $0 == .alreadyOpen || $0 == .fileExists }, "round \(round): \(codes)")
        let report = try StoreFile.verify(path)
        #expect(report.isSound, "round \(round)")
        // One may lock the file that another has just created. Then nothing shows that it may be removed.
        var names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        if names.remove("copy.realm.lock") != nil {
          #expect(try Data(contentsOf: folder.appendingPathComponent("copy.realm.lock")).isEmpty, "round \(round)")
          try StoreFile.open(path).file.close()
        }
        #expect(names == ["copy.realm"], "round \(round)")
      }
    }
  }

  @Test func ofManyOpeningsWithOneSeedOneMakesTheStore() throws {
    let graph = graph(rows: 400)
    try TemporaryFolder.with { folder in
      let seed = folder.appendingPathComponent("seed.realm").path
      try StoreFile.writeCopy(of: graph, version: graph.version, userVersion: 7, to: seed)
      for round in 0..<12 {
        let path = folder.appendingPathComponent("store\(round).realm").path
        let codes = outcomes(4) { _ in
          let (file, stored) = try StoreFile.open(path, seed: { () throws(StoreError) in try StoreFile.read(seed) })
          #expect(stored.version == graph.version)
          #expect(stored.userVersion == 7)
          try file.close()
        }
        #expect(codes.contains(nil), "round \(round)")
        #expect(codes.allSatisfy { $0 == nil || $0 == .alreadyOpen }, "round \(round): \(codes)")
        #expect(try StoreFile.verify(path).isSound)
        #expect(StageStore.isRight(try StoreFile.read(path).graph))
      }
    }
  }

  @Test func aSeedThatCannotBeReadLeavesNoStore() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let code = StageStore.code {
      _ = try StoreFile.open(
        StageStore.path, seed: { () throws(StoreError) in try StoreFile.read("/disk/none", on: process) }, on: process)
    }
    #expect(code == .fileNotFound)
    #expect(disk.files[StageStore.path] == nil && disk.files[StageStore.journal] == nil)
  }

  @Test func openingAndDeletingAtOnceEndInOrder() throws {
    try TemporaryFolder.with { folder in
      for round in 0..<20 {
        let path = folder.appendingPathComponent("store\(round).realm").path
        let codes = outcomes(4) { number in
          if number.isMultiple(of: 2) {
            try StoreFile.open(path).file.close()
          } else {
            _ = try StoreFile.delete(path)
          }
        }
        #expect(codes.allSatisfy { $0 == nil || $0 == .alreadyOpen }, "round \(round): \(codes)")
        guard FileManager.default.fileExists(atPath: path) else { return }
        let report = try StoreFile.verify(path)
        #expect(report.isSound)
      }
    }
  }
}
