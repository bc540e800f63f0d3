import FiefDurability
import FiefGraph
import Foundation

/// Feeds a fuzzer's input to the snapshot reader.
///
///     first byte even    the rest is a file
///     first byte odd     the rest is the contents of the blocks of a file with correct checksums
///
/// For any input, reading must end in a graph or an error. An accepted input must be the canonical form of its graph.
public enum SnapshotHarness {
  static let header = SnapshotHeader(
    store: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), generation: 3, version: 17,
    userVersion: 5, blockSize: 512)

  /// Runs an input. Traps when the codec is wrong.
  ///
  /// - Returns: whether the input was a snapshot.
  @discardableResult
  public static func run(_ input: UnsafeRawBufferPointer) -> Bool {
    guard let mode = input.first else { return false }
    let rest = UnsafeRawBufferPointer(rebasing: input.dropFirst())
    let isAccepted =
      mode & 1 == 0
      ? read(rest) : Sealing.snapshot(rest, header).withUnsafeBytes(read)
    decode(rest)
    return isAccepted
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
    _ = FileKind(of: bytes)
    let scan = SnapshotScan(bytes)
    guard let snapshot = try? Snapshot(reading: bytes) else {
      if scan.damages.isEmpty { fatalError("A snapshot that is refused has no damage.") }
      return false
    }
    if !scan.damages.isEmpty { fatalError("A snapshot that is accepted has damage: \(scan.damages).") }
    if let fault = snapshot.graph.checkInvariants().first { fatalError("A snapshot holds an unsound graph: \(fault)") }
    if !Snapshot.bytes(snapshot.graph, snapshot.header).elementsEqual(bytes) {
      fatalError("A snapshot is accepted that would be written otherwise.")
    }
    var position = 0
    let pulled = try? Snapshot(pulling: { buffer in
      // Pulls portions of odd sizes.
      let count = min(buffer.count, 97, bytes.count - position)
      buffer.copyBytes(from: bytes[position..<position + count])
      position += count
      return count
    })
    if pulled?.graph != snapshot.graph { fatalError("A snapshot that is pulled is another.") }
    return true
  }

  private static func decode(_ bytes: UnsafeRawBufferPointer) {
    guard let delta = try? DeltaCodec.decode(bytes) else { return }
    if !DeltaCodec.encode(delta).elementsEqual(bytes) {
      fatalError("A change is accepted that would be written otherwise.")
    }
  }
}
