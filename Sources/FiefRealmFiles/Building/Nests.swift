import FiefGraph

/// The lists and dictionaries inside any-values: rows of two tables of the graph. Also counts of what was left out.
final class Nests {
  /// A collection that waits to be read. All that wait are of one column, so this is small.
  private struct Pending {
    let isList: Bool
    let index: Int32
    let ref: Int64
    let origin: Int64
  }

  // Empty while a file is checked.
  private var lists: ContiguousArray<StoredCollection?> = []
  private var dictionaries: ContiguousArray<StoredCollection?> = []
  private var listCount: Int32 = 0
  private var dictionaryCount: Int32 = 0
  private var pending: ContiguousArray<Pending> = []
  /// Links that were left out, because they are unresolved or lead to tables that were left out.
  var unresolvedLinks = 0
  /// Elements of sets that equal another one here.
  var mergedElements = 0

  /// Makes a row for the collection at `ref` (0 for an empty one), which is read later.
  func add(isList: Bool, _ ref: Int64, from origin: Int64, in file: FileBytes) throws(RealmFileError) -> ObjectLink {
    try file.charge(1, of: 512)
    let index = isList ? listCount : dictionaryCount
    guard index < .max else { throw file.unsupported("it has more than \(Int32.max) collections in any-values") }
    if isList { listCount += 1 } else { dictionaryCount += 1 }
    if file.keepsValues { if isList { lists.append(nil) } else { dictionaries.append(nil) } }
    if ref != 0 { pending.append(Pending(isList: isList, index: index, ref: ref, origin: origin)) }
    return ObjectLink(isList ? .nestedLists : .nestedDictionaries, ObjectKey(Int64(index)))
  }

  /// Reads all collections that wait, and those that they hold in turn.
  ///
  /// - Parameter reader: that of the column in whose cells they are.
  func readPending(_ reader: CellReader) throws(RealmFileError) {
    if pending.isEmpty { return }
    let outer = reader.file.place
    while let next = pending.popLast() {
      reader.file.place.row = next.origin
      let type = ColumnType(.any, shape: next.isList ? .list : .dictionary)
      let collection = try reader.collection(next.ref, type, from: next.origin)
      if !reader.file.keepsValues { continue }
      if next.isList { lists[Int(next.index)] = collection } else { dictionaries[Int(next.index)] = collection }
    }
    reader.file.place = outer
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
