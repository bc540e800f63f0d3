import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// G5 to G7 for whole stores that were closed in order: after any damage to either file, opening either throws or
/// returns the store's exact contents.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct DamageTests {
  private static let refusals: [StoreError.Code] = [.damaged, .invalidDatabase, .unsupportedFileFormatVersion]

  /// The files of a small store with a snapshot and a journal, both of some kilobytes, and the contents of the store.
  private static func stage() throws -> (files: [String: [UInt8]], version: UInt64, bytes: [UInt8]) {
    let disk = SimulatedDisk()
    let teller = StoryTeller(on: disk, seed: 3)
    try teller.tell([.commit, .commit, .commit, .checkpoint(0, 0, 0)] + Array(repeating: .commit, count: 14))
    try teller.close()
    let stored = try StoreFile.read(StoryTeller.path, on: SimulatedProcess(disk))
    return (disk.files, stored.version, Oracle.bytes(stored.graph))
  }

  /// Judges a store with other bytes in one file.
  ///
  /// - Returns: whether it was refused.
  private func refuses(
    _ file: String, _ bytes: [UInt8], _ stage: (files: [String: [UInt8]], version: UInt64, bytes: [UInt8]),
    _ what: @autoclosure () -> String
  ) throws -> Bool {
    var files = stage.files
    files[file] = bytes
    let disk = SimulatedDisk(files: files, isRecording: false)
    do throws(StoreError) {
      let (store, stored) = try StoreFile.open(StoryTeller.path, on: SimulatedProcess(disk))
      withExtendedLifetime(store) {}
      guard stored.version == stage.version, Oracle.bytes(stored.graph) == stage.bytes else {
        throw StoreError(.fileOperationFailed, "opened at version \(stored.version) of \(stage.version)")
      }
      return false
    } catch {
      guard Self.refusals.contains(error.code) else {
        throw StoryFault(description: "\(what()): \(error)")
      }
      guard disk.files[file] == bytes else { throw StoryFault(description: "\(what()): it was refused and changed") }
      return true
    }
  }

  @Test func everyFlippedBitOfAClosedStoreIsFound() throws {
    let stage = try Self.stage()
    var flips = 0
    let step = Effort.of(debug: 37, release: 1, night: 1)
    for path in [StoryTeller.path, StoryTeller.path + ".journal"] {
      var bytes = try #require(stage.files[path])
      for bit in stride(from: 0, to: bytes.count * 8, by: step) {
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(try refuses(path, bytes, stage, "bit \(bit) of \(path)"), "bit \(bit) of \(path)")
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        flips += 1
      }
    }
    Figures.report("G5: \(flips) flips of \(stage.files.values.map(\.count).max() ?? 0) bytes at most, all refused")
  }

  /// G6. After a cut that removes the seal and whole commits, a store looks like one that was not closed. So opening
  /// may find fewer commits after cuts, but nothing else.
  @Test func everyLostEndIsRefusedOrACommittedVersion() throws {
    let disk = SimulatedDisk()
    let teller = StoryTeller(on: disk, seed: 3)
    try teller.tell([.commit, .commit, .commit, .checkpoint(0, 0, 0)] + Array(repeating: .commit, count: 14))
    try teller.close()
    let files = disk.files
    var random = Effort.firstSeed.random
    var (refused, opened) = (0, 0)
    for path in [StoryTeller.path, StoryTeller.path + ".journal"] {
      let bytes = try #require(files[path])
      for length in stride(from: 0, to: bytes.count, by: Effort.of(debug: 11, release: 1, night: 1)) {
        for tail in [[], [UInt8](repeating: 0, count: bytes.count - length), random.bytes(count: bytes.count - length)]
        {
          var files = files
          files[path] = bytes[..<length] + tail
          let process = SimulatedProcess(SimulatedDisk(files: files, isRecording: false))
          do throws(StoreError) {
            let stored = try StoreFile.open(StoryTeller.path, on: process).stored
            #expect(path.hasSuffix(".journal"), "a snapshot of \(length) bytes was opened")
            #expect(
              teller.oracle.holds(stored.graph, at: stored.version, moment: disk.events.count),
              "\(path) cut at \(length)")
            opened += 1
          } catch {
            #expect(Self.refusals.contains(error.code), "\(path) cut at \(length): \(error)")
            refused += 1
          }
        }
      }
    }
    Figures.report(
      "G6: \(refused) lost ends refused, \(opened) opened at a committed version, seed \(Effort.firstSeed)")
  }

  /// The last sectors of the journal are omitted. Without the seal and all records whose durable-to covers others, the
  /// rest looks like the result of a crash, and is treated as one (S6).
  @Test func misplacedAndStaleSectorsAreFound() throws {
    let stage = try Self.stage()
    var (refused, same) = (0, 0)
    for path in [StoryTeller.path, StoryTeller.path + ".journal"] {
      let bytes = try #require(stage.files[path])
      let other = try #require(stage.files[path == StoryTeller.path ? path + ".journal" : StoryTeller.path])
      let sectors = (bytes.count + 511) / 512
      for to in 0..<(path == StoryTeller.path ? sectors : sectors - 2) {
        let place = to * 512..<min(bytes.count, to * 512 + 512)
        // A misdirected write, and a sector of another file or of zeros.
        let sources =
          (0..<sectors).map { bytes.dropFirst($0 * 512) } + [other[...], ArraySlice(repeating: 0, count: 512)]
        for (from, source) in sources.enumerated() {
          var damaged = bytes
          let part = Array(source.prefix(place.count))
          damaged.replaceSubrange(
            place, with: part + [UInt8](repeating: 0, count: place.count - part.count))
          if damaged == bytes { same += 1; continue }
          #expect(
            try refuses(path, damaged, stage, "sector \(from) at \(to) of \(path)"), "\(from) at \(to) of \(path)")
          refused += 1
        }
      }
    }
    Figures.report("G7: \(refused) sectors in wrong places, all refused; \(same) were equal")
  }
}
