import FiefDurability
import FiefGraph
import Foundation

/// The possible contents of each version of a store at each moment: the graphs, and their bytes.
///
///     version 5   ├─ graph of event 40 … 52: begun, failed, undone ─┤├─ graph of event 60 … ──▶
///
/// The bytes are those of a snapshot with one header for all, so that exactly equal graphs have equal bytes. `lock`
/// guards the candidates, which compute their bytes on first use.
final class Oracle: @unchecked Sendable {
  private struct Candidate {
    let graph: Graph
    let moments: Range<Int>
    var bytes: [UInt8]?
  }

  private var candidates: [[Candidate]] = [[Candidate(graph: .empty, moments: 0..<Int.max)]]
  private let lock = NSLock()

  private static let header = SnapshotHeader(
    store: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), generation: 0, version: 0, userVersion: 0,
    blockSize: 512)

  /// Adds the graph of the next version, valid from this moment (a number of events) on.
  func add(_ graph: Graph, at moment: Int) {
    lock.lock()
    defer { lock.unlock() }
    let version = Int(graph.version)
    if candidates.count <= version { candidates.append([]) }
    candidates[version].append(Candidate(graph: graph, moments: moment..<Int.max))
  }

  /// Ends all versions above `version`: from this moment on they are undone.
  func removeAll(after version: UInt64, at moment: Int) {
    lock.lock()
    defer { lock.unlock() }
    for version in candidates.indices.dropFirst(Int(version) + 1) {
      candidates[version] = candidates[version].map { candidate in
        candidate.moments.contains(moment)
          ? Candidate(graph: candidate.graph, moments: candidate.moments.lowerBound..<moment, bytes: candidate.bytes)
          : candidate
      }
    }
  }

  /// Whether `graph` equals, byte for byte, a possible `version` of the store at this moment.
  func holds(_ graph: Graph, at version: UInt64, moment: Int) -> Bool {
    holds(bytes: Self.bytes(graph), at: version, moment: moment)
  }

  /// Whether `bytes` are those of a possible `version` of the store at this moment.
  func holds(bytes: [UInt8], at version: UInt64, moment: Int) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard version < UInt64(candidates.count) else { return false }
    let version = Int(version)
    return candidates[version].indices.contains { position in
      guard candidates[version][position].moments.contains(moment) else { return false }
      if candidates[version][position].bytes == nil {
        candidates[version][position].bytes = Self.bytes(candidates[version][position].graph)
      }
      return candidates[version][position].bytes == bytes
    }
  }

  /// The bytes by which graphs are compared.
  static func bytes(_ graph: Graph) -> [UInt8] { Snapshot.bytes(graph, header) }
}
