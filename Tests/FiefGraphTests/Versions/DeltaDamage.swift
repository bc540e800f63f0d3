import FiefGraph
import FiefTestSupport
import FiefValues

/// Damages a delta: drops, repeats, exchanges and alters its parts. What comes out is well typed and makes no sense.
struct DeltaDamage {
  var random: SeededRandom
  /// Graphs whose tables, rows, schemas and values are mixed in.
  let graphs: [Graph]
  /// Other deltas, whose parts are mixed in.
  let others: [Delta]

  mutating func damage(_ delta: inout Delta) {
    switch random.below(12) {
    case 0: delta.schema = random.below(3) == 0 ? nil : random.element(of: graphs).schema
    case 1: if !delta.tables.isEmpty { delta.tables.remove(at: random.below(delta.tables.count)) }
    case 2: if !delta.tables.isEmpty { delta.tables.append(random.element(of: delta.tables)) }
    case 3: delta.tables = random.shuffled(delta.tables)
    case 4: if let table = otherTable() { delta.tables.append(table) }
    default:
      if delta.tables.isEmpty { return }
      damage(&delta.tables[random.below(delta.tables.count)])
    }
  }

  private mutating func otherTable() -> TableDelta? {
    let tables = others.flatMap(\.tables)
    return tables.isEmpty ? nil : random.element(of: tables)
  }

  private mutating func damage(_ delta: inout TableDelta) {
    switch random.below(12) {
    case 0: delta.table = TableKey(rawValue: UInt32(random.below(8)))
    case 1:
      delta.nextKey = random.element(of: [0, 1, delta.nextKey &- 1, delta.nextKey &+ 300, random.int64(), -1, .max])
    case 2: if !delta.deleted.isEmpty { delta.deleted.remove(at: random.below(delta.deleted.count)) }
    case 3: delta.deleted.append(DeletedRows(chunk: chunk(), rows: bits()))
    case 4:
      if delta.deleted.isEmpty { return }
      delta.deleted[random.below(delta.deleted.count)].rows = bits()
    case 5: if !delta.inserted.isEmpty { delta.inserted.remove(at: random.below(delta.inserted.count)) }
    case 6:
      let clusters = graphs.flatMap { graph in graph.allTables.compactMap { $0.rows.last?.chunk } }
      let own = graphs.compactMap { $0[delta.table]?.rows.last?.chunk }
      let pool = random.bool() && !own.isEmpty ? own : clusters
      if !pool.isEmpty { delta.inserted.append(InsertedRows(chunk: chunk(), rows: random.element(of: pool))) }
    case 7:
      if delta.inserted.isEmpty { return }
      delta.inserted[random.below(delta.inserted.count)].chunk = chunk()
    case 8: if !delta.updated.isEmpty { delta.updated.remove(at: random.below(delta.updated.count)) }
    case 9:
      let changes = others.flatMap { $0.tables.flatMap(\.updated) }
      if !changes.isEmpty { delta.updated.append(random.element(of: changes)) }
    default:
      if delta.updated.isEmpty { return }
      damage(&delta.updated[random.below(delta.updated.count)])
    }
  }

  private mutating func damage(_ delta: inout ColumnDelta) {
    let place = delta.cells.isEmpty ? nil : random.below(delta.cells.count)
    switch (random.below(6), place) {
    case (0, _): delta.column = ColumnKey(rawValue: UInt32(random.below(20)))
    case (1, let place?): delta.cells.remove(at: place)
    case (2, let place?): delta.cells.append(delta.cells[place])
    case (3, let place?): delta.cells[place].key = ObjectKey(chunk() << 8 | Int64(random.below(8)))
    case (_, let place?): delta.cells[place].change = damaged(delta.cells[place].change)
    default: break
    }
  }

  private mutating func damaged(_ change: CellChange) -> CellChange {
    if random.below(8) == 0 {
      return random.element(of: [
        .value(value()), .list([ListSplice(range: 0..<0, values: [value()])]), .set(removed: [], inserted: [value()]),
        .dictionary(removed: [], set: [DictionaryEntry(key: "a", value: value())]),
      ])
    }
    switch change {
    case .value: return .value(value())
    case .list(var splices):
      let start = random.below(12) - 2
      let splice = ListSplice(
        range: start..<start + random.below(4), values: (0..<random.below(3)).map { _ in value() })
      if splices.isEmpty || random.bool() {
        splices.insert(splice, at: random.below(splices.count + 1))
      } else {
        splices[random.below(splices.count)].values.append(value())
      }
      return .list(splices)
    case .set(let removed, let inserted):
      switch random.below(4) {
      case 0: return .set(removed: inserted, inserted: removed)
      case 1: return .set(removed: removed + [value()], inserted: inserted)
      case 2: return .set(removed: removed, inserted: inserted + [value()])
      default: return .set(removed: removed + removed, inserted: inserted)
      }
    case .dictionary(let removed, let set):
      switch random.below(3) {
      case 0: return .dictionary(removed: removed + ["a"], set: set)
      case 1: return .dictionary(removed: removed, set: set + [DictionaryEntry(key: "ab", value: value())])
      default: return .dictionary(removed: set.map(\.key), set: [])
      }
    }
  }

  /// Any value at all: most often a link to some row of one of the graphs, since links are what can break most.
  private mutating func value() -> Value {
    if random.below(3) > 0 {
      var edits = RandomEdits(random: random.split())
      if let row = edits.row(random.element(of: graphs)) { return .link(row) }
    }
    // Or a small number: what identifies and is unique in the graphs is one of these.
    if random.bool() { return .int(Int64(random.below(14))) }
    return random.element(of: SampleValues.all).value
  }

  private mutating func chunk() -> Int64 { random.below(4) == 0 ? random.element(of: [1, 2, -1, .max, 1 << 54]) : 0 }

  private mutating func bits() -> Bitmap256 {
    random.bool() ? Bitmap256(bit: random.below(8)) : Bitmap256(prefix: random.below(6))
  }
}
