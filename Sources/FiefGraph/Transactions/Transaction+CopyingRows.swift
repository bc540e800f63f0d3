import FiefValues
import Foundation

// Copying rows from cluster to cluster: for whoever has looked at all of them, and knows every key beforehand.
//
// Keys are counted up, so who makes rows in a known order knows their keys before there is a row: a link is stored
// along with the other cells of its row, be its target made or not. Until the last row and the last backlink are there
// the working copy is unsound, and nothing but these operations may be done with it.

extension Transaction {
  /// The key of the next row of a table; nil when there is no such table.
  package func nextKey(of table: TableKey) -> ObjectKey? {
    read { $0[table].map { ObjectKey($0.nextKey) } }
  }

  /// Takes note of a link that was stored in a new row, once for each link.
  package func noteStoredLink(_ cell: Cell, to target: ObjectLink) { addBacklink(cell, to: target) }
}

extension Transaction {
  /// Lets a row own one that was made by `insertRow` just now: by a single link of a column that is typed for its
  /// table, and is null.
  package func own(_ part: ObjectLink, by cell: Cell) {
    guard let schema = working[cell.table]?.schema, let leaf = schema.leaf(of: cell.column) else {
      fatalError("An object was given to a property that is not there.")
    }
    if schema.indexesOfLeaf[leaf].isEmpty {
      _ = change(cell.table.index, cell.key) { $0.leaves[leaf].store(part.key.rawValue, at: $1) }
    } else {
      store(.link(part), Place(table: cell.table.index, leaf: leaf, schema: schema), cell.key)
    }
    addBacklink(cell, to: part)
  }
}

extension NewRow {
  /// Gives a cell the value of another cell, of a column of the same type. Links are not given so.
  package func copy(leaf: Int, from source: Cluster, leaf sourceLeaf: Int, slot sourceSlot: Int) {
    guard !source.leaves[sourceLeaf].nulls[sourceSlot] else { return }
    cluster._withUnsafeGuaranteedRef { cluster in
      if cluster.leaves[leaf].nulls[slot] { cluster.leaves[leaf].nulls[slot] = false }
      cluster.leaves[leaf].values.copy(source.leaves[sourceLeaf].values, at: sourceSlot, to: slot)
    }
  }

  /// Gives a cell of a typed link its target, which is there or will be.
  package func storeLink(_ target: ObjectKey, leaf: Int) {
    cluster._withUnsafeGuaranteedRef { $0.leaves[leaf].store(target.rawValue, at: slot) }
  }

  /// Gives a list of typed links its targets, which are there or will be, and are not none.
  package func storeLinks(_ targets: ContiguousArray<Int64>, leaf: Int) {
    let elements =
      targets.count <= OrderedTree<Int64>.leafCapacity
      ? OrderedTree(root: .leaf(targets), count: targets.count) : OrderedTree(targets)
    let list = StoredElements<Int64>(.list, elements)
    cluster._withUnsafeGuaranteedRef { $0.leaves[leaf].values.updateCollection(at: slot) { $0 = list } }
  }

  /// Gives a collection of scalars the elements of another, of a column of the same type. Constant time: the two share
  /// them, until one is changed.
  package func storeCopy(of contents: StoredCollection, leaf: Int) {
    cluster._withUnsafeGuaranteedRef { $0.leaves[leaf].values.updateCollection(at: slot) { $0 = contents.copy() } }
  }
}

extension StoredCollection {
  /// Calls `body` with the target of every element of a list of typed links, until it returns false.
  ///
  /// - Returns: whether it never did; nil, without a call, when it is no such list.
  package func forEachTarget(_ body: (ObjectKey) -> Bool) -> Bool? {
    guard shape == .list, asElements.kind == .int else { return nil }
    // As `AnyStoredElements` itself does: `kind` says what the elements are.
    for key in unsafeDowncast(self, to: StoredElements<Int64>.self).elements where !body(ObjectKey(key)) {
      return false
    }
    return true
  }
}

extension LeafValues {
  /// Puts the value of a slot of another leaf, of a column of the same type, into a slot.
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
