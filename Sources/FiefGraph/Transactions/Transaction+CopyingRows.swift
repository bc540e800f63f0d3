import FiefRuntime
import FiefValues
import Foundation

// Copies rows from cluster to cluster, for callers that have read all of them and know every key beforehand.
//
// Keys ascend, so a caller that makes rows in a known order knows their keys in advance. It stores a link along with
// the other cells of its row, whether its target exists yet or not. Until the last row and the last backlink are added,
// the working copy is unsound, and only these operations may be used on it.

extension Transaction {
  /// The key of the next row of a table; nil if the table does not exist.
  package func nextKey(of table: TableKey) -> ObjectKey? { read { $0[table].map { ObjectKey($0.nextKey) } } }

  /// Whether a table may give out all keys below a key.
  package static func mayGiveOut(keysBelow key: ObjectKey) -> Bool { key.rawValue <= Table.keyLimit }

  /// Whether a number of rows can be made in a table. True for a table that does not exist.
  package func hasKeys(for count: Int, in table: TableKey) -> Bool {
    assert(count >= 0, "Rows are counted.")
    return working.borrowedTable(table.index)?.with { Int64(count) <= Table.keyLimit - $0.nextKey }
      ?? true
  }

  /// Throws unless a number of rows can be made in a table.
  package func checkKeys(for count: Int, in table: TableKey) throws {
    guard !hasKeys(for: count, in: table), let schema = working[table]?.schema else { return }
    throw Self.outOfKeys(schema)
  }

  static func outOfKeys(_ schema: TableSchema) -> GraphError {
    GraphError(
      .invalidValue, "'\(schema.name)' has given out all its keys, and can have no more objects.", table: schema.name)
  }

  /// Adds the backlink of a link that was stored in a new row. Called once for each link.
  package func noteStoredLink(_ cell: Cell, to target: ObjectLink) {
    assert(target.key.rawValue >= 0, "A link that is stored leads to a row.")
    addBacklink(cell, to: target)
  }
}

extension Transaction {
  /// Makes a row the owner of a row that `insertRow` has just made. The owner's cell is a single link, typed for the
  /// table of the owned row, and null so far.
  package func setOwner(_ part: ObjectLink, by cell: Cell) {
    guard let schema = working[cell.table]?.schema, let leaf = schema.leaf(of: cell.column) else {
      fatalError("An object was given to a property that is not there.")
    }
    if schema.indexesOfLeaf[leaf].isEmpty {
      _ = change(cell.key, of: cell.table.index) { $0.leaves[leaf].store(part.key.rawValue, at: $1) }
    } else {
      store(.link(part), at: ColumnLocation(table: cell.table.index, leaf: leaf, schema: schema), of: cell.key)
    }
    addBacklink(cell, to: part)
    assert(working.owner(of: part) == cell, "A row that is owned has one owner.")
  }
}

extension NewRow {
  /// Copies the value of a cell of a column of the same type. The column must not hold links.
  package func copy(leaf: Int, from source: Cluster, leaf sourceLeaf: Int, slot sourceSlot: Int) {
    assert(
      schema.with { !$0.linkLeaves.contains(leaf) || $0.types[leaf].kind == .any },
      "A column of links is not copied value by value.")
    guard !source.leaves[sourceLeaf].nulls[sourceSlot] else { return }
    cluster.with { cluster in
      if cluster.leaves[leaf].nulls[slot] { cluster.leaves[leaf].nulls[slot] = false }
      cluster.leaves[leaf].values.copy(source.leaves[sourceLeaf].values, at: sourceSlot, to: slot)
    }
  }

  /// Sets a cell of a typed link. The target exists or will be made.
  package func storeLink(_ target: ObjectKey, leaf: Int) {
    assert(schema.with { $0.types[leaf].kind == .link && !$0.types[leaf].isCollection }, "A link is stored in a link.")
    cluster.with { $0.leaves[leaf].store(target.rawValue, at: slot) }
  }

  /// Sets a list of typed links. The targets exist or will be made, and there is at least one.
  package func storeLinks(_ targets: ContiguousArray<Int64>, leaf: Int) {
    assert(!targets.isEmpty, "An empty list is not stored.")
    let elements =
      targets.count <= OrderedTree<Int64>.leafCapacity
      ? OrderedTree(root: .leaf(targets), count: targets.count) : OrderedTree(targets)
    assert(elements.count == targets.count, "A list has all of its targets.")
    let list = StoredElements<Int64>(.list, elements)
    cluster.with { $0.leaves[leaf].values.updateCollection(at: slot) { $0 = list } }
  }

  /// Sets a collection of scalars to the elements of another, of a column of the same type. Constant time: the two
  /// share their nodes until one of them changes.
  package func storeCopy(of contents: StoredCollection, leaf: Int) {
    assert(contents.count > 0, "An empty collection is not stored.")
    assert(schema.with { $0.types[leaf].shape == contents.shape }, "A collection has the shape of its column.")
    cluster.with {
      $0.leaves[leaf].values.updateCollection(at: slot) { $0 = contents.copy() }
    }
  }
}

extension StoredCollection {
  /// Calls `body` with the target of every element of a list of typed links, until it returns false.
  ///
  /// - Returns: Whether `body` returned true for every target; nil, without a call, if this is not a list of integers
  ///   or links.
  package func forEachTarget(_ body: (ObjectKey) -> Bool) -> Bool? {
    guard shape == .list, asElements.kind == .int else { return nil }
    // The cast depends on `kind`, as in `AnyStoredElements`.
    for key in unsafe unsafeDowncast(self, to: StoredElements<Int64>.self).elements where !body(ObjectKey(key)) {
      return false
    }
    return true
  }
}

extension LeafValues {
  /// Copies the value at a slot of another leaf, of a column of the same type, to a slot.
  mutating func copy(_ other: LeafValues, at source: Int, to slot: Int) {
    switch other {
    case .vacant, .collection: wrongLeaf()
    case .int8, .int16, .int32, .int64: Int64.store(Int64.load(from: other, at: source), into: &self, at: slot)
    case .float(let array): Float.store(array[source], into: &self, at: slot)
    case .double(let array): Double.store(array[source], into: &self, at: slot)
    case .string(let array): String.store(array[source], into: &self, at: slot)
    case .data(let array): Data.store(array[source], into: &self, at: slot)
    case .date(let array): Timestamp.store(array[source], into: &self, at: slot)
    case .objectId(let array): ObjectId.store(array[source], into: &self, at: slot)
    case .uuid(let array): UUID.store(array[source], into: &self, at: slot)
    case .decimal(let array): Decimal128.store(array[source], into: &self, at: slot)
    case .any(let array): Value.store(array[source], into: &self, at: slot)
    }
  }
}
