import FiefGraph
import FiefValues
import Foundation

/// Reads the cells of one column, and follows its links.
///
/// Lists and dictionaries inside any-values become rows of their own. They wait in a work list, so nesting needs no
/// stack.
struct CellReader {
  let file: FileBytes
  let tables: ImportedTables
  let tally: LinkTally
  let nests: Nests
  /// The position of the table among the imported ones.
  let table: Int
  let column: FileColumn
  /// The type of the column in the graph.
  let type: ColumnType
  let enumeration: Enumeration
  /// The table that links of the column lead to.
  let target: Int?

  /// The cells of the column in a cluster.
  ///
  /// - Parameter equal: the leaves of equal cells that were read so far. A node of equal cells holds no bytes, so its
  ///   leaf is made once and shared.
  func leaf(_ cluster: ClusterTree.Cluster, sharing equal: inout [UInt32: Leaf]) throws(RealmFileError) -> Leaf {
    let node = try cluster.column(column.leaf, file)
    guard node.width == 0, node.scheme != .bytes, !node.hasRefs || type.isCollection, node.count <= 257 else {
      return try leaf(node, cluster)
    }
    let form = UInt32(node.flags) << 16 | UInt32(node.count)
    if let leaf = equal[form], leaf.values.count == cluster.count { return leaf }
    let leaf = try leaf(node, cluster)
    equal[form] = leaf
    return leaf
  }

  private func leaf(_ node: Node, _ cluster: ClusterTree.Cluster) throws(RealmFileError) -> Leaf {
    if type.isCollection { return try collections(node, cluster) }
    let read = try single(node, cluster)
    guard read.values.count == cluster.count else {
      throw file.damage("there are \(read.values.count) values for \(cluster.count) objects", at: node.offset)
    }
    var nulls = Bitmap256()
    for slot in read.nulls { nulls[slot] = true }
    return Leaf(values: read.values, nulls: nulls)
  }

  private func single(_ node: Node, _ cluster: ClusterTree.Cluster) throws(RealmFileError) -> ReadValues {
    switch column.type {
    case .link:
      let keys = try file.integers(node)
      guard keys.count == cluster.count else {
        throw file.damage("there are \(keys.count) links for \(cluster.count) objects", at: node.offset)
      }
      var links: ContiguousArray<Int64> = []
      var nulls: [Int] = []
      // The narrowest width is known at the end, and then they are copied.
      try file.charge(keys.count, of: 4)
      links.reserveCapacity(keys.count)
      for (slot, number) in keys.enumerated() {
        let link = number == 0 ? nil : try self.link(number &- 1, from: cluster.key(slot))
        if link == nil { nulls.append(slot) }
        links.append(link?.key.rawValue ?? 0)
      }
      return ReadValues(values: .narrowed(links), nulls: nulls)
    case .any, .typedLink:
      let values = try anyValues(node) { cluster.key($0) }
      guard values.count <= cluster.count else {
        throw file.damage("there are \(values.count) values for \(cluster.count) objects", at: node.offset)
      }
      return ReadValues(values: .any(values))
    default:
      return try file.values(node, column.type, isNullable: column.isNullable, enumeration: enumeration)
    }
  }

  // MARK: Links

  /// The row that a key of the column's target leads to; nil if the link is unresolved.
  func link(_ key: Int64, from origin: Int64) throws(RealmFileError) -> ObjectLink? {
    guard let target else { throw file.unsupported("it links to a table that is not of the application") }
    return try link(key, target, from: origin)
  }

  /// The row that a key of a table leads to; nil if the link is unresolved.
  private func link(_ key: Int64, _ target: Int, from origin: Int64) throws(RealmFileError) -> ObjectLink? {
    if key < -1 {
      nests.unresolvedLinks += 1
      return nil
    }
    let found = tables.tables[target]
    guard let row = found.rows.find(key) else {
      throw file.damage("object \(origin) links to object \(key) of '\(found.file.name)', which is not there")
    }
    guard type.kind == .link || found.file.kind == .ordinary else {
      throw file.damage("object \(origin) links to an object of '\(found.file.name)', and any-values cannot")
    }
    // The graph makes a backlink of it, and checks all links at the end.
    try file.charge(1, of: 96)
    if !file.keepsValues {
      tally.add(LinkTally.Path(table: table, column: column.key, target: target), from: origin, to: key)
      if found.file.kind == .embedded { tally.own(row, inTable: target) }
    }
    return ObjectLink(found.key, row)
  }

