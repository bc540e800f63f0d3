import FiefDurability
import FiefGraph
import Foundation

/// What a store must hold at each version: the graphs, and their bytes.
///
/// The bytes are those of a snapshot with one header for all, so that equal graphs have equal bytes and nothing else has.
final class Oracle: @unchecked Sendable {
  /// The graph of each version. A version whose commit was refused as undone is followed by another of the same number.
  private(set) var graphs: [Graph] = [.empty]
  private var bytesOf: [[UInt8]?] = [nil]
  private let lock = NSLock()

  private static let header = SnapshotHeader(
    store: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), generation: 0, version: 0, userVersion: 0,
    blockSize: 512)

  /// The last version there is.
  var last: UInt64 { UInt64(graphs.count - 1) }

  /// Notes the graph of the next version.
  func add(_ graph: Graph) {
    lock.lock()
    defer { lock.unlock() }
    graphs.append(graph)
    bytesOf.append(nil)
  }

  /// Forgets the last version: it was undone.
  func removeLast() {
    lock.lock()
    defer { lock.unlock() }
    graphs.removeLast()
    bytesOf.removeLast()
  }

  /// Whether `graph` is, byte for byte, what the store must hold at `version`.
  func holds(_ graph: Graph, at version: UInt64) -> Bool {
    guard version < UInt64(graphs.count) else { return false }
    return bytes(version) == Self.bytes(graph)
  }

  private func bytes(_ version: UInt64) -> [UInt8] {
    lock.lock()
    defer { lock.unlock() }
    if let bytes = bytesOf[Int(version)] { return bytes }
    let bytes = Self.bytes(graphs[Int(version)])
    bytesOf[Int(version)] = bytes
    return bytes
  }

  /// The bytes by which graphs are compared.
  static func bytes(_ graph: Graph) -> [UInt8] { Snapshot.bytes(graph, header) }
}
