import FiefDurability
import FiefFuzzing
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// Files of earlier builds stay readable for ever, and equal contents are written as equal bytes (goals G22, G26).
///
/// A file here is never changed. A format that writes other bytes has another number, and new files beside these.
/// `FIEF_WRITE_GOLDEN=1` writes missing files.
@Suite(.leavesNoFileOpen) struct GoldenTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Golden")

  /// The bytes of a file, stored as lines of hexadecimal digits so that changes are visible.
  private func golden(_ name: String, _ bytes: [UInt8]) throws -> [UInt8] {
    let url = Self.folder.appendingPathComponent(name)
    if !FileManager.default.fileExists(atPath: url.path),
      ProcessInfo.processInfo.environment["FIEF_WRITE_GOLDEN"] == "1"
    {
      let lines = stride(from: 0, to: bytes.count, by: 32).map { start in
        bytes[start..<min(start + 32, bytes.count)].map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
          .joined()
      }
      try (lines.joined(separator: "\n") + "\n").write(to: url, atomically: true, encoding: .utf8)
    }
    let digits = try String(contentsOf: url, encoding: .utf8).compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  @Test func snapshotsOfFormat1AreReadAndWrittenAsTheyWere() throws {
    let kennel = JournalTarget.base
    let everything = try RandomStore.everything()
    for (name, graph) in [("empty", Graph.empty), ("kennel", kennel), ("everything", everything)] {
      let bytes = Snapshot.bytes(graph, Fixed.header(blockSize: 1024))
      let file = try golden("snapshot-1-\(name).hex", bytes)
      #expect(file == bytes)
      #expect(try Snapshot(file).graph == graph)
    }
  }

  @Test func journalsOfFormat1AreReadAndWrittenAsTheyWere() throws {
    let stage = try JournalStage(seed: Seed(21), commits: 12)
    for (name, bytes) in [("open", stage.open), ("sealed", stage.sealed)] {
      let file = try golden("journal-1-\(name).hex", bytes)
      #expect(file == bytes)
      let reading = try JournalReading(file, on: stage.base)
      #expect(reading.states == stage.states)
    }
  }

  @Test func journalsWithTimesAndHistoriesOfFormat1AreReadAndWrittenAsTheyWere() throws {
    let header = JournalHeader(store: Fixed.store, generation: 3, base: 17, isTimed: true, history: 2)
    let stage = try JournalStage(seed: Seed(22), commits: 6, header: header)
    let journal = try golden("journal-1-timed.hex", stage.sealed)
    #expect(journal == stage.sealed)
    #expect(try JournalReading(journal, on: stage.base).states == stage.states)
    let file = try golden("history-1.hex", stage.history)
    #expect(file == stage.history)
    #expect(try HistoryReading(file, on: stage.states.last).states == stage.states.reversed())
  }

  @Test func encryptedFilesOfFormat1AreReadAndWrittenAsTheyWere() throws {
    let key = try FileKey.standIn()
    let kennel = JournalTarget.base
    var bytes: [UInt8] = []
    try Snapshot.write(kennel, Fixed.header(blockSize: 1024), key: key) { bytes.append(contentsOf: $0) }
    let snapshot = try golden("snapshot-1-encrypted.hex", bytes)
    #expect(snapshot == bytes)
    #expect(try snapshot.withUnsafeBytes { try Snapshot(reading: $0, key: key) }.graph == kennel)
    let header = JournalHeader(store: Fixed.store, generation: 3, base: 17, isTimed: true, history: 2)
    let stage = try JournalStage(seed: Seed(22), commits: 3, header: header, key: key)
    let journal = try golden("journal-1-encrypted.hex", stage.sealed)
    #expect(journal == stage.sealed)
    let history = try golden("history-1-encrypted.hex", stage.history)
    #expect(history == stage.history)
    let read = try SimulatedDisk.$usualKey.withValue(key) {
      (try JournalReading(journal, on: stage.base), try HistoryReading(history, on: stage.states.last))
    }
    #expect(read.0.states == stage.states && read.1.states == stage.states.reversed())
  }

  @Test(arguments: Seeds.first(3))
  func theSameIsWrittenAsTheSameBytes(seed: Seed) throws {
    func write() throws -> [UInt8] { try JournalStage(seed: seed, commits: 10).sealed }
    #expect(try write() == write())
    // A graph also has equal bytes, however it was made.
    var store = try RandomStore(seed: seed)
    var replayed = store.graph
    for _ in 0..<12 { replayed = try replayed.applying(try store.step()) }
    let direct = try Graph.empty.applying(Delta(from: .empty, to: store.graph))
    let bytes = Snapshot.bytes(store.graph, Fixed.header())
    #expect(Snapshot.bytes(replayed, Fixed.header()) == bytes)
    #expect(Snapshot.bytes(direct, Fixed.header()) == bytes)
  }

  /// A header with a recomputed checksum.
  private func header(_ bytes: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes = bytes
    change(&bytes)
    let crc = bytes[..<60].withUnsafeBytes { CRC32C.checksum($0) }
    bytes.replaceSubrange(60..<64, with: withUnsafeBytes(of: crc.littleEndian) { Array($0) })
    return bytes
  }

  @Test func aNewerFormatOrAFeatureThatIsNotKnownIsRefusedAsSuch() throws {
    let snapshot = Snapshot.bytes(.empty, Fixed.header())
    let journal = JournalWriter(Fixed.journal).headerBytes
    for position in [8, 9, 11, 12, 15] {
      // The first two bits of required features are known: times, and encryption.
      let number: UInt8 = position == 12 ? 4 : 2
      let newerSnapshot = header(snapshot) { $0[position] = number }
      let newerJournal = header(journal) { $0[position] = number }
      #expect(throws: CodecError.self) { try Snapshot(newerSnapshot) }
      do throws(CodecError) {
        _ = try Snapshot(newerSnapshot)
      } catch {
        #expect(error.code == .newerFormat)
        #expect(error.isRefusalOfSoundFile)
      }
      do throws(CodecError) {
        try JournalReading.refuse(newerJournal)
        Issue.record("a newer journal was read")
      } catch {
        #expect(error.code == .newerFormat)
      }
    }
    let kind = header(snapshot) { $0[8] = 9 }.withUnsafeBytes { FileKind(of: $0) }
    #expect(kind == .snapshot(formatVersion: 9))
    let history = HistoryWriter(HistoryHeader(store: Fixed.store, generation: 3, version: 17, oldest: 17)).headerBytes
    for position in [8, 12] {
      let newer = header(history) { $0[position] = position == 12 ? 4 : 2 }
      let error = #expect(throws: CodecError.self) { try HistoryReading(newer) }
      #expect(error?.code == .newerFormat && error?.subject == .history)
    }
  }

  @Test(arguments: [0, 1, 256, 511, 513, 3 << 9, (1 << 20) + 512, 1 << 21, 1 << 31, .max] as [UInt32])
  func aSizeThatNoBlockHasIsRefused(size: UInt32) {
    let bytes = header(Snapshot.bytes(.empty, Fixed.header())) {
      $0.replaceSubrange(56..<60, with: withUnsafeBytes(of: size.littleEndian) { Array($0) })
    }
    let error = #expect(throws: CodecError.self) { try Snapshot(bytes) }
    #expect(error?.code == .malformed)
    #expect(error?.reason == "blocks cannot have \(size) bytes")
  }

  @Test(arguments: (9...20).map { 1 << $0 } as [UInt32])
  func aSnapshotInBlocksOfEachSizeIsReadAsItWasWritten(size: UInt32) throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("texts")
    let column = try transaction.addColumn(to: table, "text", ColumnType(.string))
    for length in [3, 2_300_000, 5] {
      try transaction.create(in: table) { try $0.set(String(repeating: "x", count: length), column) }
    }
    let bytes = Snapshot.bytes(transaction.graph, Fixed.header(blockSize: size))
    // Compared outside the macro, which would print megabytes.
    let isEqual = try Snapshot(bytes).graph == transaction.graph
    #expect(isEqual)
    // Every block but the last has the size, and only the last is marked as the last.
    let starts = Array(stride(from: 64, to: bytes.count - 80, by: Int(size)))
    let areLast = starts.map { bytes[$0 + 7] & 0x80 != 0 }
    #expect(areLast.count > 2 && areLast.last == true)
    #expect(areLast.dropLast().allSatisfy { !$0 })
  }
}
