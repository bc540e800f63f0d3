/// The clusters of a table, in the order of the keys.
///
/// Keys are numbers of 64 bits that are compared without a sign. Those of tombstones have all high bits set: as signed
/// numbers, which everything outside of the tree uses, they are negative.
struct ClusterTree {
  /// How many rows a cluster may have.
  static let clusterLimit = 256

  /// The place of a cluster: all that is kept of one, as a file may have very many.
  struct Place {
    /// The place of its node.
    let position: Int
    /// The key of the first row.
    let firstKey: Int64
  }

  /// One cluster: a node of refs with a column each.
  struct Cluster {
    // The keys, and the refs of the columns.
    fileprivate let elements: Integers
    let count: Int
    /// The key of the first row.
    let firstKey: Int64
    // The keys above the offset; nil if they are consecutive.
    private let keys: Integers?
    private let offset: Int64

    fileprivate init(_ elements: Integers, count: Int, offset: Int64, keys: Integers? = nil) {
      self.elements = elements
      self.count = count
      self.offset = offset
      self.keys = keys
      firstKey = (keys?.first ?? 0) &+ offset
    }

    /// The cluster at a place where one was found. Constant time.
    init(_ place: Place, in file: FileBytes) {
      elements = file.knownIntegers(at: place.position)
      firstKey = place.firstKey
      let first = elements[0]
      if first & 1 == 1 {
        (keys, offset, count) = (nil, place.firstKey, Int(first >> 1))
      } else {
        let keys = file.knownIntegers(at: Int(first), areUnsigned: true)
        (self.keys, offset, count) = (keys, place.firstKey &- (keys.first ?? 0), keys.count)
      }
    }

    /// Its place.
    var place: Place { Place(position: position, firstKey: firstKey) }
    /// The place of its node.
    var position: Int { elements.node.offset }
    /// How many columns it has.
    var columnCount: Int { elements.count - 1 }
    /// Whether the keys are consecutive.
    var isDense: Bool { keys == nil }

    /// The key of a row.
    func key(_ slot: Int) -> Int64 { keys.map { $0[slot] &+ offset } ?? firstKey &+ Int64(slot) }

    /// The node of a leaf column.
    func column(_ leaf: Int, _ file: FileBytes) throws(RealmFileError) -> Node {
      guard leaf < columnCount else { throw file.damage("a cluster has \(columnCount) columns", at: position) }
      return try file.node(elements[leaf + 1])
    }
  }

  /// Calls `body` with each cluster that has rows. Linear in the nodes.
  ///
  /// - Throws: `RealmFileError` also when the keys do not ascend.
  static func forEachCluster(
    of ref: Int64, in file: FileBytes, _ body: (Cluster) throws(RealmFileError) -> Void
  ) throws(RealmFileError) {
    // The lowest key that the next row may have; nil after the highest of all.
    var least: UInt64? = 0
    func visit(_ node: Node, _ offset: Int64) throws(RealmFileError) -> Int {
      let cluster = try cluster(node, offset: offset, file)
      if cluster.count == 0 { return 0 }
      guard let bound = least, UInt64(bitPattern: cluster.firstKey) >= bound else {
        throw file.damage("the keys of objects do not ascend", at: node.offset)
      }
      let last = UInt64(bitPattern: cluster.key(cluster.count - 1))
      least = last == .max ? nil : last + 1
      try body(cluster)
      return cluster.count
    }
    let root = try file.node(ref)
    guard root.isInner else {
      _ = try visit(root, 0)
      return
    }
    var levels = [try Level(root, offset: 0, file)]
    while let level = levels.last {
      guard level.next < level.childCount else {
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
      let child = try file.node(level.child(level.next))
      if child.isInner {
        guard levels.count < ElementTree.depthLimit else { throw file.damage("the tree is too deep", at: child.offset) }
        levels.append(try Level(child, offset: offset, file))
      } else {
        levels[levels.count - 1].found += try visit(child, offset)
      }
    }
  }

  private static func cluster(_ node: Node, offset: Int64, _ file: FileBytes) throws(RealmFileError) -> Cluster {
    let elements = try file.refs(node, atLeast: 1)
    let first = elements[0]
    if first & 1 == 1 {
      let count = try file.tagged(first, of: node)
      guard count <= clusterLimit, UInt64(bitPattern: offset) <= .max - UInt64(count) else {
        throw file.damage("a cluster has \(count) objects", at: node.offset)
      }
      return Cluster(elements, count: Int(count), offset: offset)
    }
    let keys = try file.unsigned(try file.node(first))
    guard keys.count <= clusterLimit else { throw file.damage("a cluster has \(keys.count) objects", at: node.offset) }
    var last: UInt64?
    for key in keys.lazy.map(UInt64.init(bitPattern:)) {
      guard last.map({ $0 < key }) ?? true, key <= .max - UInt64(bitPattern: offset) else {
        throw file.damage("the keys of objects do not ascend", at: node.offset)
      }
      last = key
    }
    return Cluster(elements, count: keys.count, offset: offset, keys: keys)
  }

  /// An inner node on the way down.
  private struct Level {
    let announced: Int
    // The offsets of the children, the depth, the number of rows below, and the refs of the children.
    private let elements: Integers
    private let offset: Int64
    private let offsets: Integers?
    private let shift: Int64
    var next = 0
    var found = 0

    init(_ node: Node, offset: Int64, _ file: FileBytes) throws(RealmFileError) {
      let elements = try file.refs(node, atLeast: 3)
      let depth = try file.tagged(elements[1], of: node)
      guard 1...7 ~= depth else { throw file.damage("the tree has a depth of \(depth)", at: node.offset) }
      shift = 8 * depth
      announced = Int(clamping: try file.tagged(elements[2], of: node))
      if elements[0] == 0 {
        offsets = nil
      } else {
        let offsets = try file.unsigned(try file.node(elements[0]))
        guard offsets.count >= elements.count - 3 else {
          throw file.damage("the tree has \(elements.count - 3) branches and \(offsets.count) keys", at: node.offset)
        }
        self.offsets = offsets
      }
      self.elements = elements
      self.offset = offset
    }

    var node: Node { elements.node }
    var childCount: Int { elements.count - 3 }

    func child(_ child: Int) -> Int64 { elements[child + 3] }

    func offset(ofChild child: Int, _ file: FileBytes) throws(RealmFileError) -> Int64 {
      let (own, tooFar) =
        offsets.map { (UInt64(bitPattern: $0[child]), false) }
        ?? UInt64(child).multipliedReportingOverflow(by: 1 << UInt64(shift))
      let (sum, overflow) = own.addingReportingOverflow(UInt64(bitPattern: offset))
      guard !tooFar, !overflow else { throw file.damage("a key is out of range", at: node.offset) }
      return Int64(bitPattern: sum)
    }
  }
}
