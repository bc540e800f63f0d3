import FiefGraph

/// The cells that tracking scopes have read, to be found by the cells that a commit changes.
///
///     read ──▶ open: a few readers that the next reads are likely to extend ──▶ kept, by chunk of rows
///
/// A reader is a scope, a column, and the rows of one chunk, as bits. So a loop over a table adds a reader to the
/// dictionary for 256 rows and a column, and a commit looks at the readers of the chunks that it changes.
struct TrackedCells {
  /// 256 rows of a table.
  struct Chunk: Hashable {
    let table: TableKey
    let number: Int64
  }

  /// The rows of one chunk of which a scope has read a column.
  struct Reader {
    let scope: TrackedScope.Number
    /// The number of the column; `presence` when the scope asked whether the rows exist.
    let column: UInt32
    var rows = Bitmap256()
  }

  private static let presence = UInt32.max
  private static let openCount = 16

  /// Readers that may be extended, at places that table and column determine.
  private var open = ContiguousArray(
    repeating: (chunk: Chunk(table: TableKey(rawValue: 0), number: -1), reader: Reader(scope: 0, column: 0)),
    count: openCount)
  private var kept: [Chunk: ContiguousArray<Reader>] = [:]
  /// The number of readers that are kept.
  private(set) var count = 0
  /// The number of readers that remained when those of ended scopes were removed last.
  private var remained = 0

  /// Notes that a scope has read a cell, or that it has asked for the row, when there is no column.
  @inline(__always)
  mutating func append(_ row: ObjectLink, _ column: ColumnKey?, by scope: TrackedScope.Number) {
    let number = column?.rawValue ?? Self.presence
    let place = Int(truncatingIfNeeded: number &+ row.table.rawValue &* 5) & (Self.openCount - 1)
    let chunk = Chunk(table: row.table, number: row.key.chunk)
    if open[place].reader.scope != scope || open[place].reader.column != number || open[place].chunk != chunk {
      keep(place)
      open[place] = (chunk, Reader(scope: scope, column: number))
    }
    open[place].reader.rows[row.key.bit] = true
  }

  /// Adds an open reader to those that are kept.
  private mutating func keep(_ place: Int) {
    let (chunk, reader) = open[place]
    if reader.rows.isEmpty { return }
    open[place].reader.rows = Bitmap256()
    assert(chunk.number >= 0, "What was read has a chunk.")
    if kept[chunk, default: []].add(reader) { count += 1 }
  }

  /// Makes all that was read findable. Readers of ended scopes are removed when they may be as many as the others.
  mutating func collect(keeping isLive: (TrackedScope.Number) -> Bool) {
    for place in open.indices { keep(place) }
    if count < 2 * remained + 1_024 { return }
    kept = kept.compactMapValues { readers in
      var readers = readers
      readers.removeAll { !isLive($0.scope) }
      return readers.isEmpty ? nil : readers
    }
    count = kept.values.reduce(0) { $0 + $1.count }
    remained = count
  }

  /// Calls a block with the scopes that have read a column of some rows of a chunk, or anything of them, when there is
  /// no column. The cells are collected. The same scope may come several times.
  func forEachScope(
    reading column: ColumnKey?, of rows: Bitmap256, in chunk: Chunk, _ body: (TrackedScope.Number) -> Void
  ) {
    assert(open.allSatisfy { $0.reader.rows.isEmpty }, "Collected readers are kept.")
    guard let readers = kept[chunk] else { return }
    for reader in readers where column == nil || column?.rawValue == reader.column {
      if !(reader.rows & rows).isEmpty { body(reader.scope) }
    }
  }
}

extension ContiguousArray<TrackedCells.Reader> {
  /// Adds the rows of a reader, to a known one if its scope has added the last ones.
  ///
  /// - Returns: whether the reader is a new one.
  fileprivate mutating func add(_ reader: Element) -> Bool {
    var index = count - 1
    while index >= 0, self[index].scope == reader.scope {
      if self[index].column == reader.column {
        self[index].rows = self[index].rows | reader.rows
        return false
      }
      index -= 1
    }
    append(reader)
    return true
  }
}

extension TableDelta {
  /// Calls a block with the scopes that have read what differs. The same scope may come several times.
  func forEachScope(reading cells: TrackedCells, _ body: (TrackedScope.Number) -> Void) {
    func visit(_ column: ColumnKey?, _ rows: Bitmap256, in chunk: Int64) {
      if rows.isEmpty { return }
      cells.forEachScope(reading: column, of: rows, in: TrackedCells.Chunk(table: table, number: chunk), body)
    }
    for part in deleted { visit(nil, part.rows, in: part.chunk) }
    for part in inserted { visit(nil, part.rows.live, in: part.chunk) }
    for column in updated {
      var (chunk, rows) = (Int64(-1), Bitmap256())
      for (key, _) in column.cells {
        if key.chunk != chunk {
          visit(column.column, rows, in: chunk)
          (chunk, rows) = (key.chunk, Bitmap256())
        }
        rows[key.bit] = true
      }
      visit(column.column, rows, in: chunk)
    }
  }
}
