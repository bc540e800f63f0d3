import FiefGraph

/// The rows of one table: which keys they have in the file, and which they get.
///
/// The first cluster of the file becomes chunk 0, the second chunk 1, and so on. So rows keep their order, clusters
/// their columns, and gaps between the file's keys cost nothing.
struct RowNumbers {
  /// How many bytes a cluster takes here and in the graph, without its leaves.
  static let clusterSize = 384

  private let file: FileBytes
  private var places: ContiguousArray<ClusterTree.Place> = []
  private(set) var count = 0

  init(_ file: FileBytes) { self.file = file }

  mutating func append(_ cluster: ClusterTree.Cluster) {
    places.append(cluster.place)
    count += cluster.count
  }

  /// The clusters, in the order of the keys. Each is found again in constant time.
  var clusters: LazyMapCollection<ContiguousArray<ClusterTree.Place>, ClusterTree.Cluster> {
    places.lazy.map { [file] in ClusterTree.Cluster($0, in: file) }
  }

  /// How many clusters there are.
  var clusterCount: Int { places.count }

  /// The key of the row in the graph; nil if the file has no such row. Logarithmic.
  func find(_ key: Int64) -> ObjectKey? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].firstKey <= key { low = middle + 1 } else { high = middle }
    }
    guard low > 0, let slot = Self.slot(of: key, in: ClusterTree.Cluster(places[low - 1], in: file)) else { return nil }
    return ObjectKey(chunk: Int64(low - 1), bit: slot)
  }

  private static func slot(of key: Int64, in cluster: ClusterTree.Cluster) -> Int? {
    guard !cluster.isDense else {
      let (slot, overflow) = key.subtractingReportingOverflow(cluster.firstKey)
      return !overflow && 0..<Int64(cluster.count) ~= slot ? Int(slot) : nil
    }
    var (low, high) = (0, cluster.count)
    while low < high {
      let middle = (low + high) / 2
      if cluster.key(middle) < key { low = middle + 1 } else { high = middle }
    }
    return low < cluster.count && cluster.key(low) == key ? low : nil
  }
}
