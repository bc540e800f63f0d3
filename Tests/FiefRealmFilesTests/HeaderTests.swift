import FiefRealmFiles
import FiefRealmFileSamples
import Testing

/// Which of two versions is read, and which files are refused by name.
@Suite struct HeaderTests {
  private func error(_ bytes: ContiguousArray<UInt8>) -> RealmFileError? {
    #expect(throws: RealmFileError.self) { try RealmFile(bytes) }
  }

  @Test func theStreamingFormIsReadFromItsFooter() throws {
    var bytes = try Sample.small.bytes
    let top = bytes[0..<8]
    for index in 0..<8 { bytes[index] = 0xFF }
    bytes += top
    bytes += [0xC8, 0x26, 0xE5, 0x37, 0x52, 0x12, 0x34, 0x30]
    #expect(try RealmFile(bytes).report.rows == RealmFile(Sample.small.bytes).report.rows)
    let cut = error(ContiguousArray(bytes.dropLast()))
    #expect(cut?.code == .damaged)
    #expect(cut?.message.contains("footer") == true)
  }

  @Test func theSlotInForceIsRead() throws {
    var bytes = try Sample.small.bytes
    // The other slot holds the version before the rows.
    bytes[23] ^= 1
    let file = try RealmFile(bytes)
    #expect(file.report.rows == 0)
    #expect(file.report.version < (try RealmFile(Sample.small.bytes).report.version))
    #expect(file.graph.checkInvariants() == [])
  }

  @Test func aFileWithoutATopNodeIsEmpty() throws {
    var bytes = ContiguousArray<UInt8>(repeating: 0, count: 24)
    bytes.replaceSubrange(16..<20, with: "T-DB".utf8)
    #expect(try RealmFile(bytes).graph.schema.tables.count == 2)
  }

  @Test(arguments: [0, 1, 2, 4, 5, 7, 8, 9] as [UInt8])
  func olderFormatsAreRefusedWithWhatToDo(_ format: UInt8) throws {
    var bytes = try Sample.small.bytes
    (bytes[20], bytes[21]) = (format, format)
    let error = error(bytes)
    #expect(error?.code == .format)
    #expect(error?.message.contains("version \(format) ") == true)
    #expect(error?.message.contains("Realm Swift 10.8 to 10.46") == true)
    #expect(error?.message.contains("Realm Swift 4") == (format < 5))
  }

  @Test(arguments: [25, 26, 255] as [UInt8]) func newerFormatsAreRefused(_ format: UInt8) throws {
    var bytes = try Sample.small.bytes
    (bytes[20], bytes[21]) = (format, format)
    #expect(error(bytes)?.code == .format)
  }

  @Test func encryptedFilesAreRefusedByName() throws {
    let error = error(try Sample.encrypted.bytes)
    #expect(error?.code == .encrypted)
    #expect(error?.message.contains("encrypted") == true)
  }

  @Test func otherFilesAreRefusedByName() {
    for bytes in [[], Array("no realm".utf8), [UInt8](repeating: 0, count: 8192), [UInt8](repeating: 7, count: 8192)] {
      #expect(error(ContiguousArray(bytes))?.code == .notRealm)
    }
  }

  /// Libraries from before November 2016 wrote a capacity or a checksum there.
  @Test(arguments: [0, 0x42, 0xFD, 0xFF] as [UInt8]) func theFirstBytesOfANodeHaveNoMeaning(_ byte: UInt8) throws {
    let wanted = try RealmFile(Sample.small.bytes)
    var bytes = try Sample.small.bytes
    var changed = 0
    for node in stride(from: 24, to: bytes.count, by: 8) where bytes[node..<node + 4].elementsEqual("AAAA".utf8) {
      for index in 0..<4 { bytes[node + index] = byte }
      changed += 1
    }
    #expect(changed > 100)
    let file = try RealmFile(bytes)
    #expect(file.report.rows == wanted.report.rows)
    #expect(
      CanonicalGraph(graph: file.graph).tables.map(\.lines) == CanonicalGraph(graph: wanted.graph).tables.map(\.lines))
  }
}
