import FiefGraph

/// The lists and dictionaries inside any-values: rows of two tables of the graph. Also counts of what was left out.
final class Nests {
  /// A collection that waits to be read.
  struct Pending {
    let isList: Bool
    let index: Int
    let ref: Int64
    let reader: CellReader
    let origin: Int64
    let place: FilePlace
  }

  private var lists: ContiguousArray<StoredCollection?> = []
  private var dictionaries: ContiguousArray<StoredCollection?> = []
  private var pending: [Pending] = []
  /// Links that were left out, because they are unresolved or lead to tables that were left out.
  var unresolvedLinks = 0
  /// Elements of sets that equal another one here.
  var mergedElements = 0

  /// Makes a row for the collection at `ref` (0 for an empty one), which is read later.
  func add(isList: Bool, _ ref: Int64, reader: CellReader, from origin: Int64) throws(RealmFileError) -> ObjectLink {
    try reader.file.charge(1, of: 512)
    let index = isList ? lists.count : dictionaries.count
    if isList { lists.append(nil) } else { dictionaries.append(nil) }
    if ref != 0 {
      pending.append(
        Pending(isList: isList, index: index, ref: ref, reader: reader, origin: origin, place: reader.file.place))
    }
    return ObjectLink(isList ? .nestedLists : .nestedDictionaries, ObjectKey(Int64(index)))
  }

  /// Reads all collections that wait, and those that they hold in turn.
  func readPending() throws(RealmFileError) {
    while let next = pending.popLast() {
      let file = next.reader.file
      let outer = file.place
      file.place = next.place
      let type = ColumnType(.any, shape: next.isList ? .list : .dictionary)
      let collection = try next.reader.collection(next.ref, type, from: next.origin)
      if next.isList { lists[next.index] = collection } else { dictionaries[next.index] = collection }
      file.place = outer
    }
  }

  /// The rows of the two tables, as changes of the empty graph.
  var deltas: [TableDelta] {
    [(TableKey.nestedLists, lists), (.nestedDictionaries, dictionaries)].compactMap { key, rows in
      if rows.isEmpty { return nil }
      var delta = TableDelta(table: key, nextKey: Int64(rows.count))
      for start in stride(from: 0, to: rows.count, by: 256) {
        let part = rows[start..<min(start + 256, rows.count)]
        delta.inserted.append(
          InsertedRows(
            chunk: Int64(start / 256),
            rows: Cluster(
              live: Bitmap256(prefix: part.count), leaves: [Leaf(values: .collection(ContiguousArray(part)))])))
      }
      return delta
    }
  }
}
