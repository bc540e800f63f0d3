/// The clusters of a table, in the order of the keys.
struct ClusterTree {
  /// How many rows a cluster may have.
  static let clusterLimit = 256

  /// One cluster: a node of refs with a column each.
  struct Cluster {
    let node: Node
    /// The refs of the columns, by leaf column.
    let columns: ContiguousArray<Int64>
    let count: Int
    /// The key of the first row.
    let firstKey: Int64
    /// All keys; nil if they are consecutive.
    let keys: ContiguousArray<Int64>?

    /// The key of a row.
    func key(_ slot: Int) -> Int64 { keys?[slot] ?? firstKey + Int64(slot) }
  }

  /// Calls `body` with each cluster that has rows. Linear in the nodes.
  ///
  /// - Throws: `RealmFileError` also when the keys do not ascend.
  static func forEachCluster(
    of ref: Int64, in file: FileBytes, _ body: (Cluster) throws(RealmFileError) -> Void
  ) throws(RealmFileError) {
    var last = Int64.min
    func visit(_ node: Node, _ offset: Int64) throws(RealmFileError) -> Int {
      let cluster = try cluster(node, offset, file)
      if cluster.count == 0 { return 0 }
      guard cluster.firstKey > last else { throw file.damage("the keys of objects do not ascend", at: node.offset) }
      last = cluster.key(cluster.count - 1)
      try body(cluster)
      return cluster.count
    }
    let root = try file.node(ref)
    guard root.isInner else {
      _ = try visit(root, 0)
      return
    }
    var levels = [try Level(root, 0, file)]
    while let level = levels.last {
      guard level.next < level.children.count else {
        guard level.found == level.announced else {
          throw file.damage(
            "the tree announces \(level.announced) objects and has \(level.found)", at: level.node.offset)
        }
        levels.removeLast()
        if !levels.isEmpty { levels[levels.count - 1].found += level.found }
        continue
      }
      levels[levels.count - 1].next += 1
      let offset = try level.offset(ofChild: level.next, file)
      let child = try file.node(level.children[level.next])
      if child.isInner {
        guard levels.count < ElementTree.depthLimit else { throw file.damage("the tree is too deep", at: child.offset) }
        levels.append(try Level(child, offset, file))
      } else {
        levels[levels.count - 1].found += try visit(child, offset)
      }
    }
  }

  private static func cluster(_ node: Node, _ offset: Int64, _ file: FileBytes) throws(RealmFileError) -> Cluster {
    var columns = try file.refs(node, atLeast: 1)
    let first = columns.removeFirst()
    if first & 1 == 1 {
      let count = try file.tagged(first, of: node)
      guard count <= clusterLimit, offset <= .max - count else {
        throw file.damage("a cluster has \(count) objects", at: node.offset)
      }
      return Cluster(node: node, columns: columns, count: Int(count), firstKey: offset, keys: nil)
    }
    var keys = try file.unsigned(try file.node(first))
    guard keys.count <= clusterLimit else { throw file.damage("a cluster has \(keys.count) objects", at: node.offset) }
    var last: Int64 = -1
    for index in keys.indices {
      let (key, overflow) = keys[index].addingReportingOverflow(offset)
      guard !overflow, keys[index] > last else {
        throw file.damage("the keys of objects do not ascend", at: node.offset)
      }
      last = keys[index]
      keys[index] = key
    }
    return Cluster(node: node, columns: columns, count: keys.count, firstKey: keys.first ?? offset, keys: keys)
  }

  /// An inner node on the way down.
  private struct Level {
    let node: Node
    let children: ContiguousArray<Int64>
    let announced: Int
    private let offset: Int64
    private let offsets: ContiguousArray<Int64>?
    private let shift: Int64
    var next = 0
    var found = 0

    init(_ node: Node, _ offset: Int64, _ file: FileBytes) throws(RealmFileError) {
      let elements = try file.refs(node, atLeast: 3)
      let depth = try file.tagged(elements[1], of: node)
      guard 1...7 ~= depth else { throw file.damage("the tree has a depth of \(depth)", at: node.offset) }
      shift = 8 * depth
      announced = Int(clamping: try file.tagged(elements[2], of: node))
      children = ContiguousArray(elements[3...])
      if elements[0] == 0 {
        offsets = nil
      } else {
        let offsets = try file.unsigned(try file.node(elements[0]))
        guard offsets.count >= children.count else {
          throw file.damage("the tree has \(children.count) branches and \(offsets.count) keys", at: node.offset)
        }
        self.offsets = offsets
      }
      self.node = node
      self.offset = offset
    }

    func offset(ofChild child: Int, _ file: FileBytes) throws(RealmFileError) -> Int64 {
      let (own, tooFar) = offsets.map { ($0[child], false) } ?? Int64(child).multipliedReportingOverflow(by: 1 << shift)
      let (sum, overflow) = own.addingReportingOverflow(offset)
      guard !tooFar, !overflow else { throw file.damage("a key is out of range", at: node.offset) }
      return sum
    }
  }
}