  /// The row that a link with a table leads to; nil if the link is unresolved, or the table is left out.
  func typedLink(_ tableKey: Int64, _ key: Int64, from origin: Int64) throws(RealmFileError) -> ObjectLink? {
    guard let target = tables.position(tableKey) else {
      nests.unresolvedLinks += 1
      return nil
    }
    return try link(key, target, from: origin)
  }

  // MARK: Collections

  private func collections(_ node: Node, _ cluster: ClusterTree.Cluster) throws(RealmFileError) -> Leaf {
    let refs = try file.integers(node)
    guard refs.count == cluster.count else {
      throw file.damage("there are \(refs.count) collections for \(cluster.count) objects", at: node.offset)
    }
    try file.charge(refs.count, of: MemoryLayout<StoredCollection?>.stride)
    var cells: ContiguousArray<StoredCollection?> = []
    cells.reserveCapacity(refs.count)
    for (slot, ref) in refs.enumerated() {
      if ref == 0 {
        cells.append(nil)
        continue
      }
      file.place.row = cluster.key(slot)
      cells.append(try collection(ref, type, from: cluster.key(slot)))
      file.place.row = nil
    }
    return Leaf(values: .collection(cells))
  }

  /// The collection at a ref; nil if it is empty, and while the file is checked.
  func collection(_ ref: Int64, _ type: ColumnType, from origin: Int64) throws(RealmFileError) -> StoredCollection? {
    try file.charge(1, of: 192)
    if type.shape == .dictionary { return try dictionary(ref, type, from: origin) }
    var parts: [LeafValues] = []
    try ElementTree.forEachLeaf(of: ref, in: file) { (node) throws(RealmFileError) in
      let (values, count) = try listLeaf(node, type, from: origin)
      // Sets are sorted, and then each element is taken once.
      try file.charge(values.count, of: values.elementSize * (type.shape == .set ? 3 : 1))
      if file.keepsValues && values.count > 0 { parts.append(values) }
      return count
    }
    if parts.isEmpty { return nil }
    let (collection, merged) = LeafValues.collection(parts, type.shape)
    nests.mergedElements += merged
    return collection
  }

  /// The elements of a leaf of a list or a set, without unresolved links; and how many the file counts.
  private func listLeaf(
    _ node: Node, _ type: ColumnType, from origin: Int64
  ) throws(RealmFileError) -> (LeafValues, Int) {
    switch type.kind {
    case .any:
      let values = try anyValues(node) { _ in origin }
      return (.any(values), values.count)
    case .link:
      var links: ContiguousArray<Int64> = []
      let keys = try file.integers(node)
      try file.chargeValues(keys.count, of: 8)
      for key in keys {
        if key == -1 { throw file.damage("a link in a collection is null", at: node.offset) }
        if let link = try self.link(key, from: origin) { links.append(link.key.rawValue) }
      }
      return (.int64(links), keys.count)
    default:
      let read = try file.values(node, column.type, isNullable: column.isNullable, enumeration: enumeration)
      let count = read.values.count
      return (try type.allowsNull ? optional(read, type) : read.values, count)
    }
  }

  /// Elements that may be null are stored as any-values.
  private func optional(_ read: ReadValues, _ type: ColumnType) throws(RealmFileError) -> LeafValues {
    try file.charge(read.values.count, of: MemoryLayout<Value>.stride)
    let element = type.element
    var values = ContiguousArray((0..<read.values.count).lazy.map { read.values.value(at: $0, as: element) })
    for index in read.nulls { values[index] = .null }
    return .any(values)
  }
}
