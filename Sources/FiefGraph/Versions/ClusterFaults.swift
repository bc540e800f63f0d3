import Dispatch
import FiefRuntime
import Synchronization

/// The first fault of each cluster of new rows, as `Cluster.checkInvariants` finds them.
///
/// A file has a cluster for each 256 rows, and each is checked without the others. Many are therefore checked on
/// several threads: the check mostly waits for memory.
struct ClusterFaults {
  /// By the number of the cluster; sound ones have none.
  private let faults: [Int: String]

  /// Checks clusters. Linear in their cells.
  init(of clusters: [InsertedRows], _ schema: TableSchema) {
    @Sendable func firstFaults(of numbers: Range<Int>) -> [Int: String] {
      var faults: [Int: String] = [:]
      for number in numbers {
        let found = clusters[number].rows.checkInvariants("A cluster of '\(schema.name)'", schema)
        if let first = found.first { faults[number] = first }
      }
      return faults
    }
    // Starting threads takes as long as a few clusters. More parts than processors, so that one that is done early has
    // something left to do.
    let parts = Processors.count == 1 ? 1 : min(clusters.count / 64, Processors.count * 4)
    guard parts > 1 else {
      faults = firstFaults(of: clusters.indices)
      return
    }
    let all = Mutex<[Int: String]>([:])
    DispatchQueue.concurrentPerform(iterations: parts) { part in
      let found = firstFaults(of: clusters.count * part / parts..<clusters.count * (part + 1) / parts)
      if !found.isEmpty { all.withLock { $0.merge(found) { first, _ in first } } }
    }
    faults = all.withLock { $0 }
  }

  /// The first fault of a cluster; nil for a sound one.
  subscript(number: Int) -> String? { faults[number] }
}
