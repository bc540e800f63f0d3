import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

@Suite(.leavesNoFileOpen) struct RecoveringTests {
  private static let target = SimulatedDisk.folder + "/saved.realm"

  /// Owners with pets, tags and an address, enough of them for many blocks.
  private static func kennel() throws -> Graph {
    let t = Transaction(.empty)
    let pets = try t.addTable("Pet")
    let name = try t.addColumn(to: pets, "name", ColumnType(.string))
    let addresses = try t.addTable("Address", kind: .embedded)
    let street = try t.addColumn(to: addresses, "street", ColumnType(.string))
    let owners = try t.addTable("Owner")
    let id = try t.addColumn(to: owners, "id", ColumnType(.int))
    let pet = try t.addColumn(to: owners, "pet", .link(to: pets))
    let all = try t.addColumn(to: owners, "pets", .link(to: pets, shape: .list))
    let home = try t.addColumn(to: owners, "home", .link(to: addresses))
    let tags = try t.addColumn(to: owners, "tags", ColumnType(.string, shape: .set))
    let anything = try t.addColumn(to: owners, "anything", ColumnType(.any, shape: .dictionary))
    try t.setPrimaryKey(id, of: owners)
    for number in 0..<1000 {
      let key = try t.create(in: pets) { try $0.set("pet \(number)", name) }
      let owner = try t.create(in: owners, primaryKey: .int(Int64(number)))
      let link = Value.link(ObjectLink(pets, key))
      try t.set(link, Cell(owners, owner, pet))
      try t.append(link, toList: Cell(owners, owner, all))
      try t.append(.link(ObjectLink(pets, ObjectKey(0))), toList: Cell(owners, owner, all))
      try t.createOwned(in: addresses, by: Cell(owners, owner, home), .value) { try $0.set("street \(number)", street) }
      try t.insert(.string("tag \(number % 7)"), inSet: Cell(owners, owner, tags))
      try t.set(.int(Int64(number)), forKey: "n", inDictionary: Cell(owners, owner, anything))
      let list = try t.createOwned(in: .nestedLists, by: Cell(owners, owner, anything), .entry("l"))
      try t.append(.bool(true), toList: Cell(.nestedLists, list, .nestedElements))
    }
    return t.graph
  }

