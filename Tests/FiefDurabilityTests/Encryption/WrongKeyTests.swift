import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// A wrong or a missing key is an error of its own, and changes nothing.
@Suite(.leavesNoFileOpen) struct WrongKeyTests {
  private let key: FileKey
  private let encrypted: EncryptedStage
  private let plain: EncryptedStage

  init() throws {
    key = try .standIn()
    encrypted = try EncryptedStage(key: key)
    plain = try EncryptedStage(key: nil)
  }

  private func expectRefusal(
    _ files: [String: [UInt8]], _ key: FileKey?, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let disk = SimulatedDisk.$usualKey.withValue(key) { SimulatedDisk(files: files, isRecording: false) }
    let process = SimulatedProcess(disk)
    defer { process.kill() }
    let (path, copy) = (EncryptedStage.path, SimulatedDisk.folder + "/saved.realm")
    let calls: [(String, () throws(StoreError) -> Void)] = [
      ("open", { () throws(StoreError) in _ = try StoreFile.open(path, on: process) }),
      ("read", { () throws(StoreError) in _ = try StoreFile.read(path, history: EncryptedStage.limits, on: process) }),
      ("recover", { () throws(StoreError) in _ = try StoreFile.recover(from: path, to: copy, on: process) }),
    ]
    for (name, call) in calls {
      let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try call() }
      #expect(
        error?.code == .wrongKey && error?.message.contains(words) ?? false, "\(name): \(error as Any)",
        sourceLocation: sourceLocation)
    }
    let left = disk.files.filter { !$0.key.hasSuffix(".lock") }
    #expect(left == files.filter { !$0.key.hasSuffix(".lock") }, sourceLocation: sourceLocation)
  }

  @Test func aStoreOpensWithItsKeyAlone() throws {
    #expect(try EncryptedStage.open(encrypted.files, key).graph == encrypted.latest)
    expectRefusal(encrypted.files, nil, "opened without a key")
    expectRefusal(encrypted.files, try .standIn(8), "the key 0700000000000000, and is opened with the key 08")
    expectRefusal(plain.files, key, "it is not encrypted")
  }

  @Test func aCipherOfAnotherOverheadIsAnotherKey() throws {
    struct Longer: FileCipher {
      let cipher = InsecureStandInCipher()
      var keyIdentifier: Data { cipher.keyIdentifier }
      var overhead: Int { cipher.overhead + 1 }
      func seal(_ bytes: Data, authenticating data: Data) throws -> Data {
        try cipher.seal(bytes, authenticating: data) + [0]
      }
      func open(_ sealed: Data, authenticating data: Data) throws -> Data {
        try cipher.open(Data(sealed.dropLast()), authenticating: data)
      }
    }
    expectRefusal(encrypted.files, try FileKey(Longer()), "adds 13 bytes")
    #expect(try EncryptedStage(key: FileKey(Longer())).latest == encrypted.latest)
  }

  /// A key with the identifier of another is not told from damage, and changes nothing either.
  @Test func aWrongKeyOfTheSameIdentifierIsDamage() throws {
    let other = try FileKey(InsecureStandInCipher(key: 99, identifier: InsecureStandInCipher().keyIdentifier))
    let disk = SimulatedDisk.$usualKey.withValue(other) { SimulatedDisk(files: encrypted.files, isRecording: false) }
    let error = #expect(throws: StoreError.self) {
      try StoreFile.open(EncryptedStage.path, on: SimulatedProcess(disk))
    }
    #expect(error?.code == .damaged && error?.message.contains("same identifier") ?? false)
    #expect(encrypted.files.allSatisfy { disk.files[$0.key] == $0.value || $0.key.hasSuffix(".lock") })
  }

  @Test func whatFilesShowWithoutTheirKeyIsKnown() throws {
    let disk = SimulatedDisk(files: encrypted.files)
    let open = SimulatedDisk.$usualKey.withValue(key) { SimulatedDisk(files: encrypted.files) }
    let locked = try StoreFile.info(EncryptedStage.path, on: SimulatedProcess(disk))
    let info = try StoreFile.info(EncryptedStage.path, on: SimulatedProcess(open))
    #expect(locked.encryption?.isLocked == true && info.encryption?.isLocked == false)
    #expect(locked.encryption?.keyIdentifier == InsecureStandInCipher().keyIdentifier)
    #expect(locked.tables.isEmpty && info.tables.map(\.name) == ["Penguins"])
    #expect(locked.version == info.version && locked.snapshotVersion == info.snapshotVersion)
    #expect(locked.journalCommits == info.journalCommits && locked.historyVersions == info.historyVersions)
    #expect(locked.historyVersions > 0 && locked.state == info.state && locked.store == info.store)
    #expect(locked.description == "version \(info.version), encrypted")
    let report = try StoreFile.verify(EncryptedStage.path, on: SimulatedProcess(disk))
    #expect(report.problems.isEmpty && report.doubts.count == 1 && !report.isSound)
    #expect(report.doubts[0].contains("its contents were not"))
    #expect(try StoreFile.verify(EncryptedStage.path, on: SimulatedProcess(open)).isSound)
    #expect(
      try StoreFile.info(EncryptedStage.path, on: SimulatedProcess(SimulatedDisk(files: plain.files))).encryption == nil
    )
    #expect(disk.files == encrypted.files)
  }

  /// S15: the snapshot is read before a checkpoint, and the journal after it.
  @Test func aCheckpointBetweenTwoReadingsIsNoDamageWithoutTheKey() throws {
    let writing = SimulatedDisk.$usualKey.withValue(key) { SimulatedDisk() }
    let store = try StageStore(SimulatedProcess(writing))
    for _ in 0..<3 { try store.commit() }
    let before = writing.files
    try store.checkpoint()
    let after = writing.files
    try store.file.close()
    func reader() -> SimulatedProcess {
      let disk = SimulatedDisk(files: before)
      return SimulatedProcess(disk) { operation, path in
        guard operation == .open && path == StageStore.journal else { return }
        disk.lock.withLock { for (path, bytes) in after { disk.names[path]?.bytes = bytes } }
      }
    }
    let info = try StoreFile.info(StageStore.path, on: reader())
    #expect(info.version == 3 && info.snapshotVersion == 3 && info.encryption?.isLocked == true)
    let report = try StoreFile.verify(StageStore.path, on: reader())
    #expect(report.problems.isEmpty && report.doubts.count == 1 && report.info?.snapshotVersion == 3)
  }

  @Test func damageIsFoundWithoutTheKey() throws {
    for (path, place) in [(EncryptedStage.path, 200), (EncryptedStage.journal, 300), (EncryptedStage.history, 300)] {
      var files = encrypted.files
      files[path]?[place] ^= 1
      let disk = SimulatedDisk(files: files)
      let report = try StoreFile.verify(EncryptedStage.path, on: SimulatedProcess(disk))
      #expect((report.problems.count == 1) == (path != EncryptedStage.history), "\(path)")
      #expect((report.doubts.count == 2) == (path == EncryptedStage.history), "\(path)")
    }
  }

  @Test func aCopyChangesTheKey() throws {
    let target = SimulatedDisk.folder + "/copy.realm"
    for (source, from) in [(encrypted, key), (plain, nil)] as [(EncryptedStage, FileKey?)] {
      for to in [nil, key, try .standIn(9)] as [FileKey?] {
        let disk = SimulatedDisk(files: source.files)
        let process = SimulatedProcess(disk)
        let stored = try StoreFile.read(EncryptedStage.path, key: from, on: process)
        try StoreFile.writeCopy(
          of: stored.graph, version: stored.version, userVersion: 0, to: target, key: to, on: process)
        #expect(try StoreFile.read(target, key: to, on: process).graph == source.latest)
        // The copy is opened for writing, and keeps its key.
        let (file, _) = try StoreFile.open(target, key: to, on: process)
        try file.append(Delta(), version: stored.version + 1, userVersion: 4)
        try file.close()
        #expect(try StoreFile.info(target, on: process).encryption?.isLocked == to.map { _ in true })
        #expect(try StoreFile.read(target, key: to, on: process).userVersion == 4)
      }
    }
  }

  @Test func whatIsLeftOfADamagedStoreIsSavedWithItsKey() throws {
    var files = encrypted.files
    let size = try #require(files[EncryptedStage.path]).count
    files[EncryptedStage.path]?[size - 3000] ^= 1
    // The header as well: the copy at the end has what is needed.
    files[EncryptedStage.path]?[3] ^= 1
    let disk = SimulatedDisk.$usualKey.withValue(key) { SimulatedDisk(files: files) }
    let process = SimulatedProcess(disk)
    let target = SimulatedDisk.folder + "/saved.realm"
    let report = try StoreFile.recover(from: EncryptedStage.path, to: target, on: process)
    #expect(!report.isComplete && report.tables.first?.name == "Penguins" && (report.tables.first?.rows ?? 0) > 20)
    #expect(try StoreFile.info(target, on: SimulatedProcess(SimulatedDisk(files: disk.files))).encryption != nil)
    #expect(try StoreFile.read(target, on: process).graph.checkInvariants() == [])
  }

  /// An interrupted creation has no contents, so any key may go on with it.
  @Test func anInterruptedCreationIsGoneOnWithByAnyKey() throws {
    for first in [nil, key] as [FileKey?] {
      for second in [nil, key, try .standIn(9)] as [FileKey?] {
        let journal = JournalWriter(JournalHeader(store: Fixed.store, generation: 5, base: 0), key: first).headerBytes
        let disk = SimulatedDisk.$usualKey.withValue(second) { SimulatedDisk(files: [StageStore.journal: journal]) }
        let (file, stored) = try StoreFile.open(StageStore.path, on: SimulatedProcess(disk))
        #expect(stored.state == .created)
        try file.close()
        #expect(try StoreFile.read(StageStore.path, on: SimulatedProcess(disk)).version == 0)
      }
    }
  }
}
