import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// No name, key or value of a store is in any of its files.
@Suite(.leavesNoFileOpen) struct PlainTextTests {
  /// The words that are in a file, as UTF-8.
  private func words(in files: [String: [UInt8]]) -> Set<String> {
    var found: Set<String> = []
    for bytes in files.values {
      let text = Data(bytes)
      for word in EncryptedStage.words where text.range(of: Data(word.utf8)) != nil { found.insert(word) }
    }
    return found
  }

  @Test func theFilesOfAStoreHoldNoWordOfIt() throws {
    // The scan finds the words where they are.
    #expect(words(in: try EncryptedStage(key: nil).files) == Set(EncryptedStage.words))
    let stage = try EncryptedStage(key: .standIn())
    #expect(stage.files.keys.contains(EncryptedStage.history) && stage.files.count >= 3)
    #expect(words(in: stage.files) == [])
  }

  @Test func everyImageOfACrashHoldsNoWord() throws {
    let key = try FileKey.standIn()
    let disk = SimulatedDisk.$usualKey.withValue(key) { SimulatedDisk() }
    let process = SimulatedProcess(disk)
    let (file, _) = try StoreFile.open(StageStore.path, on: process)
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Penguins")
    let name = try transaction.addColumn(to: table, "plumage", ColumnType(.string))
    for _ in 0..<20 { try transaction.create(in: table) { try $0.set("Iridescent Bartholomew", name) } }
    let graph = transaction.graph.numbered(1)
    try file.commit(Delta(from: .empty, to: graph), version: 1, userVersion: 0)
    try file.checkpoint(graph, version: 1, userVersion: 0)
    // A tail is kept as it is.
    let later = Transaction(graph)
    try later.create(in: table) { try $0.set("Bartholomew Waddles", name) }
    try file.append(Delta(from: graph, to: later.graph), version: 2, userVersion: 0)
    process.kill()
    var files = disk.files
    let journal = try #require(files[StageStore.journal])
    files[StageStore.journal] = journal.dropLast(9)
    let crashed = SimulatedDisk.$usualKey.withValue(key) { SimulatedDisk(files: files) }
    let again = try StoreFile.open(StageStore.path, on: SimulatedProcess(crashed, number: 2))
    let kept = try #require(again.stored.cutOff?.keptAt)
    #expect((crashed.files[kept]?.count ?? 0) > 300)
    try StoreFile.writeCopy(
      of: graph, version: 1, userVersion: 0, to: SimulatedDisk.folder + "/copy.realm",
      on: SimulatedProcess(crashed, number: 2))
    try again.file.close()
    #expect(crashed.files.count >= 5)
    #expect(words(in: crashed.files) == [])
    // Every write on the way, whichever file it went to.
    for disk in [disk, crashed] {
      for event in disk.events {
        if case .wrote(_, _, let bytes) = event { #expect(words(in: ["a write": bytes]) == []) }
      }
    }
  }
}
