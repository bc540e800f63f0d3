import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation

/// Feeds an input to the snapshot reader.
///
///     first byte even    the rest is a file
///     first byte odd     the rest is the contents of the blocks of a file with correct checksums
///
/// For any input, reading must end in a graph or an error. An accepted input must be the canonical form of its graph.
public struct SnapshotTarget: FuzzTarget {
  static let header = SnapshotHeader(
    store: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), generation: 3, version: 17,
    userVersion: 5, blockSize: 512)

  /// The target.
  public init() {}

  /// The name of the target.
  public let name = "snapshots"
  /// What the target runs.
  public let purpose = "bytes of snapshot files"

  /// A byte that says how the rest is read, then bytes.
  public func layout(of input: [UInt8]) -> InputLayout { InputLayout(header: 1, step: 1, limit: 2048) }

  /// The bytes themselves.
  public func decode(_ input: [UInt8]) -> [UInt8] { input }

  /// The calls that read the bytes.
  public func steps(_ input: [UInt8]) -> [String] {
    let rest = "[\(input.dropFirst().map(String.init).joined(separator: ", "))] as [UInt8]"
    return input.first.map { $0 & 1 == 0 } ?? true
      ? ["let bytes = \(rest)", "try Snapshot(reading: bytes)"]
      : ["let pieces = \(rest)", "try Snapshot(reading: Sealing.snapshot(pieces, header))"]
  }

  /// The file of a small random graph, whole or in pieces, with a few bytes changed.
  public func sample(_ random: inout SeededRandom) -> [UInt8] {
    let graph = random.bool() ? JournalTarget.base : (try? HarnessGraph.make(random.below(12))) ?? .empty
    let file = Snapshot.bytes(graph, Self.header)
    guard random.bool(), let pieces = try? file.withUnsafeBytes({ try Sealing.pieces(ofSnapshot: $0) }) else {
      return [0] + file.changed(random.below(3), &random)
    }
    return [1] + pieces.changed(random.below(6), &random)
  }

  /// Reads the bytes.
  public func run(_ input: [UInt8]) throws { try accepts(input) }

  /// Runs an input.
  ///
  /// - Returns: whether the input was a snapshot.
  @discardableResult
  public func accepts(_ input: [UInt8]) throws -> Bool {
    try input.withUnsafeBytes { input in
      guard let mode = input.first else { return false }
      let rest = UnsafeRawBufferPointer(rebasing: input.dropFirst())
      let isAccepted =
        mode & 1 == 0
        ? try read(rest) : try Sealing.snapshot(rest, Self.header).withUnsafeBytes(read)
      try decodeDelta(rest)
      return isAccepted
    }
  }

  private func read(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    _ = FileKind(of: bytes)
    let scan = SnapshotScan(bytes)
    guard let snapshot = try? Snapshot(reading: bytes) else {
      try expect(!scan.damages.isEmpty, "A snapshot that is refused has no damage.")
      return false
    }
    try expect(scan.damages.isEmpty, "A snapshot that is accepted has damage: \(scan.damages).")
    if let fault = snapshot.graph.checkInvariants().first {
      throw Finding("A snapshot holds an unsound graph: \(fault)")
    }
    try expect(
      Snapshot.bytes(snapshot.graph, snapshot.header).elementsEqual(bytes),
      "A snapshot is accepted that would be written otherwise.")
    var position = 0
    let pulled = try? Snapshot(pulling: { buffer in
      // Pulls portions of odd sizes.
      let count = min(buffer.count, 97, bytes.count - position)
      buffer.copyBytes(from: bytes[position..<position + count])
      position += count
      return count
    })
    try expect(pulled?.graph == snapshot.graph, "A snapshot that is pulled is another.")
    return true
  }

  private func decodeDelta(_ bytes: UnsafeRawBufferPointer) throws {
    guard let delta = try? DeltaCodec.decode(bytes) else { return }
    try expect(
      DeltaCodec.encode(delta).elementsEqual(bytes), "A change is accepted that would be written otherwise.")
  }
}

extension [UInt8] {
  /// The bytes with some of them changed, removed or repeated.
  func changed(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
    var bytes = self
    for _ in 0..<count where !bytes.isEmpty {
      let index = random.below(bytes.count)
      switch random.below(7) {
      case 6:
        // A number is written in one byte more than it needs.
        if bytes[index] < 128 { bytes.replaceSubrange(index...index, with: [bytes[index] | 128, 0]) }
      case 0: bytes.removeSubrange(index..<Swift.min(bytes.count, index + 1 + random.below(8)))
      case 1: bytes.insert(contentsOf: bytes[index..<Swift.min(bytes.count, index + 1 + random.below(8))], at: index)
      case 2: bytes[index] = random.element(of: [0, 1, 127, 128, 255])
      case 3: bytes[index] &+= 1
      default: bytes[index] ^= 1 << UInt8(random.below(8))
      }
    }
    return bytes
  }
}