  private static let header = SnapshotHeader(
    store: UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)), generation: 1, version: 5, userVersion: 2,
    blockSize: 4096)

  private func disk(_ snapshot: [UInt8]) -> SimulatedDisk {
    let journal = JournalWriter(JournalHeader(store: Self.header.store, generation: 1, base: 5)).headerBytes
    return SimulatedDisk(files: [StageStore.path: snapshot, StageStore.journal: journal])
  }

  @Test func aSoundStoreIsSavedWhole() throws {
    let graph = try Self.kennel()
    let disk = disk(Snapshot.bytes(graph, Self.header))
    let process = SimulatedProcess(disk)
    let report = try StoreFile.recover(from: StageStore.path, to: Self.target, on: process)
    #expect(report.isComplete)
    #expect(report.version == 5)
    #expect(report.userVersion == 2)
    let saved = try StoreFile.read(Self.target, on: process)
    #expect(Oracle.bytes(saved.graph) == Oracle.bytes(graph))
    #expect(
      StageStore.code { _ = try StoreFile.recover(from: StageStore.path, to: Self.target, on: process) } == .fileExists)
  }

  @Test func rowsThatAreSavedFromADamagedSnapshotHaveNewKeys() throws {
    let t = Transaction(.empty)
    let table = try t.addTable("Row")
    let number = try t.addColumn(to: table, "number", ColumnType(.int))
    for value in 0..<5000 { try t.create(in: table) { try $0.set(Int64(value), number) } }
    for key in 0..<300 { try t.delete(ObjectLink(table, ObjectKey(Int64(key)))) }
    let whole = Snapshot.bytes(t.graph, Self.header)
    var damaged = whole
    // The last block but one, which has only rows.
    damaged[whole.count - 80 - 4096] ^= 4
    for (bytes, first) in [(whole, 300), (damaged, 0)] {
      let process = SimulatedProcess(disk(bytes))
      let report = try StoreFile.recover(from: StageStore.path, to: Self.target, on: process)
      #expect(report.isComplete == (first == 300))
      let saved = try StoreFile.read(Self.target, on: process).graph
      #expect(saved.value(Cell(table, ObjectKey(Int64(first)), number)) == .int(300))
      #expect(saved.value(Cell(table, ObjectKey(Int64(first) - 1), number)) == nil)
    }
  }

  @Test func aSnapshotWhoseFirstBytesAreDamagedIsStillKnownAsOurs() throws {
    let whole = Snapshot.bytes(try Self.kennel(), Self.header)
    for byte in 0..<8 {
      var bytes = whole
      bytes[byte] ^= 0x5A
      let process = SimulatedProcess(disk(bytes))
      #expect(StageStore.code { _ = try StoreFile.open(StageStore.path, on: process) } == .damaged, "byte \(byte)")
      let report = try StoreFile.recover(from: StageStore.path, to: Self.target, on: process)
      #expect(report.lostRows == 0, "byte \(byte)")
    }
  }

  @Test func theRowsOfWholeBlocksAreSavedAndTheRestIsReported() throws {
    let graph = try Self.kennel()
    let whole = Snapshot.bytes(graph, Self.header)
    var random = Effort.firstSeed.random
    let rounds = Effort.of(debug: 6, release: 30, night: 300)
    // Rounds that damage both copies of the schema: then no data can be saved, and the error states this.
    var hopeless = 0
    for round in 0..<rounds {
      var bytes = whole
      for _ in 0...random.below(3) { bytes[random.below(bytes.count)] ^= UInt8(1 + random.below(255)) }
      let disk = disk(bytes)
      let before = disk.files
      let process = SimulatedProcess(disk)
      #expect(StageStore.code { _ = try StoreFile.open(StageStore.path, on: process) } == .damaged)
      let report: RecoveryReport
      do throws(StoreError) {
        report = try StoreFile.recover(from: StageStore.path, to: Self.target, on: process)
      } catch {
        #expect(error.code == .damaged, "round \(round)")
        hopeless += 1
        continue
      }
      #expect(!report.isComplete, "round \(round)")
      let saved = try StoreFile.read(Self.target, on: process).graph
      #expect(saved.checkInvariants() == [])
      let rows = saved.allTables.reduce(0) { $0 + $1.count }
      // Every row of a whole block is saved, or counted among those that could not be.
      let readable = bytes.withUnsafeBytes { SnapshotScan($0) }.delta.tables
        .reduce(0) { $0 + $1.inserted.reduce(0) { $0 + $1.rows.count } }
      #expect(rows + report.lostRows == readable, "round \(round): \(report)")
      #expect(rows > 0, "round \(round): \(report)")
      let owners = try #require(saved.table(named: "Owner"))
      let home = try #require(owners.schema.column(named: "home")).key
      let street = try #require(saved.table(named: "Address")?.schema.column(named: "street")).key
      for number in 0..<1000 {
        guard let key = owners.find(primaryKey: .int(Int64(number))),
          case .link(let address)? = saved.value(Cell(owners.schema.key, key, home))
        else { continue }
        guard case .string("street \(number)")? = saved.value(Cell(address.table, address.key, street)) else {
          Issue.record("Owner \(number) has another's address.")
          continue
        }
      }
      for path in [StageStore.path, StageStore.journal] { #expect(disk.files[path] == before[path]) }
    }
    #expect(hopeless <= max(2, rounds / 10), "\(hopeless) of \(rounds)")
  }

  /// Links to lost rows, in every kind of cell that holds links.
  @Test func linksToLostRowsAreCountedWhereverTheyStand() throws {
    let t = Transaction(.empty)
    let pets = try t.addTable("Pet")
    let name = try t.addColumn(to: pets, "name", ColumnType(.string))
    let owners = try t.addTable("Owner")
    let pet = try t.addColumn(to: owners, "pet", .link(to: pets))
    let list = try t.addColumn(to: owners, "list", .link(to: pets, shape: .list))
    let set = try t.addColumn(to: owners, "set", .link(to: pets, shape: .set))
    let named = try t.addColumn(to: owners, "named", .link(to: pets, shape: .dictionary))
    let keys = try (0..<1024).map { number in
      try t.create(in: pets) { try $0.set(String(repeating: "pet \(number) ", count: 4), name) }
    }
    for key in keys {
      let owner = try t.create(in: owners)
      let link = Value.link(ObjectLink(pets, key))
      try t.set(link, Cell(owners, owner, pet))
      try t.append(link, toList: Cell(owners, owner, list))
      try t.insert(link, inSet: Cell(owners, owner, set))
      try t.set(link, forKey: "a", inDictionary: Cell(owners, owner, named))
    }
    var bytes = Snapshot.bytes(t.graph, Self.header)
    // The block with the rows of the second chunk of pets.
    let needle = Array("pet 300 ".utf8)
    let position = try #require(bytes.indices.first { bytes[$0] == needle[0] && bytes[$0...].starts(with: needle) })
    bytes[position] ^= 1
    let process = SimulatedProcess(disk(bytes))
    let report = try StoreFile.recover(from: StageStore.path, to: Self.target, on: process)
    let saved = try StoreFile.read(Self.target, on: process).graph
    #expect(saved.checkInvariants() == [])
    let lost = 1024 - (saved.table(named: "Pet")?.count ?? 0)
    #expect(lost > 0 && lost < 1024)
    #expect(saved.table(named: "Owner")?.count == 1024)
    // One in a cell, one in a list, one in a set, one in a dictionary.
    #expect(report.lostLinks == 4 * lost)
  }

  @Test func theCommitsBeforeADamagedOneAreSaved() throws {
    let disk = SimulatedDisk()
    let store = try StageStore(SimulatedProcess(disk))
    for _ in 0..<20 { try store.commit() }
    try store.file.close()
    var files = disk.files
    let middle = try #require(files[StageStore.journal]).count / 2
    files[StageStore.journal]?[middle] ^= 1
    let process = SimulatedProcess(SimulatedDisk(files: files))
    let report = try StoreFile.recover(from: StageStore.path, to: Self.target, on: process)
    #expect(!report.isComplete)
    #expect(5..<15 ~= report.version)
    let saved = try StoreFile.read(Self.target, on: process)
    #expect(saved.version == report.version)
    #expect(StageStore.isRight(saved.graph))
  }

  @Test func aMissingJournalIsALossThatIsReported() throws {
    let disk = SimulatedDisk(files: [StageStore.path: Snapshot.bytes(try Self.kennel(), Self.header)])
    let report = try StoreFile.recover(from: StageStore.path, to: Self.target, on: SimulatedProcess(disk))
    #expect(report.losses.count == 1)
    #expect(report.version == 5)
  }

  /// The files of a store of ten commits, six of them in the snapshot.
  private func storeOfTenCommits() throws -> [String: [UInt8]] {
    let disk = SimulatedDisk()
    let store = try StageStore(SimulatedProcess(disk))
    for _ in 0..<6 { try store.commit() }
    try store.checkpoint()
    for _ in 0..<4 { try store.commit() }
    try store.file.close()
    return disk.files
  }

  @Test func theCommitsBehindADamagedSnapshotAreCountedAsLost() throws {
    var files = try storeOfTenCommits()
    let size = try #require(files[StageStore.path]).count
    // The seal of the end; all other bytes are whole.
    files[StageStore.path]?[size - 1] ^= 1
    let process = SimulatedProcess(SimulatedDisk(files: files))
    let report = try StoreFile.recover(from: StageStore.path, to: Self.target, on: process)
    #expect(report.lostCommits == 4)
    #expect(report.version == 6)
    #expect(report.losses.contains { $0.contains("4 commits of the journal") })
    #expect(StageStore.isRight(try StoreFile.read(Self.target, on: process).graph))
    let check = try StoreFile.verify(StageStore.path, on: process)
    #expect(!check.isSound)
    files[StageStore.journal] = Array("no journal".utf8)
    let without = SimulatedProcess(SimulatedDisk(files: files))
    #expect(try StoreFile.recover(from: StageStore.path, to: Self.target, on: without).lostCommits == 0)
  }

  @Test func aJournalOfAnotherStoreIsLeftOut() throws {
    var files = try storeOfTenCommits()
    let other = SimulatedDisk(chance: 99)
    let store = try StageStore(SimulatedProcess(other))
    for _ in 0..<3 { try store.commit() }
    files[StageStore.journal] = other.files[StageStore.journal]
    let process = SimulatedProcess(SimulatedDisk(files: files))
    let report = try StoreFile.recover(from: StageStore.path, to: Self.target, on: process)
    #expect(report.version == 6)
    #expect(report.losses == ["The journal does not go on from the snapshot: its commits are lost."])
    files[StageStore.journal] = Array("no journal".utf8)
    let again = SimulatedProcess(SimulatedDisk(files: files))
    let second = try StoreFile.recover(from: StageStore.path, to: Self.target, on: again)
    #expect(second.version == 6)
    #expect(second.losses.count == 1)
  }

  @Test func aStoreOfWhichNoSchemaIsLeftIsNotRecovered() throws {
    var files = try storeOfTenCommits()
    let bytes = try #require(files[StageStore.path])
    files[StageStore.path] = Array(bytes[..<64]) + [UInt8](repeating: 0, count: bytes.count - 64)
    let process = SimulatedProcess(SimulatedDisk(files: files))
    #expect(
      StageStore.code { _ = try StoreFile.recover(from: StageStore.path, to: Self.target, on: process) } == .damaged)
  }

  @Test func filesOfAnotherKindAreNotRecovered() throws {
    let process = SimulatedProcess(SimulatedDisk(files: [StageStore.path: Array("text".utf8)]))
    let recover: (String) -> StoreError.Code? = { path in
      StageStore.code { _ = try StoreFile.recover(from: path, to: Self.target, on: process) }
    }
    #expect(recover(StageStore.path) == .invalidDatabase)
    #expect(recover(StageStore.path + "x") == .fileNotFound)
  }
}
