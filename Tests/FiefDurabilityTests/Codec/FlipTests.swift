import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// Every single flipped bit is found (goal G5).
///
/// A flip cannot affect what was read before it. So reading continues, through the public functions, from a copy of the
/// reader that was made before the record or the block in question. At night one flip of each byte of a snapshot is
/// also read from the beginning.
@Suite(.leavesNoFileOpen) struct FlipTests {
  static let size = Effort.of(debug: 16 << 10, release: 16 << 10, night: 256 << 10)

  static func journal(sealed: Bool) throws -> [UInt8] {
    var commits = 20
    while true {
      let stage = try JournalStage(seed: Seed(5), commits: commits, lag: 5, operations: 1)
      if stage.open.count >= size { return sealed ? stage.sealed : stage.open }
      commits += 1 + commits / 16
    }
  }

  @Test(arguments: [false, true])
  func everyFlipInAJournalIsDamage(sealed: Bool) async throws {
    let bytes = try Self.journal(sealed: sealed)
    // The scanners before each record.
    var stops: [JournalScanner] = []
    bytes.withUnsafeBytes { bytes in
      guard var scanner = try? JournalScanner(bytes) else { return }
      stops.append(scanner)
      while scanner.next(bytes) != nil { stops.append(scanner) }
    }
    #expect(stops.last?.length == bytes.count)
    let scanners = stops
    let missed = await Trials.sum(over: 0..<scanners.count) { part in
      var bytes = bytes
      var missed = 0
      for position in part {
        let from = position == 0 ? 0 : scanners[position - 1].length
        for byte in from..<scanners[position].length {
          for bit in 0..<8 {
            bytes[byte] ^= 1 << UInt8(bit)
            let isFound = bytes.withUnsafeBytes { bytes in
              guard position > 0 else { return (try? JournalScanner(bytes)) == nil }
              var scanner = scanners[position - 1]
              if case .none = scanner.next(bytes), case .damaged? = scanner.end { return true }
              return false
            }
            if !isFound { missed += 1 }
            bytes[byte] ^= 1 << UInt8(bit)
          }
        }
      }
      return missed
    }
    #expect(missed == 0)
    Trials.report("\(bytes.count * 8) flips in a journal that was \(sealed ? "" : "not ")closed in order")
  }

  @Test func everyFlipInASnapshotIsFound() async throws {
    let bytes = try Self.snapshot(atLeast: Self.size)
    let stops = try SnapshotStops(bytes)
    let missed = await Trials.sum(over: 0..<bytes.count) { part in
      var bytes = bytes
      var missed = 0
      for byte in part {
        for bit in 0..<8 {
          bytes[byte] ^= 1 << UInt8(bit)
          let isFound: Bool
          if Effort.current == .night && bit == 0 {
            isFound = (try? Snapshot(bytes)) == nil
          } else {
            isFound = bytes.withUnsafeBytes { stops.isRefused($0, from: byte) }
          }
          if !isFound { missed += 1 }
          bytes[byte] ^= 1 << UInt8(bit)
        }
      }
      return missed
    }
    #expect(missed == 0)
    Trials.report("\(bytes.count * 8) flips in a snapshot of \(stops.count) blocks")
  }

  /// A snapshot of a random store with at least `size` bytes.
  static func snapshot(atLeast size: Int, header: SnapshotHeader = Fixed.header()) throws -> [UInt8] {
    var store = try RandomStore(seed: Seed(6))
    while true {
      _ = try store.step(operations: 1)
      let bytes = Snapshot.bytes(store.graph, header)
      if bytes.count >= size { return bytes }
    }
  }
}

/// Copies of the scanner of a sound snapshot before each block, from which a damaged one can be read further.
struct SnapshotStops: Sendable {
  private var scanners: [BlockScanner] = []

  init(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var scanner = try BlockScanner(UnsafeRawBufferPointer(rebasing: bytes.prefix(SnapshotHeader.size)))
      while !scanner.isAtEnd {
        scanners.append(scanner)
        _ = try scanner.next(Self.block(bytes, scanner))
      }
      scanners.append(scanner)
      try scanner.finish(UnsafeRawBufferPointer(rebasing: bytes[Int(scanner.offset)...]))
    }
  }

  /// The number of blocks.
  var count: Int { scanners.count - 1 }

  /// Whether a snapshot that differs from the sound one at `byte` is refused there.
  func isRefused(_ bytes: UnsafeRawBufferPointer, from byte: Int) -> Bool {
    do {
      if byte < SnapshotHeader.size {
        _ = try BlockScanner(UnsafeRawBufferPointer(rebasing: bytes.prefix(SnapshotHeader.size)))
      } else {
        let size = Int(scanners[0].header.blockSize)
        let isBehind = byte >= bytes.count - BlockScanner.trailerSize
        var scanner = scanners[isBehind ? count : (byte - SnapshotHeader.size) / size]
        if scanner.isAtEnd {
          try scanner.finish(UnsafeRawBufferPointer(rebasing: bytes[Int(scanner.offset)...]))
        } else {
          _ = try scanner.next(Self.block(bytes, scanner))
        }
      }
      return false
    } catch {
      return true
    }
  }

  /// Whether the sound snapshot, cut at `length`, is refused at the block in which it then ends.
  ///
  /// - Parameter bytes: the sound one. The cut must leave enough of it for a header and the end.
  func isRefused(_ bytes: UnsafeRawBufferPointer, cutTo length: Int) -> Bool {
    let end = length - BlockScanner.trailerSize
    var scanner = scanners[(end - SnapshotHeader.size) / Int(scanners[0].header.blockSize)]
    let block = UnsafeRawBufferPointer(rebasing: bytes[Int(scanner.offset)..<end])
    return (try? scanner.next(block)) == nil
  }

  private static func block(_ bytes: UnsafeRawBufferPointer, _ scanner: BlockScanner) -> UnsafeRawBufferPointer {
    let end = min(Int(scanner.offset) + Int(scanner.header.blockSize), bytes.count - BlockScanner.trailerSize)
    return UnsafeRawBufferPointer(rebasing: bytes[Int(scanner.offset)..<end])
  }
}
