import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// Parts of encrypted files are bound to their store, file, generation, place and order. Without the key somebody can
/// store correct checksums, as these tests do.
@Suite(.leavesNoFileOpen) struct BindingTests {
  private let key: FileKey
  private let stage: EncryptedStage

  init() throws {
    key = try .standIn()
    stage = try EncryptedStage(key: key)
  }

  /// Checks that a store with another file is refused as damaged, and not changed.
  private func expectDamage(
    _ what: String, _ files: [String: [UInt8]], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let disk = SimulatedDisk.$usualKey.withValue(key) { SimulatedDisk(files: files, isRecording: false) }
    let process = SimulatedProcess(disk)
    defer { process.kill() }
    do throws(StoreError) {
      let stored = try StoreFile.open(EncryptedStage.path, history: EncryptedStage.limits, on: process).stored
      Issue.record("\(what) opens as version \(stored.version).", sourceLocation: sourceLocation)
    } catch {
      #expect(error.code == .damaged, "\(what): \(error)", sourceLocation: sourceLocation)
    }
    for (path, bytes) in files { #expect(disk.files[path] == bytes, "\(what)", sourceLocation: sourceLocation) }
    let report = try? StoreFile.verify(EncryptedStage.path, on: process)
    #expect(report.map { !$0.problems.isEmpty } ?? false, "\(what)", sourceLocation: sourceLocation)
  }

  private func snapshot(_ change: (inout [UInt8]) -> Void) -> [String: [UInt8]] {
    var files = stage.files
    files[EncryptedStage.path].map { bytes in
      var bytes = bytes
      change(&bytes)
      bytes.believeSnapshot()
      files[EncryptedStage.path] = bytes
    }
    return files
  }

  private func journal(_ change: (inout [UInt8]) -> Void) -> [String: [UInt8]] {
    var files = stage.files
    files[EncryptedStage.journal].map { bytes in
      var bytes = bytes
      change(&bytes)
      bytes.believe()
      files[EncryptedStage.journal] = bytes
    }
    return files
  }

  @Test func storingTheChecksumsAgainChangesNothing() throws {
    #expect(snapshot { _ in } == stage.files && journal { _ in } == stage.files)
    #expect(try EncryptedStage.open(stage.files, key).graph == stage.latest)
  }

  @Test func blocksOfOtherPlacesAreDamage() throws {
    let size = 65536
    let count = try #require(stage.files[EncryptedStage.path]).count / size
    try #require(count >= 2)
    expectDamage("exchanged blocks", snapshot { $0.exchange(128..<128 + size, 128 + size..<128 + 2 * size) })
    expectDamage(
      "a repeated block", snapshot { $0.replaceSubrange(128 + size..<128 + 2 * size, with: $0[128..<128 + size]) })
    expectDamage(
      "a missing block",
      snapshot { $0.removeSubrange(128..<128 + size) })
    expectDamage(
      "blocks behind an end",
      snapshot { bytes in
        // The first block becomes the last.
        bytes[128 + 7] |= 0x80
        bytes.removeSubrange(128 + size..<bytes.count - 80)
      })
  }

  @Test(arguments: [20, 33, 41, 48]) func aHeaderThatWasChangedIsDamage(byte: Int) throws {
    // The store, in both files; the generation; the version; the application's schema version.
    var files = snapshot { $0[byte] ^= 1 }
    if byte == 20 { files[EncryptedStage.journal] = journal { $0[byte] ^= 1 }[EncryptedStage.journal] }
    expectDamage("byte \(byte) of a snapshot", files)
    // The generation, the version that it goes on from, that of the history.
    if byte != 20 { expectDamage("byte \(byte) of a journal", journal { $0[byte] ^= 1 }) }
  }

  @Test func recordsOfOtherPlacesAreDamage() throws {
    let ranges = try #require(stage.files[EncryptedStage.journal]).recordRanges
    try #require(ranges.count >= 3)
    let (first, second) = (ranges[0], ranges[1])
    expectDamage(
      "a payload of another record",
      journal { bytes in
        // Both have one length, or the longer one is cut, which is damage as well.
        let length = min(first.count, second.count) - 48
        bytes.exchange(
          first.lowerBound + 40..<first.lowerBound + 40 + length,
          second.lowerBound + 40..<second.lowerBound + 40 + length)
      })
    expectDamage(
      "exchanged records with exchanged numbers",
      journal { bytes in
        let (a, b) = (Array(bytes[first]), Array(bytes[second]))
        bytes.replaceSubrange(first.lowerBound..<second.upperBound, with: b + a)
        let middle = first.lowerBound + b.count
        for (to, from) in [(first.lowerBound, a), (middle, b)] {
          bytes.replaceSubrange(to + 16..<to + 32, with: from[16..<32])
        }
      })
    expectDamage(
      "a record without the one before it",
      journal { bytes in
        let numbers = Array(bytes[first][first.lowerBound + 16..<first.lowerBound + 32])
        bytes.removeSubrange(first)
        bytes.replaceSubrange(first.lowerBound + 16..<first.lowerBound + 32, with: numbers)
      })
    expectDamage("another durable-to", journal { $0[second.lowerBound + 24] ^= 1 })
  }

  /// A commit that was undone, or lost in a crash, had the number of a later one. It does not take its place.
  @Test func aRecordOfAnotherLifeIsDamage() throws {
    let disk = SimulatedDisk.$usualKey.withValue(key) { SimulatedDisk() }
    func commits(_ names: [String]) throws -> [UInt8] {
      var graph = Graph.empty.numbered(17)
      var writer = JournalWriter(Fixed.journal, key: key)
      var bytes = writer.headerBytes
      for name in names {
        let transaction = Transaction(graph)
        _ = try transaction.addTable(name)
        let next = transaction.graph.numbered(graph.version + 1)
        bytes += try writer.commit(Delta(from: graph, to: next), userVersion: 0, durableTo: writer.lastCommit)
        graph = next
      }
      return bytes
    }
    let (one, other) = (try commits(["A", "B", "C"]), try commits(["A", "X", "Y"]))
    let (ranges, others) = (one.recordRanges, other.recordRanges)
    #expect(ranges == others && disk.files.isEmpty)
    var mixed = one
    mixed.replaceSubrange(ranges[1], with: other[others[1]])
    mixed.believe()
    let end = try mixed.withUnsafeBytes { bytes in
      var scanner = try JournalScanner(bytes, key: key)
      while scanner.next(bytes) != nil {}
      #expect(scanner.lastCommit == 19)
      return scanner.end
    }
    guard case .damaged = end else {
      Issue.record("It ended as \(String(describing: end)).")
      return
    }
  }

  @Test func filesOfAnotherStoreOrWithoutAKeyAreRefused() throws {
    let other = try EncryptedStage(key: key, chance: 4)
    var files = stage.files
    files[EncryptedStage.journal] = other.files[EncryptedStage.journal]
    let error = #expect(throws: StoreError.self) { try EncryptedStage.open(files, key) }
    #expect(error?.code == .invalidDatabase)
    // The journal says that it is of this store, with correct checksums.
    let store = try #require(stage.files[EncryptedStage.path])[16..<32]
    files[EncryptedStage.journal]?.replaceSubrange(16..<32, with: store)
    files[EncryptedStage.journal]?.believe()
    expectDamage("a journal of another store", files)
    // A plain journal that anybody can write.
    let header = try #require(stage.files[EncryptedStage.journal])
    let uuid = header[16..<32].withUnsafeBytes { $0.loadUnaligned(as: UUID.self) }
    var plain = JournalWriter(JournalHeader(store: uuid, generation: 1 << 40, base: 5))
    files[EncryptedStage.journal] = plain.headerBytes + (try plain.seal())
    expectDamage("a plain journal", files)
  }

  /// A history has no effect on the data, so one of another place is not used, and opening succeeds.
  @Test func aHistoryOfAnotherPlaceIsNotUsed() throws {
    var files = stage.files
    let ranges = try #require(files[EncryptedStage.history]).recordRanges
    try #require(ranges.count >= 3)
    for change in [{ (bytes: inout [UInt8]) in bytes[ranges[0].lowerBound + 60] ^= 1 }, { $0[33] ^= 1 }] {
      files = stage.files
      files[EncryptedStage.history].map { bytes in
        var bytes = bytes
        change(&bytes)
        bytes.believe()
        files[EncryptedStage.history] = bytes
      }
      let disk = SimulatedDisk.$usualKey.withValue(key) { SimulatedDisk(files: files) }
      let report = try StoreFile.verify(EncryptedStage.path, on: SimulatedProcess(disk))
      #expect(report.problems.isEmpty && report.doubts.count == 1)
      #expect(try EncryptedStage.open(files, key).graph == stage.latest)
    }
  }

  /// The seal says that all was on the disk, so it cannot be made without the key.
  @Test func aForgedSealIsDamage() throws {
    let journal = try #require(stage.files[EncryptedStage.journal])
    let ranges = journal.recordRanges
    let seal = try #require(ranges.last)
    var cut = Array(journal[..<ranges[1].lowerBound]) + journal[seal]
    // The numbers of the last commit that is left.
    let start = ranges[1].lowerBound
    let commit = journal[ranges[0].lowerBound + 16..<ranges[0].lowerBound + 24]
    cut.replaceSubrange(start + 16..<start + 32, with: commit + commit)
    cut.believe()
    var files = stage.files
    files[EncryptedStage.journal] = cut
    expectDamage("a seal of a later commit", files)
  }
}

extension [UInt8] {
  /// Exchanges the bytes of two ranges of one length.
  fileprivate mutating func exchange(_ a: Range<Int>, _ b: Range<Int>) {
    let (first, second) = (Array(self[a]), Array(self[b]))
    replaceSubrange(a, with: second)
    replaceSubrange(b, with: first)
  }
}
